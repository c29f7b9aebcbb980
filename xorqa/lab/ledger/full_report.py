"""XOR-Full's table: the stages of each system, its scores, and its share of the oracle's F1.

As Tables 7 and 15 to 17 of Asai et al. 2021. All choosers select among the same answers, and so
do two oracles, which use the gold answers: "oracle language" selects the best of the routes' top
answers, "oracle answer" the best of all answers, which is the ceiling.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.errors import ConfigError, one_of
from ...core.lang import ENGLISH
from ...datasets.dataset import gold_subsets
from ...experiments.settings import POOL, Route
from ...metrics.report import Report, Score, average
from ...metrics.significance import Comparison, Settings, compare
from ...metrics.task import ScorerName
from ..common.saved_run import SavedRun
from .run_scorer import TASK, RunScorer

ALL = "all questions"
STAGES = ("query translation", "answer translation", "L_i retriever", "English retriever")
ORACLE_LANGUAGE, ORACLE_ANSWER = "oracle language", "oracle answer"
NONE = "–"


@dataclass(frozen=True, slots=True)
class System:
    """A row: `stages` has a label for each of `STAGES`, `run` names the run with its answers."""

    name: str
    run: str
    stages: tuple[str, ...]
    scores: tuple[Score, ...]
    oracle: bool = False


@dataclass(frozen=True, slots=True)
class FullReport:
    """Systems over the same questions; `subset_of` maps qids to subsets, if they are in any."""

    systems: tuple[System, ...]
    subset_of: Mapping[str, str]
    scorer: str

    @property
    def subsets(self) -> list[str]:
        """All questions, then the proper subsets by name."""
        qids = [score.qid for score in self.systems[0].scores]
        names = {self.subset_of.get(qid, ALL) for qid in qids}
        return [ALL, *sorted(names - {ALL})] if len(names) > 1 else [ALL]

    def scores(self, system: System, subset: str) -> list[Score]:
        """A system's scores on the questions of a subset."""
        return [s for s in system.scores if subset in (ALL, self.subset_of.get(s.qid))]

    def report(self, system: System, subset: str) -> Report:
        """A system's means; the macro average is over the languages of the subset."""
        return average(self.scores(system, subset), task=TASK, scorer=self.scorer)

    def ceiling_share(self, system: System, subset: str) -> float:
        """Macro F1 as a percentage of the answer oracle's on the same run."""
        [oracle] = [
            s for s in self.systems if s.run == system.run and s.name.endswith(ORACLE_ANSWER)
        ]
        ceiling = self.report(oracle, subset).macro["f1"]
        return 100 * (self.report(system, subset).macro["f1"] / ceiling) if ceiling else 100.0

    def compare_with(self, baseline: str, settings: Settings) -> dict[str, list[Comparison]]:
        """Compare the F1 of all other systems but the oracles with a baseline, by subset.

        Raises:
            ConfigError: if no system is called `baseline`; the message lists the systems.
        """
        systems = {system.name: system for system in self.systems if not system.oracle}
        if baseline not in systems:
            raise ConfigError(f"no system is called '{baseline}'; valid: {one_of(systems)}")
        return {
            subset: compare(
                self.scores(systems[baseline], subset),
                {name: self.scores(s, subset) for name, s in systems.items() if name != baseline},
                metrics=("f1",),
                settings=settings,
            )
            for subset in self.subsets
        }


def full_report(
    runs: Sequence[SavedRun],
    *,
    choosers: Sequence[Mapping[str, Any]] = (),
    scorer: ScorerName = "official",
) -> FullReport:
    """Score each run with its own chooser, with `choosers`, for single routes, and by oracles.

    Raises:
        ConfigError: if the runs are over different data sets or questions, or one occurs twice.
        DataError: if there is no question to score.
    """
    names = {run.dataset.name for run in runs}
    if len(names) > 1:
        raise ConfigError(f"a report covers one data set; these runs are over {one_of(names)}")
    if len({tuple(e.question.qid for e in run.dataset.examples) for run in runs}) > 1:
        raise ConfigError(
            "the runs have different questions; run them with the same --lang and --sample"
        )
    labels = [run.folder.name for run in runs]
    if len(set(labels)) < len(labels):
        labels = [str(run.folder) for run in runs]
    for label in labels:
        if labels.count(label) > 1:
            raise ConfigError(f"run {label} is given twice; name each run once")
    systems = [
        system
        for run, label in zip(runs, labels, strict=True)
        for system in _systems(run, label, choosers, scorer, only_run=len(runs) == 1)
    ]
    return FullReport(tuple(systems), gold_subsets(runs[0].dataset), scorer)


def stage_label(table: Mapping[str, Any]) -> str:
    """A stage's name with its settings: `rule,prefer=target`; a hybrid as `bm25+dense`."""
    if "parts" in table:
        return "+".join(stage_label(part) for part in table["parts"])
    return ",".join([str(table["use"]), *(f"{k}={v}" for k, v in table.items() if k != "use")])


def _systems(
    run: SavedRun,
    label: str,
    choosers: Sequence[Mapping[str, Any]],
    scorer: ScorerName,
    *,
    only_run: bool,
) -> list[System]:
    """The rows of a run: its own chooser, other choosers, each route, and the oracles."""
    run_scorer = RunScorer(run, scorer)

    def system(
        name: str, scores: Iterable[Score], routes: Sequence[Route], oracle: bool = False
    ) -> System:
        full_name = name if only_run else f"{label}: {name}"
        return System(full_name, label, _stages(run, routes), tuple(scores), oracle)

    routes = run.settings.routes
    tables = {stage_label(table): table for table in (run.settings.chooser, *choosers)}
    rows = [system(name, run_scorer.by_chooser(table), routes) for name, table in tables.items()]
    if len(routes) > 1:
        by_route = [run_scorer.by_route(route.name) for route in routes]
        rows += [
            system(f"only {route.name}", scores, [route])
            for route, scores in zip(routes, by_route, strict=True)
        ]
        rows.append(system(ORACLE_LANGUAGE, run_scorer.best_of(by_route), routes, oracle=True))
    return [*rows, system(ORACLE_ANSWER, run_scorer.oracle(), routes, oracle=True)]


def _stages(run: SavedRun, routes: Iterable[Route]) -> tuple[str, ...]:
    """The labels of `STAGES`; a route over the pool serves both languages."""
    english = [route for route in routes if route.corpus in (ENGLISH, POOL)]
    target = [route for route in routes if route.corpus != ENGLISH]
    return (
        _stage_labels(route.translator for route in english),
        stage_label(run.settings.localiser),
        _stage_labels(route.retriever for route in target),
        _stage_labels(route.retriever for route in english),
    )


def _stage_labels(tables: Iterable[Mapping[str, Any]]) -> str:
    return " & ".join(dict.fromkeys(map(stage_label, tables))) or NONE
