"""The results as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...tables.grid import MISSING, Grid
from .evaluate import CORRELATIONS, DIFFERENCE, MEASURES, Results, best_first
from .sampling import mean_and_error
from .text_proxies import PROXIES

Interval = tuple[float, float]

_MEASURES = (
    "Percent: means of {seeds} samples with standard errors (SE). BkR and XLR: Recall@{k} with "
    "{n} and {matching} texts a side, by chance {chance:.1f} and {chance_xlr}. CORR: Spearman's "
    "correlation of the distances of texts and of images. All but XLR need no translations."
)
_CORRELATION = (
    "How well each predicts XLR over the {encoders} encoders, 1 is perfect: means of {seeds} "
    "samples with standard errors over samples (SE) and {intervals}.{p}"
)
_INTERVALS = "95 % intervals over encoders (bootstrap)"
_NO_INTERVALS = "no intervals over encoders, which are too few"


def result_tables(results: Results, source: str, target: str) -> list[Grid]:
    """The measures of each encoder, and the correlation of BkR and CORR with XLR."""
    seeds, k = results.seeds, results.k
    chance_xlr = f"{100 * k / results.matching:.1f}" if results.matching else MISSING
    caption = _MEASURES.format(
        seeds=seeds,
        k=k,
        n=results.n,
        matching=results.matching or "no",
        chance=100 * k / results.n,
        chance_xlr=chance_xlr,
    )
    proxies = [name for name in PROXIES if name in results.measures]
    columns = (column for name in MEASURES for column in (name, f"{name} SE"))
    header = ("encoder", *columns, *proxies)
    rows = tuple((name, *_cells(results, name, proxies)) for name in best_first(results))
    grids = [Grid(f"Alignment of {source} with {target}", header, (rows,), caption, fixed=True)]
    if correlation := results.correlation():
        intervals = results.intervals()
        lines = tuple(
            (name, *_correlations(row, intervals.get(name, {})))
            for name, row in correlation.items()
        )
        caption = _CORRELATION.format(
            encoders=len(results.values),
            seeds=seeds,
            intervals=_INTERVALS if intervals else _NO_INTERVALS,
            p=_bkr_against_corr(results, intervals.get(DIFFERENCE, {})),
        )
        columns = (column for kind in CORRELATIONS for column in (kind, f"{kind} SE", "95 %"))
        header = ("measure", *columns)
        grids.append(Grid("Correlation with XLR", header, (lines,), caption, fixed=True))
    return grids


def _bkr_against_corr(results: Results, difference: Mapping[str, Interval]) -> str:
    """The test over samples, and the interval over encoders."""
    tests = ", ".join(f"{kind} {p:.4f}" for kind, p in results.p_values().items())
    bounds = ", ".join(f"{kind} {_between(both)}" for kind, both in difference.items())
    return (f" p of BkR against CORR over the samples: {tests}." if tests else "") + (
        f" BkR less CORR over the encoders, 95 %: {bounds}." if bounds else ""
    )


def _cells(results: Results, encoder: str, proxies: Sequence[str]) -> list[str]:
    cells = []
    for name in MEASURES:
        values = results.values[encoder].get(name)
        mean, error = (None, None) if values is None else mean_and_error(values)
        cells += [_number(mean, 100, 1), _number(error, 100, 2)]
    return cells + [
        _number(float(results.values[encoder][name].mean()), 100, 1) for name in proxies
    ]


def _correlations(row: Mapping[str, float | None], intervals: Mapping[str, Interval]) -> list[str]:
    cells = []
    for kind in CORRELATIONS:
        cells += [_number(row[key], 1, 3) for key in (kind, f"{kind} error")]
        cells.append(_between(intervals[kind]) if kind in intervals else MISSING)
    return cells


def _between(bounds: Interval) -> str:
    return f"{bounds[0]:.2f} to {bounds[1]:.2f}"


def _number(value: float | None, factor: int, digits: int) -> str:
    return MISSING if value is None else f"{factor * value:.{digits}f}"
