"""Checks of lesson 2b: pooling, fusion by rank and by scores, whole tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xorqa.core.text.words import nltk_words
from xorqa.core.types import Hit
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.dense import Dense
from xorqa.retrieval.hybrid import fuse

from .bundled import as_asked, crossing, english, folder, gold_docid, translated
from .grading import Verdict, graded, right, wrong
from .intervals import head_to_head

CONSTANT = 60  # of reciprocal rank fusion
DEPTH = 100  # hits of each part
BUDGET = 2000  # tokens

Scores = dict[str, float]


def nltk_tokens(text: str) -> list[str]:
    """The tokens of a text as the official script of XOR-Retrieve cuts them."""
    return list(_cut(text))


@cache
def _cut(text: str) -> tuple[str, ...]:
    return tuple(nltk_words(text))


@graded
def check_1(pooled: Callable[[Any, Any], Any]) -> Verdict:
    """Mean pooling by hand, on random vectors."""
    rows = np.random.default_rng(7).normal(size=(5, 4))
    plain, padded = [True] * 5, [True, True, True, False, False]
    for real in (plain, padded):
        vector = np.asarray(pooled(rows.copy(), np.array(real)), dtype=float)
        if vector.shape != (4,):
            return wrong(f"Five vectors of 4 numbers become shape {vector.shape}; expected (4,).")
        if np.allclose(vector, _unit(rows[real].mean(axis=0))):
            continue
        if np.allclose(vector, rows[real].mean(axis=0)):
            return wrong(f"This is the mean; its length is {np.linalg.norm(vector):.2f}, not 1.")
        if np.allclose(_unit(vector), _unit(np.where(real, rows.T, 0).sum(axis=1))):
            return wrong(f"The direction is right, but the length is {np.linalg.norm(vector):.2f}.")
        if np.allclose(_unit(vector), _unit(rows.mean(axis=0))):
            return wrong("Vectors of padding are in your mean. Where does `real` exclude them?")
        return wrong("This is not the mean of the rows. Along which axis do you take it?")
    return right(
        "Texts of one batch are padded to the same length. Without `real` the vector of a text "
        "would depend on the longest text beside it."
    )


@graded
def check_2(last_rank: Callable[[int], int]) -> Verdict:
    """The last rank in both rankings that beats rank 1 in one of them."""
    for constant in (60, 0, 9):
        given, last = float(last_rank(constant)), constant + 1
        if given == last:
            continue
        first, pair = 1 / (constant + 1), 2 / (constant + max(given, 1))
        at = f"With {constant}, rank {given:g} in both gives {pair:.5f}, rank 1 alone {first:.5f}."
        if given == last + 1:
            return wrong(f"{at} That is a tie: not before.")
        if constant != CONSTANT and given == CONSTANT + 1:
            return wrong(f"{at} Yours holds for 60 only; use the constant.")
        if given > last:
            return wrong(f"{at} That is too far down.")
        return wrong(f"{at} A rank further down still comes before it: solve for the rank.")
    return right(
        "From 2 / (constant + rank) > 1 / (constant + 1) follows rank < constant + 2. With 60 two "
        "rather low ranks beat one first rank: agreement counts most. With 0 only a passage that "
        "is first in both comes before one that is first in one."
    )


@graded
def check_3(fuse_scores: Callable[[Scores, Scores], Sequence[str]]) -> Verdict:
    """A fusion by scores that are scaled to 0 to 1, and how it does against one by rank."""
    vectors = {"c": 0.9, "b": 0.88, "a": 0.82, "d": 0.8}
    cases: list[tuple[Scores, Scores, str, str]] = [
        ({"a": 30.0, "b": 20.0, "c": 10.0}, vectors, "bacd", "Scale both."),
        ({"a": 30.0, "b": 29.0, "c": 10.0}, {"c": 0.9, "a": 0.85, "b": 0.8}, "acb", "Scale both."),
        ({}, {"a": 0.9, "b": 0.8}, "ab", "One system has no hit here."),
        ({"b": 7.0}, {"a": 0.9, "c": 0.8, "b": 0.72, "d": 0.7}, "bacd", "A single hit gets 1."),
        ({"x": 9, "y": 5, "w": 3}, {"z": 0.9, "x": 0.85, "w": 0.8}, "xzyw", "Who ranks z?"),
    ]
    for words, vectors, expected, hint in cases:
        given = fuse_scores(dict(words), dict(vectors))
        if isinstance(given, Mapping) or not isinstance(given, Sequence):
            return wrong("Return the docids in a list, best first.")
        if list(given) == [*expected]:
            continue
        if sorted(given) != sorted(expected):
            return wrong(f"Each docid of {words} and {vectors} once; yours are {', '.join(given)}.")
        if list(given) == [*expected][::-1]:
            return wrong("This is the right order backwards: best first.")
        if list(given) == sorted(expected, key=lambda one: -words.get(one, 0)) and words:
            return wrong(f"Of {words} and {vectors} you give BM25's order. {hint}")
        return wrong(f"Of {words} and {vectors} you give {', '.join(given)}. {hint}")
    by_score, by_rank = _ranked_first(fuse_scores)
    wins, losses, _, p = head_to_head(by_score, by_rank)
    return right(
        f"{by_score.sum()} of {len(by_rank)} gold passages come first, by rank {by_rank.sum()}: "
        f"wins {wins}, losses {losses}, p = {p}. A score "
        "also knows how far ahead the first hit is. Whether that helps is a question for "
        "validation data."
    )


@graded
def check_4(contains: Callable[[list[str], str], bool]) -> Verdict:
    """Whole tokens, one after another."""
    text = nltk_tokens("In the 1930s Marie Curie worked in Paris, as Irène Curie did.")
    cases = [
        ("193", False, "'193' is not a token of the passage, only a part of '1930s'."),
        ("Paris", True, "'Paris' is a token of the passage."),
        ("Marie Curie", True, "'Marie Curie' is two tokens, which stand one after another."),
        ("Curie Marie", False, "The order of tokens matters: 'Curie Marie' is not there."),
        ("Marie worked", False, "'Marie' and 'worked' do not stand side by side."),
        ("did.", True, "The answer may be at the very end of the passage."),
        ("In the", True, "The answer may be at the very beginning of the passage."),
    ]
    for answer, expected, hint in cases:
        if bool(contains(text, answer)) is not expected:
            return wrong(hint)
    blind, ours = _blind_counts(contains)
    return right(
        f"Without searching, {blind} questions have an answer within {BUDGET:,} tokens as a "
        f"string, {ours} as whole tokens. The others were parts of longer words or numbers."
    )


def _unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


def _ranked_first(
    fuse_scores: Callable[[Scores, Scores], Sequence[str]],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether a fusion by scores, and by rank, puts each question's gold passage first."""
    golds = np.array([gold_docid(example) for example in crossing()])
    pairs = list(zip(*_rankings(), strict=True))
    by_score = [
        fuse_scores(*({hit.passage.docid: hit.score for hit in hits} for hits in pair))[0]
        for pair in pairs
    ]
    by_rank = [fuse(pair, weights=(1, 1), constant=CONSTANT)[0].passage.docid for pair in pairs]
    return golds == np.array(by_score), golds == np.array(by_rank)


@cache
def _rankings() -> tuple[list[list[Hit]], list[list[Hit]]]:
    """The hits of BM25 for the human translations, and of the encoder for the questions."""
    words = Bm25(corpus=english(), folder=folder("bm25"))
    vectors = Dense(corpus=english(), folder=folder("dense"))
    examples = crossing()
    return (
        words.retrieve(translated(examples), k=DEPTH),
        vectors.retrieve(as_asked(examples), k=DEPTH),
    )


def _blind_counts(contains: Callable[[list[str], str], bool]) -> tuple[int, int]:
    """Questions answered by all passages but the gold one, as strings and by `contains`."""
    blind = ours = 0
    for example in crossing():
        gold, seen = gold_docid(example), list[str]()
        for passage in english():
            if len(seen) < BUDGET and passage.docid != gold:
                seen += _cut(passage.text)
        del seen[BUDGET:]
        answers, text = example.answers("en"), " ".join(seen)
        blind += any(answer in text for answer in answers)
        ours += any(contains(seen, answer) for answer in answers)
    return blind, ours
