"""What a server answers with: its pipelines, the uploads and the worker that runs them.

After an update of the indexes, new pipelines replace the old ones.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextvars import copy_context
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ..core.errors import XorqaError, one_of
from ..core.lang import ISO_639_1
from ..core.progress import StageTime, displayed, quantity, silent
from ..core.registry import build
from ..core.stages import Translator
from ..core.types import Hit, Passage, Query, Question
from ..datasets.corpus import Corpus
from ..experiments.answer_json import answer_json, hit_row, routes_json
from ..experiments.pipeline import Pipeline, Stop
from ..experiments.route_stages import TYPED_QID
from ..experiments.settings import POOL
from ..io.candidates import candidate_row
from .metrics import Metrics
from .problems import Limits, Problem
from .uploads import Uploads
from .worker import Abandoned, Job, Worker

WARM_UP = {"en": "Where is Helsinki?", "fi": "Missä Helsinki on?"}

SECONDS = 2.0
"""Between two looks at the file."""
LONG = 300  # characters of a question that others would wait for in one batch
Stamp = tuple[int, int, int]


class Engine:
    """Pipelines by name, the first one the default; `start` loads their weights and indexes.

    `examples` are questions that the page suggests.
    """

    def __init__(
        self,
        pipelines: Mapping[str, Pipeline],
        limits: Limits,
        *,
        examples: Sequence[Question] = (),
    ) -> None:
        self.pipelines, self.limits, self.examples = pipelines, limits, examples
        self.metrics = Metrics()
        self.uploads = Uploads(limits.corpora)
        self.worker = Worker(waiting=limits.queue, together=limits.together)
        self.ready = False
        self._end = 0.0

    def start(self, warm: Callable[[BaseException | None], None] = lambda error: None) -> None:
        """Start the worker; its first job warms the pipelines up, then `warm` is called.

        The job waits for locks if the caller does (`io.locks.waiting`).
        """
        job = self.call(partial(copy_context().run, self._warm_up, self.pipelines))
        job.future.add_done_callback(lambda future: warm(future.exception()))
        self.worker.submit([job])
        self.worker.start()

    def replace(self, pipelines: Mapping[str, Pipeline]) -> None:
        """Answer with other pipelines as soon as they are warm; returns then.

        Raises:
            Problem: if the queue is full, or the server shuts down.
            XorqaError: if a pipeline cannot be loaded; the old ones stay.
        """

        def replaced() -> None:
            self._warm_up(pipelines)
            self.pipelines = pipelines

        job = self.call(replaced)
        self.worker.submit([job])
        job.future.result()

    def leave(self) -> None:
        """Begin to stop: `limits.shutdown` seconds remain for the requests that are running."""
        self._end = time.monotonic() + self.limits.shutdown
        self.worker.leave()

    def stop(self) -> None:
        """Let the running batch end, and remove the uploads."""
        self.ready = False
        left = self._end - time.monotonic() if self._end else self.limits.shutdown
        self.worker.stop(max(0.0, left))
        self.uploads.clear()

    @property
    def passages(self) -> int:
        """The number of passages of the default pipeline's corpora."""
        corpora = dict(next(iter(self.pipelines.values())).corpora)
        pool = corpora.pop(POOL, ())
        return sum(map(len, corpora.values())) or len(pool)

    def pipeline(self, name: str | None, corpus: str | None) -> Pipeline:
        """A pipeline, by default the first one, over the server's corpus or an uploaded one.

        Raises:
            Problem: for a name or a corpus that the server does not have.
        """
        name = name or next(iter(self.pipelines))
        if name not in self.pipelines:
            valid = one_of(self.pipelines)
            raise Problem(422, f"no pipeline is called '{name:.60}'; valid: {valid}")
        return self.uploads.get(corpus).pipelines[name] if corpus else self.pipelines[name]

    def ask(
        self,
        texts: Sequence[str],
        lang: str | None,
        *,
        pipeline: Pipeline,
        min_confidence: float | None,
        on_stage: StageTime = silent,
    ) -> list[Job]:
        """A job per question; short ones of the same pipeline may share a batch."""

        def work(items: list[tuple[str, str | None]], on_stage: StageTime) -> list[dict[str, Any]]:
            traces = pipeline.ask_all(items, min_confidence=min_confidence, on_stage=on_stage)
            self.metrics.answered(len(traces))
            return [answer_json(pipeline, trace) for trace in traces]

        key = ("ask", id(pipeline), min_confidence)
        return [
            Job(work, (text, lang), key if len(text) <= LONG else None, on_stage) for text in texts
        ]

    def call(self, function: Callable[[], Any]) -> Job:
        """A job that runs a function on the worker's thread."""
        return Job(lambda items, on_stage: [function()])

    def retrieve(self, pipeline: Pipeline, question: Question, k: int) -> dict[str, Any]:
        """The queries and hits of all routes, with the text of each passage."""
        [trace] = pipeline.answer([question], until=Stop.RETRIEVE)
        rows = routes_json(pipeline, trace)
        for row in rows:
            hits = trace.by_route[row["route"]].hits[:k]
            row["hits"] = [{**hit_row(hit), "text": hit.passage.text} for hit in hits]
        return {"lang": question.lang, "routes": rows}

    def read(
        self, pipeline: Pipeline, question: Question, passages: Sequence[Passage]
    ) -> dict[str, Any]:
        """The candidates of the first route's reader in the given passages."""
        reader = pipeline.reader(pipeline.settings.routes[0])
        hits = [Hit(passage, 0.0) for passage in passages]
        [candidates] = reader.read([Query(question, question.text, question.lang)], [hits])
        rows = [candidate_row(candidate) for candidate in candidates or ()]
        return {"lang": question.lang, "candidates": rows}

    def translate(self, question: Question, to: str) -> dict[str, Any]:
        """The question in the language `to`, by the bundled translator."""
        [query] = self._translator.translate([question], to=to)
        return {"text": query.text, "lang": query.lang, "from": question.lang}

    def upload(self, corpus: Corpus) -> Job:
        """A job that indexes an uploaded corpus, in slices."""

        def work(items: list[Any], on_stage: StageTime) -> list[dict[str, Any]]:
            corpus_id = self.uploads.add(corpus, self.pipelines, partial(on_stage, "index", 0.0))
            row = {"corpus": corpus_id, "passages": len(corpus), "languages": corpus.languages}
            return [row]

        return Job(work, long=True)

    @cached_property
    def _translator(self) -> Translator:
        translator: Translator = build("translator", {"use": "bundled"})
        return translator

    def _warm_up(self, pipelines: Mapping[str, Pipeline]) -> None:
        """Answer a question in each language of the corpora, so that all weights are loaded."""
        with displayed() as show:

            def report(name: str, done: int, total: int) -> None:
                if self.worker.stopping:
                    raise Abandoned
                show(name, done, total)

            for pipeline in pipelines.values():
                pipeline.progress = report
                langs = {*WARM_UP, *(set(pipeline.corpora) & set(ISO_639_1))}
                for lang in sorted(langs):
                    pipeline.ask(WARM_UP.get(lang, WARM_UP["en"]), lang=lang)
                pipeline.progress = silent
        self.ready = True


