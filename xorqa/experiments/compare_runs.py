"""Compare saved runs with the first one, task by task."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..core.errors import ConfigError, DataError, one_of
from ..metrics import significance
from ..metrics.registry import find_measure
from ..metrics.report import PER_QUESTION, Score, ScoreKey, read_scores
from ..metrics.significance import DEFAULTS, Comparison, Settings
from ..metrics.task import STRICT
from ..tables.grid import MISSING, Grid, Row
from ..tables.render import plain_text, render

MARK = "ᵃ"
"""After a score that differs significantly from that of the baseline, run a."""

Scores = Mapping[ScoreKey, Sequence[Score]]


class Comparisons(dict[str, list[Comparison]]):
    """Task to comparisons, as returned by `significance.compare`; printed, they are one table.

    The table has a row per language and run, and a column per task and metric. `MARK` is after the
    scores that differ significantly from the baseline's. Notebooks show it as HTML.
    """

    def __init__(self, baseline: str, scorer: str, settings: Settings) -> None:
        super().__init__()
        self.baseline, self.scorer, self.settings = baseline, scorer, settings

    def __str__(self) -> str:
        return plain_text(self.grid())

    def _repr_html_(self) -> str:
        return render(self.grid(), "html")

    def grid(self) -> Grid:
        """The table that is printed."""
        rows = {
            (row.lang, row.run, task, row.metric): row
            for task, comparisons in self.items()
            for row in comparisons
        }
        langs, runs = (list(dict.fromkeys(key[column] for key in rows)) for column in (0, 1))
        measures = list(dict.fromkeys(key[2:] for key in rows))
        letters = {run: chr(ord("b") + position % 25) for position, run in enumerate(runs)}

        def cell(lang: str, run: str, measure: tuple[str, str], *, baseline: bool = False) -> str:
            row = rows.get((lang, run, *measure))
            if row is None:
                return MISSING
            mark = MARK if row.significant and not baseline else " "  # so that numbers align
            return f"{row.baseline if baseline else row.score:.1f}{mark}"

        groups: list[tuple[Row, ...]] = []
        for lang in langs:
            # Every comparison has the baseline's score too; that of the first run will do.
            first = [cell(lang, runs[0], measure, baseline=True) for measure in measures]
            others = [
                (lang, f"{letters[run]} {run}", *(cell(lang, run, measure) for measure in measures))
                for run in runs
            ]
            groups.append(((lang, f"a {self.baseline}", *first), *others))
        names = [f"{task}\n{find_measure(name, task=task).title}" for task, name in measures]
        caption = (
            f"Percent. Scorer: {self.scorer}. {MARK} differs from a: p of at most "
            f"{self.settings.alpha:g} by approximate randomisation ({self.settings.samples} "
            f"samples), corrected ({self.settings.correction}) over the comparisons of a metric."
        )
        return Grid("", ("lang", "run", *names), tuple(groups), caption, labels=2)


def compare(
    *runs: Path | str,
    task: str | None = None,
    scorer: str = "official",
    metrics: Sequence[str] = (),
    settings: Settings = DEFAULTS,
) -> Comparisons:
    """Compare runs over the same questions with the first one, by paired bootstrap.

    Args:
        runs: run folders, or files such as their `per_question.jsonl`; the baseline first.
        task: only this task; by default all shared ones.
        scorer: "official" or "strict".
        metrics: only these; by default all.
        settings: samples, seed, confidence and correction.

    Returns:
        Task to comparisons; `print` shows them as one table.

    Raises:
        ConfigError: for fewer than two runs, or runs that share no scores.
        DataError: if the runs have different questions.
    """
    if len(runs) < 2:
        raise ConfigError("a comparison needs two runs or more, the baseline first")
    paths = {str(run): Path(run) for run in runs}
    scores = {
        run: read_scores(path / PER_QUESTION if path.is_dir() else path)
        for run, path in paths.items()
    }
    baseline, *others = map(str, runs)
    results = Comparisons(baseline, scorer, settings)
    for name in _shared_tasks(scores, task, scorer):
        try:
            results[name] = significance.compare(
                scores[baseline][name, scorer],
                {run: scores[run][name, scorer] for run in others},
                metrics=metrics,
                settings=settings,
            )
        except DataError as error:
            raise DataError(f"{name}: {error}{_hint(scores, name, scorer)}") from error
    return results


def _shared_tasks(scores: Mapping[str, Scores], task: str | None, scorer: str) -> list[str]:
    """The tasks to compare, in the baseline's order."""
    first, *others = scores.values()
    shared = [name for name, by in first if by == scorer and all((name, by) in o for o in others)]
    chosen = [name for name in shared if task in (None, name)]
    if not chosen:
        present = "; ".join(
            f"{run} has {one_of(f'{name} ({by})' for name, by in scored)}"
            for run, scored in scores.items()
        )
        raise ConfigError(f"the runs share no {scorer} scores of {task or 'any task'}; {present}")
    return chosen


def _hint(scores: Mapping[str, Scores], task: str, scorer: str) -> str:
    """A hint to use the strict scorer, if it counts the same questions in all runs."""
    by_run = [
        {(row.lang, row.qid) for row in run.get((task, STRICT), ())} for run in scores.values()
    ]
    if scorer == STRICT or not by_run[0] or any(qids != by_run[0] for qids in by_run):
        return ""
    return f"; the {scorer} scorer skips questions without a prediction, so try --scorer {STRICT}"
