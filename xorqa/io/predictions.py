"""Write official XOR QA prediction files, read them leniently, and check them for problems."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Literal, TypeVar, get_args

from ..core.errors import DataError
from ..core.lang import LANGUAGES, code_of
from ..core.text.detection import script_share
from .encodings import read_utf8
from .files import json_of, read_json, write_json
from .strict_json import parse_json_pairs

Kind = Literal[
    "missing id",
    "extra id",
    "duplicate id",
    "wrong type",
    "unknown language",
    "other language",
    "empty answer",
    "other script",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
WARNINGS: frozenset[Kind] = frozenset({"other script"})
"""Kinds that may be intended; all others are errors."""
_ENGLISH = ("yes", "no")  # in XOR QA these answers are English in every language
Value = str | tuple[str, ...]  # an answer, or passages
T_co = TypeVar("T_co", bound=Value, covariant=True)


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a prediction file; `qid` is as in the file, or empty if the entry has none."""

    kind: Kind
    qid: str
    detail: str


@dataclass(frozen=True, slots=True)
class Predictions(Generic[T_co]):
    """The predictions of a file by qid, their problems, and the languages by qid that it states."""

    by_qid: Mapping[str, T_co]
    problems: tuple[Problem, ...]
    langs: Mapping[str, str] = field(default_factory=dict)


def write_passages(
    path: Path, passages: Mapping[str, Sequence[str]], langs: Mapping[str, str]
) -> None:
    """Write an official XOR-Retrieve prediction file: the passages of each qid, best first."""
    rows = [{"id": qid, "lang": langs[qid], "ctxs": list(passages[qid])} for qid in passages]
    write_json(path, rows, indent=None)


def write_answers(
    path: Path, answers: Mapping[str, str], langs: Mapping[str, str] | None = None
) -> None:
    """Write an official XOR-EnglishSpan, XOR-Full or SQuAD prediction file; `langs` is unused."""
    write_json(path, dict(answers))


def read_answers(path: Path) -> Predictions[str]:
    """Read an official XOR-EnglishSpan, XOR-Full or SQuAD prediction file: qid to answer.

    An answer may also be an object with a string `answer`, as XOR QA's script allows. The last
    entry of a repeated id counts, as in Python's `json.load`. Answers of another type are left
    out.

    Raises:
        DataError: if the file cannot be read or is not a JSON object.
    """
    data = read_utf8(path)  # once: it may be a pipe
    rows = json_of(data, path)
    if not isinstance(rows, dict):
        raise DataError(f"{path} must be a JSON object of question ids and answers")
    pairs = parse_json_pairs(data)  # a dict hides repeated ids
    problems = repeated_ids(qid for qid, _ in pairs)
    answers = {}
    for qid, value in rows.items():
        answer = value.get("answer") if isinstance(value, dict) else value
        if isinstance(answer, str):
            answers[qid] = answer
        else:
            problems.append(wrong_type(qid, "the answer must be a string", value))
    return Predictions(answers, tuple(problems))


def read_passages(path: Path) -> Predictions[tuple[str, ...]]:
    """Read an official XOR-Retrieve prediction file: qid to passages, best first.

    The last entry of a repeated id counts; XOR QA's script counts all of them. Entries of another
    type are left out; those of an unknown language are not.

    Raises:
        DataError: if the file cannot be read or is not a JSON list.
    """
    rows = read_json(path)
    if not isinstance(rows, list):
        raise DataError(f'{path} must be a JSON list of {{"id", "lang", "ctxs"}}')
    entries, problems, passages, langs = [], [], {}, {}
    for row in rows:
        qid = row.get("id") if isinstance(row, dict) else None
        if isinstance(qid, str):
            entries.append((qid, row))
        else:
            problems.append(wrong_type(qid, "an entry must be an object with a string 'id'", row))
    problems += repeated_ids(qid for qid, _ in entries)
    for qid, row in dict(entries).items():
        ctxs, lang = row.get("ctxs"), row.get("lang")
        if isinstance(ctxs, list) and all(isinstance(text, str) for text in ctxs):
            passages[qid] = tuple(ctxs)
        else:
            problems.append(wrong_type(qid, "'ctxs' must be a list of strings", ctxs))
        code = code_of(lang) if isinstance(lang, str) else ""
        if code in LANGUAGES:
            langs[qid] = code
        else:
            problems.append(Problem("unknown language", qid, f"has the language {lang!r:.60}"))
    return Predictions(passages, tuple(problems), langs)


