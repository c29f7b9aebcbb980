"""`xorqa eval`: score prediction files, as the published scripts do or as the papers say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...io.predictions import read_answers, read_passages
from ...io.squad_xor import read_langs
from ...io.trec import read_qrels, read_run
from ...metrics.official.xor_retrieve import DEFAULT_K
from ...metrics.ranking import MEASURES, score_ranking
from ...metrics.report import Score
from ...metrics.tasks import Scorer
from ..show import Format
from .back_translation import back_translation
from .inputs import squad_inputs, xor_input
from .reader import reader
from .scoring import (
    DiffOption,
    JsonOption,
    LangOption,
    QuestionsOption,
    ScorerOption,
    Wanted,
    present,
    score_and_print,
)
from .translation import translation

app = typer.Typer(help="Score prediction files.", no_args_is_help=True)

Data = Annotated[Path, typer.Option("--data", help="XOR QA data, JSONL with answers.")]
Pred = Annotated[Path, typer.Option("--pred", help="Predictions in the task's official format.")]
Files = Annotated[list[Path], typer.Option("--data", help="SQuAD-style JSON; repeatable.")]
Answers = Annotated[
    list[Path], typer.Option("--pred", help="{id: answer}, one for each --data or one for all.")
]


@app.command("xor-retrieve")
def xor_retrieve(
    data: Data,
    pred: Pred,
    k: Annotated[
        list[int] | None, typer.Option(help="Thousands of tokens; repeatable; 2 and 5 by default.")
    ] = None,
    scorer: ScorerOption = "official",
    json_file: JsonOption = None,
    per_question: QuestionsOption = None,
    diff: DiffOption = False,
    format: Format = "terminal",
) -> None:
    """R@kt: is an answer within the first k thousand tokens of the passages?

    Example: xorqa eval xor-retrieve --data dev.jsonl --pred pred.json --k 2 --k 5
    """
    wanted = Wanted(scorer, json_file, per_question, diff, format)
    score_and_print(
        "xor-retrieve", [xor_input(data, read_passages(pred))], wanted, k=k or DEFAULT_K
    )


def _answers(
    context: typer.Context,
    data: Data,
    pred: Pred,
    scorer: ScorerOption = "official",
    json_file: JsonOption = None,
    per_question: QuestionsOption = None,
    diff: DiffOption = False,
    format: Format = "terminal",
) -> None:
    task = str(context.info_name)
    eval_input = xor_input(data, read_answers(pred), full=task == "xor-full")
    score_and_print(task, [eval_input], Wanted(scorer, json_file, per_question, diff, format))


app.command("xor-engspan", help="F1 and exact match of English answers.")(_answers)
app.command("xor-full", help="F1, exact match and BLEU in the question's language.")(_answers)


def _spans(
    context: typer.Context,
    data: Files,
    pred: Answers,
    lang: LangOption = None,
    scorer: ScorerOption = "official",
    json_file: JsonOption = None,
    per_question: QuestionsOption = None,
    diff: DiffOption = False,
    format: Format = "terminal",
) -> None:
    task = str(context.info_name)
    inputs = squad_inputs(data, pred, lang=lang, otherwise="en" if task == "squad" else None)
    score_and_print(task, inputs, Wanted(scorer, json_file, per_question, diff, format))


app.command("squad", help="SQuAD v1.1's F1 and exact match; XQuAD's too.")(_spans)
app.command("tydi-goldp", help="TyDi GoldP's F1 and exact match, as XTREME scores it.")(_spans)
app.command("mlqa", help="MLQA's F1 and exact match, whose normalisation knows languages.")(_spans)


@app.command("ranking")
def ranking(
    data: Annotated[Path, typer.Option(help="TREC qrels.")],
    pred: Annotated[Path, typer.Option(help="A TREC run.")],
    measure: Annotated[
        list[str] | None, typer.Option(help=f"Repeatable; {' '.join(MEASURES)} by default.")
    ] = None,
    tag: Annotated[str | None, typer.Option(help="Which of several runs in the file.")] = None,
    queries: Annotated[
        Path | None, typer.Option(help="JSONL with qid and lang, as a run's queries.jsonl.")
    ] = None,
    scorer: ScorerOption = "official",
    json_file: JsonOption = None,
    per_question: QuestionsOption = None,
    format: Format = "terminal",
) -> None:
    """Ranking measures; queries without results are left out by official and 0 by strict.

    That is how trec_eval counts without its option -c and with it. Measures are named as by
    ir_measures; mAP(pool) is LAReQA's, mAP@20 XTREME-R's.

    Example: xorqa eval ranking --data qrels.txt --pred run.trec --measure mAP@20
    """
    langs = read_langs(queries) if queries else None
    run, qrels = read_run(pred, tag=tag), read_qrels(data)
    found = score_ranking(run, qrels, measures=measure or MEASURES, langs=langs)

    def score(scorer: Scorer) -> list[Score]:
        return [row for row in found.scores if scorer == "strict" or row.qid not in found.missing]

    problems = {"missing id": found.missing, "extra id": found.extra}
    wanted = Wanted(scorer, json_file, per_question, format=format)
    present("ranking", score, wanted, problems=problems)


app.command("reader")(reader)
app.command("back-translation")(back_translation)
app.command("translation")(translation)