def question_of(text: str, lang: str) -> Question:
    """A typed question."""
    return Question(TYPED_QID, text, lang)


class Reloader:
    """Opens the pipelines over a file of passages, and again whenever it has changed.

    A changed file is loaded once all pipelines have their indexes, as after `xorqa index update`:
    to build them would keep questions waiting. Until then the server keeps the old passages, and
    `report` gets the reason. `seconds` is the time for which a file must stay the same before it
    counts as written.
    """

    def __init__(
        self,
        path: Path,
        open_pipelines: Callable[[], Mapping[str, Pipeline]],
        report: Callable[[str], None],
        *,
        seconds: float = SECONDS,
    ) -> None:
        self._path, self._open, self._report = path, open_pipelines, report
        self._seconds = seconds
        self._opened: Stamp | None = None
        self._last: Stamp | None = None
        self._without_index: Mapping[str, Pipeline] | None = None

    def pipelines(self) -> Mapping[str, Pipeline]:
        """The pipelines over the passages that the file has now."""
        self._opened = self._last = _stamp(self._path)
        return self._open()

    def follow(self, engine: Engine) -> None:
        """Watch the file in a thread until the engine stops."""

        def watch() -> None:
            while not engine.worker.stopping:
                time.sleep(self._seconds)
                self.look(engine)

        threading.Thread(target=watch, name="xorqa-reloader", daemon=True).start()

    def look(self, engine: Engine) -> None:
        """Load the passages if the file has changed, but not since the last look."""
        before, self._last = self._last, _stamp(self._path)
        if self._last is None or self._last != before:
            return
        try:
            if self._last != self._opened:
                self._without_index = None
                self._load(engine, self.pipelines())
            elif self._without_index:
                self._load(engine, self._without_index)
        except (Problem, CancelledError):  # a full queue: the next look tries again
            self._opened = None
        except XorqaError as error:
            self._without_index = None
            self._report(f"the server keeps the old passages: {error}")

    def _load(self, engine: Engine, pipelines: Mapping[str, Pipeline]) -> None:
        """Load pipelines if they have their indexes; the others wait for those."""
        missing = [name for name, pipeline in pipelines.items() if not pipeline.is_indexed()]
        if not missing:
            self._without_index = None
            engine.replace(pipelines)
            self._report(f"Reloaded: {self._path}, {quantity(engine.passages, 'passage')}")
        elif not self._without_index:
            self._without_index = pipelines
            self._report(
                f"{self._path} has changed, but has no index for {', '.join(missing)}; the server "
                "keeps the old passages. Change it with xorqa index update, which updates all "
                "indexes, build the index with xorqa index, or restart the server"
            )


def _stamp(path: Path) -> Stamp | None:
    """What changes with a file's content; None if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
