"""Is an answer right? Exact match after SQuAD-like normalisation, articles by language."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category, normalize

from ..text.normalize import ascii_digits
from .suite import Case, Example

_ENDS = "'-"
_APOSTROPHES = str.maketrans("’ʼ`´", "''''")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A case that was judged: its answers, which of them are right, and in which language.

    `foreign` marks the wrong ones that would be right in the context's language.
    """

    case: Case
    predictions: tuple[str, ...]
    right: tuple[bool, ...]
    foreign: tuple[bool, ...]

    @property
    def passed(self) -> bool:
        """A case passes if all its examples do."""
        return all(self.right)


def judge(case: Case, predictions: Mapping[str, str]) -> Verdict:
    """The verdict on a case, by predictions of its examples' ids; a missing one is wrong."""
    texts = tuple(predictions.get(qid, "") for qid in case.qids())
    there = [qid in predictions for qid in case.qids()]
    right = tuple(
        there[at] and there[at if one.of is None else one.of] and _right(one, at, texts, case)
        for at, one in enumerate(case.examples)
    )
    foreign = tuple(
        not good and equal(text, one.in_context, case.articles)
        for good, text, one in zip(right, texts, case.examples, strict=True)
    )
    return Verdict(case, texts, right, foreign)


def equal(text: str, answers: Sequence[str], articles: Sequence[str]) -> bool:
    """Does a text say the same as one of the answers?"""
    return bare(text, tuple(articles)) in {bare(answer, tuple(articles)) for answer in answers}


@lru_cache(maxsize=65_536)
def bare(text: str, articles: tuple[str, ...]) -> str:
    """What is compared: NFKC, lower case, digits 0-9, no articles, punctuation, extra blanks.

    SQuAD's normalisation (Rajpurkar et al. 2016, section 6.1) with the language's own articles;
    those that end in an apostrophe or a hyphen are stripped from the beginning of a word.
    """
    text = ascii_digits(normalize("NFKC", text.translate(_APOSTROPHES)).lower())
    words = (_stripped(word, articles) for word in text.split())
    return " ".join(word for word in ("".join(map(_sign, word)) for word in words) if word)


def _stripped(word: str, articles: Sequence[str]) -> str:
    if "".join(map(_sign, word)) in articles:
        return ""
    for article in articles:
        beginning = article.removesuffix("-")
        if article[-1] in _ENDS and word.startswith(beginning) and len(word) > len(beginning):
            return word.removeprefix(beginning)
    return word


def _sign(char: str) -> str:
    """A character as it is compared: no punctuation, no invisible characters."""
    kind = category(char)
    return "" if kind[0] == "P" or kind == "Cf" or char in string.punctuation else char


def _right(example: Example, at: int, texts: Sequence[str], case: Case) -> bool:
    """MFT: one of the answers. INV, DIR: as the original's answer, with the names changed.

    Names may be in other cases before and after, so two right answers need not be alike.
    """
    right = equal(texts[at], example.answers, case.articles)
    if case.type == "MFT":
        return right
    if example.of is None:
        return True
    first = case.examples[example.of].answers
    if right and equal(texts[example.of], first, case.articles):
        return True
    return bare(texts[at], case.articles) == _renamed(
        bare(texts[example.of], case.articles),
        {
            bare(old, case.articles): bare(new, case.articles)
            for old, new in example.renamed.items()
        },
    )


def _renamed(text: str, names: Mapping[str, str]) -> str:
    if not names:
        return text
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(longest)})", lambda match: names[match[0]], text)
