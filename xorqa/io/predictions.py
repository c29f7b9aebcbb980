"""Official XOR QA prediction files: writing, lenient reading, and what is wrong with one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Literal, TypeVar, get_args

from ..core.errors import DataError
from ..core.lang import LANGUAGES
from ..text.scripts import script_share
from .files import read_json, write_json

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
"""Kinds that may be intended; every other one is an error."""
_ENGLISH = ("yes", "no")  # XOR QA has no others, whatever the question's language
Value = str | tuple[str, ...]  # an answer, or passages
T_co = TypeVar("T_co", bound=Value, covariant=True)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong; `qid` is as in the file, or empty where an entry has none."""

    kind: Kind
    qid: str
    detail: str


@dataclass(frozen=True, slots=True)
class Predictions(Generic[T_co]):
    """What a file holds by qid, what is wrong, and the known languages it gives its questions."""

    found: Mapping[str, T_co]
    problems: tuple[Problem, ...]
    langs: Mapping[str, str] = field(default_factory=dict)


def write_passages(
    path: Path, passages: Mapping[str, Sequence[str]], langs: Mapping[str, str]
) -> None:
    """Write an official XOR-Retrieve prediction file: of each qid the passages, best first."""
    rows = [{"id": qid, "lang": langs[qid], "ctxs": list(passages[qid])} for qid in passages]
    write_json(path, rows, indent=None)


def write_answers(
    path: Path, answers: Mapping[str, str], langs: Mapping[str, str] | None = None
) -> None:
    """Write an official XOR-EnglishSpan, XOR-Full or SQuAD file, which has no languages."""
    write_json(path, dict(answers))


def read_answers(path: Path) -> Predictions[str]:
    """An official XOR-EnglishSpan, XOR-Full or SQuAD prediction file: qid to answer.

    An answer may also be an object with a string `answer`, as XOR QA's script allows. Of a
    repeated id the last entry counts, as in Python's `json.load`. An answer of another type
    is no prediction.

    Raises:
        DataError: if the file cannot be read or is no JSON object.
    """
    rows = read_json(path)
    if not isinstance(rows, dict):
        raise DataError(f"{path} must be a JSON object of question ids and answers")
    pairs = json.loads(path.read_bytes(), object_pairs_hook=list)  # a dict hides repeated ids
    problems = _repeated(qid for qid, _ in pairs)
    found = {}
    for qid, value in rows.items():
        answer = value.get("answer") if isinstance(value, dict) else value
        if isinstance(answer, str):
            found[qid] = answer
        else:
            problems.append(_wrong(qid, "the answer must be a string", value))
    return Predictions(found, tuple(problems))


def read_passages(path: Path) -> Predictions[tuple[str, ...]]:
    """An official XOR-Retrieve prediction file: qid to passages, best first.

    Of a repeated id the last entry counts; XOR QA's script counts every one. An entry of
    another type is no prediction; one of an unknown language is.

    Raises:
        DataError: if the file cannot be read or is no JSON list.
    """
    rows = read_json(path)
    if not isinstance(rows, list):
        raise DataError(f'{path} must be a JSON list of {{"id", "lang", "ctxs"}}')
    entries, problems, found, langs = [], [], {}, {}
    for row in rows:
        qid = row.get("id") if isinstance(row, dict) else None
        if isinstance(qid, str):
            entries.append((qid, row))
        else:
            problems.append(_wrong(qid, "an entry must be an object with a string 'id'", row))
    problems += _repeated(qid for qid, _ in entries)
    for qid, row in dict(entries).items():
        ctxs, lang = row.get("ctxs"), row.get("lang")
        if isinstance(ctxs, list) and all(isinstance(text, str) for text in ctxs):
            found[qid] = tuple(ctxs)
        else:
            problems.append(_wrong(qid, "'ctxs' must be a list of strings", ctxs))
        if isinstance(lang, str) and lang.strip() in LANGUAGES:
            langs[qid] = lang.strip()
        else:
            problems.append(Problem("unknown language", qid, f"has the language {lang!r:.60}"))
    return Predictions(found, tuple(problems), langs)


def after_underscore(qid: str) -> str:
    """What follows the last "_": all that XOR-Full's official script keeps of an id."""
    return qid.rpartition("_")[2]


def check(
    predictions: Predictions[Value],
    langs: Mapping[str, str] | None,
    *,
    scripts: bool,
    alias: Callable[[str], str] = str,
) -> list[Problem]:
    """What keeps predictions from being submitted: the problems of reading, and more.

    Args:
        predictions: what was read.
        langs: the questions, qid to language; None where they are not known.
        scripts: whether answers should be in the script of the question's language.
        alias: what to try for an id no question has; `after_underscore` for XOR-Full.
    """
    problems = [*predictions.problems]
    for qid, value in predictions.found.items():
        if not "".join(value).strip():  # joins passages, and leaves an answer as it is
            problems.append(Problem("empty answer", qid, "holds nothing but blanks"))
    if langs is None:
        return problems
    wrong = (problem.qid for problem in predictions.problems if problem.kind == "wrong type")
    asked = {qid: qid if qid in langs else alias(qid) for qid in (*predictions.found, *wrong)}
    problems += _ids(predictions.found, asked, langs)
    for qid, lang in predictions.langs.items():
        if lang != langs.get(qid, lang):
            problems.append(Problem("other language", qid, f"is in {langs[qid]}, not in {lang}"))
    if scripts:
        problems += _scripts(predictions.found, {qid: langs.get(asked[qid], "") for qid in asked})
    return problems


def counts(problems: Iterable[Problem]) -> dict[Kind, int]:
    """How many problems there are of each kind, all kinds named."""
    return dict.fromkeys(KINDS, 0) | Counter(problem.kind for problem in problems)


def _wrong(qid: object, wanted: str, value: object) -> Problem:
    name = "" if qid is None else str(qid)
    return Problem("wrong type", name, f"{wanted}, not {value!r:.60}")


def _repeated(qids: Iterable[str]) -> list[Problem]:
    times = {qid: count for qid, count in Counter(qids).items() if count > 1}
    return [Problem("duplicate id", qid, f"occurs {times[qid]} times") for qid in times]


def _ids(
    found: Iterable[str], asked: Mapping[str, str], langs: Mapping[str, str]
) -> Iterator[Problem]:
    """Questions with no prediction or several, and predictions with no question."""
    times = Counter(asked.values())
    for qid, lang in langs.items():
        if qid not in times:
            yield Problem("missing id", qid, f"a question in {lang} has no prediction")
        elif times[qid] > 1:
            yield Problem("duplicate id", qid, f"is answered under {times[qid]} ids")
    for qid in found:
        if asked[qid] not in langs:
            yield Problem("extra id", qid, "the data has no such question")


def _scripts(found: Mapping[str, Value], langs: Mapping[str, str]) -> Iterator[Problem]:
    """Answers that are mostly in another script; of names in Latin letters that may be right."""
    for qid, value in found.items():
        lang = LANGUAGES.get(langs[qid])
        if lang is None or not isinstance(value, str) or value.strip().lower() in _ENGLISH:
            continue
        letters = sum(map(str.isalpha, value))  # one or two say nothing: units, roman numerals
        if letters > 2 and script_share(value, lang.script) < 0.5:
            detail = f"is not in the script of {lang.name}: {value!r:.60}"
            yield Problem("other script", qid, detail)
