"""Words for shares, multiples, points and counts, and the figures that each of them allows.

CONTRIBUTING has the same table for writers; a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
ONES += ["eleven", "twelve", "thirteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NUMBERS = {word: n for n, word in enumerate(ONES, 1)} | {
    word: 10 * n for n, word in enumerate(TENS, 2)
}
NUMBERS |= {"a": 1, "twice": 2, "a hundred": 100, "a thousand": 1000}
PARTS = {"hal(?:f|ves)": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "tenth": 10}
SHARE, SMALL_SHARE = 0.05, 0.03  # what a share may miss; the small ones are a sixth and a tenth

_COUNT = "|".join(sorted(NUMBERS, key=len, reverse=True))
_NUMBER = rf"\d[\d,]*(?:\.\d+)?|{_COUNT}"
_PARTS, _WHOLE = "|".join(PARTS), "|".join(ONES[1:10])
_LIMIT = r"(?P<limit>nearly|about|more than|over|less than|fewer than|at least|at most)"
# "a third number" counts, "a third of them" divides; "half" alone is often a half of something.
_SHARE = re.compile(
    rf"\b(?:{_LIMIT} )?(?:"
    rf"(?P<many>{_COUNT}) (?P<part>(?:{_PARTS})s?)\b(?! [a-z]+(?<! of)(?<! as)\b)"
    r"|(?P<half>half)(?= (?:of|as|is|are)\b)|(?<=than )(?P<than>half)\b"
    rf"|(?P<k>(?!a\b)(?:{_COUNT}))(?: [a-z]+)? (?:in|of) (?P<n>{_WHOLE})\b(?! thousand)"
    r")"
)
_TIMES = re.compile(
    rf"\b(?:{_LIMIT} )?(?P<times>twice|(?:{_COUNT}) times)(?= (?:as|the|that|wider|more)\b)"
)
_POINTS = re.compile(rf"\b(?:{_LIMIT} )?(?P<points>{_NUMBER}) points\b")
_ABOUT = re.compile(rf"\babout (?P<about>(?!a (?!hundred|thousand)|twice)(?:{_NUMBER}))\b")
_SUPERLATIVES = "likely|often|frequent|alike|common|confident|with|wherever|and|in|as|for|show|than"
_WORDS = {
    "most": re.compile(rf"(?<!\bat )\bmost (?!(?:{_SUPERLATIVES})\b)[a-z]+"),
    "nearly all": re.compile(r"\bnearly (?:all|every|always)\b"),
    "hardly any": re.compile(r"\b(?:hardly (?:any|one|ever|a|an)|nearly (?:no|none|nothing))\b"),
}
_COMPARED = re.compile(
    r"\b(?:is|are|does?|did|points|significantly) (?:\w+ )?(?P<way>better|worse)\b"
)
_CHANCE = re.compile(r"\b(?:could|may) be chance\b|\bcannot (?:show|tell|decide)\b")


@dataclass(frozen=True, slots=True)
class Bound:
    """The figures that a phrase allows: from `low` to `high`, but for `excluding`."""

    phrase: str
    low: float
    high: float
    excluding: float | None = None

    def allows(self, figure: float) -> bool:
        """Whether the phrase is true of a figure."""
        return self.low - 1e-9 <= figure <= self.high + 1e-9 and not (
            self.excluding is not None and abs(figure - self.excluding) < 1e-9
        )


def bounds(text: str) -> list[Bound]:
    """The bounds of all phrases of a text that the table has, in their order."""
    found = sorted(_phrases(text.lower()), key=lambda pair: (pair[0].start(), -pair[0].end()))
    kept: list[Bound] = []
    end = -1
    for match, bound in found:
        if match.start() >= end:
            kept.append(bound)
            end = match.end()
    return kept


def compared(text: str) -> str | None:
    """What a text says of two systems: "chance", "better", "worse", or nothing."""
    if _CHANCE.search(text.lower()):
        return "chance"
    match = _COMPARED.search(text.lower())
    return match["way"] if match else None


def _phrases(text: str) -> Iterator[tuple[re.Match[str], Bound]]:
    readers: list[tuple[re.Pattern[str], Callable[[re.Match[str]], Bound]]] = [
        (_SHARE, _share),
        (_TIMES, _multiple),
        (_POINTS, _points),
        (_ABOUT, _count),
        (_WORDS["most"], lambda match: Bound(match[0], 0.5, 0.9, 0.5)),
        (_WORDS["nearly all"], lambda match: Bound(match[0], 0.9, 1, 1)),
        (_WORDS["hardly any"], lambda match: Bound(match[0], 0, 0.1, 0)),
    ]
    for pattern, bound in readers:
        for match in pattern.finditer(text):
            yield match, bound(match)


def _share(match: re.Match[str]) -> Bound:
    if match["k"]:
        share, room = NUMBERS[match["k"]] / NUMBERS[match["n"]], SHARE
    elif match["part"]:
        whole = next(n for part, n in PARTS.items() if re.match(part, match["part"]))
        share, room = NUMBERS[match["many"]] / whole, SMALL_SHARE if whole > 5 else SHARE
    else:
        share, room = 1 / 2, SHARE
    return _limited(match, share, room, beyond=2 * room)


def _multiple(match: re.Match[str]) -> Bound:
    times = NUMBERS[match["times"].removesuffix(" times")]
    return _limited(match, times, 0.25 if times == 2 else 0.5, beyond=1)


def _points(match: re.Match[str]) -> Bound:
    points = _number(match["points"])
    room = points / 10 if match["limit"] == "about" else 0.5
    return _limited(match, points, room, beyond=points / 4)


def _count(match: re.Match[str]) -> Bound:
    count = _number(match["about"])
    return Bound(match[0], 0.9 * count, 1.1 * count)


def _number(text: str) -> float:
    return NUMBERS[text] if text in NUMBERS else float(text.replace(",", ""))


def _limited(match: re.Match[str], value: float, room: float, *, beyond: float) -> Bound:
    """The bound of a value with the word before it: nearly, more than, at most, ..."""
    match match["limit"]:
        case "nearly":
            return Bound(match[0], value - room, value, value)
        case "more than" | "over":
            return Bound(match[0], value, value + beyond, value)
        case "less than" | "fewer than":
            return Bound(match[0], value - beyond, value, value)
        case "at least":
            return Bound(match[0], value, inf)
        case "at most":
            return Bound(match[0], -inf, value)
    return Bound(match[0], value - room, value + room)
