"""Record the runs that lesson 9 looks at, from fetched data.

    cd notebooks && python -m lessons.thousands_of_questions_recording FILE

FILE in the package is `notebooks/lessons/data/thousands_of_questions.npz`; record it again when the
encoder or the reader changes. Finished work is cached, so a killed recording resumes. On one core
(bf16), encoding the passages takes 25 minutes, and each of the two readings half an hour.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import regex

from xorqa.core.types import Candidate, Trace
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.dataset import Dataset
from xorqa.experiments.evaluate import references_of
from xorqa.experiments.pipeline import Pipeline, Stop
from xorqa.experiments.settings import PipelineSettings, load_settings, only_routes
from xorqa.io.cache import stage_cache
from xorqa.io.files import atomic_path
from xorqa.metrics.registry import find_task

from .thousands_of_questions_data import DATA, PASSAGES, TRANSLATED, Array, Recording

ROUTE = "eng"
DENSE = '{ use = "dense", adapter = "encoder-questions" }'
FUSED = f'routes.eng.retriever={{ use = "hybrid", parts = [{{ use = "bm25" }}, {DENSE}] }}'
AS_ASKED = 'routes.eng.translator={ use = "none" }'
READ = (f"reader.passages={PASSAGES}", "reader.ranking=0")  # P(passage) is the reader's alone
SYSTEMS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "BM25": ("bm25", (AS_ASKED,)),
    TRANSLATED: ("bm25", (*READ, "reader.text=question")),
    "dense": ("dense", READ),
    "fused": ("hybrid", (AS_ASKED, FUSED)),
    "fused, translated": ("hybrid", (FUSED,)),
}
"""The config of each system, and what is changed in it."""
READ_BY = (TRANSLATED, "dense")
_WORD = regex.compile(r"\p{Latin}{2,}")
VERSIONS = ("xorqa", "torch", "transformers", "tokenizers", "faiss-cpu", "bm25s", "nltk")


def settings_of(name: str) -> PipelineSettings:
    """The settings of a system."""
    config, changes = SYSTEMS[name]
    return only_routes(load_settings(config, changes=changes), [ROUTE])


def record(dataset: Dataset, systems: Mapping[str, PipelineSettings]) -> Recording:
    """Run the systems over all questions in all languages; finished work is cached."""
    dataset = replace(dataset, corpora={"en": dataset.corpora["en"]})
    questions = [example.question for example in dataset.examples]
    languages = sorted({one.lang for one in questions}, key=lambda lang: (lang != "en", lang))
    golds = golds_of(dataset)
    grid = [[f"{qid}.{lang}" for qid in golds] for lang in languages]
    columns: dict[str, Array] = {"questions/latin": _latin(dataset, grid)}
    for name, settings in systems.items():
        pipeline = Pipeline.from_config(
            settings, dataset.corpora, translations=dataset.translations, cache=stage_cache()
        )
        until = Stop.READ if name in READ_BY else Stop.RETRIEVE
        traces = {one.question.qid: one for one in pipeline.answer(questions, until=until)}
        ordered = [[traces[qid] for qid in row] for row in grid]
        parts = _search(dataset, ordered, [gold for gold, *_ in golds.values()])
        if name in READ_BY:
            parts |= _reading(dataset, ordered)
        columns |= {f"{name}/{measure}": column for measure, column in parts.items()}
    manifest = {
        "command": "python -m lessons.thousands_of_questions_recording FILE",
        "dataset": dataset.name,
        "passages": len(dataset.corpora["en"]),
        "corpus": dataset.corpora["en"].sha,
        "configs": {name: settings.to_json() for name, settings in systems.items()},
        "versions": {name: version(name) for name in VERSIONS},
    }
    places = np.array([(_number(docid), *place) for docid, *place in golds.values()], np.uint16)
    return Recording(manifest, tuple(languages), tuple(golds), places, columns)


def golds_of(dataset: Dataset) -> dict[str, tuple[str, int, int]]:
    """Where the English gold answer of each question is: docid, start and end."""
    places = {}
    for example in dataset.examples:
        gold = next(gold for gold in example.golds if gold.lang == "en")
        assert gold.docid is not None and gold.span is not None, "XQuAD's answers have places"
        source = example.question.qid.rpartition(".")[0]
        places[source] = (gold.docid, gold.span.start, gold.span.end)
    return places


def _latin(dataset: Dataset, grid: Sequence[Sequence[str]]) -> Array:
    """Whether each question has a word in Latin letters."""
    texts = {example.question.qid: example.question.text for example in dataset.examples}
    return np.array([[bool(_WORD.search(texts[qid])) for qid in row] for row in grid])


def _number(docid: str) -> int:
    return int(docid.rpartition("-")[2])


def _search(
    dataset: Dataset, traces: Sequence[Sequence[Trace]], golds: Sequence[str]
) -> dict[str, Array]:
    """The gold passages' ranks (0: not among the hits), the numbers of hits, the official R@kt."""
    ranks = [
        [_rank([hit.passage.docid for hit in trace.by_route[ROUTE].hits], gold)
         for trace, gold in zip(row, golds, strict=True)]
        for row in traces
    ]  # fmt: skip
    task = find_task("xor-retrieve")
    assert task.predict is not None
    predictions = task.predict([trace for row in traces for trace in row])
    scores = task.score(references_of(dataset, task), predictions, scorer="official")
    found = {score.qid: score.values for score in scores}
    budgets = {
        measure: np.array(
            [[found[one.question.qid][measure] for one in row] for row in traces], bool
        )
        for measure in ("R@2kt", "R@5kt")
    }
    counts = [[len(trace.by_route[ROUTE].hits) for trace in row] for row in traces]
    return {"rank": np.array(ranks, np.uint8), "hits": np.array(counts, np.uint8), **budgets}


