"""Exact match and character error rate of transliterated names, compared with the rules."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ....answering.transliteration.transliterate import spell
from ....models.transliterator import Transliteration
from .data import NamePair
from .spelling import words_of

Right = tuple[float, bool, bool]
"""A name's probability, whether the model is right, and whether the rules are."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Percentages over `n` names: exact match and character error rate, by method.

    `combined` uses the model from a probability of `threshold`, and else the rules.
    """

    n: int
    exact: float
    error_rate: float
    exact_by_rule: float
    error_rate_by_rule: float
    exact_combined: float
    threshold: float

    def to_json(self) -> dict[str, Any]:
        """The scores as plain values, rounded."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def score(lang: str, pairs: Sequence[NamePair], names: Sequence[Transliteration]) -> Scores:
    """Score transliterations of pairs in a language, and fit the threshold on them."""
    golds = [gold for _, _, gold in pairs]
    rules = spelled(lang, pairs)
    texts = [name.text for name in names]
    threshold, combined = fit_threshold(rights(pairs, names, rules))
    count = len(pairs)
    return Scores(
        count,
        _exact(texts, golds),
        error_rate(texts, golds),
        _exact(rules, golds),
        error_rate(rules, golds),
        100 * combined / count,
        threshold,
    )


def spelled(lang: str, pairs: Sequence[NamePair]) -> list[str]:
    """The names of pairs in a language, by rule."""
    return [" ".join(words_of(spell(english, lang))) for _, english, _ in pairs]


def rights(
    pairs: Sequence[NamePair], names: Sequence[Transliteration], rules: Sequence[str]
) -> list[Right]:
    """The model's probability of each name, and whether the model and the rules are right."""
    return [
        (name.probability, name.text == gold, rule == gold)
        for (_, _, gold), name, rule in zip(pairs, names, rules, strict=True)
    ]


def fit_threshold(rights: Iterable[Right]) -> tuple[float, int]:
    """The probability from which the model's names are used, and the names right with it.

    Of equally good thresholds the lowest is chosen.
    """
    rows = sorted(rights)
    right = best = sum(model for _, model, _ in rows)
    threshold = 0.0
    for row, (probability, model, rule) in enumerate(rows):
        right += rule - model
        above = rows[row + 1][0] if row + 1 < len(rows) else 1.0
        if right > best and above > probability:
            best, threshold = right, (probability + above) / 2
    return threshold, best


def error_rate(texts: Sequence[str], golds: Sequence[str]) -> float:
    """Edits of characters per character of the golds, in percent."""
    edits = sum(edit_distance(*both) for both in zip(texts, golds, strict=True))
    return 100 * edits / max(1, sum(map(len, golds)))


def edit_distance(a: str, b: str) -> int:
    """The Levenshtein distance of two texts."""
    row = list(range(len(b) + 1))
    for number, char in enumerate(a, 1):
        before, row[0] = row[0], number
        for place, other in enumerate(b, 1):
            before, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, before + (char != other)),
            )
    return row[-1]


def _exact(texts: Sequence[str], golds: Sequence[str]) -> float:
    return 100 * sum(map(str.__eq__, texts, golds)) / max(1, len(golds))
