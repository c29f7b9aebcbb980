"""XOR-Full (Asai et al. 2021, section 3.3): F1, exact match and BLEU in the question's language.

The official scorer equals the published script: four counters are removed wherever they occur;
Japanese is segmented by MeCab; BLEU is NLTK's sentence BLEU over characters, against all gold
answers at once, where Japanese gold answers are segmented but the prediction is not. The script's
macro average, which divides by seven, is `Report.macro_over_seven`.

The strict scorer follows the paper: Moses tokenises answers and MeCab Japanese ones, gold answers
and predictions alike. BLEU is sacreBLEU's sentence BLEU (Post 2018).
"""

import math
import string
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from ...core.lang import XOR_LANGUAGES
from ...core.text.normalize import fold
from ...core.text.words import wakati
from ...core.types import Trace
from ...io.predictions import after_underscore
from ..answers import PUNCTUATION, best_overlap, word_signature, words
from ..measure import BLEU, EXACT_MATCH, F1
from ..report import Reference, Report, Score, average
from ..scorer_differences import AnswerExplainer, Cause, deleting, normalisation
from ..task import Task

_COUNTERS = "年歳人년"
_DROPPED = str.maketrans("", "", string.punctuation + _COUNTERS)
_JAPANESE_POINTS = str.maketrans({"・": " ", "、": ","})  # in predictions only


def normalize(text: str) -> str:
    """Lower-case a text; remove ASCII punctuation, counters (年 歳 人 년), extra white space."""
    return " ".join(text.lower().translate(_DROPPED).split())


def bleu(prediction: str, golds: Sequence[str]) -> float:
    """Unsmoothed sentence BLEU-4 (0 to 1) over characters, with all gold answers as references.

    Papineni et al. 2002, section 2, with the value of NLTK's `sentence_bleu`: an order without
    a match counts as the smallest normal float, so even a perfect answer of fewer than four
    characters scores (almost) 0. Implemented here because NLTK cannot cache the golds' n-grams.
    """
    allowed, matched = _allowed(tuple(golds)), [0] * 4
    for ngram, count in _ngrams(prediction, allowed).items():
        matched[len(ngram) - 1] += min(count, allowed[ngram])
    if not matched[0]:
        return 0.0
    length = len(prediction)
    closest = min((len(gold) for gold in golds), key=lambda size: (abs(size - length), size))
    penalty = 1.0 if length > closest else math.exp(1 - closest / length)
    precisions = [count / max(1, length - less) for less, count in enumerate(matched)]
    logs = [math.log(precision or sys.float_info.min) for precision in precisions]
    return penalty * math.exp(math.fsum(0.25 * log for log in logs))


@lru_cache(maxsize=4096)  # the questions of a data set, cached for the next system's predictions
def _allowed(golds: tuple[str, ...]) -> Counter[str]:
    """The maximum count of each n-gram over the gold answers."""
    counts: Counter[str] = Counter()
    for gold in golds:
        counts |= _ngrams(gold)
    return counts


def _ngrams(text: str, only: Container[str] | None = None) -> Counter[str]:
    """The counts of a text's character n-grams, n from 1 to 4: all, or `only` those."""
    counts: Counter[str] = Counter()
    for n in range(1, 5):
        ngrams = map("".join, zip(*(text[start:] for start in range(n)), strict=False))
        counts.update(ngrams if only is None else filter(only.__contains__, ngrams))
    return counts


def by_qid(predictions: Mapping[str, str]) -> dict[str, str]:
    """Add predictions by the part of their ids after the last "_"; full ids take precedence."""
    return {after_underscore(qid): text for qid, text in predictions.items()} | dict(predictions)


