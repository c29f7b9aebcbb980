"""What every layout is read into: one document, before it is cut."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """An article, a document, or a passage that another project has made.

    `where` is its place in the file, for errors; `numbered` says that its id is only a number
    within that file. `markup` is None for plain text; for wikitext
    it holds the names (in lower case) of the namespaces whose links show no text: files and
    categories. A redirect has a target and no text of its own.
    """

    page_id: str
    text: str
    title: str = ""
    lang: str = ""
    where: str = ""
    redirect: str = ""
    markup: frozenset[str] | None = None
    numbered: bool = False
