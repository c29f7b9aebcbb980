"""The base of retrievers with an index: its locked build, its check and its update."""

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Self

from ..core.errors import ConfigError, Notice, XorqaError
from ..core.progress import Progress, announce, disk_size, duration, quantity, silent
from ..core.registry import build, described, find, table_of
from ..core.stages import BaseRetriever, Configured, Retriever
from ..core.types import Hit, Passage, Query, Question, SearchText
from ..datasets.corpus import Corpus
from ..io.files import atomic_dir, digest, index_folder
from ..io.locks import lock_path, sweep, sweep_finished
from . import manifest

SAMPLE = 1000  # passages that an index's size is estimated from
MIN_SECONDS = 2.0  # a shorter build is not announced
MEASURED_SECONDS = 1.0  # the time in which the speed is measured


def retriever_over(corpus: Corpus, table: Mapping[str, Any], indexes: Path) -> Retriever:
    """The retriever of a table (`use` and settings) over a corpus, with its index in `indexes`.

    Raises:
        ConfigError: for an unknown retriever, or a setting that it does not have.
    """
    folder = folder_of_index(table, indexes)
    retriever: Retriever = build("retriever", table, corpus=corpus, folder=folder)
    return retriever


def folder_of_index(table: Mapping[str, Any], indexes: Path) -> Path:
    """The folder, in `indexes`, of the index of a retriever's table."""
    return index_folder(indexes, _indexed(table))


