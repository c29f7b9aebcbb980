"""`xorqa checklist run`: run a suite on a reader, a pipeline, or a file of answers."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Langs, Tables, Wait, configs, split_langs, with_groups
from ....cli.show import progress, waiting_if
from ....core.errors import ConfigError, one_of
from ....core.progress import quantity
from ....datasets.catalog import load_dataset
from ....datasets.corpus import read_corpus
from ....experiments.settings import load_settings
from ....io.cache import stage_cache
from ....io.files import write_json
from ....io.locks import lock_folder
from ....io.predictions import read_answers
from ....reading.pairs import DEFAULT_READER
from ....reading.span import SpanReader
from .. import published_scorer
from ..results import FILE, outcome, write_results
from ..run import DISTRACTORS, by_pipeline, by_reader
from ..scoring import Scorer, score_case
from ..suite import Case, read_suite
from .report import show_grids


@with_groups
def run(
    suite: Annotated[list[Path], Argument(metavar="SUITE...", help="Suites, or folders of them.")],
    out: Annotated[Path, Option(help="The folder for predictions and results.")],
    output: Tables,
    reader: Annotated[
        str | None, Option(help=f"A shipped adapter or a file [{DEFAULT_READER}].")
    ] = None,
    pred: Annotated[
        Path | None, Option(help="Score another system's answers, {id: answer}, instead.")
    ] = None,
    config: Annotated[
        str | None,
        Option(help="Run this pipeline, which must retrieve the context.", autocompletion=configs),
    ] = None,
    corpus: Annotated[
        Path | None, Option(help="Passages to draw distractors from; by default mini's.")
    ] = None,
    distractors: Annotated[int, Option(min=0, help="Distractors per context.")] = DISTRACTORS,
    scorer: Annotated[
        Scorer, Option(help="exact, or published: XTREME-R's, for MultiCheckList.")
    ] = "exact",
    lang: Langs = None,
    wait: Wait = False,
) -> None:
    """Run a suite on a reader, or on a whole pipeline; a killed run resumes.

    Example ids are CASE/NUMBER, as in en/comparisons/007/1.

    Example: xorqa checklist run suite.jsonl --out results/reader-questions
    """
    if sum(option is not None for option in (reader, pred, config)) > 1:
        raise ConfigError(
            "use only one of --reader, --pred and --config; a pipeline's reader is in its config"
        )
    if corpus is not None and config is None:
        raise ConfigError("--corpus needs --config: a reader is given the context")
    cases = _read(suite, split_langs(lang))
    for case in cases if scorer == "published" else ():
        published_scorer.check(case)
    with waiting_if(wait), lock_folder(out, "results folder"), progress() as report:
        answers = partial(report, "answers")
        if pred is not None:
            texts = dict(read_answers(pred).by_qid)
        elif config is not None:
            settings = load_settings(config)
            corpora = [read_corpus(corpus)] if corpus else load_dataset("mini").corpora.values()
            texts = by_pipeline(
                cases,
                settings,
                [passage for passages in corpora for passage in passages],
                distractors=distractors,
                cache=stage_cache(),
                progress=answers,
            )
        else:
            stage = SpanReader(adapter=reader or DEFAULT_READER)
            texts = by_reader(cases, stage, cache=stage_cache(), progress=answers)
        outcomes = [outcome(score_case(case, texts, scorer=scorer)) for case in cases]
        write_json(out / "predictions.json", texts, indent=0)
        write_results(out / FILE, outcomes)
    missing = sum(qid not in texts for case in cases for qid in case.qids())
    show_grids({out.name: outcomes}, output)
    if missing:
        output.aside(f"{quantity(missing, 'example')} without a prediction, counted as wrong")
    output.aside(f"results: {out}")


def _read(suites: Sequence[Path], langs: Sequence[str] | None) -> list[Case]:
    files = [
        file
        for path in suites
        for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])
    ]
    if not files:
        raise ConfigError(f"{suites[0]} contains no suite (*.jsonl)")
    cases = [case for file in files for case in read_suite(file)]
    chosen = choose_langs(sorted({case.lang for case in cases}), langs)
    return [case for case in cases if case.lang in chosen]


def choose_langs(available: Sequence[str], langs: Sequence[str] | None) -> list[str]:
    """The selected languages, or all available ones.

    Raises:
        ConfigError: for an unknown language; the message lists the available ones.
    """
    if unknown := set(langs or ()) - set(available):
        raise ConfigError(f"no language is called {one_of(unknown)}; valid: {one_of(available)}")
    return [code for code in available if not langs or code in langs]
