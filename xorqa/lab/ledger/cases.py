"""The reader and the English questions of a saved run, with what each stage returned."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, DataError
from ...core.lang import ENGLISH
from ...core.registry import build
from ...core.types import Example, Gold
from ...datasets.corpus import Corpus
from ...datasets.dataset import Dataset
from ...experiments.pipeline import Stop
from ...experiments.run_folder import RunFolder
from ...experiments.settings import Route
from ...io.predictions import read_answers
from ...metrics.report import Reference
from ...reading.span import SpanReader
from ..common.saved_run import dataset_of, finished
from .reduced import reader_over
from .run_hits import hits_of


@dataclass(frozen=True, slots=True)
class Case:
    """A question of a run. Passages are texts of the English corpus.

    `reader_query` is the reader's input, `retrieved` and `read` are the passages that were
    retrieved and read, `candidates` the spans read from them, `prediction` the answer.
    `first_retrieved` are as many passages as were read, in the retriever's order; None if no
    ranker changed it.
    """

    reference: Reference
    reader_query: str
    gold_passages: tuple[str, ...]
    retrieved: tuple[str, ...]
    read: tuple[str, ...]
    candidates: tuple[str, ...]
    prediction: str
    first_retrieved: tuple[str, ...] | None = None


def open_cases(folder: Path, *, trust: bool = False) -> tuple[SpanReader, list[Case]]:
    """Open a run: its reader, and its questions that have an English gold passage.

    If several routes search English passages, reader and `reader_query` are those of the first.
    `trust` allows a reader outside the registry.

    Raises:
        ConfigError: if `folder` contains no finished run that reads English with a span reader.
        DataError: if a file of the run is damaged, or its data set has changed or has no English
            gold passages.
    """
    manifest, settings = finished(folder, trust=trust)
    if manifest.get("until") == Stop.RETRIEVE:
        raise ConfigError(f"the run {folder} stopped after retrieval; run it with --until read")
    routes = [route for route in settings.routes if route.corpus == ENGLISH]
    reader = build("reader", reader_over(settings, ENGLISH))
    if not routes or not isinstance(reader, SpanReader):
        raise ConfigError(
            f"the run {folder} needs a route over the English corpus and the reader 'span'"
        )
    with RunFolder(folder).complete():
        return reader, _cases(folder, manifest, routes, as_query=reader.text == "query")


def _cases(
    folder: Path, manifest: Mapping[str, Any], routes: Sequence[Route], *, as_query: bool
) -> list[Case]:
    run = RunFolder(folder)
    dataset = dataset_of(folder, manifest, run.queries())
    corpus, cases = english_corpus(folder, manifest, dataset), []
    hits, is_ranked = hits_of(folder, dataset, routes), run.is_ranked
    candidates, names = run.candidates(), {route.name for route in routes}
    answers = read_answers(folder / "xor_engspan.json").by_qid
    for example in filter(gold_docids, dataset.examples):
        qid, lang = example.question.qid, example.question.lang
        read = [row for row in candidates[qid] if row["route"] in names]
        counts = Counter(row["route"] for row in read)
        retrieved = [(of.retrieved.get(qid, []), counts[of.route.name]) for of in hits]
        first = (hit.passage.text for row, count in retrieved for hit in row[:count])
        cases.append(
            Case(
                reference=Reference(qid, lang, example.answers(ENGLISH)),
                reader_query=hits[0].queries[qid].text if as_query else example.question.text,
                gold_passages=gold_texts(corpus, example),
                retrieved=tuple(hit.passage.text for row, _ in retrieved for hit in row),
                read=_texts(corpus, (row["docid"] for row in read)),
                candidates=tuple(row["text"] for row in read),
                prediction=answers[qid],
                first_retrieved=tuple(first) if is_ranked else None,
            )
        )
    return cases


def english_corpus(folder: Path, manifest: Mapping[str, Any], dataset: Dataset) -> Corpus:
    """The English corpus of a run, which has gold passages.

    Raises:
        DataError: if it has changed since the run, or no question has an English gold passage.
    """
    corpus = dataset.corpora.get(ENGLISH)
    if corpus is None or not any(map(gold_docids, dataset.examples)):
        raise DataError(
            f"data set {dataset.name} has no English gold passages, which this analysis needs"
        )
    if corpus.sha != manifest["corpora"][ENGLISH] and not RunFolder(folder).keeps_data:
        raise DataError(
            f"data set {dataset.name} has changed since {folder} was written; run again"
        )
    return corpus


def gold_texts(corpus: Corpus, example: Example) -> tuple[str, ...]:
    """The texts of the passages with a gold answer.

    Raises:
        DataError: if the corpus lacks one.
    """
    try:
        return _texts(corpus, gold_docids(example))
    except KeyError as error:
        raise DataError(
            f"question {example.question.qid} has the gold passage {error}, which the English "
            "corpus lacks; correct the docid or add the passage, and run again"
        ) from error


def english_golds(example: Example) -> list[Gold]:
    """The English gold answers with a passage."""
    return [gold for gold in example.golds if gold.lang == ENGLISH and gold.docid]


def gold_docids(example: Example) -> list[str]:
    """The English passages with a gold answer."""
    return [gold.docid for gold in english_golds(example) if gold.docid]


def _texts(corpus: Corpus, docids: Iterable[str]) -> tuple[str, ...]:
    return tuple(corpus[docid].text for docid in docids)
