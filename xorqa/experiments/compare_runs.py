"""Compare saved runs with the first one, task by task."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..core.errors import ConfigError, DataError, one_of
from ..metrics import significance
from ..metrics.per_question import FILE, Key, read_scores
from ..metrics.report import Score
from ..metrics.significance import DEFAULTS, Comparison, Settings

STRICT = "strict"
Scores = Mapping[Key, Sequence[Score]]


def compare(
    *runs: Path | str,
    task: str | None = None,
    scorer: str = "official",
    metrics: Sequence[str] = (),
    settings: Settings = DEFAULTS,
) -> dict[str, list[Comparison]]:
    """Compare runs over the same questions with the first one, by paired bootstrap.

    Args:
        runs: run folders, or files such as their `per_question.jsonl`; the baseline first.
        task: only this task; by default all shared ones.
        scorer: "official" or "strict".
        metrics: only these; by default all.
        settings: samples, seed, confidence and correction.

    Returns:
        Task to comparisons, as returned by `significance.compare`.

    Raises:
        ConfigError: for fewer than two runs, or runs that share no scores.
        DataError: if the runs have different questions.
    """
    if len(runs) < 2:
        raise ConfigError("a comparison needs two runs or more, the baseline first")
    paths = {str(run): Path(run) for run in runs}
    scores = {run: read_scores(at / FILE if at.is_dir() else at) for run, at in paths.items()}
    baseline, *others = map(str, runs)
    results = {}
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
