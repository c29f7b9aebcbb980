"""`xorqa mlqa`: a reader in every pair of question and context language, and where it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ..analysis.breakdown import ENGLISH, TEXT_FIELDS, break_down, mean_lengths
from ..analysis.gxlt import (
    LangPair,
    Matrix,
    all_pairs,
    diagonal,
    matrix,
    read_pairs,
    score_pairs,
    unpaired_count,
    xlt,
)
from ..analysis.parallel import Parallel, find_files, read_questions, select_languages
from ..caching.store import stage_cache
from ..io.files import published, write_json, write_text
from ..metrics import per_question
from ..metrics.registry import find_task
from ..metrics.report import Report
from ..metrics.task import SCORERS
from ..models.checkpoints import load_tokenizer
from ..reading.pairs import DEFAULT_READER
from ..reading.span import SpanReader
from ..tables.grid import MISSING, Grid, score_grid
from ..tables.heatmap import heatmap
from .show import Format, aside, print_grid, progress


@dataclass(frozen=True, slots=True)
class Results:
    """What was measured; break-downs are empty without English, `gxlt` is None if not read."""

    xlt: Report
    gxlt: Matrix | None
    breakdowns: Mapping[str, Mapping[str, Report]]
    mean_lengths: Mapping[str, Mapping[str, Mapping[str, float]]]


def mlqa(
    folder: Annotated[Path, typer.Option("--dir", help="SQuAD-style files, one a language.")],
    out: Annotated[Path, typer.Option(help="The folder for figures and picture.")],
    reader: Annotated[str, typer.Option(help="A shipped adapter or a file.")] = DEFAULT_READER,
    languages: Annotated[
        str | None, typer.Option("--lang", help="Only these: en,de,ar; by default all there are.")
    ] = None,
    pairs: Annotated[
        Literal["xlt", "all"], typer.Option(help="Only pairs of one language, or all of them.")
    ] = "all",
    task: Annotated[
        Literal["mlqa", "squad"], typer.Option(help="Whose normalisation of answers.")
    ] = "mlqa",
    format: Format = "terminal",
) -> None:
    """MLQA's experiments with files that are parallel by id: XQuAD's, MLQA's or your own.

    XLT asks and reads in one language; G-XLT asks in one and reads in another. The XLT scores
    are broken down by what the English questions tell. Killed, it goes on where it was.

    Example: xorqa mlqa --dir xquad --lang en,de,ar --out mlqa
    """
    files = select_languages(find_files(published(folder)), languages and languages.split(","))
    parallel = {lang: read_questions(path) for lang, path in files.items()}
    wanted = all_pairs(parallel) if pairs == "all" else diagonal(parallel)
    stage = SpanReader(adapter=reader)
    with progress() as tell:
        told = partial(tell, "reading")
        answers = read_pairs(stage, parallel, wanted, cache=stage_cache(), progress=told)
    results = _measure(stage, parallel, answers, task)
    _write(
        out,
        results,
        parallel,
        {
            "task": task,
            "scorer": "official",
            "reader": {"name": reader, "sha": stage.pairs.adapter.sha},
            "files": {lang: str(path) for lang, path in files.items()},
        },
    )
    own = {pair: answers[pair] for pair in diagonal(parallel)}
    per_question.write_scores(
        out / per_question.FILE,
        {
            (task, scorer): xlt(score_pairs(task, parallel, own, scorer=scorer))
            for scorer in SCORERS
        },
    )
    _show(results, parallel, reader, format)
    aside(format, f"figures: {out}")


def _measure(
    stage: SpanReader, parallel: Parallel, answers: Mapping[LangPair, Mapping[str, str]], task: str
) -> Results:
    scores = score_pairs(task, parallel, answers)
    tokenizer = load_tokenizer(stage.pairs.adapter.base)
    own = xlt(scores)
    return Results(
        find_task(task).report(own),
        matrix(task, scores) if len(scores) > len(parallel) else None,
        break_down(task, own, parallel[ENGLISH]) if ENGLISH in parallel else {},
        {lang: mean_lengths(rows.values(), tokenizer) for lang, rows in parallel.items()},
    )


def _write(out: Path, results: Results, parallel: Parallel, about: Mapping[str, Any]) -> None:
    """The figures, unrounded, and the heat map."""
    figures = {**about, "xlt": results.xlt.to_json()}
    if results.gxlt is not None:
        figures["gxlt"] = {
            "mean": dict(results.gxlt.mean),
            "pairs": [
                {
                    "context": c,
                    "question": q,
                    **cell,
                    "n": len(parallel[c].keys() & parallel[q].keys()),
                    "left_out": unpaired_count(parallel, (c, q)),
                }
                for (c, q), cell in results.gxlt.cells.items()
            ],
        }
        langs, cells = list(parallel), results.gxlt.cells
        values = [[cells[c, q]["f1"] if (c, q) in cells else None for q in langs] for c in langs]
        write_text(
            out / "gxlt.svg",
            heatmap(
                "G-XLT, F1 in percent",
                langs,
                langs,
                values,
                row_label="language of the context",
                column_label="language of the question",
            ),
        )
    figures["breakdowns"] = {
        name: {group: report.to_json() for group, report in groups.items()}
        for name, groups in results.breakdowns.items()
    }
    write_json(out / "mlqa.json", {**figures, "mean_lengths": results.mean_lengths})


def _show(results: Results, parallel: Parallel, reader: str, format: str) -> None:
    langs, gxlt = list(parallel), results.gxlt
    grids = [score_grid("XLT", {reader: results.xlt}, first="reader")]
    if gxlt is not None:
        grids += [_matrix_grid(gxlt, metric, langs) for metric in gxlt.mean]
    for grid in [*grids, _breakdown_grid(results, langs)]:
        print_grid(grid, format)
        print()
    counted = ", ".join(f"{lang} {number}" for lang, number in results.xlt.n.items())
    aside(format, f"questions counted: {counted}")
    if gxlt is not None and (most := max(unpaired_count(parallel, pair) for pair in gxlt.cells)):
        aside(format, f"left out, as only one file of a pair holds them: up to {most} questions")
    if not results.breakdowns:
        aside(format, "no English file, so nothing is broken down by English questions")


def _matrix_grid(gxlt: Matrix, metric: str, langs: Sequence[str]) -> Grid:
    rows = tuple(
        (context, *(_cell(gxlt.cells.get((context, question)), metric) for question in langs))
        for context in langs
    )
    caption = (
        "Percent, official scorer. Rows: language of context and answer; columns: language of the "
        "question (as Lewis et al. 2020, table 6). Mean over the pairs of two languages: "
        f"{gxlt.mean[metric]:.1f}."
    )
    return Grid(f"G-XLT, {metric}", ("context", *langs), (rows,), caption)


def _breakdown_grid(results: Results, langs: Sequence[str]) -> Grid:
    """A group of rows for each break-down of F1, and one for the mean_lengths."""
    groups = [
        tuple(
            (
                name,
                group,
                str(report.n.get(ENGLISH, MISSING)),
                *(_cell(report.per_lang.get(lang), "f1") for lang in langs),
            )
            for group, report in reports.items()
        )
        for name, reports in results.breakdowns.items()
    ]
    groups.append(
        tuple(
            (
                unit,
                part,
                MISSING,
                *(_cell(results.mean_lengths[lang][unit], part) for lang in langs),
            )
            for unit in ("characters", "tokens")
            for part in TEXT_FIELDS
        )
    )
    caption = (
        "F1 in percent, official scorer, by what the English question and answer tell (n: English "
        "questions); mean mean_lengths in characters and in tokens of the reader."
    )
    return Grid("XLT, broken down", ("by", "group", "n", *langs), tuple(groups), caption, labels=2)


def _cell(means: Mapping[str, float] | None, metric: str) -> str:
    return MISSING if means is None else f"{means[metric]:.1f}"
