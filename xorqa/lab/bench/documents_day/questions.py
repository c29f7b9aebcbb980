"""The questions of `xorqa bench documents-day`, and the documentation that answers them.

`questions.tsv` has 60 questions in 20 languages with an answer in the documentation, and 15 without
one; both are in two halves, one to choose settings on and one to report. A gold passage is one of
the pages that a pattern names and has a text that an expression matches, so that it is found again
if another version of a package, or of the reader of HTML, splits the pages elsewhere.
"""

import csv
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path

from ....core.errors import DataError
from ....core.types import Passage

APTITUDE, APACHE = ("cs", "en", "es", "fi", "fr", "it", "ja", "ru"), ("de", "ko", "tr")
PAGES = {
    "exim": ("exim4-doc-html/spec_html/ch-*.html",),
    "packages": (
        *(f"aptitude/html/{lang}/*.html" for lang in APTITUDE),
        *(f"apache2-doc/manual/{lang}/**/*.html" for lang in APACHE),
    ),
}
"""The pages of each corpus, in the folder where packages put their documentation."""
INDEXES = ("ch-concept_index.html", "ch-option_index.html")  # they answer nothing
PACKAGES = {
    "exim": "exim4-doc-html",
    "packages": "apache2-doc and aptitude-doc-LANG for cs, en, es, fi, fr, it, ja and ru",
}


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A question over the documentation of `corpus`; without `answers` it has none there."""

    id: str
    half: str
    corpus: str
    lang: str
    question: str
    answers: tuple[str, ...]
    pages: str
    contains: str

    def gold(self, passages: Sequence[Passage]) -> set[str]:
        """The docids of the passages that answer it."""
        pattern = re.compile(self.contains)
        return {
            passage.docid
            for passage in passages
            if fnmatch(passage.docid.partition("#")[0], self.pages)
            and pattern.search(" ".join(passage.text.split()))
        }


def read_questions(half: str) -> list[DocumentQuestion]:
    """The questions of a half (`choose` or `report`)."""
    text = files(__package__).joinpath("questions.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [
        DocumentQuestion(**row | {"answers": tuple(filter(None, row["answers"].split("|")))})
        for row in rows
        if row["half"] == half
    ]


def copy_pages(folder: Path, corpus: str, out: Path) -> int:
    """Copy the pages of a corpus from `folder` to `out`; returns their number.

    Pages that are links are of another language, or copies.

    Raises:
        DataError: if there are none.
    """
    found = [path for pattern in PAGES[corpus] for path in sorted(folder.glob(pattern))]
    pages = [path for path in found if not path.is_symlink() and path.name not in INDEXES]
    if not pages:
        raise DataError(
            f"{folder} has none of {PAGES[corpus]!r}; install Debian's {PACKAGES[corpus]}, or "
            "unpack them (dpkg-deb -x PACKAGE.deb DIR) and name DIR/usr/share/doc"
        )
    for path in pages:
        copy = out / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return len(pages)