def _indexed(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table with the settings that its retriever's index depends on.

    The size of a batch is none of them, whichever index it is.
    """
    if not isinstance(table.get("use"), str):
        return table
    cls = find("retriever", table["use"])
    if not issubclass(cls, OverCorpus):
        return table
    return {key: value for key, value in cls.indexed(table).items() if key != "batch_tokens"}


class OverCorpus(Configured, BaseRetriever):
    """A retriever with an index of a corpus, on disk or on a server.

    Users pass `Bm25()` to a pipeline, which builds the retriever again for each corpus that it
    searches; `Bm25(corpus=..., folder=...)` is ready to search. A retriever without an index
    inherits from `BaseRetriever` instead.

    A subclass has `use`, `version`, a constructor that passes `corpus` and `folder` on,
    `index_settings`, `write_index`, `open_index` and `retrieve`, which searches `self.index`;
    `tests/retrieval/test_new_retriever.py` is an example. If it encodes passages, it also has
    `update_index`; a `vectors.encoding.VectorField` encodes for an index on a server.

    The folder holds the index and its manifest. For an index on a server it holds the manifest
    alone, by which later commands recognise the index; `write_index` sends the passages to the
    server under the name `self.index_name`. A retriever that builds in another way overrides
    `build`: `Elastic`, whose manifest is in the cluster, and `Hybrid`, whose parts have indexes.
    """

    use: ClassVar[str]
    """The name in the registry, for the manifest."""
    disk_share: ClassVar[float] = 1.0
    """The index's size as a share of the text's bytes, approximately."""
    version: int

    def __init__(self, corpus: Corpus | None, folder: Path | None) -> None:
        self._corpus = corpus
        self._folder = folder

    @property
    def corpus(self) -> Corpus:
        """The passages. Raises ConfigError if it has none yet."""
        if self._corpus is None:
            raise ConfigError(
                f"{type(self).__name__} has no corpus yet; pass it to a Pipeline, or build it "
                "with corpus=... and folder=..."
            )
        return self._corpus

    @property
    def folder(self) -> Path:
        """The folder of the index. Raises ConfigError if it has none yet."""
        if self._folder is None:
            raise ConfigError(f"{type(self).__name__} has no folder for its index yet; see folder=")
        return self._folder

    @property
    def index_name(self) -> str:
        """A name for an index on a server: different for other passages or settings."""
        return f"{self.folder.parent.name}-{self.folder.name}"

    @staticmethod
    def indexed(table: Mapping[str, Any]) -> Mapping[str, Any]:
        """The table without the settings that apply only when the index is searched.

        Retrievers whose tables differ only in such settings share a folder. By default there are
        no such settings.
        """
        return table

    def index_settings(self) -> dict[str, Any]:
        """The settings that the index's content depends on, weights included, as JSON values."""
        raise NotImplementedError(f"{type(self).__name__} has no index_settings")

    def write_index(self, folder: Path, progress: Progress) -> None:
        """Write the index into an empty folder, or to a server."""
        raise NotImplementedError(f"{type(self).__name__} has no write_index")

    def open_index(self) -> Any:
        """Open the index in the folder; raise a DataError if it is damaged."""
        raise NotImplementedError(f"{type(self).__name__} has no open_index")

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The best `k` passages of each query, equal scores by docid."""
        raise NotImplementedError(f"{type(self).__name__} has no retrieve")

    @cached_property
    def index(self) -> Any:
        """The open index, built if necessary."""
        self.build()
        return self.open_index()

    def index_manifest(self, *, fresh: bool = False) -> dict[str, Any]:
        """What an index must have been built from to be opened; `fresh` ignores an existing one."""
        return manifest.describe(self.use, self.corpus, **self.index_settings())

    @property
    def built_by(self) -> dict[str, Any]:
        """What else its manifest has: the settings that an update reads, and who read documents."""
        version = self.corpus.reader_version
        return {manifest.BUILT_BY: described(self.indexed(table_of("retriever", self)))} | (
            {manifest.READER_VERSION: version} if version else {}
        )

    def fingerprint(self) -> str:
        """A hash of the manifest."""
        return digest(self.index_manifest())

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Build the index, or check an existing one.

        Raises:
            IndexMismatchError: if the existing index has other passages or settings.
            DataError: if the folder holds something else.
            LockedError: if another process builds it.
        """
        work = partial(self._replace_index, self.write_index, progress)
        self.build_locked(work, rebuild=rebuild)

    def build_locked(
        self, write: Callable[[], None], *, rebuild: bool, unfinished: str = ""
    ) -> None:
        """Call `write` unless the index is complete, in one process at a time.

        `unfinished` is a file in a subfolder that a killed build leaves and `write` resumes from.
        """
        if not rebuild and "index" in vars(self):
            return  # open: it answers from memory even if an update has deleted its folder
        scratch = (self.folder / unfinished).parent if unfinished else None
        if not rebuild and self.is_complete():
            sweep_finished(self.folder, shards=scratch)
            return
        with lock_path(self.folder, "index"):
            if scratch:
                sweep(scratch)
                sweep(self.folder)
                if scratch.is_dir() and not any(scratch.iterdir()):  # killed before its first file
                    scratch.rmdir()
            manifest.check_replaceable(self.folder, unless=unfinished or manifest.FILE)
            if rebuild or not self.is_complete():  # by the process that this one waited for
                write()
        with suppress(AttributeError):
            del self.index

    def is_complete(self) -> bool:
        """Whether the index of this corpus and these settings is there.

        Raises:
            IndexMismatchError, DataError: if another one is, or it is damaged.
        """
        if not manifest.exists(self.folder):
            return False
        manifest.check(self.folder, self.index_manifest())
        return True

    def _replace_index(self, write: Callable[[Path, Progress], None], progress: Progress) -> None:
        new_manifest = self.index_manifest(fresh=True)
        with atomic_dir(self.folder) as temporary:
            write(temporary, announced(progress, self.use, self.index_size))
            manifest.write(temporary, new_manifest | self.built_by)

    def index_size(self, passages: int) -> float:
        """The bytes of an index of that many passages, approximately."""
        sample = self.corpus.passages[:SAMPLE]
        text = sum(len(passage.titled.encode(errors="replace")) for passage in sample)
        return self.disk_share * text * passages / len(sample)

    def is_built(self) -> bool:
        """Whether there is an index, of whatever passages, for an update to start from."""
        return manifest.exists(self.folder)

    def update(self, earlier: Self, *, progress: Progress = silent) -> int:
        """Build the index of changed passages beside that of the `earlier` retriever.

        Returns the number of passages that `update_index` wrote; 0 if the index was complete.

        Raises:
            IndexMismatchError, DataError, LockedError: as `build`.
        """
        written = 0

        def write(folder: Path, report: Progress) -> None:
            nonlocal written
            written = self.update_index(earlier, folder, report)

        self.build_locked(partial(self._replace_index, write, progress), rebuild=False)
        return written

    def update_index(self, earlier: Self, folder: Path, progress: Progress) -> int:
        """Write the index as `write_index` does; returns the number of passages written.

        By default all are indexed again, which takes seconds without an encoder. A retriever that
        encodes passages takes the vectors of unchanged ones from `earlier.index`, which stays as
        it is.
        """
        self.write_index(folder, progress)
        return len(self.corpus)

    @classmethod
    def forget(cls, folder: Path, stored: Mapping[str, Any]) -> None:
        """Delete what an index has on a server, before its folder with the manifest is deleted."""

    def verify(self) -> list[str]:
        """Compare the files of an index on disk with its manifest's sums; returns notes, if any.

        Raises:
            DataError: if a file differs.
        """
        return [manifest.verify(self.folder)] if manifest.exists(self.folder) else []

    @classmethod
    def check_search(cls) -> str:
        """Index two passages in a temporary folder and search them; for `machine_checks`."""
        nile = Passage("nile", "The Nile is a river in Africa.")
        rhine = Passage("rhine", "The Rhine flows through Cologne.")
        query = Query(Question("q", "Cologne", "en"), "Cologne", "en")
        options: dict[str, Any] = {"corpus": Corpus("two", [nile, rhine])}
        with TemporaryDirectory() as folder:
            retriever = cls(**options, folder=Path(folder, "index"))
            docids = [hit.passage.docid for hit in retriever.retrieve([query], k=1)[0]]
        if docids != ["rhine"]:
            raise XorqaError(f"a search for 'Cologne' returns {docids}, not ['rhine']")
        return "indexed two passages and retrieved the right one"


def search_nonempty(
    queries: Sequence[Query],
    text: SearchText,
    k: int,
    search: Callable[[Sequence[Query]], Iterable[list[Hit]]],
) -> list[list[Hit]]:
    """The first `k` hits that `search` returns for each query; none for one without a `text`."""
    hits: list[list[Hit]] = [[] for _ in queries]
    nonempty = [row for row, query in enumerate(queries) if query.of(text).text.strip()]
    if nonempty and k > 0:
        rankings = search([queries[row] for row in nonempty])
        for row, ranking in zip(nonempty, rankings, strict=True):
            hits[row] = ranking[:k]
    return hits


def note_truncated(cut: int, passages: int) -> None:
    """Issue a `Notice` if an encoder reads only the beginning of `cut` of so many passages."""
    if cut:
        message = (
            f"{quantity(cut, 'passage')} of {passages} longer than the encoder reads: "
            "vectors cover the beginning only; `xorqa corpus make` splits them"
        )
        kind = "passage longer than the encoder reads"
        warnings.warn(Notice(message, kind=kind, count=cut), stacklevel=2)


def announced(progress: Progress, use: str, size: Callable[[int], float]) -> Progress:
    """`progress`, which also announces the build of an index once its speed is known.

    The line has the number of passages, the time and the space: `size` returns the approximate
    bytes of the index of that many passages. The speed is measured from the second call on: the
    first comes before the work begins, or after the first batch, for which weights are loaded.
    """
    calls, start = 0, (0.0, 0)
    is_announced = False

    def report(done: int, total: int) -> None:
        nonlocal calls, start, is_announced
        progress(done, total)
        calls += 1
        now = time.monotonic()
        if calls <= 2:
            start = now, done
        elif not is_announced and now - start[0] >= MEASURED_SECONDS and done > start[1]:
            is_announced = True
            seconds = (now - start[0]) * (total - done) / (done - start[1])
            if seconds >= MIN_SECONDS:
                cost = f"about {duration(seconds)}, {disk_size(size(total))} on disk, once"
                announce(f"Indexing {total:,} passages ({use}): {cost}")

    return report
