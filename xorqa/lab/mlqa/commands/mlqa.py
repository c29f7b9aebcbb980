"""`xorqa mlqa`: a system in every pair of context and question language, with breakdowns."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Option

from ....cli.options import Langs, Reader, Tables, split_langs, with_groups
from ....cli.show import counted, progress
from ....core.errors import ConfigError
from ....core.lang import ENGLISH
from ....core.progress import quantity
from ....io.cache import stage_cache
from ....io.files import write_json, write_text
from ....metrics.report import PER_QUESTION, Score, ScoreKey, write_scores
from ....metrics.task import SCORERS
from ....models.checkpoints import load_tokenizer
from ....reading.pairs import DEFAULT_READER
from ....reading.span import SpanReader
from ....tables.grid import score_grid
from ...common.fetched import local_or_fetched
from ...common.parallel_files import (
    Parallel,
    find_files,
    parallel_folder,
    read_questions,
    select_languages,
)
from ...common.svg import heatmap
from ..breakdown import sizes
from ..entities import find_tagger
from ..gxlt import LangPair, all_pairs, diagonal, read_pairs, score_pairs, unpaired_count, xlt
from ..mlqa import MlqaResults, add_squad, evaluate_mlqa
from ..mlqa_tables import breakdown_grid, first_words_grid, matrix_grid, relative_grid, squad_grid
from ..predictions import read_pair_predictions


@with_groups
def mlqa(
    folder: Annotated[
        str, Option("--dir", help="SQuAD-style files, one per language; or fetched: mlqa/test.")
    ],
    out: Annotated[Path, Option(help="The folder for results and heat map.")],
    output: Tables,
    reader: Reader = DEFAULT_READER,
    pred: Annotated[
        Path | None,
        Option(
            help="Score predictions instead of reading: a folder with a JSON file of ids and "
            "answers per pair, such as de.json or context-de-question-en.json."
        ),
    ] = None,
    lang: Langs = None,
    pairs: Annotated[
        Literal["xlt", "all"],
        Option(help="xlt: context and question in the same language; all: every pair."),
    ] = "all",
    task: Annotated[
        Literal["mlqa", "squad"], Option(help="The task that defines answer normalisation.")
    ] = "mlqa",
    entities: Annotated[
        str | None,
        Option(
            help="Also break down by the English answer's entity type: spacy, a table {use = "
            "'spacy', model = '...'}, or my_package:function, from an answer to a type or None."
        ),
    ] = None,
    squad: Annotated[
        Path | None,
        Option(help="Also read SQuAD's dev file, squad/dev-v1.1.json, to compare with English."),
    ] = None,
) -> None:
    """Run MLQA's experiments on files that are parallel by id: XQuAD's, MLQA's or your own.

    In XLT question and context are in the same language, in G-XLT in different ones. XLT scores
    are broken down by the English question and answer. With --squad the reader is compared on
    SQuAD, on SQuAD with one answer per question, and on the English file. An interrupted run
    resumes.

    Example: xorqa mlqa --dir xquad --lang en,de,ar --out mlqa

    Example: xorqa mlqa --dir mlqa/test --pred predictions --out theirs

    Example: xorqa mlqa --dir mlqa/test --pairs xlt --entities spacy --squad squad/dev-v1.1.json
    --out mlqa
    """
    by_lang = find_files(parallel_folder(folder, kind="parallel data set"))
    files = select_languages(by_lang, split_langs(lang))
    parallel = {lang: read_questions(path) for lang, path in files.items()}
    if pred and squad:
        raise ConfigError("--squad reads with a reader of xorqa; leave it out with --pred")
    if ENGLISH not in parallel and (entities or squad):
        raise ConfigError("--entities and --squad need an English file, and none is selected")
    tagger = find_tagger(entities) if entities else None
    squad_rows = read_questions(local_or_fetched(squad)) if squad else {}
    lang_pairs = all_pairs(parallel) if pairs == "all" else diagonal(parallel)
    stage = SpanReader(adapter=reader)
    about: dict[str, Any] = {
        "task": task,
        "scorer": "official",
        "files": {lang: str(path) for lang, path in files.items()},
    }
    with progress() as report:
        reading, cache = partial(report, "reading"), stage_cache()
        predictions: Mapping[LangPair, Mapping[str, str]]
        if pred:
            theirs = read_pair_predictions(pred, parallel)
            predictions = theirs.of(lang_pairs)
            about |= {"predictions": str(pred), **theirs.counts}
        else:
            predictions = read_pairs(stage, parallel, lang_pairs, cache=cache, progress=reading)
            about["reader"] = {"name": reader, "sha": stage.pairs.sha}
        tokenizer = load_tokenizer(stage.pairs.checkpoint)
        results = evaluate_mlqa(parallel, predictions, task, tagger, tokenizer)
        if squad_rows:
            reading = partial(report, "reading SQuAD")
            results = add_squad(
                results, task, squad_rows, stage, tokenizer, cache=cache, progress=reading
            )
    _write(out, results, parallel, about)
    xlt_predictions = {pair: answers for pair, answers in predictions.items() if len({*pair}) == 1}
    scores: dict[ScoreKey, list[Score]] = {
        (task, scorer): xlt(score_pairs(task, parallel, xlt_predictions, scorer=scorer))
        for scorer in SCORERS
    }
    write_scores(out / PER_QUESTION, scores)
    _show(results, parallel, str(pred or reader), output)
    if about.get("missing"):
        output.aside(f"without a prediction, and counted as wrong: {about['missing']}")
    if about.get("ignored"):
        output.aside(f"not named by a pair of languages: {', '.join(about['ignored'])}")
    output.aside(f"results: {out}")


def _write(out: Path, results: MlqaResults, parallel: Parallel, about: Mapping[str, Any]) -> None:
    """Write unrounded results, and the heat map."""
    values = {**about, "xlt": results.xlt.to_json()}
    if results.gxlt is not None:
        values["gxlt"] = {
            "mean": dict(results.gxlt.mean),
            "drop": results.gxlt.drop,
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
    values["lengths"] = results.lengths
    values["sizes"] = {lang: sizes(rows.values()) for lang, rows in parallel.items()}
    values["first words"] = results.first_words
    if results.squad:
        values["squad"] = {
            name: {"n": report.n[ENGLISH], **report.per_lang[ENGLISH]}
            for name, report in results.squad.items()
        }
    write_json(out / "mlqa.json", values)


def _show(results: MlqaResults, parallel: Parallel, reader: str, output: Tables) -> None:
    langs, gxlt = list(parallel), results.gxlt
    grids = [score_grid("XLT", {reader: results.xlt}, first="reader")]
    if gxlt is not None:
        grids += [matrix_grid(gxlt, metric, langs) for metric in gxlt.mean]
    grids.append(breakdown_grid(results.breakdowns, results.lengths))
    if results.breakdowns:
        grids.append(relative_grid(results.xlt, results.breakdowns))
    if results.squad:
        grids.append(squad_grid(results.squad))
    if results.first_words:
        grids.append(first_words_grid(results.first_words))
    output.print_grids(grids)
    output.aside(f"questions counted: {counted(results.xlt.n)}")
    for name in ("articles", "contexts"):
        of_langs = {lang: sizes(rows.values())[name] for lang, rows in parallel.items()}
        output.aside(f"{name}: {counted(of_langs)}")
    if gxlt is not None and (most := max(unpaired_count(parallel, pair) for pair in gxlt.cells)):
        output.aside(
            f"left out, since only one file of a pair has them: up to {quantity(most, 'question')}"
        )
    if not results.breakdowns:
        output.aside("no breakdowns, since there is no English file")
