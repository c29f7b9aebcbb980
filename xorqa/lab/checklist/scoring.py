"""Exact match after SQuAD-like normalisation, with the articles of each language.

`published_scorer` is XTREME-R's own.
"""

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from unicodedata import category, normalize

from ...core.text.normalize import ascii_digits
from . import published_scorer
from .suite import Case, Example

Scorer = Literal["exact", "published"]

_ENDS = "'-"
_APOSTROPHES = str.maketrans("’ʼ`´", "''''")


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """A case with its predictions, and whether each is right.

    `foreign` marks wrong predictions that would be right in the context's language.
    """

    case: Case
    predictions: tuple[str, ...]
    right: tuple[bool, ...]
    foreign: tuple[bool, ...]
    scorer: Scorer = "exact"

    @property
    def passed(self) -> bool:
        """A case passes if all its examples do."""
        return all(self.right)


def score_case(
    case: Case, predictions: Mapping[str, str], *, scorer: Scorer = "exact"
) -> ScoredCase:
    """Score predictions (example id to text); a missing one is wrong.

    Raises:
        ConfigError: if the scorer is not for this type of cases.
    """
    if scorer == "published":
        return _as_published(case, predictions)
    texts = tuple(predictions.get(qid, "") for qid in case.qids())
    answered = [qid in predictions for qid in case.qids()]
    right = tuple(
        answered[index]
        and answered[index if example.of is None else example.of]
        and _right(example, index, texts, case)
        for index, example in enumerate(case.examples)
    )
    foreign = tuple(
        not good and matches(text, example.in_context, case.articles)
        for good, text, example in zip(right, texts, case.examples, strict=True)
    )
    return ScoredCase(case, texts, right, foreign)


def _as_published(case: Case, predictions: Mapping[str, str]) -> ScoredCase:
    published_scorer.check(case)
    texts = tuple(predictions.get(qid, "") for qid in case.qids())
    right = tuple(
        qid in predictions
        and any(published_scorer.equal(text, answer, case.lang) for answer in example.answers)
        for qid, text, example in zip(case.qids(), texts, case.examples, strict=True)
    )
    return ScoredCase(case, texts, right, (False,) * len(right), "published")


def matches(text: str, answers: Sequence[str], articles: Sequence[str]) -> bool:
    """Whether a text equals one of the answers after normalisation."""
    stripped = tuple(articles)
    golds = {normalize_answer(answer, stripped) for answer in answers}
    return normalize_answer(text, stripped) in golds


@lru_cache(maxsize=65_536)
def normalize_answer(text: str, articles: tuple[str, ...]) -> str:
    """Normalise an answer: NFKC, lower case, ASCII digits; no articles or punctuation.

    SQuAD's normalisation (Rajpurkar et al. 2016, section 6.1) with the language's own articles;
    an article that ends in an apostrophe or a hyphen is stripped from the start of a word.
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
    """A character as it is compared; punctuation and invisible characters are removed."""
    kind = category(char)
    return "" if kind[0] == "P" or kind == "Cf" or char in string.punctuation else char


def _right(example: Example, index: int, texts: Sequence[str], case: Case) -> bool:
    """MFT: one of the answers. INV, DIR: the original's answer, with the names changed.

    A name may have another grammatical case after the change, so right answers may differ.
    """
    right = matches(texts[index], example.answers, case.articles)
    if case.type == "MFT":
        return right
    if example.of is None:
        return True
    first = case.examples[example.of].answers
    if right and matches(texts[example.of], first, case.articles):
        return True
    return normalize_answer(texts[index], case.articles) == _renamed(
        normalize_answer(texts[example.of], case.articles),
        {
            normalize_answer(old, case.articles): normalize_answer(new, case.articles)
            for old, new in example.renamed.items()
        },
    )


def _renamed(text: str, names: Mapping[str, str]) -> str:
    if not names:
        return text
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(longest)})", lambda match: names[match[0]], text)
