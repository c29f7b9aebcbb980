"""`xorqa ledger`: the points lost in a run, or by each stage with several translators."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ....cli.options import Output, Trust, configs, datasets, with_groups
from ....cli.show import counted, progress
from ....core.config import stage_table
from ....core.errors import XorqaError
from ....core.progress import quantity
from ....core.registry import build
from ....datasets.catalog import load_dataset
from ....experiments.run_folder import UNREAD
from ....experiments.settings import load_settings
from ....io.cache import stage_cache
from ....io.files import read_jsonl, write_text
from ....tables.grid import Grid, score_grid
from ...common.saved_run import finished
from ...common.svg import heatmap
from ..cases import open_cases
from ..generated_ledger import make_generated_ledger
from ..ledger import END_TO_END, make_ledger
from ..losses import STAGES, Losses, make_losses

CAPTION = (
    "XOR-EnglishSpan's F1 and exact match (official scorer), and the share of questions whose "
    "retrieved and read passages include the gold passage, or any answer as whole words; percent."
)
GENERATED_CAPTION = (
    "XOR-Full's scores (official scorer) of the generated answers, and of the span reader's from "
    "the same passages; the share of questions whose retrieved, read and cited English passages "
    "include the gold passage, or any answer as whole words; percent."
)

ENGSPAN, FULL = "XOR-EnglishSpan F1", "XOR-Full F1"
DEFAULT_TRANSLATORS = ("human", "bundled", "none")
_OUTSIDE_TABLES = re.compile(r",(?![^{}]*\})")
LOSSES_CAPTION = (
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


@with_groups
def ledger(
    run: Annotated[
        str,
        Argument(
            metavar="RUN|CONFIG",
            help="A run folder (--until read or full) or config.",
            autocompletion=configs,
        ),
    ],
    output: Output,
    data: Annotated[str, Option(help="CONFIG: a data set.", autocompletion=datasets)] = "mini",
    translators: Annotated[
        str | None, Option(help="CONFIG: names or recorded:FILE; default human,bundled,none.")
    ] = None,
    changes: Annotated[list[str] | None, Option("--set", help="CONFIG: change a setting.")] = None,
    indexes: Annotated[Path | None, Option(help="CONFIG: the folder of indexes.")] = None,
    plot: Annotated[Path | None, Option(help="CONFIG: also write an SVG heat map.")] = None,
    trust: Trust = False,
) -> None:
    """Show where points are lost: in a run's English answers, or by stage for each translator.

    RUN (a folder): compares the run's answers with those its reader gives on the gold passages,
    with the best of the candidates it read, and with those without its ranker. Generated answers
    are compared with the span reader's, and the model is not asked again. CONFIG: runs the
    questions over one index with each translator, and splits the loss into translation,
    retrieval, reading and back-translation. Both resume when interrupted.

    Example: xorqa ledger lucene --data xquad-open --translators human,bundled,none
    """
    if Path(run).is_dir():
        _run_ledger(Path(run), output, trust=trust)
    else:
        _config_ledger(run, data, translators, changes or [], indexes, output, plot=plot)


def _run_ledger(run: Path, output: Output, *, trust: bool) -> None:
    _, settings = finished(run, trust=trust)
    with progress() as report:
        if settings.generates:
            result = make_generated_ledger(run, cache=stage_cache(), trust=trust, progress=report)
        else:
            reader, cases = open_cases(run, trust=trust)
            show = partial(report, "gold passages")
            result = make_ledger(reader, cases, cache=stage_cache(), progress=show)
    answers, passages = (
        {name: report.to_json() for name, report in reports.items()}
        for reports in (result.answers, result.passages)
    )
    output.write_json({"run": str(run), "answers": answers, "passages": passages})
    grid = score_grid(f"ledger of {run}", {**result.answers, **result.passages}, first="passages")
    caption = GENERATED_CAPTION if settings.generates else CAPTION
    output.print_grid(replace(grid, caption=caption))
    counts = counted(result.answers[END_TO_END].n)
    output.aside(f"questions with an English gold passage: {counts}")
    if (unread := run / UNREAD).exists():
        count = quantity(sum(1 for _ in read_jsonl(unread)), "question")
        output.aside(f"the reader failed on {count}, see {unread}; they count as wrong")


def _config_ledger(
    config: str,
    data: str,
    translators: str | None,
    changes: list[str],
    indexes: Path | None,
    output: Output,
    *,
    plot: Path | None,
) -> None:
    settings, dataset = load_settings(config, changes=changes), load_dataset(data)
    tables = _translators(translators, dataset.translations, output)
    with progress() as report:
        result = make_losses(
            settings, dataset, tables, cache=stage_cache(), indexes=indexes, progress=report
        )
    output.write_json(_to_json(result))
    if plot:
        write_text(plot, _heatmap(f"{settings.name} on {data}", result))
    rows = {
        name + suffix: report
        for suffix, by_name in (
            ("", result.reports),
            (UNRANKED, result.without_ranker),
            (EXTRACTED, result.with_span_reader),
        )
        for name, report in by_name.items()
    }
    ranker = RANKER if result.without_ranker else ""
    generator = GENERATOR if result.with_span_reader else ""
    caption = " ".join(filter(None, (LOSSES_CAPTION, ranker, generator)))
    grid = score_grid(f"losses of {settings.name} on {data}", rows, first="translator")
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
