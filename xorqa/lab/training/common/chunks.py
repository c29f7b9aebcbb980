"""Results computed in chunks, each a file: an interrupted computation continues, none is repeated.

A chunk's file is named by the hash of its items and of all that its results depend on.
`manifest.json` records both, and the files in order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ....core.progress import Progress, silent
from ....io.files import atomic_path, digest, write_json

Item = TypeVar("Item")
Arrays = dict[str, NDArray[Any]]


def compute_in_chunks(
    items: Sequence[Item],
    compute: Callable[[Sequence[Item]], Arrays],
    *,
    folder: Path,
    depends_on: Mapping[str, Any],
    size: int,
    progress: Progress = silent,
) -> list[Arrays]:
    """The results of each chunk of `size` items, computed where `folder` lacks them.

    `depends_on`, the hashes and settings behind `compute`, and the items are JSON-serialisable.
    `progress` gets the number of items done after each chunk.
    """
    chunks = [items[at : at + size] for at in range(0, len(items), size)]
    names = [f"{digest(depends_on, chunk)}.safetensors" for chunk in chunks]
    manifest = {**depends_on, "items": len(items), "chunk": size, "files": names}
    write_json(folder / "manifest.json", manifest)
    results = []
    for at, (chunk, name) in enumerate(zip(chunks, names, strict=True)):
        arrays = _read(folder / name)
        if arrays is None:
            arrays = compute(chunk)
            _write(folder / name, arrays)
        results.append(arrays)
        progress(min(len(items), (at + 1) * size), len(items))
    return results


def _write(path: Path, arrays: Arrays) -> None:
    from safetensors.numpy import save_file

    with atomic_path(path) as temporary:
        save_file({name: np.ascontiguousarray(a) for name, a in arrays.items()}, temporary)


def _read(path: Path) -> Arrays | None:
    """The arrays of a chunk, None if its file is missing or cannot be read."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        arrays: Arrays = load_file(path)
    except (OSError, SafetensorError):
        return None
    return arrays
