"""Build data sets with more and more errors, and compare their answers with the gold answers.

The questions are those of the bundled world that English passages answer. A pipeline answers them
once; its F1 is measured on each data set, and on the gold answers of the same questions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import fmean
from typing import Any

from ....core.progress import TaskProgress, silent
from ....core.types import Example, Passage
from ....datasets.corpus import Corpus
from ....datasets.mini.world import load
from ....experiments.pipeline import Pipeline, Stop
from ....metrics.tasks.xor_engspan import english_spans
from ....tables.grid import MISSING, Grid
from ...building.english_search import english_routes, search_english
from .judge import Judge
from .loops import PIVOT, Team, build_qa, build_xor

NOISE = (0, 5, 10, 20, 40)
ANNOTATORS = (2, 3)
SEEDS = 5
PASSAGES = 5  # shown to annotators

COLUMNS = {
    "qa": {
        "kept": "kept",
        "agreement": "agreement",
        "before": "wrong, author",
        "wrong": "wrong, kept",
        "f1": "F1",
        "right": "F1, gold",
    },
    "xor": {
        "kept": "kept",
        "before": "wrong, found",
        "wrong": "wrong, kept",
        "translated": "wrong, translated",
        "f1": "F1",
        "right": "F1, gold",
    },
}
CAPTIONS = {
    "qa": "agreement: F1 between annotators. wrong: answers that are not gold answers, the "
    "author's and those of the kept questions.",
    "xor": "wrong: English answers that are not gold answers, before and after verification, and "
    "answers translated into the question's language.",
}


def measure(
    config: str,
    *,
    noise: Sequence[int] = NOISE,
    annotators: Sequence[int] = ANNOTATORS,
    seeds: int = SEEDS,
    progress: TaskProgress = silent,
) -> dict[str, Any]:
    """Figures of both data sets for each number of annotators, noise (percent) and seed."""
    world = load()
    corpus = world.corpora[PIVOT]
    examples = [example for example in world.examples if example.answered_in == PIVOT]
    by_qid = {example.question.qid: example for example in examples}
    judge = Judge(by_qid, predict(config, examples, corpus, progress))
    search = Searched(config, corpus)
    settings = [
        {"annotators": size, "noise": share, "seed": seed}
        for size in annotators
        for share in noise
        for seed in range(1, seeds + 1)
    ]
    rows: dict[str, list[dict[str, Any]]] = {"qa": [], "xor": []}
    for done, setting in enumerate(settings, 1):
        team = Team(setting["annotators"], setting["noise"] / 100, setting["seed"])
        rows["qa"].append(setting | judge.qa(build_qa(examples, corpus, team)))
        rows["xor"].append(setting | judge.xor(*build_xor(examples, search, team)))
        progress("building data sets", done, len(settings))
    return {"config": config, "questions": len(examples), "seeds": seeds, **rows}


def predict(
    config: str, examples: Sequence[Example], corpus: Corpus, progress: TaskProgress
) -> dict[str, str]:
    """The English answers of a pipeline's routes over English, by qid."""
    pipeline = Pipeline.from_config(
        english_routes(config),
        {PIVOT: corpus},
        translations={e.question.qid: e.human_translation or "" for e in examples},
        progress=progress,
    )
    traces = pipeline.answer([example.question for example in examples], until=Stop.READ)
    return english_spans(traces)


@dataclass(frozen=True, slots=True)
class Searched:
    """Searches each English question once."""

    config: str
    corpus: Corpus
    hits: dict[str, list[Passage]] = field(default_factory=dict)

    def __call__(self, english: Mapping[str, str]) -> dict[str, list[Passage]]:
        """The passages shown to annotators, by qid."""
        new = {text: text for text in english.values() if text not in self.hits}
        if new:
            self.hits.update(
                search_english(new, self.corpus, config=self.config, passages=PASSAGES)
            )
        return {qid: self.hits[text] for qid, text in english.items()}


def grids(measured: Mapping[str, Any]) -> list[Grid]:
    """A table per data set: a row per number of annotators and noise, with means over the seeds."""
    about = (
        f"Means of {measured['seeds']} seeds, {measured['questions']} questions; all but kept in "
        f"percent. F1: of {measured['config']}, by the data set's answers and by gold answers."
    )
    tables = []
    for name, columns in COLUMNS.items():
        groups: dict[int, list[tuple[str, ...]]] = {}
        by_setting = groupby(measured[name], key=lambda row: (row["annotators"], row["noise"]))
        for (size, noise), seeds in by_setting:
            rows = [*seeds]
            cells = (_mean([row[column] for row in rows]) for column in columns)
            groups.setdefault(size, []).append((str(size), str(noise), *cells))
        header = ("annotators", "noise", *columns.values())
        caption = f"{CAPTIONS[name]} {about}"
        tables.append(Grid(f"build {name}", header, (*map(tuple, groups.values()),), caption, 2))
    return tables


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{fmean(known):.1f}" if known else MISSING
