"""Build a dense index from that of earlier passages: only new and changed ones are encoded."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress
from ..datasets.corpus import Corpus
from ..io.files import atomic_dir, read_json, write_json
from ..io.locks import lock_path, sweep
from . import manifest
from .announcement import announced
from .dense import INDEX, UNFINISHED, Dense
from .vectors.build import build_index, save_index
from .vectors.kinds import EXACT, index_size, open_index
from .vectors.shards import WORK
from .vectors.synthetic import MemoryChunk
from .vectors.update import DELETED, mixed_chunks, update_rows

FOLDER = "update"  # in the earlier index's folder: the shards of an update in progress
OF = "of.json"
SINCE_TRAINING = "encoded_since_training"
NOT_OF_TRAINING = {"files", "sum", manifest.BUILT_BY}
RETRAINED_SHARE = 0.25  # of vectors that are newer than the training


def update_dense(earlier: Dense, later: Dense, progress: Progress) -> int:
    """Build the later index; returns how many of its passages were encoded.

    The earlier index does not change, and the later one appears whole. The new vectors are stored
    in the earlier one's folder until then, so that a killed update resumes.

    Raises:
        IndexMismatchError: if an index has other passages or weights.
        DataError: if a folder holds something else, or the earlier index is damaged.
        LockedError: if another process writes one of the indexes.
    """
    with lock_path(earlier.folder, "index"), lock_path(later.folder, "index"):
        manifest.check(earlier.folder, earlier.description)
        manifest.verify(earlier.folder)
        manifest.check_replaceable(later.folder, unless=UNFINISHED)
        if manifest.exists(later.folder):  # of an update that was killed, or of another file
            manifest.check(later.folder, later.description)
            shutil.rmtree(earlier.folder / FOLDER, ignore_errors=True)
            return 0
        rows = moves(earlier.corpus, later.corpus)
        chunks = _encode_new(earlier, later, rows, progress)
        stored = manifest.read(earlier.folder)
        index = open_index(earlier.folder / INDEX, mapped=False, passages=len(earlier.corpus))
        encoded = sum(len(chunk.positions) for chunk in chunks)
        with atomic_dir(later.folder) as temporary:
            measured = _write(index, rows, chunks, stored, later, temporary / INDEX)
            own = later.description | later.built_by
            manifest.write(temporary, own | measured)
        shutil.rmtree(earlier.folder / FOLDER)
    return encoded


def moves(earlier: Corpus, later: Corpus) -> NDArray[np.int64]:
    """The position of each earlier passage in the later corpus; -1 if it has gone or changed."""
    positions = {passage: at for at, passage in enumerate(later)}
    return np.array([positions.get(passage, DELETED) for passage in earlier], np.int64)


def _encode_new(
    earlier: Dense, later: Dense, rows: NDArray[np.int64], progress: Progress
) -> list[MemoryChunk]:
    """The vectors of the passages to which no row moves."""
    folder = earlier.folder / FOLDER
    of = later.description | {"shard_work": WORK}
    if not (folder / OF).is_file() or read_json(folder / OF) != of:
        shutil.rmtree(folder, ignore_errors=True)
        write_json(folder / OF, of)
    sweep(folder)
    fresh = np.setdiff1d(np.arange(len(later.corpus)), rows)
    if not len(fresh):
        return []
    passages = [later.corpus.passages[position] for position in fresh]
    width = later.encoder.passage_dimensions
    report = announced(progress, later.use, lambda count: index_size(later.kind, count, width))
    shards = later.encode(passages, folder, report)
    return [MemoryChunk(fresh[shard.positions], shard.read()) for shard in shards]


def _write(
    index: Any,
    rows: NDArray[np.int64],
    chunks: list[MemoryChunk],
    stored: dict[str, Any],
    later: Dense,
    path: Path,
) -> dict[str, Any]:
    """Write the updated index; returns what the manifest stores of its training.

    Codes of new vectors lose accuracy where those that the index was trained with are no longer
    typical, so it is trained again once a share of its vectors is newer.
    """
    new = stored.get(SINCE_TRAINING, 0) + sum(len(chunk.positions) for chunk in chunks)
    if later.kind != EXACT and new > RETRAINED_SHARE * len(later.corpus):
        with TemporaryDirectory() as folder:
            both = mixed_chunks(index, rows, chunks)
            draft = Path(folder, "draft")
            return build_index(later.kind, both, later.pseudo_questions, path, draft)
    save_index(update_rows(later.kind, index, rows, chunks), path)
    others = {*later.description, *NOT_OF_TRAINING}
    measured = {key: value for key, value in stored.items() if key not in others}
    return measured | {SINCE_TRAINING: new}
