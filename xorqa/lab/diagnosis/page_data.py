"""The data of a diagnosis page: what its script reads, also from a page that someone else made."""

import base64
import gzip
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from ...core.errors import DataError
from ...core.validation import Validator
from ...io.strict_json import parse_json

MOST_BYTES = 1 << 26
"""Of a page of someone else, and of its unpacked data."""

_ELEMENT = re.compile(r'<script type="text/plain" id="data">([A-Za-z0-9+/=\s]*)</script>')
_PAGE = Validator(DataError, "column")


@dataclass(frozen=True, slots=True)
class Columns:
    """The questions, by column; `start` is the offset of the gold answer in the context."""

    qid: Sequence[str]
    lang: Sequence[str]
    answerLang: Sequence[str]
    text: Sequence[str]
    gold: Sequence[Sequence[str]]
    start: Sequence[int | None]
    context: Sequence[int]


@dataclass(frozen=True, slots=True)
class FeatureData:
    """A feature, and the bucket of each question: one list, or one for each system."""

    name: str
    about: str
    rule: str
    buckets: Sequence[str]
    of: Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class PageData:
    """What a page shows.

    Attributes:
        names: a language's code to its name.
        intervals: for each system: feature to bucket to the interval of each metric.
        contexts: the passages, each written once.
        answers: by system and question.
        values: by system, metric and question, in percent with two decimals; None where the
            scorer does not count the question.
        least: questions of a bucket that may be the best or the worst.
    """

    metrics: Sequence[str]
    systems: Sequence[str]
    names: Mapping[str, str]
    features: Sequence[FeatureData]
    intervals: Sequence[Mapping[str, Mapping[str, Sequence[Sequence[float]]]]]
    questions: Columns
    contexts: Sequence[str]
    answers: Sequence[Sequence[str]]
    values: Sequence[Sequence[Sequence[float | None]]]
    least: int = 20


def script_element(data: PageData) -> str:
    """The element of a page that holds its data."""
    text = json.dumps(asdict(data), ensure_ascii=False, separators=(",", ":"))
    blob = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
    return f'<script type="text/plain" id="data">{blob}</script>\n'


def read_page(path: Path) -> PageData:
    """The data of a page of `xorqa diagnose --html`; nothing else of the page is used.

    Raises:
        DataError: if the file is no such page, or its data have another layout.
    """
    where = f"{path} is not a page of xorqa diagnose --html"
    try:
        with path.open("rb") as page:
            found = _ELEMENT.search(_all_of(page, path).decode())
        with gzip.open(BytesIO(base64.b64decode(found[1] if found else ""))) as stream:
            table: Any = parse_json(_all_of(stream, path))
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise DataError(f"{where}: its data cannot be read") from error
    if not isinstance(table, dict):
        raise DataError(f"{where}: its data are not a table")
    return _PAGE.fill(PageData, table, where=f"{where}:")


def _all_of(stream: IO[bytes] | gzip.GzipFile, path: Path) -> bytes:
    text = stream.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise DataError(f"{path} has more than {MOST_BYTES >> 20} MiB")
    return text
