"""Reader of DPR's training files: questions with passages that answer them, and wrong ones.

Karpukhin et al. 2020 (DPR) released Natural Questions so, Asai et al. 2021 (XOR QA) their own. A
file is one list of objects, up to gigabytes of them, which are parsed one by one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecoder
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..core.lang import code_of
from .encodings import open_utf8
from .strict_json import as_id, as_text, as_texts, parse_json

BLOCK = 1 << 20  # bytes that are read at once
LONGEST = 64 << 20  # characters of a question with its passages; more is a damaged file
_IDS = ("q_id", "id")  # null counts as missing
_OBJECT = JSONDecoder(parse_int=str, parse_float=str)


@dataclass(frozen=True, slots=True)
class DprPassage:
    """A passage with the title of its article."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class DprQuestion:
    """A question, the passages that answer it, and hard negatives, which do not.

    `lang` is the question's language if the file has it (`lang`), else "".
    """

    qid: str
    question: str
    lang: str
    answers: tuple[str, ...]
    positives: tuple[DprPassage, ...]
    hard_negatives: tuple[DprPassage, ...]


def is_dpr(path: Path) -> bool:
    """Whether a file may be DPR's: JSON that begins with a list.

    Raises:
        DataError: if it cannot be read.
    """
    with open_utf8(path) as stream:
        return stream.read(BLOCK).lstrip()[:1] == b"["


def read_dpr(path: Path) -> Iterator[DprQuestion]:
    """Read the questions of a DPR file (`.json` or `.json.gz`), in file order.

    Questions without a passage that answers them are returned too.

    Raises:
        DataError: naming the question (from 1) of another layout, or if the file is truncated.
    """
    for number, text in enumerate(_objects(path), 1):
        where = f"{path}, question {number}"
        try:
            row = parse_json(text)
            yield DprQuestion(
                qid=as_id(next((row[k] for k in _IDS if row.get(k) is not None), number)),
                question=as_text(row["question"]),
                lang=code_of(as_text(row.get("lang", ""))) or "",
                answers=as_texts(row["answers"]),
                positives=_passages(row["positive_ctxs"]),
                hard_negatives=_passages(row.get("hard_negative_ctxs", [])),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(
                f"{where} is not DPR's layout ({error!r:.80}); it needs question, answers, "
                "positive_ctxs and hard_negative_ctxs"
            ) from error


def _passages(rows: Any) -> tuple[DprPassage, ...]:
    return tuple(DprPassage(as_text(row.get("title") or ""), as_text(row["text"])) for row in rows)


def _objects(path: Path) -> Iterator[str]:
    """The texts of the objects of a list in a file."""
    with open_utf8(path) as stream:
        buffer, rest = _decoded(stream.read(BLOCK), path)
        if not buffer.lstrip().startswith("["):
            raise DataError(f"{path} is not a list of questions (DPR's layout)")
        buffer = buffer.lstrip()[1:]
        while not (buffer := buffer.lstrip().removeprefix(",").lstrip()).startswith("]"):
            try:
                _, end = _OBJECT.raw_decode(buffer)
            except RecursionError as error:
                raise DataError(f"{path} is not valid JSON (it nests too deeply)") from error
            except ValueError as error:
                block = stream.read(BLOCK)
                if not block or len(buffer) > LONGEST:
                    raise DataError(f"{path} is truncated or not valid JSON ({error})") from error
                text, rest = _decoded(rest + block, path)
                buffer += text
            else:
                yield buffer[:end]
                buffer = buffer[end:]


def _decoded(data: bytes, path: Path) -> tuple[str, bytes]:
    """A block's text, and the bytes of a character that goes on in the next block."""
    try:
        return data.decode(), b""
    except UnicodeDecodeError as error:
        if len(data) - error.start > 3:
            raise DataError(f"{path} is not UTF-8 text ({error.reason})") from error
        return data[: error.start].decode(), data[error.start :]
