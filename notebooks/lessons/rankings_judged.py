"""Tools of lesson 14: three systems over the pool of lesson 5, its qrels, pools and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load
from xorqa.metrics.ranking import score_ranking
from xorqa.metrics.resampling import holm, p_randomisation, randomise
from xorqa.retrieval.bm25 import Bm25

from . import language_bias_results as results
from .bundled import folder
from .intervals import Difference, difference, middle
from .rankings_judged_exercises import bounds as limits
from .rankings_judged_exercises import check_1, check_2, check_3, check_4

__all__ = [
    "CENTRED",
    "RAW",
    "SYSTEMS",
    "WORDS",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "gain",
    "graded",
    "in_own_language_only",
    "languages",
    "limits",
    "mean",
    "pooled",
    "qrels",
    "questions",
    "randomisation",
    "ranking",
    "reference",
    "run",
    "sentence",
    "unpaired",
    "values",
]

RAW, CENTRED, WORDS = results.RAW, results.CENTRED, results.WORDS
SYSTEMS = (WORDS, RAW, CENTRED)
DEPTH = 100  # hits of a run
OWN, OTHER = 3, 1  # grades
SAMPLES = 100_000  # of the randomisation test

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


@cache
def _docids() -> tuple[str, ...]:
    counts: dict[str, int] = {}
    names = []
    for row in results.pool().sentences:
        counts[row.lang] = counts.get(row.lang, 0) + 1
        names.append(f"{row.lang}-{counts[row.lang]:02d}")
    return tuple(names)


@cache
def questions() -> dict[str, Question]:
    """The questions by qid, such as 15.ko: the translations of one have the same number."""
    rows = results.pool().questions
    return {
        f"{row.qid[-2:]}.{row.lang}": Question(f"{row.qid[-2:]}.{row.lang}", row.text, row.lang)
        for row in rows
    }


def sentence(docid: str) -> str:
    """The sentence with this docid."""
    return results.pool().sentences[_docids().index(docid)].text


@cache
def run(name: str) -> Run:
    """A system's run: qid to docid to score, the first hundred."""
    if name == WORDS:
        return _bm25()
    scores = results.scores(name)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
    return {
        qid: {_docids()[at]: float(scores[row, at]) for at in order[row]}
        for row, qid in enumerate(questions())
    }


def _bm25() -> Run:
    rows = zip(_docids(), results.pool().sentences, strict=True)
    passages = [Passage(docid, row.text, lang=row.lang) for docid, row in rows]
    retriever = Bm25(corpus=Corpus("lesson 14", passages), folder=folder("bm25-14"))
    asked = [Query(one, one.text, one.lang) for one in questions().values()]
    hits = retriever.retrieve(asked, k=DEPTH)
    return {
        query.question.qid: {hit.passage.docid: hit.score for hit in found}
        for query, found in zip(asked, hits, strict=True)
    }


def ranking(name: str, qid: str) -> list[str]:
    """The docids of one question, best first."""
    found = run(name).get(qid, {})
    return sorted(found, key=lambda docid: (-found[docid], docid))


@cache
def qrels() -> Qrels:
    """The right sentences of each question: one in each of the eight languages."""
    positives = zip(questions(), results.pool().positives(), strict=True)
    return {qid: {_docids()[at]: 1 for at in right} for qid, right in positives}


def graded() -> Qrels:
    """The same for readers who prefer their own language: grade 3 in it, 1 in the others."""
    return {
        qid: {docid: OWN if docid[:2] == qid[-2:] else OTHER for docid in right}
        for qid, right in qrels().items()
    }


def pooled(names: Sequence[str], depth: int) -> Qrels:
    """The judgements that a pool of these systems' first hits yields: right 1, wrong 0."""
    judged: Qrels = {}
    for qid, right in qrels().items():
        read = sorted({docid for name in names for docid in ranking(name, qid)[:depth]})
        judged[qid] = {docid: int(docid in right) for docid in read}
    return judged


def values(name: str, judged: Mapping[str, Mapping[str, int]], measure: str) -> list[float]:
    """A measure of each question by xorqa's scorer, from 0 to 1."""
    given = {qid: dict(grades) for qid, grades in judged.items()}
    scored = score_ranking(run(name), given, measures=[measure])
    return [score.values[measure] for score in scored.scores]


def mean(name: str, judged: Mapping[str, Mapping[str, int]], measure: str) -> float:
    """The mean of a measure over all questions, in percent."""
    return float(100 * np.mean(values(name, judged, measure)))


def gain(
    before: str, after: str, judged: Mapping[str, Mapping[str, int]], measure: str
) -> Difference:
    """The difference between two systems in points; translations of a question drawn together."""
    sources = [qid[:2] for qid in judged]
    one, other = (values(name, judged, measure) for name in (before, after))
    return difference(one, other, groups=sources)


def reference(name: str, judged: Mapping[str, Mapping[str, int]]) -> dict[str, list[float]]:
    """trec_eval's own nDCG@10 and reciprocal rank, by pytrec_eval."""
    library: Any = import_module("pytrec_eval")
    evaluator = library.RelevanceEvaluator(
        {qid: dict(grades) for qid, grades in judged.items()}, {"ndcg_cut.10", "recip_rank"}
    )
    rows = evaluator.evaluate(run(name))
    names = ("ndcg_cut_10", "recip_rank")
    return {measure: [rows[qid][measure] for qid in judged] for measure in names}


def languages(name: str, measure: str, one: str, other: str) -> Difference:
    """A measure in language `other` minus that in `one`, on translations of the same questions."""
    return difference(_in(name, measure, one), _in(name, measure, other))


def randomisation(
    name: str, measure: str, pairs: Sequence[tuple[str, str]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The p of each pair's difference by the randomisation test, and after Holm's correction."""
    ps = []
    for one, other in pairs:
        gains = 100 * (np.array(_in(name, measure, other)) - np.array(_in(name, measure, one)))
        means = randomise({other: gains[:, None]}, samples=SAMPLES, seed=1)[other]
        ps.append(p_randomisation(means, float(gains.mean())))
    return np.array(ps), holm(np.array(ps))


def unpaired(name: str, measure: str, one: str, other: str, seed: int = 1) -> Difference:
    """The same difference as if each language had asked questions of its own."""
    stream = np.random.default_rng(seed)
    a, b = (100 * np.array(_in(name, measure, lang)) for lang in (one, other))
    means = [
        stream.choice(b, len(b)).mean() - stream.choice(a, len(a)).mean() for _ in range(10_000)
    ]
    return Difference(float(b.mean() - a.mean()), *middle(means), len(a))


def in_own_language_only() -> float:
    """The share of the bundled world's questions that no English passage answers."""
    examples = load().examples
    return sum(example.answered_in != "en" for example in examples) / len(examples)


def _in(name: str, measure: str, lang: str) -> list[float]:
    by_qid = dict(zip(questions(), values(name, qrels(), measure), strict=True))
    return [value for qid, value in by_qid.items() if qid.endswith(lang)]
