"""Can runs be compared question by question? They must hold the same questions and metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..core.errors import ConfigError, DataError, one_of
from ..metrics.report import Score

_BASELINE = "the baseline"
_NAMED = 3  # differing qids an error names, per language


def check_questions(baseline: Iterable[Score], other: Iterable[Score], run: str) -> None:
    """Check that both hold the same questions in the same languages.

    Raises:
        DataError: with numbers and the first few qids of each side, by language.
    """
    ours, theirs = ({(score.lang, score.qid) for score in scores} for scores in (baseline, other))
    if ours != theirs:
        raise DataError(
            f"{run} holds other questions than {_BASELINE}; "
            f"only in {_BASELINE}: {_told(ours - theirs)}; only in {run}: {_told(theirs - ours)}"
        )


def shared_metrics(
    baseline: Sequence[Score], others: Mapping[str, Sequence[Score]], wanted: Sequence[str] = ()
) -> tuple[str, ...]:
    """The metrics to compare: those wanted, or all.

    Raises:
        ConfigError: if a run lacks a wanted metric, or all are wanted and the runs' differ.
        DataError: if a run's questions hold different metrics, or there is no question.
    """
    there = {run: _metrics(scores, run) for run, scores in {_BASELINE: baseline, **others}.items()}
    ours = there[_BASELINE]
    for run, theirs in there.items():
        if not wanted and set(theirs) != set(ours):
            raise ConfigError(
                f"{_BASELINE} has the metrics {one_of(ours)}, but {run} has {one_of(theirs)}; "
                f"choose among those that both have: {one_of(set(ours) & set(theirs))}"
            )
        for metric in wanted:
            if metric not in theirs:
                raise ConfigError(f"{run} has no metric '{metric}'; there are: {one_of(theirs)}")
    return tuple(dict.fromkeys(wanted)) or ours


def _metrics(scores: Sequence[Score], run: str) -> tuple[str, ...]:
    if len({frozenset(score.values) for score in scores}) != 1:
        raise DataError(f"{run}: there is no question, or not all questions hold the same metrics")
    return tuple(scores[0].values)


def _told(keys: set[tuple[str, str]]) -> str:
    """ "fi 12 (q1, q2, q3, ...), ja 1 (q9)", or "none"."""
    by_lang: dict[str, list[str]] = {}
    for lang, qid in sorted(keys):
        by_lang.setdefault(lang, []).append(qid)
    listed = []
    for lang, qids in by_lang.items():
        more = ", ..." if len(qids) > _NAMED else ""
        listed.append(f"{lang} {len(qids)} ({', '.join(qids[:_NAMED])}{more})")
    return ", ".join(listed) or "none"
