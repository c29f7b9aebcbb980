"""Where a task's two scorers disagree, question by question, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from . import scorer_differences
from .official.xor_retrieve import DEFAULT_K, first_tokens, spans, tokenized
from .report import Reference
from .strict.text import fold
from .strict.xor_retrieve import comparable
from .tasks import SCORERS, Scorer, score

Values = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Difference:
    """A question on which the scorers disagree: its values (None: it is not counted) and why."""

    qid: str
    lang: str
    official: Values | None
    strict: Values | None
    reason: str


def differences(
    task: str,
    references: Sequence[Reference],
    predictions: Mapping[str, Any],
    *,
    k: Sequence[int] = DEFAULT_K,
) -> list[Difference]:
    """The questions that the official and the strict scorer of a task score differently.

    Values that are 1e-9 apart or less agree. XOR-Full's BLEU is not compared: over characters
    and over words it differs nearly always, and would hide the differences that matter.

    Args:
        task: one of `tasks.TASKS`.
        references: the questions with their gold answers.
        predictions: qid to answer; for xor-retrieve qid to passages, best first.
        k: budgets in thousands of tokens, of xor-retrieve only.

    Raises:
        ConfigError, DataError: as `tasks.score`.
    """
    official, strict = (_values(task, references, predictions, scorer, k) for scorer in SCORERS)
    found = []
    for row in references:
        pair = official.get((row.lang, row.qid)), strict.get((row.lang, row.qid))
        if not _agree(*pair):
            reason = _reason(task, row, predictions, pair)
            found.append(Difference(row.qid, row.lang, *pair, reason))
    return found


def _values(
    task: str,
    references: Sequence[Reference],
    predictions: Mapping[str, Any],
    scorer: Scorer,
    k: Sequence[int],
) -> dict[tuple[str, str], Values]:
    options = {"k": k} if task == "xor-retrieve" else {}
    scores = score(task, references, predictions, scorer=scorer, **options)
    return {(row.lang, row.qid): row.values for row in scores}


def _agree(official: Values | None, strict: Values | None) -> bool:
    if official is None or strict is None:
        return official is strict
    return not any(abs(official[name] - strict[name]) > 1e-9 for name in official if name != "bleu")


def _reason(
    task: str,
    row: Reference,
    predictions: Mapping[str, Any],
    pair: tuple[Values | None, Values | None],
) -> str:
    if task == "xor-retrieve":
        return _of_passages(row, predictions.get(row.qid), *pair)
    if row.qid not in predictions:
        return "official also takes a prediction whose id only ends in the question's"
    return _of_answer(task, row, predictions[row.qid])


def _of_passages(
    row: Reference, passages: Sequence[str] | None, official: Values | None, strict: Values | None
) -> str:
    """Why the smallest budget on which the scorers disagree is a hit to one of them only."""
    if passages is None or official is None or strict is None:
        return "no prediction: official leaves the question out, strict counts a miss"
    name = next(name for name in official if official[name] != strict[name])
    budget = int(name.removeprefix("R@").removesuffix("kt"))
    parts, golds = first_tokens(passages, 1000 * budget, tokenized), spans(row)
    if official[name]:
        return _why_strict_misses(golds, parts)
    text = " ".join(parts)
    if any(tokenized(gold)[0] in text for gold in golds):
        return "NLTK's blanks between tokens hid the answer from official"
    if any(fold(gold) in fold(text) for gold in golds):
        return "case or width hid the answer from official"
    return "punctuation, alone or with case and width, hid the answer from official"


def _why_strict_misses(golds: Sequence[str], parts: Sequence[str]) -> str:
    if not any(gold in part for gold in golds for part in parts):
        return "the answer stands only across two passages"
    bare = [comparable(tokenized(gold)[0]).strip() for gold in golds]
    if any(gold in comparable(part) for gold in bare if gold for part in parts):
        return "the answer stands only inside a longer word or number"
    return "NLTK cuts the answer otherwise than the passage"


def _of_answer(task: str, row: Reference, prediction: str) -> str:
    """The fewest habits without which the scorers agree, or that none explains it."""
    lang = "en" if task == "xor-engspan" else row.lang

    def agree(some: list[scorer_differences.Habit]) -> bool:
        golds = tuple(scorer_differences.changed(gold, some) for gold in row.answers)
        text = scorer_differences.changed(prediction, some)
        return _agree(*_pair(task, replace(row, answers=golds), text))

    tried = [*_nothing(task, row, prediction), *scorer_differences.of_answers(task, lang)]
    if not agree(tried):
        return "the scorers' tokens differ"
    return "; ".join(name for name, _ in scorer_differences.fewest(tried, agree))


def _nothing(task: str, row: Reference, prediction: str) -> list[scorer_differences.Habit]:
    """An answer of which nothing is left to official: with a further word there is."""
    for name, texts in {"gold": row.answers, "prediction": (prediction,)}.items():
        official, _ = _pair(task, replace(row, answers=texts), "")
        if official["em"]:
            return [(f"the {name} normalises to nothing in official", lambda text: f"{text} 0")]
    return []


def _pair(task: str, row: Reference, prediction: str) -> tuple[Values, Values]:
    """One question's values, official and strict."""
    official, strict = (
        score(task, [row], {row.qid: prediction}, scorer=scorer)[0].values for scorer in SCORERS
    )
    return official, strict
