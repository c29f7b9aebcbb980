"""One document of any layout, before it is split into passages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """An article, a document, or another project's passage.

    `where` is its place in the file, for errors. `numbered`: its id is only a number within that
    file. `markup` is None for plain text; for wikitext it has the lower-case names of the
    namespaces whose links show no text: files and categories. A redirect has a target and no
    text of its own.
    """

    page_id: str
    text: str
    title: str = ""
    lang: str = ""
    where: str = ""
    redirect: str = ""
    markup: frozenset[str] | None = None
    numbered: bool = False
