"""The base of retrievers over an index that another program built."""

import hashlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from ...core.errors import ConfigError, DataError, IndexMismatchError, Notice
from ...core.progress import Progress, quantity, silent
from ...core.types import Passage, Query, Question
from ..over_corpus import OverCorpus

ENDS = 1 << 16  # bytes at a file's beginning and end that its fingerprint covers


class ExistingIndex(OverCorpus):
    """A retriever over an index that is opened as it is, and never changed.

    A subclass has `use`, `version`, a constructor that passes `corpus` and `folder` on,
    `fingerprint`, `open_index`, `retrieve`, which searches `self.index`, and `health`.
    """

    place: str
    """Where the index is, for messages: a folder, or a name at an address."""

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Open the index, so that whatever is wrong with it is reported before the first search.

        Raises:
            ConfigError: for a rebuild.
            DataError: if it cannot be opened.
        """
        if rebuild:
            raise self._unchanged("rebuild")
        _ = self.index

    @cached_property
    def index(self) -> Any:
        """The open index."""
        return self.open_index()

    def is_complete(self) -> bool:
        """It is as it is."""
        return True

    def is_built(self) -> bool:
        """It exists, and an update is refused."""
        return True

    def update(self, earlier: Self, *, progress: Progress = silent) -> int:
        """Refused: the index is another program's."""
        raise self._unchanged("update")

    def _unchanged(self, verb: str) -> ConfigError:
        return ConfigError(
            f"'{self.use}' opens {self.place} as it is and cannot {verb} it; "
            f"{verb} it with the program that built it"
        )

    def passage(self, docid: str) -> Passage:
        """The corpus's passage with a docid of the index.

        Raises:
            DataError: if the corpus lacks it.
        """
        passage = self.corpus.get(docid)
        if passage is None:
            raise DataError(
                f"{self.place} holds docid '{docid}', which corpus {self.corpus.name} lacks; "
                "pass the passages that were indexed"
            )
        return passage

    def note_other_vectors(self, compare: Callable[[], object]) -> None:
        """Issue a `Notice` if `compare` finds that the encoder's vectors are not the index's."""
        try:
            compare()
        except IndexMismatchError as error:
            warnings.warn(f"{self.place}: {error}", Notice, stacklevel=2)

    def check_passages(self, docids: Sequence[str]) -> str:
        """Check that the corpus has the passages of docids; returns a note.

        Raises:
            DataError: naming the first that it lacks.
        """
        lacking = [docid for docid in docids if self.corpus.get(docid) is None]
        if lacking:
            raise DataError(
                f"corpus {self.corpus.name} lacks {len(lacking)} of {len(docids)} docids, such as "
                f"'{lacking[0]}'; pass the passages that were indexed"
            )
        return f"corpus {self.corpus.name} has all {quantity(len(docids), 'docid')}"

    def search_sample(self, sample: Sequence[Passage]) -> str:
        """Search for passages by their own texts; returns how many rank first.

        Raises:
            DataError: if none does.
        """
        queries = [Query(Question(p.docid, p.titled, p.lang), p.titled, p.lang) for p in sample]
        firsts = [hits[0].passage.docid if hits else "" for hits in self.retrieve(queries, k=1)]
        count = sum(first == one.docid for first, one in zip(firsts, sample, strict=True))
        note = f"{count} of {quantity(len(sample), 'passage')} rank first for their own text"
        if sample and not count:
            raise DataError(f"{note}; are these the passages, the fields and the encoder?")
        return note

    def health(self, sample: Sequence[Passage]) -> dict[str, Callable[[], str]]:
        """Checks for `xorqa doctor`: the index opens, and finds passages by their own texts."""
        return {"index": self.describe, "search": lambda: self.search_sample(sample)}

    def describe(self) -> str:
        """What the index is, in one line."""
        raise NotImplementedError(f"{type(self).__name__} has no describe")


def file_identity(path: Path) -> list[object]:
    """Identifies a file, which may be large, by its size and its first and last bytes."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(ENDS)
        stream.seek(max(0, size - ENDS))
        tail = stream.read(ENDS)
    return [path.name, size, hashlib.sha256(head + tail).hexdigest()]


def refuse_unless(folder: Path, names: Mapping[str, str], *, what: str) -> None:
    """Check that a folder has files.

    Raises:
        DataError: naming the first that it lacks; `names` has what each is.
    """
    if not folder.is_dir():
        raise DataError(f"{what} {folder} is not a folder")
    for name, meaning in names.items():
        if not (folder / name).is_file():
            raise DataError(f"{what} {folder} has no file '{name}' ({meaning})")
