"""XOR-Full as in the paper: F1, exact match and BLEU over words in the question's language.

Asai et al. 2021, section 3.3: Moses tokenises answers and MeCab Japanese ones,
gold answers and predictions alike. BLEU is sacreBLEU's sentence BLEU (Post 2018).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from ...core.text.normalize import fold
from ..overlap import token_f1
from ..report import Reference, Score
from . import tokenize
from .text import PUNCTUATION


def score_xor_full(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """`f1`, `em` and `bleu` of every question, from 0 to 1; an unanswered one scores 0.

    F1 and exact match are the best over the gold answers; BLEU takes them all as references.
    """
    return [_score(reference, predictions.get(reference.qid)) for reference in references]


def compared(text: str, lang: str) -> list[str]:
    """The words that F1 and exact match compare: those of the folded text without punctuation.

    An answer that is all punctuation keeps it.
    """
    words = tokenize.words(fold(text), lang)
    return PUNCTUATION.sub("", " ".join(words)).split() or list(words)


def bleu(prediction: str, golds: Sequence[str], lang: str) -> float:
    """sacreBLEU's smoothed sentence BLEU (0 to 1) over words, with the n-gram orders that occur."""
    line, *references = (" ".join(tokenize.words(text, lang)) for text in (prediction, *golds))
    percent = _bleu().sentence_score(line, references).score
    return min(1.0, float(percent) / 100)  # a perfect match is 100 plus a rounding error


def signature() -> str:
    """The signatures of sacreBLEU and of the tokenizers."""
    metric = _bleu()
    metric.num_refs = -1  # varies; otherwise the last question's
    return f"{metric.get_signature()}|{tokenize.signature()}"


def _score(reference: Reference, prediction: str | None) -> Score:
    values = {"f1": 0.0, "em": 0.0, "bleu": 0.0}
    lang = reference.lang
    if prediction is not None and reference.answers:
        words = compared(prediction, lang)
        golds = [compared(gold, lang) for gold in reference.answers]
        values["em"] = float(words in golds)
        values["f1"] = values["em"] or max(token_f1(words, gold) for gold in golds)
        values["bleu"] = bleu(prediction, reference.answers, lang)
    return Score(reference.qid, lang, values)


@cache
def _bleu() -> Any:
    return import_module("sacrebleu").BLEU(tokenize="none", effective_order=True)
