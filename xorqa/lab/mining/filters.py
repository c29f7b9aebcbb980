"""Filters of mined pairs: lengths, languages, copies and near-duplicates.

Pairs are given best first. A filter returns whether each pair is kept.
"""

import re
from collections.abc import Sequence
from statistics import median

from ...core.text.detection import UNSURE, detect

MAX_RATIO = 2.5
"""How many times longer than usual one side of a pair may be."""

_EQUAL = {"nb": "no", "nn": "no"}  # the detector does not tell the written standards apart
_DIGIT = re.compile(r"\d")

TextPair = tuple[str, str]


def usual_lengths(pairs: Sequence[TextPair], max_ratio: float = MAX_RATIO) -> list[bool]:
    """Whether the ratio of the two lengths is within a factor of the median ratio of all pairs.

    Lengths are in characters, which differ by language: Chinese needs fewer than English.
    """
    ratios = [len(source) / len(target) for source, target in pairs]
    usual = median(ratios) if ratios else 1.0
    return [usual / max_ratio <= ratio <= usual * max_ratio for ratio in ratios]


def expected_languages(pairs: Sequence[TextPair], langs: tuple[str, str]) -> list[bool]:
    """Whether no side is detected, with confidence, to be in another language than its own."""
    return [
        all(_may_be(text, lang) for text, lang in zip(pair, langs, strict=True)) for pair in pairs
    ]


def not_copied(pairs: Sequence[TextPair]) -> list[bool]:
    """Whether the sides differ in more than case, digits, punctuation and white space."""
    return [_key(source) != _key(target) for source, target in pairs]


def first_of_similar(pairs: Sequence[TextPair]) -> list[bool]:
    """Whether no better pair has the same source or target, up to digits, case and punctuation."""
    seen: tuple[set[str], set[str]] = (set(), set())
    kept = []
    for pair in pairs:
        keys = [_key(text) for text in pair]
        kept.append(not any(key in side for key, side in zip(keys, seen, strict=True)))
        if kept[-1]:
            for key, side in zip(keys, seen, strict=True):
                side.add(key)
    return kept


def _key(text: str) -> str:
    """The letters and digits of a text, case-folded, every digit as 0; all of it without any."""
    masked = _DIGIT.sub("0", text.casefold())
    return "".join(filter(str.isalnum, masked)) or text


def _may_be(text: str, lang: str) -> bool:
    detected = detect(text)
    detected_lang = _EQUAL.get(detected.lang, detected.lang)
    return detected.probability < UNSURE or detected_lang == _EQUAL.get(lang, lang)
