"""Update the indexes of a corpus to its changed passages, beside the old ones.

Each corpus has a folder of indexes named after a hash of its passages, so an update writes a new
folder, and a process that has opened the old one is not disturbed.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError, DataError, LockedError
from ..core.progress import TaskProgress, silent, timed
from ..core.registry import STAGES, build, find
from ..datasets.corpus import Corpus, by_language, pool_of
from ..io.files import index_folder, read_json, write_json
from ..io.locks import lock_path, remove_if_empty, sweep_finished, waiting
from . import manifest
from .over_corpus import OverCorpus, folder_of_index
from .vectors.kinds import EXACT

FILE = ".update.json"
"""In a folder of updated indexes: the folders of the passages before, see `Generations`."""

GUESSED = ("dense", "bm25", "psq", "lucene")  # built by a version that stored no table
POOL = "pool"


@dataclass(frozen=True, slots=True)
class UpdatedIndex:
    """An updated index; `written` is how many passages were encoded, indexed or loaded."""

    folder: Path
    passages: int
    written: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Generations:
    """The folders that indexes were made from: the `first`, and those of `earlier` updates.

    It is not `finished` if the update was killed.
    """

    first: str = ""
    earlier: tuple[str, ...] = ()
    finished: bool = True

    @property
    def source(self) -> str:
        """The folder that the last update started from."""
        return (*self.earlier, self.first)[0]


def update_indexes(
    old: Corpus,
    new: Corpus,
    indexes: Path,
    *,
    tables: Sequence[Mapping[str, Any]] = (),
    progress: TaskProgress,
    commit: Callable[[], None] = silent,
) -> list[UpdatedIndex]:
    """Make the indexes of the new passages from those of the old ones, which do not change.

    `tables` are the retrievers whose indexes are updated, by default all that have an index of the
    old passages in `indexes`, or of those of a language. `commit` is called when they are
    complete.

    Raises:
        DataError: if there is no such index, or one is damaged.
        ConfigError: if the settings of an index are unknown.
        LockedError: if another process writes one of the indexes.
    """
    for table in tables:
        find("retriever", table["use"])
    updated: list[UpdatedIndex] = []
    with ExitStack() as locks:
        targets: dict[Path, Path] = {}
        for before, after in _pairs(old, new):
            source, target = (manifest.folder_of(part, indexes) for part in (before, after))
            if _has_index(source) and target not in targets.values():
                locks.enter_context(_making(source, target))
                targets[source] = target
            for folder, table in _selected(source, tables):
                earlier = build("retriever", table, corpus=before, folder=folder)
                later = build("retriever", table, corpus=after, folder=target / folder.name)
                if isinstance(earlier, OverCorpus) and earlier.is_built():
                    report = partial(progress, f"{after.name} {folder.name}")
                    seconds, written = timed(partial(later.update, earlier, progress=report))
                    updated.append(UpdatedIndex(later.folder, len(after), written, seconds))
        if not updated:
            raise DataError(
                f"{indexes} has no index of the passages of {old.name}; "
                "build one first: xorqa index --corpus FILE"
            )
        commit()
        for source, target in targets.items():
            if _has_index(target):
                write_json(target / FILE, asdict(_next(source, target)))
    return updated


def _has_index(folder: Path) -> bool:
    return any(folder.glob(f"*/{manifest.FILE}"))


@contextmanager
def _making(source: Path, target: Path) -> Iterator[None]:
    """Lock a folder of indexes that are made from others; a new one is marked as unfinished."""
    try:
        with lock_path(target / FILE, "index"):
            if not _has_index(target):
                write_json(target / FILE, asdict(replace(_next(source, target), finished=False)))
            yield
    finally:
        if not _has_index(target):
            (target / FILE).unlink(missing_ok=True)
        remove_if_empty(target)


def _sweep(source: Path) -> None:
    """Delete what killed updates of the indexes in `source` have left beside it."""
    for path in source.parent.glob(f"*/{FILE}"):
        made = generations(path.parent)
        if not made.finished and made.source == source.name:
            with suppress(LockedError), waiting(None), lock_path(path, "index"):
                _delete(path.parent)
    for folder in source.parent.glob("*-" + "[0-9a-f]" * 16):
        remove_if_empty(folder)


def delete_superseded(new: Corpus, indexes: Path) -> list[Path]:
    """Delete the indexes of earlier updates, except those that the last one was made from.

    Indexes that were not made by an update stay. What killed updates have left is deleted, too.
    """
    older = []
    for folder in {manifest.folder_of(part, indexes) for _, part in _parts(new)}:
        made = generations(folder)
        if made.first:
            older += [folder.with_name(name) for name in made.earlier[1:]]
            if not made.finished:  # killed just after the passages had been replaced
                write_json(folder / FILE, asdict(replace(made, finished=True)))
            sweep_finished(folder / FILE)
            _sweep(folder.with_name(made.source))
    for folder in older:
        _delete(folder)
    return older


def _delete(folder: Path) -> None:
    """Delete a folder of indexes, and what they have on servers."""
    for path in folder.glob(f"*/{manifest.FILE}"):
        _forget(path.parent)
    shutil.rmtree(folder, ignore_errors=True)


def _forget(folder: Path) -> None:
    """Delete what an index has outside its folder, on a server."""
    stored = manifest.read(folder)
    kind = str(stored.get("kind"))
    if kind in STAGES["retriever"]:
        retriever = find("retriever", kind)
        if issubclass(retriever, OverCorpus):
            retriever.forget(folder, stored)


def generations(folder: Path) -> Generations:
    """The folders that the indexes in a folder were made from; none if they were built."""
    with suppress(DataError):
        stored = read_json(folder / FILE)
        if isinstance(stored, dict) and isinstance(stored.get("earlier"), list):
            names = [str(stored.get("first")), *map(str, stored["earlier"])]
            if all(name == Path(name).name for name in names):
                return Generations(names[0], tuple(names[1:]), stored.get("finished") is not False)
    return Generations()


def is_superseded(folder: Path) -> bool:
    """Whether an update has made other indexes from those in a folder."""
    others = (generations(path.parent) for path in folder.parent.glob(f"*/{FILE}"))
    return any(folder.name in {other.first, *other.earlier} for other in others)


def _next(source: Path, target: Path) -> Generations:
    """What the folder `target`, made from `source`, was made from."""
    before = generations(source)
    if not before.first:
        return Generations(source.name)
    names = dict.fromkeys((source.name, *before.earlier))
    earlier = (name for name in names if name not in {before.first, target.name})
    exist = tuple(name for name in earlier if source.with_name(name).is_dir())
    return Generations(before.first, exist)


def _selected(
    source: Path, tables: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The folders of the indexes to update in `source`, with the tables of their retrievers.

    An index on a server has no folder that could be found, so only its table selects it.
    """
    for table in tables:
        yield folder_of_index(table, source), table
    if not tables and source.is_dir():
        for path in sorted(source.glob(f"*/{manifest.FILE}")):
            yield path.parent, _table(path.parent)


