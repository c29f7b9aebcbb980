"""Reader of sentence pairs as WMT publishes them: a pair per line, the sides separated by a tab."""

from collections.abc import Iterator
from pathlib import Path

from ..core.errors import DataError
from .encodings import open_utf8


def read_two_columns(path: Path) -> Iterator[tuple[str, str]]:
    """The pairs of a `.tsv` or `.tsv.gz`, in file order; empty lines separate documents.

    Raises:
        DataError: if it cannot be read, or naming the line that has no tab.
    """
    with open_utf8(path) as stream:
        for number, line in enumerate(stream, 1):
            try:
                left, tab, right = line.decode().rstrip("\r\n").partition("\t")
            except UnicodeDecodeError as error:
                raise DataError(f"{path}, line {number}: not UTF-8 text ({error})") from error
            if tab:
                yield left, right.partition("\t")[0]
            elif left:
                raise DataError(f"{path}, line {number}: has no tab between two sentences")
