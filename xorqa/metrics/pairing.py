"""Checks before a paired comparison: runs need the same questions and metrics."""

from collections.abc import Iterable, Mapping, Sequence

from ..core.errors import ConfigError, DataError, one_of
from .report import Score

_BASELINE = "the baseline"
_LISTED = 3  # differing qids listed in an error, per language


def check_questions(baseline: Iterable[Score], other: Iterable[Score], run: str) -> None:
    """Check that both runs have the same questions in the same languages.

    Raises:
        DataError: if not; the message has the languages of each run if they differ, or else
            counts and the first few qids of each run, by language.
    """
    ours, theirs = ({(score.lang, score.qid) for score in scores} for scores in (baseline, other))
    our_langs, their_langs = ({lang for lang, _ in keys} for keys in (ours, theirs))
    if our_langs != their_langs:
        shared = ",".join(sorted(our_langs & their_langs))
        advice = f"run both with --lang {shared}" if shared else "run both over the same languages"
        raise DataError(
            f"{run} has questions in {one_of(their_langs)}, {_BASELINE} in {one_of(our_langs)}; "
            f"{advice}"
        )
    if ours != theirs:
        raise DataError(
            f"{run} and {_BASELINE} have different questions; "
            f"only in {_BASELINE}: {_qids(ours - theirs)}; only in {run}: {_qids(theirs - ours)}"
        )


def shared_metrics(
    baseline: Sequence[Score], others: Mapping[str, Sequence[Score]], selected: Sequence[str] = ()
) -> tuple[str, ...]:
    """The metrics to compare: the selected ones, or all.

    Raises:
        ConfigError: if a run lacks a selected metric, or if by default the metrics differ.
        DataError: if a run has no questions, or its questions have different metrics.
    """
    metrics = {
        run: _metrics(scores, run) for run, scores in {_BASELINE: baseline, **others}.items()
    }
    ours = metrics[_BASELINE]
    for run, theirs in metrics.items():
        if not selected and set(theirs) != set(ours):
            raise ConfigError(
                f"{_BASELINE} has the metrics {one_of(ours)}, but {run} has {one_of(theirs)}; "
                f"select from those in both: {one_of(set(ours) & set(theirs))}"
            )
        for metric in selected:
            if metric not in theirs:
                raise ConfigError(f"{run} has no metric '{metric}'; valid: {one_of(theirs)}")
    return tuple(dict.fromkeys(selected)) or ours


def _metrics(scores: Sequence[Score], run: str) -> tuple[str, ...]:
    if len({frozenset(score.values) for score in scores}) != 1:
        raise DataError(f"{run}: no questions, or questions with different metrics")
    return tuple(scores[0].values)


def _qids(keys: set[tuple[str, str]]) -> str:
    """ "fi 12 (q1, q2, q3, ...), ja 1 (q9)", or "none"."""
    by_lang: dict[str, list[str]] = {}
    for lang, qid in sorted(keys):
        by_lang.setdefault(lang, []).append(qid)
    listed = []
    for lang, qids in by_lang.items():
        more = ", ..." if len(qids) > _LISTED else ""
        listed.append(f"{lang} {len(qids)} ({', '.join(qids[:_LISTED])}{more})")
    return ", ".join(listed) or "none"
