"""A run folder opened again: its reader, and what became of each question in English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError, DataError
from ..core.registry import build
from ..core.types import Example
from ..datasets.corpus import Corpus
from ..datasets.dataset import Dataset
from ..experiments.pipeline import Stop
from ..experiments.saved_run import asked, finished
from ..experiments.settings import ENGLISH
from ..io.files import read_jsonl
from ..io.predictions import read_answers
from ..io.trec import read_run
from ..metrics.report import Reference
from ..reading.span import SpanReader


@dataclass(frozen=True, slots=True)
class Case:
    """One question of a run; passages are texts, of the English corpus.

    `asked` is what the reader was asked; `golds` are the passages that answer, `retrieved` and
    `read` those the run had; `candidates` are the spans it read, `answered` its choice.
    """

    reference: Reference
    asked: str
    golds: tuple[str, ...]
    retrieved: tuple[str, ...]
    read: tuple[str, ...]
    candidates: tuple[str, ...]
    answered: str


def open_cases(folder: Path, *, trust: bool = False) -> tuple[SpanReader, list[Case]]:
    """A run's reader, and its questions that have an English gold passage.

    Where several routes search English, `asked` is the first one's query. `trust` allows a reader
    outside the registry.

    Raises:
        ConfigError: if `folder` holds no finished run that reads English with a span reader.
        DataError: if a file of the run is damaged, or if its data set has changed or knows no
            English gold passages.
    """
    manifest, given = finished(folder, trust=trust)
    if manifest.get("until") == Stop.RETRIEVE:
        raise ConfigError(f"{folder} holds a run until retrieve; make one with --until read")
    routes = [route.name for route in given.routes if route.corpus == ENGLISH]
    reader = build("reader", given.reader)
    if not routes or not isinstance(reader, SpanReader):
        raise ConfigError(f"{folder} holds a run without a route over English or the reader 'span'")
    try:
        return reader, _cases(folder, manifest, routes, as_query=reader.text == "query")
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{folder} does not hold what a run leaves: {error!r}") from error


def _cases(
    folder: Path, manifest: Mapping[str, Any], routes: Sequence[str], *, as_query: bool
) -> list[Case]:
    queries = {row["qid"]: row["queries"] for _, row in read_jsonl(folder / "queries.jsonl")}
    dataset = asked(folder, manifest, queries)
    corpus, cases = _english(folder, manifest, dataset), []
    spans = {row["qid"]: row["candidates"] for _, row in read_jsonl(folder / "spans.jsonl")}
    runs = [read_run(folder / "run.trec", tag=route) for route in routes]
    answers = read_answers(folder / "xor_engspan.json").found
    for example in filter(_gold_docids, dataset.examples):
        qid, lang = example.question.qid, example.question.lang
        read = [row for row in spans[qid] if row["route"] in routes]
        cases.append(
            Case(
                reference=Reference(qid, lang, example.answers(ENGLISH)),
                asked=queries[qid][routes[0]] if as_query else example.question.text,
                golds=_texts(corpus, _gold_docids(example)),
                retrieved=_texts(corpus, (docid for run in runs for docid in run.get(qid, ()))),
                read=_texts(corpus, (row["docid"] for row in read)),
                candidates=tuple(row["text"] for row in read),
                answered=answers[qid],
            )
        )
    return cases


def _english(folder: Path, manifest: Mapping[str, Any], dataset: Dataset) -> Corpus:
    """The English passages, if they are still the run's and gold ones are known."""
    corpus = dataset.corpora.get(ENGLISH)
    if corpus is None or not any(map(_gold_docids, dataset.examples)):
        raise DataError(
            f"data set {dataset.name} does not tell which English passages answer, so there is no "
            "gold passage to read"
        )
    if corpus.sha != manifest["corpora"][ENGLISH]:
        raise DataError(f"data set {dataset.name} has changed since {folder} was made; run again")
    return corpus


def _gold_docids(example: Example) -> list[str]:
    """The English passages that answer."""
    return [gold.docid for gold in example.golds if gold.lang == ENGLISH and gold.docid]


def _texts(corpus: Corpus, docids: Iterable[str]) -> tuple[str, ...]:
    return tuple(corpus[docid].text for docid in docids)
