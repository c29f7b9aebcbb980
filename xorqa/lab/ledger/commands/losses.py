"""`xorqa ledger CONFIG`: the loss of translation, retrieval, reading and back-translation."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from ....cli.options import Output
from ....cli.show import counted, progress
from ....core.config import stage_table
from ....core.errors import XorqaError
from ....core.registry import build
from ....datasets.catalog import load_dataset
from ....experiments.settings import load_settings
from ....io.cache import stage_cache
from ....io.files import write_text
from ....tables.grid import Grid, score_grid
from ...common.svg import heatmap
from ..losses import STAGES, Losses, make_losses

ENGSPAN, FULL = "XOR-EnglishSpan F1", "XOR-Full F1"
DEFAULT_TRANSLATORS = ("human", "bundled", "none")
_OUTSIDE_TABLES = re.compile(r",(?![^{}]*\})")
CAPTION = (
    "F1 of the answers in the question's language (XOR-Full, strict scorer), and the loss of each "
    "stage: the F1 gained when its oracle also replaces it, stage after stage. They add up to 100 "
    "for each translator and language."
)

UNRANKED, EXTRACTED = ", without ranker", ", span reader"
GENERATOR = (
    "What the generator won or lost is the difference between its F1 and that of the span reader."
)
RANKER = (
    "The retrieval loss is that of the ranked passages; what the ranker won is the difference to "
    "the retrieval loss without it."
)


def losses(
    config: str,
    data: str,
    translators: str | None,
    changes: list[str],
    indexes: Path | None,
    output: Output,
    *,
    plot: Path | None,
) -> None:
    """Print the loss ledger of an experiment; see `analysis.losses`."""
    settings, dataset = load_settings(config, changes=changes), load_dataset(data)
    tables = _translators(translators, dataset.translations, output)
    with progress() as report:
        result = make_losses(
            settings, dataset, tables, cache=stage_cache(), indexes=indexes, progress=report
        )
    output.write_json(_to_json(result))
    if plot:
        write_text(plot, _heatmap(f"{settings.name} on {data}", result))
    title = f"losses of {settings.name} on {data}"
    rows = {
        name + suffix: report
        for suffix, by_name in (
            ("", result.reports),
            (UNRANKED, result.without_ranker),
            (EXTRACTED, result.with_span_reader),
        )
        for name, report in by_name.items()
    }
    notes = [
        CAPTION,
        *([RANKER] if result.without_ranker else []),
        *([GENERATOR] if result.with_span_reader else []),
    ]
    caption = " ".join(notes)
    grid = score_grid(title, rows, first="translator")
    output.print_grid(replace(grid, caption=caption))
    output.print_grid(_bleu_grid(result))
    counts = next(iter(result.reports.values())).n
    output.aside(f"questions counted: {counted(counts)}")
    if result.unread:
        count = counted(result.unread)
        output.aside(f"questions on which the reader failed, which count as wrong: {count}")


def _to_json(result: Losses) -> dict[str, Any]:
    reports, unranked, extracted = (
        {name: report.to_json() for name, report in by_name.items()}
        for by_name in (result.reports, result.without_ranker, result.with_span_reader)
    )
    optional = {
        "without_ranker": unranked,
        "with_span_reader": extracted,
        "unread": result.unread,
    }
    return {
        "losses": reports,
        "bleu": result.bleu,
        "spearman": result.correlation,
        **{name: values for name, values in optional.items() if values},
        "xor-engspan": {"f1": result.english_f1, "spearman": result.english_correlation},
    }


def _translators(
    names: str | None, translations: dict[str, str], output: Output
) -> dict[str, dict[str, Any]]:
    """Translators' tables by name; default ones without weights are left out."""
    if names is not None:
        return {name: _table(name) for name in map(str.strip, _OUTSIDE_TABLES.split(names))}
    tables = {}
    for name in DEFAULT_TRANSLATORS:
        try:
            build("translator", _table(name), translations=translations).fingerprint()
            tables[name] = _table(name)
        except XorqaError as error:
            output.aside(f"without translator '{name}': {error}")
    return tables


def _table(name: str) -> dict[str, Any]:
    """Parse a name, "recorded:FILE", or a TOML table of settings."""
    use, colon, file = name.partition(":")
    if use == "recorded" and colon:
        return {"use": use, "file": file}
    return stage_table(name)


def _bleu_grid(result: Losses) -> Grid:
    """Translation quality of the questions, and F1 of the English spans and of the answers."""
    langs = tuple(next(iter(result.bleu.values())))
    rows = tuple(
        (
            (name, "BLEU", *(f"{result.bleu[name][lang]:.1f}" for lang in langs)),
            (name, ENGSPAN, *(f"{result.english_f1[name][lang]:.1f}" for lang in langs)),
            (name, FULL, *(f"{report.per_lang[lang]['f1']:.1f}" for lang in langs)),
        )
        for name, report in result.reports.items()
    )
    english, full = (
        "–" if rho is None else f"{rho:.2f}"
        for rho in (result.english_correlation, result.correlation)
    )
    caption = (
        f"Percent, strict scorers. Spearman's rank correlation of BLEU with {ENGSPAN} (the pair of "
        f"Asai et al. 2021, Table 8): {english}; with {FULL}: {full}. The human translation is "
        "left out."
    )
    header = ("translator", "metric", *langs)
    return Grid("BLEU of the questions and F1 of the answers", header, rows, caption, labels=2)


def _heatmap(title: str, result: Losses) -> str:
    rows = {
        f"{name} {lang}": means
        for name, report in result.reports.items()
        for lang, means in {"macro": report.macro, **report.per_lang}.items()
    }
    columns = ("f1", *STAGES)
    values = [[means[column] for column in columns] for means in rows.values()]
    axes = ("translator and language", "F1, and losses")
    return heatmap(f"Loss per stage: {title}", list(rows), columns, values, axes=axes)
