"""The questions and passages that a run folder keeps if its data set has no name to load it by."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ..core.errors import DataError
from ..core.types import Passage, Trace
from ..datasets.catalog import CATALOG
from ..datasets.corpus import Corpus
from ..datasets.dataset import Dataset
from ..datasets.user_data import QUESTIONS, question_row, read_questions
from ..io.files import read_jsonl, write_jsonl
from ..io.strict_json import as_text

PASSAGES = "passages.jsonl"


def has_name(dataset: Dataset) -> bool:
    """Whether `load_dataset` can load a data set again: from the catalogue, or `module:name`."""
    return dataset.name in CATALOG or ":" in dataset.name


def is_kept(folder: Path) -> bool:
    """Whether the run in `folder` keeps its data."""
    return (folder / QUESTIONS).is_file()


def keep_data(folder: Path, dataset: Dataset, traces: Sequence[Trace]) -> None:
    """Write the questions with their gold answers, and the passages retrieved or with an answer."""
    write_jsonl(folder / QUESTIONS, map(question_row, dataset.examples))
    rankings = [hits for trace in traces for _, hits in trace.by_route.values()]
    rankings += [hits for trace in traces for hits in trace.retrieved.values()]
    used = {(hit.passage.docid, hit.passage.lang) for hits in rankings for hit in hits}
    gold = {gold.docid for example in dataset.examples for gold in example.golds}
    rows = (
        {"corpus": key} | asdict(passage)
        for key, corpus in sorted(dataset.corpora.items())
        for passage in corpus
        if (passage.docid, passage.lang) in used or passage.docid in gold
    )
    write_jsonl(folder / PASSAGES, rows)


def kept_data(folder: Path, name: str) -> Dataset:
    """The data set that the run in `folder` keeps; its corpora are parts of those it searched.

    Raises:
        DataError: if a file is damaged.
    """
    corpora: dict[str, list[Passage]] = {}
    for number, row in read_jsonl(folder / PASSAGES):
        try:
            key, *values = (
                as_text(row[name]) for name in ("corpus", "docid", "text", "title", "lang")
            )
        except (KeyError, TypeError) as error:
            message = f"{folder / PASSAGES}, line {number}: not a passage of a run: {error!r}"
            raise DataError(message) from error
        corpora.setdefault(key, []).append(Passage(*values))
    examples = read_questions(folder / QUESTIONS)
    parts = {key: Corpus(key, passages) for key, passages in corpora.items()}
    return Dataset(name, examples, parts)
