"""`xorqa checklist run`: run a suite on a reader, a pipeline, or a file of answers."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ...caching.store import stage_cache
from ...checklist.results import FILE, outcome, write_results
from ...checklist.run import DISTRACTORS, by_pipeline, by_reader
from ...checklist.scoring import score_case
from ...checklist.suite import Case, read_suite
from ...core.errors import ConfigError, one_of
from ...core.quantity import quantity
from ...core.types import Passage
from ...datasets.catalog import load_dataset
from ...datasets.corpus import read_corpus
from ...experiments.settings import load_settings
from ...io.files import write_json
from ...io.locks import lock_folder
from ...io.predictions import read_answers
from ...reading.pairs import DEFAULT_READER
from ...reading.span import SpanReader
from ..options import Format, Wait, Wide
from ..show import aside, progress, waiting_if
from .report import show_grids

Langs = Annotated[list[str] | None, Option(help="Only this language; repeatable.")]


def run(
    suite: Annotated[list[Path], Argument(metavar="SUITE...", help="Files or folders.")],
    out: Annotated[Path, Option(help="The folder for predictions and results.")],
    reader: Annotated[
        str | None, Option(help=f"A shipped adapter or a file [{DEFAULT_READER}].")
    ] = None,
    pred: Annotated[
        Path | None, Option(help="Score this file {id: answer} of another system instead.")
    ] = None,
    config: Annotated[
        str | None, Option(help="Run this pipeline, which must retrieve the context.")
    ] = None,
    corpus: Annotated[
        Path | None, Option(help="Passages to hide contexts among; by default mini's.")
    ] = None,
    distractors: Annotated[
        int, Option(min=0, help="Passages per pool beside the context.")
    ] = DISTRACTORS,
    lang: Langs = None,
    wait: Wait = False,
    format: Format = "terminal",
    wide: Wide = False,
) -> None:
    """Run a suite on a reader, or on a whole pipeline; a killed call resumes.

    Example ids are CASE/NUMBER, as in en/comparisons/007/1.

    Example: xorqa checklist run suite.jsonl --out results/reader-multi
    """
    if sum(one is not None for one in (reader, pred, config)) > 1:
        raise ConfigError(
            "give one of --reader, --pred and --config; a pipeline's reader is in its config"
        )
    if corpus is not None and config is None:
        raise ConfigError("--corpus is for --config: a reader is given the context")
    cases = _read(suite, lang)
    with waiting_if(wait), lock_folder(out, "results folder"):
        if pred is not None:
            texts = dict(read_answers(pred).found)
        elif config is not None:
            texts = _by_pipeline(cases, config, corpus, distractors)
        else:
            stage = SpanReader(adapter=reader or DEFAULT_READER)
            with progress() as report:
                tell = partial(report, "answers")
                texts = by_reader(cases, stage, cache=stage_cache(), progress=tell)
        outcomes = [outcome(score_case(case, texts)) for case in cases]
        write_json(out / "predictions.json", texts, indent=0)
        write_results(out / FILE, outcomes)
    missing = sum(qid not in texts for case in cases for qid in case.qids())
    show_grids({out.name: outcomes}, format, wide=wide)
    if missing:
        aside(format, f"{quantity(missing, 'example')} without a prediction, counted as wrong")
    aside(format, f"results: {out}")


def _by_pipeline(
    cases: Sequence[Case], config: str, corpus: Path | None, distractors: int
) -> dict[str, str]:
    settings, pool = load_settings(config), _passages(corpus)
    with progress() as report:
        return by_pipeline(
            cases,
            settings,
            pool,
            distractors=distractors,
            cache=stage_cache(),
            progress=partial(report, "answers"),
        )


def _passages(corpus: Path | None) -> list[Passage]:
    if corpus is not None:
        return read_corpus(corpus).passages
    return [passage for one in load_dataset("mini").corpora.values() for passage in one]


def _read(suites: Sequence[Path], langs: Sequence[str] | None) -> list[Case]:
    files = [
        file for one in suites for file in (sorted(one.glob("*.jsonl")) if one.is_dir() else [one])
    ]
    if not files:
        raise ConfigError(f"{suites[0]} contains no suite (*.jsonl)")
    cases = [case for file in files for case in read_suite(file)]
    chosen = choose_langs(sorted({case.lang for case in cases}), langs)
    return [case for case in cases if case.lang in chosen]


def choose_langs(available: Sequence[str], langs: Sequence[str] | None) -> list[str]:
    """The named ones of the available languages, or all.

    Raises:
        ConfigError: listing the available languages, if one is unknown.
    """
    if unknown := set(langs or ()) - set(available):
        raise ConfigError(f"no language {one_of(unknown)}; valid: {one_of(available)}")
    return [code for code in available if not langs or code in langs]
