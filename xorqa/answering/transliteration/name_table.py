"""Tables of names in tab-separated files: interlanguage titles and conventional forms.

The first line has an ISO 639-1 code for each column, including "en"; a cell is empty if the name
in that language is unknown.
"""

import csv
import re
from collections.abc import Mapping
from functools import cache
from io import StringIO
from pathlib import Path

from ...core.errors import DataError
from ...core.text.normalize import strip_accents
from ...io.encodings import read_utf8

BUNDLED = Path(__file__).parent / "names.tsv"
FAMOUS = Path(__file__).parent / "famous.tsv"
"""The usual forms of famous people and places, in Finnish where they differ from English."""
ATTESTED = Path(__file__).parent / "attested.tsv"
"""Words of names as translators of questions and sentences wrote them, reviewed."""
USUAL = Path(__file__).parent / "usual.tsv.bz2"
"""The usual forms of frequent names, in Finnish where they differ from English."""
SPELLINGS = Path(__file__).parent / "spellings.tsv"
"""Other frequent words of names, in their usual spelling."""

Titles = Mapping[tuple[str, str], str]


def read_titles(path: Path, *, source: str = "en") -> Titles:
    """(language, name in `source` as `key` makes it) to the name in that language.

    If several rows have the same English name, the first counts. A name in another language is
    ambiguous, and left out, if it is in rows with different names.

    Raises:
        DataError: if there is no such file, or no column "en".
    """
    return _titles(path, source)


@cache
def _titles(path: Path, source: str) -> Titles:
    titles: dict[tuple[str, str], str] = {}
    ambiguous = set()
    for row in rows(path):
        name = key(row.get(source) or "")
        for lang, other in row.items() if name else ():
            if other and lang not in (source, None):
                entry = (lang, name)
                if titles.setdefault(entry, other) != other and source != "en":
                    ambiguous.add(entry)
    return {entry: name for entry, name in titles.items() if entry not in ambiguous}


@cache
def rows(path: Path) -> list[dict[str, str | None]]:
    """The rows of a table, by language.

    Raises:
        DataError: as `read_titles`.
    """
    try:
        lines = StringIO(read_utf8(path).decode(), newline="")
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"titles {path} cannot be read: {error}; save it as UTF-8") from error
    if not rows or "en" not in rows[0]:
        raise DataError(f"{path} needs a first line with language codes, 'en' among them")
    return [dict(row) for row in rows]


def key(name: str) -> str:
    """A name without English article, accents, full stops, commas and letter case."""
    plain = strip_accents(name.replace("’", "'").replace("&", "and")).lower()
    return re.sub(r"\bsaint\b", "st", re.sub(r"^(the|an?) |[.,]", "", plain))
