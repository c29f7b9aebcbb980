"""Record the run of `dense` that lesson 7b looks at, from fetched data.

    python -m lessons.coda_recording FILE

FILE in the package is `notebooks/lessons/data/coda.json`; record it again when the encoder or the
reader changes. Finished work is cached, so a killed recording resumes.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset
from xorqa.experiments.run import run
from xorqa.experiments.run_folder import RunFolder
from xorqa.experiments.settings import PipelineSettings, load_settings, only_routes
from xorqa.io.files import read_json, write_text
from xorqa.metrics.report import read_scores

from .coda import DATA, PASSAGES, Recording, Row

COMMAND = "python -m lessons.coda_recording FILE"
SEED = 1
QUESTIONS, OTHERS = 100, 1000  # questions per language; paragraphs besides XQuAD's
ROUTE = "eng"
FIRST = 3  # hits recorded
UNUSED = ("black_box", "spent", "finished")  # entries of a run's manifest


def record(
    dataset: Dataset,
    *,
    questions: int = QUESTIONS,
    others: int = OTHERS,
    settings: PipelineSettings | None = None,
) -> Recording:
    """Run `dense`, or `settings`, over a sample; finished work is cached."""
    settings = settings or load_settings("dense", changes=[f"reader.passages={PASSAGES}"])
    sample = draw_sample(dataset, questions, others)
    with tempfile.TemporaryDirectory() as folder:
        run(only_routes(settings, [ROUTE]), sample, Path(folder), until="read")
        manifest = {
            "command": COMMAND,
            "seed": SEED,
            "passages": len(sample.corpora["en"]),
            "config": read_json(Path(folder, "config.json")),
            **read_json(Path(folder, "manifest.json")),
        }
        manifest = {name: value for name, value in manifest.items() if name not in UNUSED}
        return Recording(manifest, golds_of(sample), tuple(_rows(Path(folder), sample)))


def draw_sample(dataset: Dataset, questions: int, others: int) -> Dataset:
    """Randomly drawn questions, the same in every language, and English passages.

    The passages are those that answer any question of the data set, and `others`.
    """
    draw = random.Random(SEED)
    every = sorted({_source(example.question.qid) for example in dataset.examples})
    drawn = set(draw.sample(every, questions))
    kept = tuple(e for e in dataset.examples if _source(e.question.qid) in drawn)
    right = {docid for docid, _, _ in golds_of(dataset).values()}
    wrong = [passage.docid for passage in dataset.corpora["en"] if passage.docid not in right]
    right.update(draw.sample(wrong, others))
    passages = [passage for passage in dataset.corpora["en"] if passage.docid in right]
    corpus = Corpus(f"squad-{len(passages)}", passages)
    return Dataset(f"{dataset.name}-{len(passages)}", kept, {"en": corpus})


def _source(qid: str) -> str:
    """The id of a question without its language."""
    return qid.rpartition(".")[0]


def golds_of(dataset: Dataset) -> dict[str, tuple[str, int, int]]:
    """Where the first English gold answer of each question is."""
    places = {}
    for example in dataset.examples:
        gold = next(gold for gold in example.golds if gold.lang == "en")
        assert gold.docid is not None and gold.span is not None, "XQuAD's answers have places"
        span = gold.span
        places[_source(example.question.qid)] = (gold.docid, span.start, span.end)
    return places


def _rows(folder: Path, sample: Dataset) -> Iterator[Row]:
    """The questions of a run folder, in the order of the data set."""
    run_folder = RunFolder(folder)
    ranking, spans = run_folder.rankings()[ROUTE], run_folder.candidates()
    scores = read_scores(folder / "per_question.jsonl")
    values: dict[str, dict[str, float]] = {}
    for task in ("xor-retrieve", "xor-engspan"):
        for score in scores[task, "official"]:
            values.setdefault(score.qid, {}).update(score.values)
    golds = golds_of(sample)
    for example in sample.examples:
        qid, lang = example.question.qid, example.question.lang
        docids, gold = list(ranking[qid]), golds[_source(qid)][0]
        best = max(spans[qid], key=lambda c: (_together(c), -c["retrieval_rank"]))
        yield Row(
            _source(qid),
            lang,
            docids.index(gold) + 1 if gold in docids else None,
            tuple(docids[:FIRST]),
            tuple(round(ranking[qid][docid], 4) for docid in docids[:FIRST]),
            best["docid"],
            best["span"]["start"],
            best["span"]["end"],
            round(best["passage_score"], 3),
            round(best["span_score"], 3),
            values[qid]["R@2kt"],
            round(values[qid]["f1"], 4),
            values[qid]["em"],
        )


def _together(candidate: Mapping[str, Any]) -> float:
    """The reader's score of a candidate, by which XOR-EnglishSpan's is chosen."""
    return float(candidate["passage_score"] + candidate["span_score"])


def write(recording: Recording, path: Path) -> None:
    """Write a recording as JSON with a line per question."""
    golds = [[qid, *gold] for qid, gold in recording.golds.items()]
    parts: dict[str, list[Any]] = {"golds": golds, "rows": list(map(astuple, recording.rows))}
    lists = (f'"{name}": [\n{_lines(rows)}\n]' for name, rows in parts.items())
    manifest = json.dumps(recording.manifest, indent=1)
    body = ",\n".join([f'"manifest": {manifest}', *lists])
    write_text(path, f"{{\n{body}\n}}\n")


def _lines(rows: Sequence[Any]) -> str:
    return ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)


if __name__ == "__main__":
    write(record(load_dataset(DATA)), Path(sys.argv[1]))
