"""The features of XTREME-R's diagnosis of question answering where they differ from ours.

Ruder et al. 2021, section 5.2 and appendix K.1. The lengths are those of `FEATURES`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from .facts import DiagnosisInput, Outcome, QuestionFacts, Value
from .features import Feature

F1_EM = "f1+em"
"""The metric of the diagnosis on XQuAD: the mean of F1 and exact match (Table 6)."""

FIRST_TOKENS = ("what", "how", "who", "when", "which")
"""The question types of Table 6, in its order."""
OTHER = "other"

BUNDLE = "xtreme-r"
XTREME_R = ("aLen", "qLen", "cLen", "sacreBLEU-AQ", "sacreBLEU-QC", "first-token")
"""The features that `BUNDLE` stands for."""


def first_token(question: QuestionFacts) -> Value:
    """The first token of the question in English, if it is one of `FIRST_TOKENS`."""
    tokens = question.in_english.lower().split(maxsplit=1)
    if not tokens:
        return None
    return tokens[0] if tokens[0] in FIRST_TOKENS else OTHER


def sentence_bleu(text: str, reference: str, lang: str) -> float | None:
    """sacreBLEU's `sentence_bleu` (0 to 1), with brevity penalty; None if a text is empty.

    Orders without a match count, smoothed (`exp`). Chinese is split into characters, which the
    greatest BLEU-AQ of Table 25 needs.
    """
    if not text or not reference:
        return None
    # corpus_score of one sentence is sentence_bleu without its warning of orders that are too high
    scorer = _scorer("zh" if lang == "zh" else "13a")
    return float(scorer.corpus_score([text], [[reference]]).score) / 100


def with_mean(data: DiagnosisInput) -> DiagnosisInput:
    """The data with the metric `F1_EM`, where a system has F1 and exact match."""

    def of(row: Outcome) -> Outcome:
        if row.values is None or not {"f1", "em"} <= row.values.keys():
            return row
        mean = (row.values["f1"] + row.values["em"]) / 2
        return replace(row, values={**row.values, F1_EM: mean})

    systems = {name: tuple(map(of, rows)) for name, rows in data.systems.items()}
    return replace(data, systems=systems)


def _bleu(name: str, about: str, of: Callable[[QuestionFacts], tuple[str, str]]) -> Feature:
    return Feature(name, about, lambda question: sentence_bleu(*of(question), question.lang))


AS_PRINTED = {
    feature.name: feature
    for feature in (
        _bleu(
            "sacreBLEU-AQ",
            "sacreBLEU's sentence_bleu of the first gold answer against the question, 0 to 1",
            lambda question: ("".join(question.answers[:1]), question.text),
        ),
        _bleu(
            "sacreBLEU-QC",
            "sacreBLEU's sentence_bleu of the question against the gold passage, 0 to 1",
            lambda question: (question.text, question.context),
        ),
        Feature(
            "first-token",
            "the first token of the question in English, if it is what, how, who, when or which",
            first_token,
            order=(*FIRST_TOKENS, OTHER),
        ),
    )
}
"""The features by name; they are computed only if they are named."""


@cache
def _scorer(tokenize: str) -> Any:
    return import_module("sacrebleu").BLEU(tokenize=tokenize, effective_order=False)
