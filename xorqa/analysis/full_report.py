"""XOR-Full's table: what was built, what each way to choose scores, and what could be reached.

As Tables 4 and 15 to 17 of Asai et al. 2021, with all ways to choose on the same candidates, and
two oracles, which know the gold: of each route's best answer the better one ("oracle language"),
and of all answers there were the best one ("oracle answer", the ceiling).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import ConfigError, one_of
from ..datasets.subsets import parts
from ..experiments.saved_run import SavedRun
from ..experiments.settings import ENGLISH, POOL, RouteSettings
from ..metrics import tasks
from ..metrics.report import Report, Score, average
from .judge import TASK, Judge
from .significance import Comparison, Settings, compare

ALL = "all questions"
STAGES = ("query translation", "answer translation", "L_i retriever", "English retriever")
LANGUAGE, CEILING = "oracle language", "oracle answer"
NONE = "–"


@dataclass(frozen=True, slots=True)
class System:
    """One row: `stages` are the names of `STAGES`, `run` is the run it was chosen from."""

    name: str
    run: str
    stages: tuple[str, ...]
    scores: tuple[Score, ...]
    oracle: bool = False


@dataclass(frozen=True, slots=True)
class FullReport:
    """Systems over the same questions; `parts` has qid to part where that is known."""

    systems: tuple[System, ...]
    parts: Mapping[str, str]
    scorer: str

    @property
    def divisions(self) -> list[str]:
        """All questions, and the parts there are."""
        return [ALL, *sorted(set(self.parts.values()))]

    def scores(self, system: System, part: str) -> list[Score]:
        """A system's scores of the questions of one part."""
        return [s for s in system.scores if part in (ALL, self.parts.get(s.qid))]

    def report(self, system: System, part: str) -> Report:
        """Its means; the macro average is over the languages of the part."""
        return average(self.scores(system, part), task=TASK, scorer=self.scorer)

    def reached(self, system: System, part: str) -> float:
        """Percent of the macro F1 that the best choice of the same run's answers has."""
        [top] = [s for s in self.systems if s.run == system.run and s.name.endswith(CEILING)]
        best = self.report(top, part).macro["f1"]
        return 100 * (self.report(system, part).macro["f1"] / best) if best else 100.0

    def against(self, baseline: str, settings: Settings) -> dict[str, list[Comparison]]:
        """Each part's comparisons of F1 with a system: all others but the oracles.

        Raises:
            ConfigError: listing the systems, if there is none of that name.
        """
        plain = {system.name: system for system in self.systems if not system.oracle}
        if baseline not in plain:
            raise ConfigError(f"no system is called '{baseline}'; there are: {one_of(plain)}")
        return {
            part: compare(
                self.scores(plain[baseline], part),
                {name: self.scores(s, part) for name, s in plain.items() if name != baseline},
                metrics=("f1",),
                settings=settings,
            )
            for part in self.divisions
        }


def full_report(
    runs: Sequence[SavedRun],
    *,
    choosers: Sequence[Mapping[str, Any]] = (),
    scorer: tasks.Scorer = "official",
) -> FullReport:
    """Score each run with its own chooser and with `choosers`, by one route alone, and at best.

    Raises:
        ConfigError: if the runs are over different data sets or questions, or one comes twice.
        DataError: if there is no question to score.
    """
    names = {run.dataset.name for run in runs}
    if len(names) > 1:
        raise ConfigError(f"a report is about one data set; these runs are over {one_of(names)}")
    if len({tuple(one.question.qid for one in run.dataset.examples) for run in runs}) > 1:
        raise ConfigError(
            "a report is about the same questions; these runs asked different ones "
            "(--lang, --sample)"
        )
    labels = [run.folder.name for run in runs]
    if len(set(labels)) < len(labels):
        labels = [str(run.folder) for run in runs]
    for label in labels:
        if labels.count(label) > 1:
            raise ConfigError(f"{label} is named twice; a report has each run once")
    systems = [
        system
        for run, label in zip(runs, labels, strict=True)
        for system in _systems(run, label, choosers, scorer, alone=len(runs) == 1)
    ]
    return FullReport(tuple(systems), parts(runs[0].dataset), scorer)


def label_of(table: Mapping[str, Any]) -> str:
    """A stage's name with its settings: `rule,prefer=target`; parts as `bm25+dense`."""
    if "parts" in table:
        return "+".join(label_of(part) for part in table["parts"])
    return ",".join([str(table["use"]), *(f"{k}={v}" for k, v in table.items() if k != "use")])


def _systems(
    run: SavedRun,
    label: str,
    choosers: Sequence[Mapping[str, Any]],
    scorer: tasks.Scorer,
    *,
    alone: bool,
) -> list[System]:
    """The rows of one run: its own chooser, the others, each route, the oracles."""
    judge = Judge(run, scorer)

    def system(
        name: str, scores: Iterable[Score], routes: Sequence[RouteSettings], oracle: bool = False
    ) -> System:
        whole = name if alone else f"{label}: {name}"
        return System(whole, label, _stages(run, routes), tuple(scores), oracle)

    routes = run.settings.routes
    tables = {label_of(table): table for table in (run.settings.chooser, *choosers)}
    rows = [system(name, judge.chosen(table), routes) for name, table in tables.items()]
    if len(routes) > 1:
        alone_by = [judge.alone(route.name) for route in routes]
        rows += [
            system(f"only {route.name}", scores, [route])
            for route, scores in zip(routes, alone_by, strict=True)
        ]
        rows.append(system(LANGUAGE, judge.best(alone_by), routes, oracle=True))
    return [*rows, system(CEILING, judge.ceiling(), routes, oracle=True)]


def _stages(run: SavedRun, routes: Iterable[RouteSettings]) -> tuple[str, ...]:
    """What stands under `STAGES`; a route over the pool serves both languages."""
    english = [route for route in routes if route.corpus in (ENGLISH, POOL)]
    own = [route for route in routes if route.corpus != ENGLISH]
    return (
        _named(route.translator for route in english),
        label_of(run.settings.localiser),
        _named(route.retriever for route in own),
        _named(route.retriever for route in english),
    )


def _named(tables: Iterable[Mapping[str, Any]]) -> str:
    return " & ".join(dict.fromkeys(map(label_of, tables))) or NONE
