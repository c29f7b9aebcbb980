"""`xorqa eval`: score official prediction files as the official XOR QA scripts do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..cache import stage_cache
from ..errors import DataError
from ..files import write_json
from ..formats import read_answers, read_ranked, read_xor
from ..metrics.report import Reference, Report
from ..metrics.xor_engspan import evaluate_engspan
from ..metrics.xor_full import by_qid, evaluate_full
from ..metrics.xor_retrieve import DEFAULT_K, evaluate_retrieve
from ..reading.span import SpanReader
from ..training.evaluate import evaluate_reader
from .show import console, progress, score_table

app = typer.Typer(help="Score prediction files.", no_args_is_help=True)

Data = Annotated[Path, typer.Option("--data", help="XOR QA data, JSONL with answers.")]
Pred = Annotated[Path, typer.Option("--pred", help="Predictions in the task's official format.")]
Json = Annotated[Path | None, typer.Option("--json", help="Also write the scores, unrounded.")]
Budgets = Annotated[
    list[int] | None,
    typer.Option("--k", help="Thousands of tokens; repeatable; 2 and 5 by default."),
]


@app.command("xor-retrieve")
def xor_retrieve(data: Data, pred: Pred, k: Budgets = None, json_file: Json = None) -> None:
    """R@kt: is an answer within the first k thousand tokens of the passages?"""
    references = _references(data)
    predictions = _passages(pred, references)
    _show(evaluate_retrieve(references, predictions, k=k or DEFAULT_K), pred, json_file)
    _say_missing(references, predictions, "are not counted")


@app.command("xor-engspan")
def xor_engspan(data: Data, pred: Pred, json_file: Json = None) -> None:
    """F1 and exact match of English answers."""
    references, predictions = _references(data), read_answers(pred)
    _show(evaluate_engspan(references, predictions), pred, json_file)
    _say_missing(references, predictions, "score 0")


@app.command("xor-full")
def xor_full(data: Data, pred: Pred, json_file: Json = None) -> None:
    """F1, exact match and BLEU of answers in the question's language."""
    references, predictions = _references(data), by_qid(read_answers(pred))
    _show(evaluate_full(references, predictions), pred, json_file)
    _say_missing(references, predictions, "score 0")


@app.command("reader")
def reader(
    files: Annotated[list[Path], typer.Argument(help="SQuAD-style JSON: xquad.ar.json ...")],
    adapter: Annotated[str, typer.Option(help="A shipped adapter or a file.")] = "reader-en",
    json_file: Json = None,
) -> None:
    """F1 and exact match of a reader that is given the gold passage, a row a file.

    Example: xorqa eval reader xquad/xquad.*.json
    """
    stage = SpanReader(adapter=adapter)
    with progress() as tell:
        report = evaluate_reader(stage, files, cache=stage_cache(), progress=tell)
    _show(report, Path(adapter), json_file)


def _references(path: Path) -> list[Reference]:
    return [Reference(row.qid, row.lang, row.answers) for row in read_xor(path)]


def _passages(path: Path, references: Sequence[Reference]) -> dict[str, tuple[str, ...]]:
    """qid to passages; the languages in the file must be those of the data."""
    langs = {reference.qid: reference.lang for reference in references}
    ranked = read_ranked(path)
    for entry in ranked:
        lang = langs.get(entry.qid, entry.lang)
        if entry.lang != lang:
            raise DataError(f"{path}: '{entry.qid}' has lang '{entry.lang}', the data '{lang}'")
    return {entry.qid: entry.ctxs for entry in ranked}


def _show(report: Report, pred: Path, json_file: Path | None) -> None:
    """Write the JSON form if wanted, and print the table and the questions it counts."""
    if json_file:
        write_json(json_file, report.to_json())
    title = f"{report.task}, {pred.name}, percent"
    console.print(score_table(title, {report.scorer: report}, first="scorer"))
    counts = ", ".join(f"{lang} {count}" for lang, count in report.n.items())
    typer.echo(f"Questions counted: {counts}.")


def _say_missing(references: Sequence[Reference], found: Mapping[str, object], fate: str) -> None:
    missing = sum(reference.qid not in found for reference in references)
    if missing:
        typer.echo(f"{missing} of {len(references)} questions have no prediction and {fate}.")