def _rank(docids: Sequence[str], gold: str) -> int:
    return docids.index(gold) + 1 if gold in docids else 0


def _reading(dataset: Dataset, traces: Sequence[Sequence[Trace]]) -> dict[str, Array]:
    """The columns of a reading, over languages, questions and passages in the order of the hits."""
    read = [[_by_passage(trace) for trace in row] for row in traces]
    values = [[[_facts(one) for one in both] for both in row] for row in read]
    types = {"docid": np.uint16, "passage": np.float16, "span": np.float16}
    types |= {"start": np.uint16, "end": np.uint16}
    columns: dict[str, Array] = {
        name: np.array([[[one[at] for one in both] for both in row] for row in values], kind)
        for at, (name, kind) in enumerate(types.items())
    }
    task = find_task("xor-engspan")
    references = references_of(dataset, task)
    by_passage = []
    for at in range(PASSAGES):
        texts = {
            trace.question.qid: one.text if (one := both[at]) else ""
            for row, candidates in zip(traces, read, strict=True)
            for trace, both in zip(row, candidates, strict=True)
        }
        scores = task.score(references, texts, scorer="official")
        by_passage.append({score.qid: score.values for score in scores})
    for measure in ("f1", "em"):
        columns[measure] = np.array(
            [[[found[one.question.qid][measure] for found in by_passage] for one in row]
             for row in traces],
            np.float16,
        )  # fmt: skip
    return columns


def _by_passage(trace: Trace) -> list[Candidate | None]:
    """The candidates of the first and the second hit."""
    found = {candidate.rank: candidate for candidate in trace.candidates}
    return [found.get(rank) for rank in range(PASSAGES)]


def _facts(candidate: Candidate | None) -> tuple[Any, ...]:
    """Passage, log probabilities and place; where there was no passage, a span of no length."""
    if candidate is None:
        return 0, -np.inf, -np.inf, 0, 0
    scores, span = candidate.scores, candidate.span
    return _number(candidate.docid), scores.passage, scores.span, span.start, span.end


if __name__ == "__main__":
    recorded = record(load_dataset(DATA), {name: settings_of(name) for name in SYSTEMS})
    with atomic_path(Path(sys.argv[1])) as path:
        path.write_bytes(recorded.dump())
