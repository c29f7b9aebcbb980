"""A document of any layout, before it is split into passages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """An article, a document, or another project's passage.

    `where` is its location in the file, for errors. `numbered` is true if its id is only a number
    within that file. `markup` is None for plain text; for wikitext it has the lower-case names of
    the namespaces whose links show no text: files and categories. A redirect has a target and no
    text. `default_lang` is the language of its file, for text whose own is unknown. A page of a
    `document` is to be split into passages; its text has a paragraph per line.
    """

    page_id: str
    text: str
    title: str = ""
    lang: str = ""
    where: str = ""
    redirect: str = ""
    markup: frozenset[str] | None = None
    numbered: bool = False
    default_lang: str = ""
    document: bool = False
