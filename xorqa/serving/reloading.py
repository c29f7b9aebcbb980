"""Follow a file of passages: after an update of its indexes, new pipelines replace the old ones."""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from ..core.errors import XorqaError
from ..core.quantity import quantity
from ..experiments.pipeline import Pipeline
from ..retrieval.manifest import folder_of
from .engine import Engine
from .problems import Problem

SECONDS = 2.0
"""Between two looks at the file."""

Stamp = tuple[int, int, int]


class Reloader:
    """Opens the pipelines over a file of passages, and again whenever it has changed.

    A changed file is loaded if it has indexes, as after `xorqa index update`: to build them would
    keep questions waiting. Otherwise the server keeps the old passages, and `report` gets the
    reason. `seconds` is the time for which a file must stay the same before it counts as written.
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
        if self._last is None or self._last == self._opened or self._last != before:
            return
        try:
            pipelines = self.pipelines()
            if not all(map(_is_indexed, pipelines.values())):
                self._report(
                    f"{self._path} has changed, but has no index; the server keeps the old "
                    "passages. Change it with xorqa index update, or restart the server"
                )
                return
            engine.replace(pipelines)
            self._report(f"Reloaded: {self._path}, {quantity(engine.passages, 'passage')}")
        except Problem:  # a full queue: the next look tries again
            self._opened = None
        except XorqaError as error:
            self._report(f"the server keeps the old passages: {error}")


def _is_indexed(pipeline: Pipeline) -> bool:
    corpora = {route.corpus for route in pipeline.settings.routes}
    return all(folder_of(pipeline.corpora[key], pipeline.indexes).is_dir() for key in corpora)


def _stamp(path: Path) -> Stamp | None:
    """What changes with a file's content; None if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
