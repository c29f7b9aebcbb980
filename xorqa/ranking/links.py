"""Links between articles, as `xorqa corpus make` writes them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from ..core.types import Passage
from ..datasets.corpora.make import LINKS, REDIRECTS
from ..datasets.corpora.mediawiki import page_title
from ..io.files import digest, read_fields, sha256

Article = tuple[str, str]  # language, and the title or, without one, the docid
Links = Mapping[Article, Sequence[tuple[Article, str]]]
"""The articles that an article links to, each with the text that shows the link."""


def article_of(passage: Passage) -> Article:
    """The article of a passage; one without a title is an article of its own."""
    return passage.lang, passage.title or passage.docid


def read_links(files: Sequence[Path], articles: Collection[Article]) -> Links:
    """The links between these articles of files `NAME.links.tsv`.

    The redirects in `NAME.redirects.tsv`, if it exists, are followed.

    Raises:
        DataError: if a file cannot be read, or a line lacks a field.
    """
    links: dict[Article, list[tuple[Article, str]]] = {}
    for file in files:
        redirects = _redirects(file)
        for lang, title, target, text in read_fields(file, 4, "language, title, target, text"):
            here, there = (lang, title), (lang, redirects.get(target, target))
            if here in articles and there in articles and here != there:
                links.setdefault(here, []).append((there, text))
    return links


def linked_from(passage: Passage, links: Links) -> Iterator[Article]:
    """The articles that a passage links to: words of its text show the link."""
    for there, text in links.get(article_of(passage), ()):
        if text in passage.text:
            yield there


def links_sha(files: Sequence[Path]) -> str:
    """A hash of files of links and of the redirects beside them; "" without files."""
    beside = filter(Path.is_file, map(_redirects_file, files))
    return digest(*map(sha256, [*files, *beside])) if files else ""


def _redirects_file(file: Path) -> Path:
    return file.with_name(file.name.removesuffix(LINKS) + REDIRECTS)


def _redirects(file: Path) -> dict[str, str]:
    beside = _redirects_file(file)
    if not beside.is_file():
        return {}
    fields = read_fields(beside, 2, "title and target")
    return {title: page_title(target) for title, target in fields}
