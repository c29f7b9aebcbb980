"""Paths that may be the name of a fetched publication."""

from pathlib import Path

from ...io.files import data_dir


def local_or_fetched(path: Path) -> Path:
    """The path or, if it does not exist, the fetched publication of that name: `xquad-r`."""
    fetched = data_dir() / path
    return fetched if not path.exists() and fetched.exists() else path
