"""`xorqa eval judge`: a language model judges a run's answers, beside the strict scorer."""

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ....cli.options import Output, Sample, Trust, with_groups
from ....cli.show import progress
from ....core.config import set_value
from ....core.validation import SETTINGS
from ....io.cache import stage_cache
from ....reading.generation.prompts import BUNDLED
from ....tables.grid import MISSING, Grid, score_grid
from ..judge import WHERE, JudgedRun, JudgeSettings, judge_run
from ..labels import read_labels
from ..summary import agreements, reports

CAPTION = (
    "Percent of the answers with a verdict. right: judged right by {judge}, which is no official "
    "score; an empty answer is wrong. em, f1: XOR-Full's strict scorer on the same answers."
)
AGREEMENT_CAPTION = (
    "Percent of equal verdicts, and Cohen's kappa; a dash where one side has one class only. Empty "
    "answers are left out."
)


@with_groups
def judge(
    run: Annotated[Path, Argument(metavar="RUN", help="A run folder (--until full).")],
    model: Annotated[str, Option(help="The model that judges.")],
    output: Output,
    endpoint: Annotated[
        str, Option(help="Its chat service, OpenAI-compatible: http://localhost:8000/v1.")
    ] = "",
    key_env: Annotated[str, Option(help="The environment variable that holds the key.")] = "",
    prompt: Annotated[str, Option(help="Your own prompt, a text file.")] = BUNDLED,
    recorded: Annotated[
        str, Option(help="JSONL of replies: new ones are added; without --endpoint, replayed.")
    ] = "",
    changes: Annotated[
        list[str] | None,
        Option(
            "--set",
            help="Another setting, as of the reader generate: retries=0, per_minute=60, "
            "price_in=0.5; repeatable.",
        ),
    ] = None,
    sample: Sample = None,
    labels: Annotated[
        Path | None, Option(help="Human verdicts, TSV: qid and 1 (right) or 0 (wrong).")
    ] = None,
    trust: Trust = False,
) -> None:
    """Ask a language model which answers are right, and how often the strict scorer agrees.

    Replies are stored as they arrive, so an interrupted run resumes and asks nothing twice. Replies
    without a verdict are counted and left out. The run folder is not changed.

    Example: xorqa eval judge runs/bm25 --endpoint http://localhost:8000/v1 --model my-model
    """
    table: dict[str, Any] = {"prompt": prompt, "key_env": key_env, "recorded": recorded}
    for change in changes or ():
        set_value(table, change)
    table |= {"model": model, "endpoint": endpoint}
    settings = SETTINGS.fill(JudgeSettings, table, where=WHERE)
    human = read_labels(labels) if labels else {}
    with progress() as report:
        judged = judge_run(
            run,
            settings,
            cache=stage_cache(),
            sample=sample,
            labels=human,
            trust=trust,
            progress=partial(report, "verdicts"),
        )
    output.write_json({"run": str(run), **_figures(judged)})
    output.print_grids(_grids(judged, str(run)))
    for line in _counts(judged):
        output.aside(line)


def _figures(judged: JudgedRun) -> dict[str, Any]:
    return {
        "judge": judged.judge,
        "scores": {name: report.to_json() for name, report in reports(judged).items()},
        "agreement": [
            {"verdicts": row.verdicts, "reference": row.reference, **asdict(row.agreement)}
            for row in agreements(judged)
        ],
        "without_verdict": len(_without_verdict(judged)),
        "without_reply": len(_problems(judged)),
        "empty": sum(not answer.answer for answer in judged.answers),
        "spent": dict(judged.spent),
        "answers": [asdict(answer) for answer in judged.answers],
    }


def _grids(judged: JudgedRun, run: str) -> list[Grid]:
    """The scores and the agreement; nothing if no reply has a verdict."""
    by_scorer = reports(judged)
    if not by_scorer:
        return []
    scores = score_grid(f"judge of {run}", by_scorer, first="scorer", counts=True)
    caption = CAPTION.format(judge=judged.judge)
    header = ("verdicts", "reference", "n", "equal", "kappa")
    rows = tuple(
        (
            row.verdicts,
            row.reference,
            str(row.agreement.n),
            MISSING if row.agreement.accuracy is None else f"{100 * row.agreement.accuracy:.1f}",
            MISSING if row.agreement.kappa is None else f"{row.agreement.kappa:.2f}",
        )
        for row in agreements(judged)
    )
    agreement = Grid("agreement", header, (rows,), AGREEMENT_CAPTION, labels=2)
    return [replace(scores, caption=caption), agreement]


def _counts(judged: JudgedRun) -> list[str]:
    lines = [f"replies without a verdict: {len(_without_verdict(judged))}"]
    if problems := _problems(judged):
        reason = f"{problems[-1]}; repeat the command to ask again"
        lines.append(f"answers without a reply: {len(problems)} ({reason})")
    if judged.spent:
        spent = ", ".join(f"{name} {value:,.6g}" for name, value in judged.spent.items())
        lines.append(f"spent: {spent}")
    return lines


def _without_verdict(judged: JudgedRun) -> list[str]:
    """The qids of the replies that have none."""
    return [a.qid for a in judged.answers if a.verdict is None and not a.problem]


def _problems(judged: JudgedRun) -> list[str]:
    return [answer.problem for answer in judged.answers if answer.problem]
