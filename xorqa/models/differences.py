"""Files of weights stored as their difference from another file: smaller, and the same to the bit.

Where a model was trained a little further from another one, most of its 4-bit codes are the same. A
file `NAME.difference` holds a line of JSON (`of`, the other file's name; `of_sha` and `sha`, the
SHA-256 of both), then, compressed with LZMA, the header of the safetensors file and its tensors:
each minus the tensor of the same name, type and shape in the other file, byte by byte modulo 256.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..core.errors import WeightsError
from ..io.files import atomic_path, models_dir, sha256
from ..io.strict_json import parse_json

SUFFIX = ".difference"


def restored(path: Path) -> Path:
    """The file of which `path` is the difference, restored in the models folder once.

    The file from which it is the difference is in the same folder.

    Raises:
        WeightsError: if that is another file than the difference was made from, or one is damaged.
    """
    with path.open("rb") as stream:
        about = parse_json(stream.readline())
        target = restored_folder() / str(about["sha"])[:16] / f"{path.stem}.safetensors"
        if target.is_file():
            return target
        compressed = stream.read()
    of = path.with_name(f"{about['of']}.safetensors")
    if sha256(of) != about["of_sha"]:
        raise WeightsError(f"{path} is a difference from another {of.name} than {of}")
    header, changes = split(lzma.decompress(compressed))
    with atomic_path(target) as temporary:
        temporary.write_bytes(header + b"".join(combined(np.add, header, changes, tensors(of))))
        if sha256(temporary) != about["sha"]:
            raise WeightsError(f"{path} is damaged; install xorqa again")
    return target


def restored_folder() -> Path:
    """Where restored files are."""
    return models_dir() / "restored"


def split(file: bytes) -> tuple[bytes, bytes]:
    """The header of a safetensors file, its length included, and the bytes of its tensors."""
    end = 8 + int.from_bytes(file[:8], "little")
    return file[:end], file[end:]


def _places(header: bytes) -> dict[tuple[str, str, tuple[int, ...]], slice]:
    """Where each tensor is, by name, type and shape, in the order of the file."""
    table = parse_json(header[8:])
    table.pop("__metadata__", None)
    places = {
        (name, row["dtype"], tuple(row["shape"])): slice(*row["data_offsets"])
        for name, row in table.items()
    }
    return dict(sorted(places.items(), key=lambda item: item[1].start))


def tensors(path: Path) -> dict[tuple[str, str, tuple[int, ...]], bytes]:
    """The bytes of each tensor of a file, by name, type and shape."""
    header, data = split(path.read_bytes())
    return {key: data[place] for key, place in _places(header).items()}


def combined(
    combine: np.ufunc,
    header: bytes,
    data: bytes,
    others: dict[tuple[str, str, tuple[int, ...]], bytes],
) -> Iterator[bytes]:
    """Each tensor plus or minus the other file's; one that the other lacks stays as it is."""
    for key, place in _places(header).items():
        if key in others:  # uint8 wraps around: modulo 256
            ours, theirs = (np.frombuffer(b, np.uint8) for b in (data[place], others[key]))
            yield combine(ours, theirs).tobytes()
        else:
            yield data[place]
