"""The exercises of lesson 7a, graded."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from xorqa.core.errors import ConfigError
from xorqa.core.registry import build
from xorqa.core.types import Candidate
from xorqa.io.predictions import read_answers
from xorqa.metrics.answers import best
from xorqa.metrics.report import Score, average
from xorqa.metrics.tasks.squad import f1

from . import two_systems
from .grading import Verdict, graded, right, wrong

ROWS = [("fi", 1.0), ("fi", 0.5), ("fi", 0.0), ("ko", 0.25)]  # unlike numbers of questions


@graded
def check_1(change: str) -> Verdict:
    """The change that makes the system read one passage only."""
    before = two_systems.settings("asked")
    try:
        after = two_systems.settings("asked", change)
        build("reader", after.reader)
    except ConfigError as error:
        return wrong(f"The config refuses it: {error}")
    if after.k != before.k or after.routes != before.routes:
        return wrong(
            "This changes how many passages are retrieved, so the scores of retrieval change, "
            "too. Which setting is the reader's alone?"
        )
    if after == replace(before, reader={**before.reader, "passages": 1}):
        return right(
            "`reader.passages` changes what is read; retrieval, and with it its cache and its "
            "scores, stays the same. One line differs, so one thing was changed."
        )
    return wrong("The config takes it, but the reader still does not read exactly one passage.")


@graded
def check_2(macro: Callable[[Sequence[tuple[str, float]]], float]) -> Verdict:
    """The macro average of (language, score) pairs, in percent."""
    values = [value for _, value in ROWS]
    returned = macro(ROWS)
    if math.isclose(returned, 37.5):
        systems = {name: two_systems.scores(name, "xor-full") for name in ("asked", "translated")}
        if all(_close(macro(_pairs(rows)), rows) for rows in systems.values()):
            return right(
                "First the mean of each language, then the mean of the means: a language with few "
                "questions weighs as much as one with many."
            )
        return wrong("It is right for the made-up rows, but not for the questions of the runs.")
    if math.isclose(returned, 100 * sum(values) / len(values)):
        return wrong("This is the mean over all questions: the language with most weighs most.")
    if math.isclose(returned, 0.375):
        return wrong("Almost: the scores of single questions go from 0 to 1, reports are percent.")
    return wrong(f"For {ROWS} it returns {returned!r}. Average within each language first.")


def _pairs(rows: Sequence[Score]) -> list[tuple[str, float]]:
    return [(row.lang, row.values["f1"]) for row in rows]


def _close(value: float, rows: Sequence[Score]) -> bool:
    return math.isclose(value, average(rows, task="", scorer="").macro["f1"])


@graded
def check_3(count: int) -> Verdict:
    """How many of the spans that score 0 are from another passage than the gold one."""
    examples = two_systems.crossing_world().examples
    if not 0 <= count <= len(examples):
        return wrong("Count questions: the answer is from 0 to their number.")
    missed = {row.qid for row in two_systems.scores("asked", "xor-engspan") if not row.values["f1"]}
    elsewhere = {
        e.question.qid for e in examples if _best(e.question.qid).docid != e.golds[0].docid
    }
    if count == len(missed & elsewhere):
        return right(
            f"{count} of {len(missed)}. In these the reader preferred a wrong passage; in the "
            f"other {len(missed) - count} it had the right one and marked the wrong words."
        )
    if count == len(missed - elsewhere):
        return wrong("You counted those in the right passage.")
    if count == len(elsewhere):
        return wrong("You counted all questions, not only those that score 0.")
    return wrong(
        "For each question in `missed`, compare the docid of the candidate with the highest score "
        "with the docid of the gold passage."
    )


def _best(qid: str) -> Candidate:
    return max(two_systems.traces("asked")[qid].candidates, key=lambda c: (c.score, -c.rank))


@graded
def check_4(points: float) -> Verdict:
    """What a perfect choice among the spans read would add to `translated`, in points of F1."""
    if not 0 <= points <= 100:
        return wrong("A perfect choice loses nothing: the answer is from 0 to 100 points.")
    reached, oracle = _f1("translated", oracle=False), _f1("translated", oracle=True)
    if math.isclose(points, oracle - reached, abs_tol=0.06):
        return right(
            f"{oracle - reached:.1f} points. No chooser can win more, as long as the same two "
            "passages are read by the same reader."
        )
    if math.isclose(points, oracle, abs_tol=0.06):
        return wrong("This is what a perfect choice reaches. What does it add?")
    if math.isclose(points, oracle - _f1("asked", oracle=False), abs_tol=0.06):
        return wrong("This compares with the other system.")
    return wrong("Subtract one row of the ledger of `translated` from another.")


def _f1(name: str, *, oracle: bool) -> float:
    """Macro F1 of the best span by the gold answers, or by the reader."""
    rows = []
    for example in two_systems.crossing_world().examples:
        qid, golds = example.question.qid, example.answers("en")
        read = two_systems.traces(name)[qid].candidates
        values = [best(f1, c.text, golds) for c in sorted(read, key=lambda c: (-c.score, c.rank))]
        value = max(values, default=0.0) if oracle else next(iter(values), 0.0)
        rows.append(Score(qid, example.question.lang, {"f1": value}))
    return average(rows, task="", scorer="").macro["f1"]


@graded
def check_5(folder: str | Path) -> Verdict:
    """A run whose chooser takes the span that the reader finds likeliest."""
    config, answers = Path(folder, "config.json"), Path(folder, "xor_full.json")
    if not (config.is_file() and answers.is_file()):
        return wrong(f"{folder} is no run folder. `fill(NAME, FOLDER)` makes one and fills it.")
    if hint := _of_config(json.loads(config.read_text(encoding="utf-8"))):
        return wrong(hint)
    given = read_answers(answers).by_qid
    if given == _answers("likeliest"):
        return right(
            f"F1 of XOR-Full is {_macro('likeliest'):.1f}, against {_macro('translated'):.1f} with "
            f"the learned chooser ({len(given)} questions, official scorer). It answers with the "
            "span that XOR-EnglishSpan scores, and ignores how well the retriever liked the "
            "passage. Lesson 7b tests such differences."
        )
    for system, hint in (
        ("first", "You took the first passage's span, as `FirstPassage` does."),
        ("own score", "You took the highest `score` of the answer; the reader's is its source's."),
    ):
        if given == _answers(system):
            return wrong(hint)
    wrongly = [qid for qid, text in _answers("likeliest").items() if given.get(qid) != text]
    return wrong(
        f"{len(wrongly)} answers are not from the span with the highest reader's score, such as "
        f"that of {wrongly[0]}."
    )


def _of_config(made: Mapping[str, Any]) -> str:
    """What is wrong with the config of a run, or nothing."""
    chooser = made["chooser"]["use"]
    if chooser == "learned":
        return "Its config has the default chooser. Name your class in `[chooser]`."
    if chooser.endswith(":FirstPassage"):
        return "Its config names `FirstPassage`. Name your own class in `[chooser]`."
    expected = two_systems.settings("translated").to_json()
    other = [
        key
        for key, value in made.items()
        if key not in ("name", "chooser") and value != expected.get(key)
    ]
    return f"More than the chooser is changed: {', '.join(other)}." if other else ""


def _answers(name: str) -> dict[str, str]:
    """Qid to final answer of a system."""
    return {
        qid: trace.answer.text if trace.answer else ""
        for qid, trace in two_systems.traces(name).items()
    }


def _macro(name: str) -> float:
    """The macro average of a system's F1 of XOR-Full."""
    return average(two_systems.scores(name, "xor-full"), task="", scorer="").macro["f1"]
