"""Paired significance tests between runs over the same questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.errors import ConfigError, DataError, one_of
from .report import Score, average
from .resampling import (
    CORRECTIONS,
    Correction,
    Floats,
    bootstrap,
    p_bootstrap,
    p_randomisation,
    randomise,
)

MACRO = "macro"
MAX_SAMPLES = 1_000_000  # for p down to 1e-6; a hundred times the default


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the tests.

    Args:
        samples: number of samples per test.
        seed: seed of all random streams; not negative.
        confidence: confidence level of the intervals, from 0 to 1; a corrected p of at most
            1 - confidence is significant.
        correction: a name in `CORRECTIONS`.

    Raises:
        ConfigError: if a value is out of range.
    """

    samples: int = 10_000
    seed: int = 1
    confidence: float = 0.95
    correction: Correction = "holm"

    def __post_init__(self) -> None:
        if not 1 <= self.samples <= MAX_SAMPLES or self.seed < 0:
            raise ConfigError(
                f"samples must be from 1 to {MAX_SAMPLES} and seed at least 0, "
                f"not {self.samples} and {self.seed}"
            )
        if not 0 < self.confidence < 1:
            raise ConfigError(
                f"confidence must be between 0 and 1, such as 0.95, not {self.confidence}"
            )
        if self.correction not in CORRECTIONS:
            raise ConfigError(
                f"no correction is called '{self.correction}'; valid: {one_of(CORRECTIONS)}"
            )

    @property
    def alpha(self) -> float:
        """The largest corrected p that is significant."""
        return round(1 - self.confidence, 9)  # 1 - 0.9 is a little less than 0.1


DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of a run with the baseline, by measure and language (`MACRO`: their mean).

    Scores, their difference and its interval are in percent, each p is a fraction.
    `p_corrected` corrects `p_randomisation`, which is valid even if few questions differ.
    """

    metric: str
    lang: str
    run: str
    n: int
    baseline: float
    score: float
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_randomisation: float
    p_corrected: float
    significant: bool


def compare(
    baseline: Sequence[Score],
    others: Mapping[str, Sequence[Score]],
    *,
    metrics: Sequence[str] = (),
    settings: Settings = DEFAULTS,
) -> list[Comparison]:
    """Compare each run with the baseline: every measure, per language and macro-averaged.

    The interval of the difference is the middle `confidence` of its paired bootstrap samples
    (Koehn 2004), and `p_bootstrap` is their two-sided p. `p_randomisation` is from approximate
    randomisation (Noreen 1989; Riezler & Maxwell 2005). No p is
    below 1 / (samples + 1), as the observed scores count as one more sample.

    The correction is over all comparisons of a measure: languages, macro and runs. The macro
    average is over the languages present, and omitted if there is only one.

    Args:
        baseline: the run that the others are compared with.
        others: name to scores; the order of the questions does not matter.
        metrics: the measures to compare; all by default.
        settings: samples, seed, confidence, correction.

    Raises:
        ConfigError: if a run lacks a selected measure, or the runs' measures differ.
        DataError: if the runs have different questions, or none.
    """
    selected = shared_measures(baseline, others, metrics)
    rows = []
    for run, scores in others.items():
        check_questions(baseline, scores, run)
        rows += _compare_run(baseline, scores, run, selected, settings)
    corrected = []
    for measure in selected:
        family = [row for row in rows if row.metric == measure]
        ps = CORRECTIONS[settings.correction](np.array([row.p_randomisation for row in family]))
        corrected += [
            replace(row, p_corrected=float(p), significant=bool(p <= settings.alpha))
            for row, p in zip(family, ps, strict=True)
        ]
    return corrected


def _compare_run(
    baseline: Sequence[Score],
    other: Sequence[Score],
    run: str,
    measures: Sequence[str],
    settings: Settings,
) -> list[Comparison]:
    """Compare a run with the baseline, without correction."""
    before, after = _means(baseline), _means(other)
    a, b = _percent(baseline, measures), _percent(other, measures)
    differences = {lang: b[lang] - a[lang] for lang in a}
    boot, null = (
        _with_macro(test(differences, samples=settings.samples, seed=settings.seed))
        for test in (bootstrap, randomise)
    )
    tails = (1 - settings.confidence) / 2, (1 + settings.confidence) / 2
    rows = []
    for lang in boot:
        lows, highs = np.quantile(boot[lang], tails, axis=0)
        for column, measure in enumerate(measures):
            old, new = before[lang][measure], after[lang][measure]
            p = p_randomisation(null[lang][:, column], new - old)
            rows.append(
                Comparison(
                    metric=measure,
                    lang=lang,
                    run=run,
                    n=len(a.get(lang, baseline)),
                    baseline=old,
                    score=new,
                    difference=new - old,
                    low=float(lows[column]),
                    high=float(highs[column]),
                    p_bootstrap=p_bootstrap(boot[lang][:, column]),
                    p_randomisation=p,
                    p_corrected=p,
                    significant=False,
                )
            )
    return rows


def _means(scores: Sequence[Score]) -> dict[str, Mapping[str, float]]:
    report = average(scores, task="compare", scorer="")
    return {**report.per_lang, MACRO: report.macro}


def _percent(scores: Sequence[Score], measures: Sequence[str]) -> dict[str, Floats]:
    """Language (sorted) to an array (questions sorted by qid, measures)."""
    by_lang: dict[str, list[list[float]]] = {}
    for score in sorted(scores, key=lambda score: (score.lang, score.qid)):
        by_lang.setdefault(score.lang, []).append([100 * score.values[name] for name in measures])
    return {lang: np.array(rows) for lang, rows in by_lang.items()}


def _with_macro(by_lang: dict[str, Floats]) -> dict[str, Floats]:
    """Add the mean over languages, if there are at least two."""
    macro = {MACRO: np.mean(list(by_lang.values()), axis=0)} if len(by_lang) > 1 else {}
    return by_lang | macro


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


def shared_measures(
    baseline: Sequence[Score], others: Mapping[str, Sequence[Score]], selected: Sequence[str] = ()
) -> tuple[str, ...]:
    """The measures to compare: the selected ones, or all.

    Raises:
        ConfigError: if a run lacks a selected measure, or if by default the measures differ.
        DataError: if a run has no questions, or its questions have different measures.
    """
    measures = {
        run: _measures(scores, run) for run, scores in {_BASELINE: baseline, **others}.items()
    }
    ours = measures[_BASELINE]
    any_case = {name.casefold(): name for name in ours}  # tables print f1 as "F1"
    selected = [any_case.get(name.casefold(), name) for name in selected]
    for run, theirs in measures.items():
        if not selected and set(theirs) != set(ours):
            raise ConfigError(
                f"{_BASELINE} has the metrics {one_of(ours)}, but {run} has {one_of(theirs)}; "
                f"select from those in both: {one_of(set(ours) & set(theirs))}"
            )
        for measure in selected:
            if measure not in theirs:
                raise ConfigError(f"{run} has no metric '{measure}'; valid: {one_of(theirs)}")
    return tuple(dict.fromkeys(selected)) or ours


def _measures(scores: Sequence[Score], run: str) -> tuple[str, ...]:
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