def score_xor_full(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """`f1`, `em` and `bleu` of every question, from 0 to 1; an unanswered one scores 0.

    F1 and exact match are over normalised white-space tokens, the best over the gold answers.
    Ids of predictions may have a prefix, see `by_qid`.
    """
    by_id = by_qid(predictions)
    return [_score(reference, by_id.get(reference.qid)) for reference in references]


def _score(reference: Reference, prediction: str | None) -> Score:
    values = {"f1": 0.0, "em": 0.0, "bleu": 0.0}
    if prediction is not None:
        text, golds = prediction, list(reference.answers)
        if reference.lang == "ja":
            text = wakati(prediction.translate(_JAPANESE_POINTS))
            golds = [wakati(gold) for gold in golds]
        tokens = normalize(text).split()
        gold_tokens = [normalize(gold).split() for gold in golds]
        values = {**best_overlap(tokens, gold_tokens), "bleu": bleu(prediction, golds)}
    return Score(reference.qid, reference.lang, values)


def score_xor_full_strict(
    references: Iterable[Reference], predictions: Mapping[str, str]
) -> list[Score]:
    """`f1`, `em` and `bleu` of every question, from 0 to 1; an unanswered one scores 0.

    F1 and exact match are the best over the gold answers; BLEU takes them all as references.
    """
    return [_score_strict(reference, predictions.get(reference.qid)) for reference in references]


def compared(text: str, lang: str) -> list[str]:
    """The words that F1 and exact match compare: those of the folded text without punctuation.

    An answer that is all punctuation keeps it.
    """
    folded = words(fold(text), lang)
    return PUNCTUATION.sub("", " ".join(folded)).split() or list(folded)


def word_bleu(prediction: str, golds: Sequence[str], lang: str) -> float:
    """sacreBLEU's smoothed sentence BLEU (0 to 1) over words, with the n-gram orders that occur."""
    line, *references = (" ".join(words(text, lang)) for text in (prediction, *golds))
    percent = _sacrebleu().sentence_score(line, references).score
    return min(1.0, float(percent) / 100)  # a perfect match is 100 plus a rounding error


def strict_signature() -> str:
    """The signatures of sacreBLEU and of the tokenizers."""
    scorer = _sacrebleu()
    scorer.num_refs = -1  # varies; otherwise the last question's
    return f"{scorer.get_signature()}|{word_signature()}"


def _score_strict(reference: Reference, prediction: str | None) -> Score:
    values = {"f1": 0.0, "em": 0.0, "bleu": 0.0}
    lang = reference.lang
    if prediction is not None and reference.answers:
        golds = [compared(gold, lang) for gold in reference.answers]
        values |= best_overlap(compared(prediction, lang), golds)
        values["f1"] = max(values["f1"], values["em"])  # equal answers may have no words
        values["bleu"] = word_bleu(prediction, reference.answers, lang)
    return Score(reference.qid, lang, values)


@cache
def _sacrebleu() -> Any:
    return import_module("sacrebleu").BLEU(tokenize="none", effective_order=True)


SCORERS = {"official": score_xor_full, "strict": score_xor_full_strict}


def answers(traces: Sequence[Trace]) -> dict[str, str]:
    """The chosen answers, by qid."""
    return {trace.question.qid: trace.answer.text for trace in traces if trace.answer}


def summarise(
    scores: Sequence[Score], *, task: str, scorer: str, over_seven: bool = False
) -> Report:
    """Means per language and their macro average.

    XOR QA's script divides by seven, however many of its languages are present, and ignores all
    others. That is `macro_over_seven`, which official reports have where all seven are present,
    or with `over_seven`.
    """
    if scorer == "strict":
        return average(scores, task=task, scorer=scorer, signature=strict_signature())
    report = average(scores, task=task, scorer=scorer)
    has_all = over_seven or report.n.keys() >= set(XOR_LANGUAGES)
    return report.over_seven() if scorer == "official" and has_all else report


def _causes(lang: str) -> Iterator[Cause]:
    yield "official removes a counter (年 歳 人 년)", deleting("[年歳人년]")
    if lang == "ja":
        yield "the scorers split words differently at ・ and 、", deleting("[・、]", " ")
    yield from normalisation()
    yield ("strict splits words with Moses or MeCab", lambda text: " ".join(words(text, lang)))


XOR_FULL = Task(
    name="xor-full",
    title="XOR-Full: the answer in the question's language",
    scorers=SCORERS,
    measures=(F1, EXACT_MATCH, BLEU),
    citation="Asai et al. 2021, section 3.3",
    check_script=True,
    alias=after_underscore,
    summarise=summarise,
    explain=AnswerExplainer(SCORERS, _causes),
    predict=answers,
)
