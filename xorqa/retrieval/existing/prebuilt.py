"""Pyserini's prebuilt indexes, which are downloaded by name."""

import contextlib
import io
from collections.abc import Callable
from pathlib import Path

from ...core.errors import DataError, XorqaError
from ...core.progress import announce
from ..java import start_jvm


def index_place(name: str) -> Path:
    """The folder of an index, given as a path, or as the name of a prebuilt index of Pyserini.

    Raises:
        DataError: if it is neither.
        XorqaError: if a prebuilt index cannot be downloaded.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    if folder.name != name or folder.is_file():
        raise DataError(f"index {name} is not a folder")
    return _downloaded(name)


def _downloaded(name: str) -> Path:
    download = _pyserini()
    announce(f"Downloading {name}, a prebuilt index of Pyserini, unless it is there already")
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            return Path(download(name, verbose=False))
    except (ValueError, OSError, AssertionError) as error:
        if "Unrecognized" in str(error):
            raise DataError(
                f"index {name} is neither a folder nor a prebuilt index of Pyserini"
            ) from error
        raise XorqaError(
            f"{name}, a prebuilt index of Pyserini, cannot be downloaded ({error}); "
            "where there is no network, give the folder of a copy"
        ) from error


def _pyserini() -> Callable[..., str]:
    """Pyserini's download, whose names are in its jar."""
    start_jvm()
    from pyserini.util import download_prebuilt_index

    download: Callable[..., str] = download_prebuilt_index
    return download
