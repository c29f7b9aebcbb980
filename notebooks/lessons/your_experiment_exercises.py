"""The exercises of lesson 7a, graded."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import sub
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
from .hints import hint
from .intervals import difference

Judge = Callable[[Sequence[str], Sequence[str]], float]
"""The spans that were read for a question, best first, and its answers, to an F1."""
FOUR = {(text, passages) for text in ("question", "query") for passages in (1, 2)}
"""What the reader of the four systems of exercise 1 gets: a text, and so many passages."""
ROWS = [("fi", 1.0), ("fi", 0.5), ("fi", 0.0), ("ko", 0.25)]  # unlike numbers of questions


@graded
def check_1(configs: Sequence[Sequence[str]]) -> Verdict:
    """The four configs that show two changes with and without each other."""
    if not isinstance(configs, list | tuple) or any(isinstance(one, str) for one in configs):
        return wrong('Give a list of configs, each a list of changes, such as ["k=20"] or [].')
    try:
        made = [two_systems.settings("asked", *changes) for changes in configs]
        for one in made:
            build("reader", one.reader)
    except ConfigError as error:
        return wrong(f"A config is refused: {error}")
    before = two_systems.settings("asked")
    if any(one.k != before.k or one.routes != before.routes for one in made):
        return wrong(
            "One of them changes how many passages are retrieved, so the scores of retrieval "
            "change, too. Which setting is the reader's alone?"
        )
    varied = {name: before.reader[name] for name in ("text", "passages")}
    tried = {(one.reader["text"], one.reader["passages"]) for one in made}
    as_before = [replace(one, reader={**one.reader, **varied}) == before for one in made]
    if not all(as_before) or tried - FOUR:
        return wrong("One of them changes something else, or reads neither one passage nor two.")
    if tried == FOUR and len(made) == len(FOUR):
        return right(f"Retrieval runs once, reading four times. {_gains()}")
    return hint(
        (len(made) > len(tried), "Two of the configs are the same experiment."),
        (
            tried == {("question", 2), ("query", 1)},
            "These two differ in two settings: nobody could say which made the difference.",
        ),
        (("question", 2) not in tried, "Against which run do you compare? `[]` changes nothing."),
        (
            ("query", 1) not in tried and len(tried) == 3,
            "Each change alone, but not both: what if one is worth more beside the other?",
        ),
        otherwise="For each change there are two runs that differ in it alone; do this twice.",
    )


def _gains() -> str:
    """By how much more the English question is worth with two passages than with one."""
    two = difference(_engspan("asked"), _engspan("translated"))
    one = difference(_engspan("asked, one passage"), _engspan("one passage"))
    more = difference(
        [*map(sub, _engspan("one passage"), _engspan("asked, one passage"))],
        [*map(sub, _engspan("translated"), _engspan("asked"))],
    )
    return (
        f"In F1 of XOR-EnglishSpan English text is worth {two.mean:.1f} points with two passages "
        f"and {one.mean:.1f} with one: {more} points more, {more.n} questions. Gains need not add "
        "up."
    )


def _engspan(name: str) -> list[float]:
    return [row.values["f1"] for row in two_systems.scores(name, "xor-engspan")]


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
def check_4(judge: Judge) -> Verdict:
    """The F1 of the best of the spans that were read, which a perfect judge chooses."""
    spans, answers = ("Oulu", "old Turku Castle", "Turku"), ("the fortress", "Turku Castle")
    returned = float(judge(spans, answers))
    shown = f"Of the spans {list(spans)} for answers {list(answers)} it has {returned:.2f}."
    values = [best(f1, span, answers) for span in spans]
    if not math.isclose(returned, max(values), abs_tol=0.005):
        return hint(
            (returned > 1, f"{shown} Scores of single questions go from 0 to 1."),
            (
                math.isclose(returned, sum(values) / len(values), abs_tol=0.005),
                f"{shown} This is the mean over the spans; a judge chooses one.",
            ),
            (
                returned == 0,
                f"{shown} This is the reader's choice, or only the first answer counts. The judge "
                "sees all answers, and any of them may be met.",
            ),
            otherwise=f"{shown} Which span is nearest to which answer?",
        )
    if float(judge((), answers)) != 0:
        return wrong("Where nothing was read, nothing can be chosen: F1 is 0.")
    figures = [
        f"{_judged(name, judge):.1f} instead of {_judged(name, _first):.1f} for `{name}`"
        for name in ("asked", "translated")
    ]
    return right(
        f"Macro F1 of XOR-EnglishSpan: {' and '.join(figures)}. No chooser can win more, as long "
        "as the same two passages are read by the same reader."
    )


def _first(spans: Sequence[str], answers: Sequence[str]) -> float:
    """The F1 of the span that the reader likes best."""
    return best(f1, spans[0], answers) if spans else 0.0


def _judged(name: str, judge: Judge) -> float:
    """Macro F1 of the spans that a judge chooses among those that a system read."""
    rows = []
    for example in two_systems.crossing_world().examples:
        qid, answers = example.question.qid, example.answers("en")
        read = sorted(two_systems.traces(name)[qid].candidates, key=lambda c: (-c.score, c.rank))
        value = float(judge([candidate.text for candidate in read], answers))
        rows.append(Score(qid, example.question.lang, {"f1": value}))
    return average(rows, task="", scorer="").macro["f1"]


@graded
def check_5(folder: str | Path) -> Verdict:
    """A run whose chooser lets the reader object to the first passage."""
    config, answers = Path(folder, "config.json"), Path(folder, "xor_full.json")
    if not (config.is_file() and answers.is_file()):
        return wrong(f"{folder} is no run folder. `fill(NAME, FOLDER)` makes one and fills it.")
    if problem := _of_config(json.loads(config.read_text(encoding="utf-8"))):
        return wrong(problem)
    given = read_answers(answers).by_qid
    if given == _answers("objecting"):
        return right(
            f"F1 of XOR-Full is {_macro('objecting'):.1f}; it is {_macro('asked'):.1f} with the "
            f"learned chooser, {_macro('first'):.1f} with the first passage alone and "
            f"{_macro('likeliest'):.1f} with the reader alone "
            f"({len(given)} questions, official scorer). A rule that sounds wise need not win, "
            "and lesson 7b asks whether such differences are more than chance."
        )
    for system, slip in (
        ("first", "You took the first passage's span, as `FirstPassage` does: nothing objects."),
        ("likeliest", "You took the reader's favourite, by however little it is ahead."),
    ):
        if given == _answers(system):
            return wrong(slip)
    wrongly = [qid for qid, text in _answers("objecting").items() if given.get(qid) != text]
    return wrong(
        f"{len(wrongly)} answers differ, such as that of {wrongly[0]}. Compare the reader's score "
        "of the likeliest span with that of the first passage's; the larger is the better one."
    )


def _of_config(made: Mapping[str, Any]) -> str:
    """What is wrong with the config of a run, or nothing."""
    chooser = made["chooser"]["use"]
    if chooser == "learned":
        return "Its config has the default chooser. Name your class in `[chooser]`."
    if chooser.endswith(":FirstPassage"):
        return "Its config names `FirstPassage`. Name your own class in `[chooser]`."
    expected = two_systems.settings("asked").to_json()
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
