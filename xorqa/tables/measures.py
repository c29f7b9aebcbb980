"""The measures in a run's `scores.json` as a table."""

from collections.abc import Mapping
from typing import Any

from ..metrics.abstention import RATES
from .grid import MAX_SCORE_COLUMNS, MISSING, Grid, transposed


def measures_grids(measured: Mapping[str, Any]) -> list[Grid]:
    """A row per measure, a column per language, macro last; other measures are in the caption.

    Empty if none has a value per language.
    """
    reports = {name: report for name, report in measured.items() if "per_lang" in report}
    langs = sorted({lang for report in reports.values() for lang in report["per_lang"]})
    rows = tuple(
        (
            name,
            *(_cell(report["per_lang"].get(lang), name) for lang in langs),
            _cell(report["macro"], name),
        )
        for name, report in reports.items()
    )
    grid = Grid("measures", ("measure", *langs, "macro"), (rows,), _caption(measured))
    wide = len(langs) + 1 > MAX_SCORE_COLUMNS
    return [transposed(grid, "language") if wide else grid] if rows else []


def _cell(means: Mapping[str, float] | None, name: str) -> str:
    return f"{means[name]:.1f}" if means else MISSING


def _caption(measured: Mapping[str, Any]) -> str:
    sentences = ["Percent."]
    if curve := measured.get("risk-coverage"):
        area = f"{100 * curve['area']:.1f}"
        sentences.append(f"Area under the risk-coverage curve (risk: 1 - F1): {area}.")
    rates = measured.get("abstention", {})
    sentences += [
        f"{rate.display_name}: {100 * rates[rate.name]:.1f}."
        for rate in RATES
        if rates.get(rate.name) is not None
    ]
    return " ".join(sentences)
