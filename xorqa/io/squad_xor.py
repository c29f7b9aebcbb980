"""Readers of SQuAD-style JSON and XOR QA JSONL."""

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import DataError, Notice
from ..core.lang import code_of
from ..core.types import Span
from .files import digest, read_json, read_jsonl
from .strict_json import as_id, as_text

CLOSED = ("yes", "no")
"""Answers that are not a span of their passage, in XOR QA's reading comprehension data."""
_SECTIONS = re.compile(r"title:(?P<title>.*?)_parentSection.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SquadQuestion:
    """One question of a SQuAD-style file.

    `span` is the first answer's span in the context, None without answers and for a "yes" or "no"
    that is not in it; `paragraph` is the paragraph's number in the file, from 1; `lang` is the
    question's language if the file has it.
    """

    qid: str
    question: str
    title: str
    context: str
    answers: tuple[str, ...]
    span: Span | None
    paragraph: int = 0
    lang: str = ""


def read_squad(
    path: Path, *, needs_offsets: bool = True, every_paragraph: bool = False
) -> Iterator[SquadQuestion]:
    """Read the questions of a SQuAD v1.1-style file, in file order.

    An answer must have its `answer_start` unless `needs_offsets` is false. With `every_paragraph`,
    one without questions has an empty question.

    Raises:
        DataError: if the file has another layout.
    """
    data = read_json(path)
    number = 0
    none: list[Any] = [{"id": "", "question": ""}] if every_paragraph else []
    try:
        for article in data["data"]:
            for paragraph in article["paragraphs"]:
                number += 1
                for qa in paragraph["qas"] or none:
                    answers = qa.get("answers") or ()  # test files are published without answers
                    yield SquadQuestion(
                        qid=as_id(qa["id"]),
                        question=as_text(qa["question"]),
                        title=_title(as_text(article.get("title", ""))),
                        context=as_text(paragraph["context"]),
                        answers=tuple(as_text(answer["text"]) for answer in answers),
                        span=_span(answers[0], needs_offsets) if answers else None,
                        paragraph=number,
                        lang=_code(as_text(qa.get("lang", ""))),
                    )
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{path} is not SQuAD-style JSON: {error!r}") from error


def read_checked_squad(path: Path) -> list[SquadQuestion]:
    """As `read_squad`; answers need no offsets, and a `Notice` counts what is wrong.

    Ids may be repeated, offsets be missing, and the first answer not be at its offset.
    """
    questions = list(read_squad(path, needs_offsets=False))
    times = Counter(question.qid for question in questions)
    problems = {
        "repeated id": [qid for qid, count in times.items() if count > 1],
        "answer without an offset": [q.qid for q in questions if q.answers and q.span is None],
        "wrong offset of an answer": [
            q.qid
            for q in questions
            if q.span and q.context[max(0, q.span.start) : q.span.end] != q.answers[0]
        ],
    }
    for kind, qids in problems.items():
        if qids:
            example = f"such as question '{qids[0]:.60}'"
            message = f"{path}: {kind}: {len(qids)} ({example}); the file is still used"
            warnings.warn(Notice(message, kind=kind, count=len(qids)), stacklevel=2)
    return questions


def _title(title: str) -> str:
    """An article's title; XOR QA's gold paragraphs add the names of their sections to it."""
    match = _SECTIONS.fullmatch(title)
    return match["title"].strip() if match else title


def _span(answer: Mapping[str, Any], needed: bool) -> Span | None:
    if not needed and answer.get("answer_start") is None:
        return None
    if answer["answer_start"] == -1 and answer["text"].lower() in CLOSED:
        return None
    start = answer["answer_start"]
    if not isinstance(start, int) or isinstance(start, bool):
        raise TypeError(f"'answer_start' is {start!r:.60}")
    return Span(start, start + len(answer["text"]))


@dataclass(frozen=True, slots=True)
class XorQuestion:
    """One line of an XOR QA data file. Test files are published without answers."""

    qid: str
    question: str
    lang: str
    answers: tuple[str, ...]
    split: str


def read_xor(path: Path) -> Iterator[XorQuestion]:
    """Read the questions of an XOR QA JSONL file, in file order.

    Languages are stripped: the training file of 2021 writes Arabic as `" ar"`.

    Raises:
        DataError: if the file is missing, or naming the line with another layout, invalid UTF-8
            or a repeated id.
    """
    seen: set[str] = set()
    for number, row in read_jsonl(path):
        question = _xor_question(row, f"{path}, line {number}")
        if question.qid in seen:
            raise DataError(f"{path}, line {number}: id '{question.qid}' occurs twice")
        seen.add(question.qid)
        yield question


def read_langs(path: Path) -> dict[str, str]:
    """Read qid to language from a JSONL file with `qid` and `lang`, such as a run's queries.

    Raises:
        DataError: naming the line that lacks one of them.
    """
    langs = {}
    for number, row in read_jsonl(path):
        if not isinstance(row.get("qid"), str) or not isinstance(row.get("lang"), str):
            raise DataError(f"{path}, line {number}: needs the strings 'qid' and 'lang'")
        langs[row["qid"]] = _code(row["lang"])
    return langs


def _xor_question(row: Mapping[str, Any], where: str) -> XorQuestion:
    qid, lang, question = row.get("id"), row.get("lang"), row.get("question")
    answers = row.get("answers", [])
    answers = [answers] if isinstance(answers, str) else answers
    if isinstance(qid, bool) or not isinstance(qid, str | int):
        raise DataError(f"{where}: needs an 'id', a string or an integer")
    if not isinstance(row.get("split", ""), str):
        raise DataError(f"{where}: 'split' must be a string")
    if not isinstance(lang, str) or not lang.strip():
        raise DataError(f"{where}: needs a language code 'lang'")
    if not isinstance(question, str):
        raise DataError(f"{where}: needs a string 'question'")
    if not isinstance(answers, list) or not all(isinstance(text, str) for text in answers):
        raise DataError(f"{where}: 'answers' must be a list of strings")
    return XorQuestion(str(qid), question, _code(lang), tuple(answers), str(row.get("split", "")))


def _code(lang: str) -> str:
    """The code of a language tag; another text as it is, stripped."""
    return code_of(lang) or lang.strip()


def title_hash(title: str) -> float:
    """A hash of an article's title from 0 to 1; articles below a threshold are a fixed sample."""
    return int(digest(title)[:8], 16) / 16**8
