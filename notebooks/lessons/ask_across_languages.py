"""Lesson 1, Ask across languages: its system, how far questions come, and its exercises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from xorqa.core.progress import silent
from xorqa.core.types import Example, Trace
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.dataset import Dataset
from xorqa.experiments.pipeline import Pipeline, Stop
from xorqa.experiments.settings import Route
from xorqa.reading.span import SpanReader

from .bundled import crossing, rank
from .grading import Verdict, graded, right, wrong
from .intervals import exact_interval
from .show import Page, follow

READ = 3  # passages
LANGS = ("ar", "bn", "fi", "ja", "ko", "ru", "te")
STOPS = ("asked", "retrieved", "read", "right span", "right answer")
TASKS = {"XOR-Retrieve": "retrieved", "XOR-EnglishSpan": "right span", "XOR-Full": "right answer"}


@cache
def load_world() -> Dataset:
    """The bundled world."""
    return load_dataset("mini")


@cache
def build(passages: int = READ) -> Pipeline:
    """The system of the lesson, which reads `passages` of the ten it retrieves.

    It computes in float32, so that results are alike on every machine.
    """
    world = load_world()
    return Pipeline(
        [Route("eng", {"use": "dense", "dtype": "float32"}, k=10)],
        world.corpora,
        reader=SpanReader(passages=passages, dtype="float32"),
        translations=world.translations,
        progress=silent,
    )


@cache
def traces(passages: int = READ) -> list[Trace]:
    """The traces of these questions when `passages` are read."""
    return build(passages).answer([example.question for example in crossing()])


def stop_reached(example: Example, trace: Trace, passages: int = READ) -> int:
    """How many of the five stops a question comes through."""
    hits = trace.by_route["eng"].hits
    gold_rank, answer = rank(hits, example), trace.answer
    passed = (
        True,
        gold_rank is not None,
        gold_rank is not None and gold_rank <= passages,
        bool(answer and answer.source and _among(answer.source.text, example.answers("en"))),
        bool(answer and _among(answer.text, example.answers(example.question.lang))),
    )
    return passed.index(False) if False in passed else len(passed)


def through(lang: str | None = None, *, passages: int = READ) -> list[int]:
    """How many questions come through each stop, in one language or in all."""
    reached = [
        stop_reached(example, trace, passages)
        for example, trace in _answered(passages)
        if lang in (None, example.question.lang)
    ]
    return [sum(stops > stop for stops in reached) for stop in range(len(STOPS))]


def lost_of(stop: str) -> tuple[int, int, float, float]:
    """Questions lost at a stop, those that reach it, the exact 95 % interval in percent."""
    at = STOPS.index(stop)
    reached, passed = through()[at - 1 : at + 1]
    return reached - passed, reached, *exact_interval(reached - passed, reached)


def lost_at(stop: str) -> str:
    """What a stop loses of the questions that reach it, with the exact 95 % interval."""
    lost, reached, low, high = lost_of(stop)
    share = f"{100 * lost / reached:.0f} % [{low:.0f}, {high:.0f}]"
    return f"{stop}: {lost} of {reached} lost, {share} (95 % interval, lesson 7b)"


def right_spans_of_first_hits() -> int:
    """Right spans, of three passages, where the gold passage is the first hit."""
    at = STOPS.index("right span")
    return sum(
        rank(trace.by_route["eng"].hits, example) == 1 and stop_reached(example, trace) > at
        for example, trace in _answered()
    )


def only_signs_differ() -> int:
    """Final answers from a right span that differ from a gold answer in commas and blanks only."""
    at = STOPS.index("right answer")
    bare = str.maketrans("", "", ", \u00a0\u202f")
    return sum(
        trace.answer.text.translate(bare)
        in {gold.translate(bare) for gold in example.answers(example.question.lang)}
        for example, trace in _answered()
        if trace.answer and stop_reached(example, trace) == at
    )


def first_lost(lang: str) -> Page:
    """The first question of a language that does not come through, followed."""
    return next(
        follow(trace)
        for example, trace in _answered()
        if example.question.lang == lang and stop_reached(example, trace) < len(STOPS)
    )


def rank_with_words(example: Example, translator: str) -> tuple[str, int | None]:
    """What BM25 searches with, and the rank of the gold passage among its hits."""
    world = load_world()
    route = Route("eng", "bm25", translator=translator)
    pipeline = Pipeline([route], world.corpora, translations=world.translations)
    [trace] = pipeline.answer([example.question], until=Stop.RETRIEVE)
    result = trace.by_route["eng"]
    return result.query.text, rank(result.hits, example)


COMPARES = {
    "XOR-Retrieve": "It gets passages, and nothing of what is done with them.",
    "XOR-EnglishSpan": "It gets the English span, before it is put into another language.",
    "XOR-Full": "It gets the last output, in the language of the question.",
}
READ_LESS = {
    "asked": "Nobody asks more or less.",
    "retrieved": "The search comes before the reader and knows nothing of it.",
    "read": "A gold passage at the second or third place is read no longer.",
    "right span": "Fewer wrong passages to choose from, but also fewer gold ones: count.",
    "right answer": "What has no right span has no right answer.",
}


@graded
def check_1(tasks: Mapping[str, str]) -> Verdict:
    """Which stop does each task of XOR QA measure?"""
    if unknown := {tasks[task] for task in TASKS} - set(STOPS):
        return wrong(f"Use {', '.join(STOPS)}, not {unknown.pop()!r}.")
    for task, stop in TASKS.items():
        if tasks[task] != stop:
            return wrong(f"{task} measures another stop. {COMPARES[task]}")
    return right(
        "Retrieve looks at passages, EnglishSpan at the English span, Full at the answer in the "
        "asker's language: the later the stop, the more has gone wrong before it."
    )


@graded
def check_2(worst_stop: Callable[[Sequence[int]], int]) -> Verdict:
    """At which stop is the largest share of what arrives lost?"""
    if worst_stop([100, 60, 50, 45, 15]) == 3:
        return wrong(
            "Of 100, 60, 50, 45, 15 your function returns 3. Positions count from 0, and stop 0 is "
            "'asked', where nothing is lost yet; the questions are lost at stop 4."
        )
    if worst_stop([100, 60, 50, 45, 15]) == 1:
        return wrong(
            "Of 100, 60, 50, 45, 15 your function chooses stop 1, which loses most questions (40). "
            "Divide by what arrives: stop 4 gets 45 and loses two thirds of them."
        )
    for counts, worst in (([100, 60, 50, 45, 15], 4), ([84, 42, 42, 40, 39], 1), ([9, 9, 1], 2)):
        if (chosen := worst_stop(counts)) != worst:
            return wrong(f"Of {counts} the worst is stop {worst}, and your function says {chosen}.")
    counts = through()
    worst = worst_stop(counts)
    return right(f"In this lesson it is '{STOPS[worst]}': {counts[worst - 1]} to {counts[worst]}.")


@graded
def check_3(changes: Mapping[str, str]) -> Verdict:
    """What happens to each stop when one passage is read in place of three?"""
    if unknown := {changes[stop] for stop in STOPS} - {"fewer", "same", "more"}:
        return wrong(f"Use 'fewer', 'same' or 'more', not {unknown.pop()!r}.")
    before, after = through(), through(passages=1)
    for index, stop in enumerate(STOPS):
        change = (after[index] > before[index]) - (after[index] < before[index])
        if changes[stop] != {-1: "fewer", 0: "same", 1: "more"}[change]:
            return wrong(f"Not at '{stop}'. {READ_LESS[stop]}")
    of_first = right_spans_of_first_hits()
    return right(
        f"Retrieval comes before reading and stays as it is. Fewer gold passages are read "
        f"({after[2]}, not {before[2]}), so fewer spans are right ({after[3]}, not {before[3]}). "
        f"Where the gold passage is the first hit, one passage gives {after[3]} right spans and "
        f"three give {of_first}: there the two others beside it cost {after[3] - of_first}."
    )


@graded
def check_4(trace: Trace) -> Verdict:
    """Has a question in another language an answer that came into that language by a rule?"""
    question, answer = trace.question, trace.answer
    if question.lang == "en":
        return wrong("Ask in another language than English.")
    if any(question.text == example.question.text for example in load_world().examples):
        return wrong("Ask a question of your own, not one of the bundled ones.")
    if answer is None or answer.source is None:
        return wrong("No passage has an answer; ask about a subject of the English part.")
    if answer.lang != question.lang:
        return wrong(
            f"The answer, {answer.text}, is still in English: no rule or table knows it. Ask for a "
            "date, a number, a country or a language."
        )
    return right(
        f"{answer.source.text} became {answer.text}. Whether it is the right answer only you can "
        "tell: look at the marked passage."
    )


def _answered(passages: int = READ) -> list[tuple[Example, Trace]]:
    return list(zip(crossing(), traces(passages), strict=True))


def _among(text: str, golds: Sequence[str]) -> bool:
    return text.casefold().strip(" .") in {gold.casefold().strip(" .") for gold in golds}