def wrong_type(qid: object, expected: str, value: object) -> Problem:
    """The problem of a prediction of another type than `expected`."""
    name = "" if qid is None else str(qid)
    return Problem("wrong type", name, f"{expected}, not {value!r:.60}")


def repeated_ids(qids: Iterable[str]) -> list[Problem]:
    """A problem for each id that occurs several times."""
    times = {qid: count for qid, count in Counter(qids).items() if count > 1}
    return [Problem("duplicate id", qid, f"occurs {times[qid]} times") for qid in times]


def after_underscore(qid: str) -> str:
    """The part of an id after the last "_", which is all that XOR-Full's script compares."""
    return qid.rpartition("_")[2]


def check(
    predictions: Predictions[Value],
    langs: Mapping[str, str] | None,
    *,
    scripts: bool,
    alias: Callable[[str], str] = str,
) -> list[Problem]:
    """Find the problems of predictions: those from reading, and those of ids, languages, scripts.

    Args:
        predictions: the predictions of a file.
        langs: the questions, qid to language; None if unknown.
        scripts: whether to check that answers are in the script of the question's language.
        alias: the id to try if no question has the given one; `after_underscore` for XOR-Full.
    """
    problems = [*predictions.problems]
    for qid, value in predictions.by_qid.items():
        if not "".join(value).strip():  # of passages or of one answer
            problems.append(Problem("empty answer", qid, "has only white space"))
    if langs is None:
        return problems
    wrong = (problem.qid for problem in predictions.problems if problem.kind == "wrong type")
    question_of = {
        qid: qid if qid in langs else alias(qid) for qid in (*predictions.by_qid, *wrong)
    }
    problems += _id_problems(predictions.by_qid, question_of, langs)
    for qid, lang in predictions.langs.items():
        if lang != langs.get(qid, lang):
            problems.append(Problem("other language", qid, f"is in {langs[qid]}, not in {lang}"))
    if scripts:
        answer_langs = {qid: langs.get(question, "") for qid, question in question_of.items()}
        problems += _script_problems(predictions.by_qid, answer_langs)
    return problems


def counts(problems: Iterable[Problem]) -> dict[Kind, int]:
    """The number of problems of each kind."""
    return dict.fromkeys(KINDS, 0) | Counter(problem.kind for problem in problems)


def _id_problems(
    found: Iterable[str], question_of: Mapping[str, str], langs: Mapping[str, str]
) -> Iterator[Problem]:
    """Questions with no prediction or several, and predictions with no question."""
    times = Counter(question_of.values())
    for qid, lang in langs.items():
        if qid not in times:
            yield Problem("missing id", qid, f"a question in {lang} has no prediction")
        elif times[qid] > 1:
            yield Problem("duplicate id", qid, f"is answered under {times[qid]} ids")
    for qid in found:
        if question_of[qid] not in langs:
            yield Problem("extra id", qid, "is not the id of a question")


def _script_problems(found: Mapping[str, Value], langs: Mapping[str, str]) -> Iterator[Problem]:
    """Answers mostly in another script, which may be correct for names in Latin letters."""
    for qid, value in found.items():
        lang = LANGUAGES.get(langs[qid])
        if lang is None or not isinstance(value, str) or value.strip().lower() in _ENGLISH:
            continue
        letters = sum(map(str.isalpha, value))  # few letters may be a unit or a Roman numeral
        if letters > 2 and script_share(value, lang.script) < 0.5:
            detail = f"is not in the script of {lang.name}: {value!r:.60}"
            yield Problem("other script", qid, detail)
