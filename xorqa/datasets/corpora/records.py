"""Pages, and the readers of layouts with a record per page.

JSONL has `text`, and optionally `docid` (or `_id`, `doc_id`, `id`), `title`, `lang`. TSV is as in
DPR's `psgs_w100.tsv` (Karpukhin et al. 2020, section 4.1): id, text, title. TREC's SGML has
documents between `<DOC>` and `</DOC>`, each with a `<DOCNO>`. SQuAD-style JSON yields all
paragraphs, including those without questions.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import BinaryIO

from ...core.errors import DataError
from ...io.files import json_lines
from ...io.strict_json import as_id, as_text, parse_json
from ..documents.delimited import rows, warn_odd
from ..documents.document import Skipped


@dataclass(frozen=True, slots=True)
class Page:
    """An article, a document, or another project's passage.

    `where` is its location in the file, for errors. `numbered` is true if its id is only a number
    within that file. `markup` is None for plain text; for wikitext it has the lower-case names of
    the namespaces whose links show no text: files and categories. A redirect has a target and no
    text. `default_lang` is the language of its file, for text whose own is unknown, `sure` unless
    it is a guess. A page of a `document` is to be split into passages; its text has a paragraph per
    line. `skipped` is what its reader skipped since the page before. `keeps_id` is true if it is a
    record whose only passage has its id.
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
    sure: bool = True
    document: bool = False
    keeps_id: bool = False
    skipped: Skipped = field(default_factory=Skipped)


IDS = ("docid", "_id", "doc_id", "id")
"""The keys of a passage's id: xorqa's and MIRACL's, BEIR's, ir_datasets', and others'."""


def jsonl_pages(stream: BinaryIO, path: Path) -> Iterator[Page]:
    """Yield a page per line; `docid` defaults to the line number; null counts as missing.

    Raises:
        DataError: naming the line that is not a JSON object or lacks text.
    """
    for number, row in json_lines(stream, path):
        text = row.get("text")
        if not isinstance(text, str) or not text.strip():
            raise DataError(f"{path}, line {number}: needs a non-empty string 'text'")
        named = [row[key] for key in IDS if row.get(key) is not None]
        try:
            docid = as_id(named[0] if named else number)
            title, lang = (as_text(row.get(key) or "") for key in ("title", "lang"))
        except TypeError as error:
            raise DataError(f"{path}, line {number}: docid, title or lang: {error}") from error
        yield Page(docid, text, title, lang, f"line {number}", numbered=not named)


TSV_HEADER = ["id", "text", "title"]


def tsv_pages(stream: BinaryIO, path: Path) -> Iterator[Page]:
    """Yield a page per row; the first line names the columns.

    A `Notice` reports unbalanced quotes.

    Raises:
        DataError: if the header differs, or naming the line that does not have three columns.
    """
    lines = TextIOWrapper(stream, encoding="utf-8", newline="")
    odd: list[int] = []
    named = False
    for row in rows(lines, "\t"):
        where = f"line {row.line}"
        odd += [row.line] if row.odd else []
        if not any(row.cells) or (not named and row.cells[0].strip('"').lower() == "sep="):
            continue
        if not named:
            if [name.strip().lower() for name in row.cells] != TSV_HEADER:
                raise DataError(
                    f"{path}: the first line must be {' '.join(TSV_HEADER)}, separated by tabs"
                )
            named = True
        elif len(row.cells) != len(TSV_HEADER):
            raise DataError(f"{path}, {where}: needs three columns, not {len(row.cells)}")
        else:
            yield Page(row.cells[0], row.cells[1], row.cells[2], where=where)
    if odd:
        warn_odd(path, odd)


_DOCNO = re.compile(r"<DOCNO>\s*(\S+)\s*</DOCNO>", re.IGNORECASE)
_TITLE = re.compile(r"<(TITLE|HEADLINE|HEAD)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_TEXT = re.compile(r"<TEXT>(.*?)</TEXT>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def trec_pages(stream: BinaryIO, path: Path) -> Iterator[Page]:
    """Yield a page per document: its `<TEXT>`s, with `<TITLE>`, `<HEADLINE>` or `<HEAD>` as title.

    Raises:
        DataError: for text outside a document, or a document without `<DOCNO>` or end.
    """
    document = StringIO()  # a list of its lines would take thirty times the memory
    began = 0  # the number of its first line
    for number, line in enumerate(TextIOWrapper(stream, encoding="utf-8"), 1):
        mark = line.strip().upper()
        if mark == "<DOC>" and not began:
            began = number
            document.write(line)
        elif began and mark != "<DOC>":
            document.write(line)
            if mark == "</DOC>":
                yield _trec_page(document.getvalue(), path, f"line {began}")
                document, began = StringIO(), 0
        elif mark:
            raise DataError(f"{path}, line {number}: needs TREC documents, <DOC> ... </DOC>")
    if began:
        raise DataError(f"{path}, line {began}: the document has no </DOC>; the file is truncated")


def _trec_page(document: str, path: Path, where: str) -> Page:
    number = _DOCNO.search(document)
    if number is None:
        raise DataError(f"{path}, {where}: the document has no <DOCNO>")
    titles = [_without_tags(match[2]) for match in _TITLE.finditer(document)]
    text = "\n".join(_without_tags(part) for part in _TEXT.findall(document))
    return Page(number[1], text, next(iter(titles), ""), where=where)


def _without_tags(part: str) -> str:
    return html.unescape(_TAG.sub(" ", part)).strip()


def squad_pages(stream: BinaryIO, path: Path) -> Iterator[Page]:
    """Yield a page per paragraph, numbered within the file: `<file name>-00001`.

    Raises:
        DataError: if the file is not JSON or has another layout.
    """
    name = path.name.partition(".json")[0]
    number = 0
    try:
        for article in parse_json(stream.read())["data"]:
            for paragraph in article["paragraphs"]:
                number += 1
                yield Page(
                    f"{name}-{number:05d}",
                    as_text(paragraph["context"]),
                    as_text(article.get("title", "")).replace("_", " "),
                    where=f"paragraph {number}",
                )
    except UnicodeDecodeError:
        raise
    except ValueError as error:
        raise DataError(f"{path} is not valid JSON: {error}") from error
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{path} is not SQuAD-style JSON: {error!r}") from error
