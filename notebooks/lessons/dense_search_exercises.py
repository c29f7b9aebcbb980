"""Checks of lesson 2b: pooling, a hybrid without translation, weighted fusion, whole tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xorqa.core.text.words import nltk_words
from xorqa.core.types import Hit, Passage
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.dense import Dense
from xorqa.retrieval.hybrid import fuse

from .bundled import as_asked, crossing, english, folder, gold_docid
from .grading import Verdict, graded, right, wrong

CONSTANT = 60  # of reciprocal rank fusion
DEPTH = 100  # hits of each part
BUDGET = 2000  # tokens


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
def check_2(first_of: Callable[[Sequence[str], Sequence[str]], str]) -> Verdict:
    """The first of a fusion in which BM25 may have no hit."""
    cases = [
        ([], ["a", "b"], "a", "Where BM25 has no hit, the order is that of the vectors."),
        (["x", "y", "b"], ["a", "b"], "b", "b is ranked by both, so its two terms beat any one."),
        (["c"], ["a", "b", "c"], "c", "c is ranked by both, so its two terms beat those of a."),
        (["z"], ["a", "b"], "a", "z and a have the same sum; `rrf` puts equal scores by docid."),
        (["b", "a"], ["b", "a"], "b", "Both put b first."),
    ]
    for words, vectors, first, hint in cases:
        if (given := first_of(list(words), list(vectors))) == first:
            continue
        if not isinstance(given, str):
            return wrong(f"Return one docid, not {type(given).__name__}.")
        by = " BM25's first hit does not decide alone." if words and given == words[0] else ""
        by = by or (" This is dense alone." if given == vectors[0] else "")
        return wrong(f"Of {words} and {vectors} yours is {given}, not {first}.{by} {hint}")
    fused, dense = _ranked_first(first_of)
    return right(
        f"{100 * fused.mean():.1f} % of {len(fused)} gold passages come first, against "
        f"{100 * dense.mean():.1f} % for dense alone: wins {(fused & ~dense).sum()}, losses "
        f"{(dense & ~fused).sum()}, so few that it could be chance. For most questions BM25 has no "
        "hit, and the order stays that of the vectors."
    )


@graded
def check_3(weighted: Callable[[Any, Any], Mapping[str, float]]) -> Verdict:
    """Weighted reciprocal rank fusion, against the library's."""
    rankings, weights = [["a", "b", "c"], ["d", "b", "a"], ["e"]], [1.0, 2.0, 0.5]
    scores, expected = dict(weighted(rankings, weights)), _fused(rankings, weights)
    if set(scores) != set(expected):
        return wrong(f"Every docid of a ranking needs a score: {', '.join(sorted(expected))}.")
    if _alike(scores, _fused(rankings, [1.0] * 3)):
        return wrong("Each ranking counts the same here. Where do the weights act?")
    if _alike(scores, _fused(rankings, weights, constant=CONSTANT - 1)):
        return wrong("Your ranks begin at 0; the first rank is 1.")
    if not _alike(scores, expected):
        return wrong(f"'e' is the first of a ranking of weight 0.5; you give it {scores['e']:.5f}.")
    if list(scores) != list(expected):
        return wrong(f"The scores are right, but their order is {', '.join(scores)}: best first.")
    return right(
        "With weights one part counts more, which helps where it is the better one. Choose them on "
        "validation data, never on the questions that you report."
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
    first_of: Callable[[Sequence[str], Sequence[str]], str],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each question as asked, whether a fusion, and vectors alone, rank the gold first."""
    words, vectors = _rankings()
    golds = np.array([gold_docid(example) for example in crossing()])
    fused = [first_of(*pair) for pair in zip(words, vectors, strict=True)]
    return golds == np.array(fused), golds == np.array([ranking[0] for ranking in vectors])


@cache
def _rankings() -> list[list[list[str]]]:
    """The docids that BM25 and the encoder rank for each question as asked."""
    retrievers = (
        Bm25(corpus=english(), folder=folder("bm25")),
        Dense(corpus=english(), folder=folder("dense")),
    )
    queries = as_asked(crossing())
    return [
        [[hit.passage.docid for hit in hits] for hits in retriever.retrieve(queries, k=DEPTH)]
        for retriever in retrievers
    ]


def _fused(
    rankings: Sequence[Sequence[str]], weights: Sequence[float], constant: float = CONSTANT
) -> dict[str, float]:
    """The library's fusion of docids, best first."""
    runs = [[Hit(Passage(docid, docid), 0.0) for docid in ranking] for ranking in rankings]
    return {hit.passage.docid: hit.score for hit in fuse(runs, weights=weights, constant=constant)}


def _alike(scores: Mapping[str, float], others: Mapping[str, float]) -> bool:
    return all(abs(scores[docid] - others[docid]) < 1e-9 for docid in others)


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
