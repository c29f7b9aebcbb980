"""The two systems of lessons 7a and 7b: a reader that gets the question as asked, or translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from xorqa.core.progress import silent
from xorqa.core.types import Answer, Candidate, Question, Trace
from xorqa.datasets.dataset import Dataset
from xorqa.datasets.mini import load
from xorqa.experiments.evaluate import references_of
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import PipelineSettings, load_settings
from xorqa.io.cache import stage_cache
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Score

ASKED = """\
k = 10

[[routes]]
name = "eng"
corpus = "en"
translator = { use = "human" }
retriever = { use = "bm25" }

[reader]
dtype = "float32"  # the same on every machine
passages = 2
text = "question"
"""
TRANSLATED = ASKED.replace('"question"', '"query"')
ONE_PASSAGE = TRANSLATED.replace("passages = 2", "passages = 1")
SYSTEMS: Mapping[str, str] = {
    "asked": ASKED,
    "translated": TRANSLATED,
    "one passage": ONE_PASSAGE,
    "asked, one passage": ASKED.replace("passages = 2", "passages = 1"),
    "first": ASKED + '\n[chooser]\nuse = "lessons.two_systems:ByRank"\n',
    "likeliest": ASKED + '\n[chooser]\nuse = "lessons.two_systems:ByReader"\n',
    "objecting": ASKED + '\n[chooser]\nuse = "lessons.two_systems:ByObjection"\n',
}
MARGIN = 0.5  # by how much more the reader must like another passage's span


class ByRank:
    """A chooser: the answer of the passage that was retrieved first."""

    version = 1

    def fingerprint(self) -> str:
        """Everything its output depends on."""
        return ""

    def choose(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Answer]]
    ) -> list[Answer | None]:
        """One answer per question."""
        return [max(row, key=self.score, default=None) for row in answers]

    def score(self, answer: Answer) -> float:
        """What the chosen answer has most of."""
        return -float(_source(answer).rank)


class ByReader(ByRank):
    """A chooser: the answer whose span the reader finds likeliest."""

    def score(self, answer: Answer) -> float:
        """The reader's score of its span."""
        return _source(answer).score


class ByObjection(ByRank):
    """A chooser: the first passage's answer, unless the reader likes another one much better."""

    def choose(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Answer]]
    ) -> list[Answer | None]:
        """One answer per question."""
        firsts = ByRank().choose(questions, answers)
        likeliest = ByReader().choose(questions, answers)
        return [
            other if one and other and _gap(one, other) > MARGIN else one
            for one, other in zip(firsts, likeliest, strict=True)
        ]


def _gap(one: Answer, other: Answer) -> float:
    return _source(other).score - _source(one).score


def _source(answer: Answer) -> Candidate:
    assert answer.source is not None
    return answer.source


@cache
def crossing_world() -> Dataset:
    """The bundled world with the questions that only English passages answer."""
    world = load()
    return replace(world, examples=tuple(e for e in world.examples if e.answered_in == "en"))


def settings(name: str, *changes: str) -> PipelineSettings:
    """The settings of a system, with changes."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "system.toml")
        path.write_text(SYSTEMS[name], encoding="utf-8")
        return load_settings(path, changes=changes)


@cache
def traces(name: str) -> dict[str, Trace]:
    """Qid to trace of a system; what a run of it has done comes from the cache."""
    data = crossing_world()
    pipeline = Pipeline.from_config(
        settings(name),
        data.corpora,
        translations=data.translations,
        cache=stage_cache(),
        progress=silent,
    )
    return {t.question.qid: t for t in pipeline.answer([e.question for e in data.examples])}


@cache
def scores(name: str, task: str) -> tuple[Score, ...]:
    """The official scores of a system's questions in a task."""
    definition = find_task(task)
    assert definition.predict is not None, f"{task} is a task of pipelines"
    predictions = definition.predict(list(traces(name).values()))
    references = references_of(crossing_world(), definition)
    return tuple(definition.score(references, predictions, scorer="official"))
