"""A corpus: passages in order, their lookup by docid, and a hash that tells corpora apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from ..errors import DataError
from ..files import read_jsonl
from ..lang import detect
from ..types import Passage


class Corpus:
    """Passages that are retrieved from together.

    Raises:
        DataError: if there are none, or two share a docid.
    """

    def __init__(self, name: str, passages: Iterable[Passage]) -> None:
        self.name = name
        self.passages = list(passages)
        self._by_id = {passage.docid: passage for passage in self.passages}
        if not self.passages:
            raise DataError(f"corpus {name} is empty; it needs at least one passage")
        if len(self._by_id) < len(self.passages):
            raise DataError(f"corpus {name}: docid '{_first_double(self.passages)}' occurs twice")

    def __len__(self) -> int:
        return len(self.passages)

    def __iter__(self) -> Iterator[Passage]:
        return iter(self.passages)

    def __getitem__(self, docid: str) -> Passage:
        return self._by_id[docid]

    @property
    def languages(self) -> list[str]:
        """The languages of its passages, sorted."""
        return sorted({passage.lang for passage in self.passages})

    @cached_property
    def sha(self) -> str:
        """A hash (16 hex digits) of every docid, title, text and language, in order."""
        state = hashlib.sha256()
        for p in self.passages:
            state.update(
                "\x1f".join((p.docid, p.title, p.text, p.lang, "\x1e")).encode(
                    errors="surrogatepass"
                )
            )
        return state.hexdigest()[:16]


def read_corpus(path: Path, *, lang: str | None = None) -> Corpus:
    """Passages from JSONL: `text`, and optionally `docid` (or `id`), `title`, `lang`.

    Without `lang` in the line or the call, the language is detected. Without `docid` the
    line number is taken. A null counts as absent.

    Raises:
        DataError: naming the line that is not JSON, lacks text, or whose docid holds a blank or
            has been there before.
    """
    passages: dict[str, Passage] = {}
    for number, row in read_jsonl(path):
        text = row.get("text")
        named = [row[key] for key in ("docid", "id") if row.get(key) is not None]
        docid = str(named[0] if named else number)
        if not isinstance(text, str) or not text.strip():
            raise DataError(f"{path}, line {number}: needs a non-empty string 'text'")
        if any(map(str.isspace, docid)):
            raise DataError(f"{path}, line {number}: docid '{docid}' holds a blank")
        if docid in passages:
            raise DataError(f"{path}, line {number}: docid '{docid}' occurs twice")
        own = str(row.get("lang") or lang or detect(text))
        passages[docid] = Passage(docid, text, str(row.get("title") or ""), own)
    if not passages:
        raise DataError(f"{path} is empty; a corpus needs at least one passage a line")
    return Corpus(path.stem, passages.values())


def _first_double(passages: Iterable[Passage]) -> str:
    seen: set[str] = set()
    return next(p.docid for p in passages if p.docid in seen or seen.add(p.docid))  # type: ignore[func-returns-value]
