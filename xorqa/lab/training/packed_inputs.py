"""The input files of recipes in one compressed file, for training on another machine."""

import lzma
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from ...core.errors import ConfigError, DataError
from ...core.progress import disk_size
from ...io.files import atomic_path, data_dir
from .history import TrainingHistory

MB = 1_000_000
LARGEST = 3
"""Files that are named if the packed ones are too large."""


def input_files(histories: Iterable[TrainingHistory]) -> list[Path]:
    """The files in the data folder that recipes read in all their stages, each once.

    Raises:
        ConfigError: if a recipe reads a file of another folder.
        DataError: naming missing files, and the commands that make them.
    """
    files = {path for history in histories for path in history.input_files()}
    for path in sorted(files):
        if not path.is_relative_to(data_dir()):
            raise ConfigError(f"{path} cannot be packed: it is not in the data folder {data_dir()}")
    return sorted(files)


def pack_inputs(files: Sequence[Path], out: Path, *, limit: float) -> int:
    """Write files of the data folder to a `.tar.xz`; returns its bytes.

    The same files give the same bytes.

    Raises:
        DataError: if the packed files are larger than `limit` (MB); nothing is written then.
    """
    with atomic_path(out) as temporary:
        with tarfile.open(temporary, "w:xz") as archive:
            for path in files:
                member = tarfile.TarInfo(path.relative_to(data_dir()).as_posix())
                member.size = path.stat().st_size
                with path.open("rb") as stream:
                    archive.addfile(member, stream)
        packed = temporary.stat().st_size
        if packed > limit * MB:
            sizes = sorted(((path.stat().st_size, path) for path in files), reverse=True)
            largest = ", ".join(
                f"{path.relative_to(data_dir()).as_posix()} ({disk_size(size)})"
                for size, path in sizes[:LARGEST]
            )
            raise DataError(
                f"the packed files have {disk_size(packed)}, more than {disk_size(limit * MB)}; "
                f"pack fewer recipes or raise --limit; the largest files, unpacked: {largest}"
            )
    return packed


def unpack_inputs(packed: Path) -> int:
    """Write the files that `pack_inputs` packed to the data folder; returns their number.

    Files that the data folder has already are left as they are.

    Raises:
        DataError: if the file is damaged, names a place outside the data folder, or has other
            contents than a file that is there already.
    """
    count = 0
    for name, content in _members(packed):
        path = data_dir() / name
        if not path.exists():
            with atomic_path(path) as temporary:
                temporary.write_bytes(content)
        elif not path.is_file() or path.read_bytes() != content:
            raise DataError(f"{path} is not the one in {packed}; set XORQA_HOME to another folder")
        count += 1
    return count


def _members(packed: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The names and contents of an archive's files, which must all be relative ones."""
    try:
        with tarfile.open(packed, "r:xz") as archive:
            for member in archive:
                name = PurePosixPath(member.name)
                stream = archive.extractfile(member) if member.isreg() else None
                if stream is None or name.is_absolute() or ".." in name.parts or not name.parts:
                    raise DataError(
                        f"{packed}: '{member.name}' is no file below the data folder; "
                        "use the output of xorqa train pack"
                    )
                yield name, stream.read()
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise DataError(f"{packed} is damaged or not a .tar.xz; pack the inputs again") from error