def _table(folder: Path) -> Mapping[str, Any]:
    """The table of the retriever that built an index."""
    stored = manifest.DEFAULTS | manifest.read(folder)
    table = stored.get(manifest.BUILT_BY)
    if not isinstance(table, dict):
        kind = {} if stored["index"] == EXACT else {"kind": stored["index"]}
        table = {"use": stored.get("kind"), **kind}
        if table["use"] not in GUESSED or index_folder(folder.parent, table) != folder:
            raise ConfigError(
                f"index {folder} does not name its settings; rebuild it with xorqa index "
                "--rebuild, or choose others with --retriever"
            )
    if ":" in str(table.get("use")):
        raise ConfigError(f"index {folder} is your own retriever's; add --retriever {table['use']}")
    return table


def _pairs(old: Corpus, new: Corpus) -> Iterator[tuple[Corpus, Corpus]]:
    """The parts of a corpus that changed, before and after; each index belongs to the first."""
    after, shas = dict(_parts(new)), {""}
    for key, part in _parts(old):
        if key in after and part.sha not in {*shas, after[key].sha}:
            yield part, after[key]
        shas.add(part.sha)


def _parts(corpus: Corpus) -> Iterator[tuple[str, Corpus]]:
    """All passages; those of each language; and all, language by language, as pipelines do."""
    yield "", corpus
    if len(corpus.languages) == 1:
        yield from dict.fromkeys((corpus.languages[0], POOL), corpus).items()
        return
    by_lang = by_language(corpus)
    yield from by_lang.items()
    yield POOL, pool_of(by_lang)
