"""`xorqa mlqa`: a reader in every pair of context and question language, with breakdowns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Option

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
from ..datasets.fetch import parallel_folder
from ..io.files import write_json, write_text
from ..metrics import per_question
from ..metrics.registry import find_task
from ..metrics.report import Report, Score
from ..metrics.task import SCORERS
from ..models.checkpoints import load_tokenizer
from ..reading.pairs import DEFAULT_READER
from ..reading.span import SpanReader
from ..tables.grid import MISSING, Grid, score_grid
from ..tables.heatmap import heatmap
from .options import Format, Reader
from .show import aside, counted, print_grid, progress


@dataclass(frozen=True, slots=True)
class Results:
    """A reader's results; `breakdowns` is empty without English, `gxlt` is None without G-XLT."""

    xlt: Report
    gxlt: Matrix | None
    breakdowns: Mapping[str, Mapping[str, Report]]
    lengths: Mapping[str, Mapping[str, Mapping[str, float]]]


def mlqa(
    folder: Annotated[
        str, Option("--dir", help="SQuAD-style files, one per language; or fetched: mlqa/test.")
    ],
    out: Annotated[Path, Option(help="The folder for results and heat map.")],
    reader: Reader = DEFAULT_READER,
    languages: Annotated[
        str | None, Option("--lang", help="Only these languages: en,de,ar; default all.")
    ] = None,
    pairs: Annotated[
        Literal["xlt", "all"],
        Option(help="xlt: context and question in the same language; all: every pair."),
    ] = "all",
    task: Annotated[
        Literal["mlqa", "squad"], Option(help="The task that defines answer normalisation.")
    ] = "mlqa",
    format: Format = "terminal",
) -> None:
    """Run MLQA's experiments on files that are parallel by id: XQuAD's, MLQA's or your own.

    In XLT question and context are in the same language, in G-XLT in different ones. XLT scores
    are broken down by the English question and answer. An interrupted run resumes.

    Example: xorqa mlqa --dir xquad --lang en,de,ar --out mlqa

    Example: xorqa mlqa --dir mlqa/test --pairs xlt --out mlqa
    """
    selected = languages.split(",") if languages else None
    found = find_files(parallel_folder(folder, kind="parallel data set"))
    files = select_languages(found, selected)
    parallel = {lang: read_questions(path) for lang, path in files.items()}
    lang_pairs = all_pairs(parallel) if pairs == "all" else diagonal(parallel)
    stage = SpanReader(adapter=reader)
    with progress() as report:
        tell, cache = partial(report, "reading"), stage_cache()
        predictions = read_pairs(stage, parallel, lang_pairs, cache=cache, progress=tell)
    results = _evaluate(stage, parallel, predictions, task)
    about = {
        "task": task,
        "scorer": "official",
        "reader": {"name": reader, "sha": stage.pairs.adapter.sha},
        "files": {lang: str(path) for lang, path in files.items()},
    }
    _write(out, results, parallel, about)
    xlt_predictions = {pair: predictions[pair] for pair in diagonal(parallel)}
    scores: dict[per_question.Key, list[Score]] = {
        (task, scorer): xlt(score_pairs(task, parallel, xlt_predictions, scorer=scorer))
        for scorer in SCORERS
    }
    per_question.write_scores(out / per_question.FILE, scores)
    _show(results, parallel, reader, format)
    aside(format, f"results: {out}")


def _evaluate(
    stage: SpanReader,
    parallel: Parallel,
    predictions: Mapping[LangPair, Mapping[str, str]],
    task: str,
) -> Results:
    scores = score_pairs(task, parallel, predictions)
    tokenizer = load_tokenizer(stage.pairs.adapter.base)
    xlt_scores = xlt(scores)
    return Results(
        find_task(task).report(xlt_scores),
        matrix(task, scores) if len(scores) > len(parallel) else None,
        break_down(task, xlt_scores, parallel[ENGLISH]) if ENGLISH in parallel else {},
        {lang: mean_lengths(rows.values(), tokenizer) for lang, rows in parallel.items()},
    )


def _write(out: Path, results: Results, parallel: Parallel, about: Mapping[str, Any]) -> None:
    """Write unrounded results, and the heat map."""
    values = {**about, "xlt": results.xlt.to_json()}
    if results.gxlt is not None:
        values["gxlt"] = {
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
        f1 = [[cells[c, q]["f1"] if (c, q) in cells else None for q in langs] for c in langs]
        axes = ("language of the context", "language of the question")
        write_text(out / "gxlt.svg", heatmap("G-XLT, F1 in percent", langs, langs, f1, axes=axes))
    values["breakdowns"] = {
        name: {group: report.to_json() for group, report in groups.items()}
        for name, groups in results.breakdowns.items()
    }
    write_json(out / "mlqa.json", {**values, "lengths": results.lengths})


def _show(results: Results, parallel: Parallel, reader: str, format: str) -> None:
    langs, gxlt = list(parallel), results.gxlt
    matrices = [_matrix_grid(gxlt, metric, langs) for metric in gxlt.mean] if gxlt else []
    xlt_grid = score_grid("XLT", {reader: results.xlt}, first="reader")
    for grid in (xlt_grid, *matrices, _breakdown_grid(results, langs)):
        print_grid(grid, format)
        print()
    aside(format, f"questions counted: {counted(results.xlt.n)}")
    if gxlt is not None and (most := max(unpaired_count(parallel, pair) for pair in gxlt.cells)):
        aside(format, f"left out, since only one file of a pair has them: up to {most} questions")
    if not results.breakdowns:
        aside(format, "no breakdowns, since there is no English file")


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
    """A group of rows per breakdown of F1, and one for the mean lengths."""
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
            (unit, part, MISSING, *(_cell(results.lengths[lang][unit], part) for lang in langs))
            for unit in ("characters", "tokens")
            for part in TEXT_FIELDS
        )
    )
    caption = (
        "F1 in percent, official scorer, by properties of the English question and answer (n: "
        "English questions); mean lengths in characters and in reader tokens."
    )
    header = ("by", "group", "n", *langs)
    return Grid("XLT, broken down", header, tuple(groups), caption, labels=2)


def _cell(means: Mapping[str, float] | None, metric: str) -> str:
    return MISSING if means is None else f"{means[metric]:.1f}"
