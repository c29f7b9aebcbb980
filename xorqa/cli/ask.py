"""`xorqa ask`: answer a question, or those of an interactive session, and show the evidence."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

from rich.text import Text
from typer import Argument, Exit, Option

from ..core.errors import ConfigError, InputError, XorqaError
from ..core.text.detection import detect, prepare_detection
from ..datasets.catalog import load_dataset
from ..datasets.corpus import read_corpus
from ..experiments.answer_json import answer_json
from ..experiments.ask import over_passages
from ..experiments.pipeline import Pipeline
from ..experiments.settings import DEFAULT
from ..io.files import cache_dir
from .answer import show_answer
from .options import AsJson, Config, SearchedData, Wait
from .show import errors, print_json, print_line, print_message, waiting_if

BUNDLED = "mini"
PROMPT = "question> "
QUIT = ("quit", "exit")
HELP = "Type a question in any language and press Enter; the arrow keys bring back earlier ones."
ENDING = "quit (or Ctrl-D) ends the session, help shows this text."
REMEMBERED = 1000  # questions


def ask(
    question: Annotated[str | None, Argument(help="The question, in any language.")] = None,
    lang: Annotated[
        str | None, Option(help="The question's language (ISO 639-1); detected by default.")
    ] = None,
    corpus: Annotated[
        Path | None,
        Option(
            help="Your own documents: a folder or a file (text, Markdown, HTML, CSV, PDF, DOCX), "
            "or passages as JSONL."
        ),
    ] = None,
    data: SearchedData = BUNDLED,
    config: Config = DEFAULT,
    interactive: Annotated[
        bool,
        Option(
            "-i",
            help="Start an interactive session, one question per line; help and quit are commands.",
        ),
    ] = False,
    min_confidence: Annotated[
        float | None,
        Option(
            min=0,
            max=1,
            help="Below this confidence the answer counts as not found; 0 answers always. The "
            "default was chosen on training questions.",
        ),
    ] = None,
    answers: Annotated[
        int, Option(min=1, help="The number of answers to print, with the other candidates.")
    ] = 1,
    wait: Wait = False,
    verbose: Annotated[
        bool, Option("--verbose", help="Also print the raw scores and the time of each stage.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Answer a question and show the evidence.

    The confidence is calibrated on held-out training questions: of the answers with a confidence of
    70%, about 70 in 100 were right (see the model card of `confidence`).

    The exit status of an interactive session is 1 if a question failed.

    Examples: xorqa ask "1993년 프랑스 총리는 누구인가요?"
    xorqa ask --corpus passages.jsonl "Who founded the company?"
    """
    if question is None and not interactive:
        for example in _suggestions(data, corpus):
            print_line(f'xorqa ask "{example}"')
        raise ConfigError('no question: type xorqa ask "...", or -i for an interactive session')
    if interactive and sys.stdin is None:
        raise ConfigError("-i reads questions from standard input, which is closed")
    if question is not None and not question.strip():
        raise InputError('the question is empty: type xorqa ask "..."')
    [pipeline] = open_pipelines([config], data=data, corpus=corpus).values()
    questions: Iterable[str] = [] if question is None else [question]
    if interactive:
        questions = chain(questions, typed_questions(_suggestions(data, corpus)))
    failed = False
    for text in questions:
        try:
            with waiting_if(wait):
                if lang is None and not as_json:
                    errors.print(Text(f"Detected: {detect(text)}", style="dim"))
                trace = pipeline.ask(text, lang=lang, min_confidence=min_confidence)
        except XorqaError as error:
            if not interactive:
                raise
            failed = True
            print_message("error:", "red", error)
            continue
        if as_json:
            print_json(answer_json(pipeline, trace))
        else:
            show_answer(trace, answers=answers, verbose=verbose)
    if failed:
        raise Exit(1)


def open_pipelines(names: Sequence[str], *, data: str, corpus: Path | None) -> dict[str, Pipeline]:
    """Pipelines by the names of their experiments, over the user's passages or a data set's.

    Raises:
        ConfigError: if two have the same name.
    """
    prepare_detection()
    passages = None if corpus is None else read_corpus(corpus)
    corpora = load_dataset(data).corpora if passages is None else {}
    pipelines: dict[str, Pipeline] = {}
    for name in names:
        if passages is None:
            pipeline = Pipeline.from_config(name, corpora)
        else:
            pipeline = over_passages(passages, config=name)
        key = pipeline.settings.name
        if key in pipelines:
            raise ConfigError(f"two pipelines are called '{key}'; set another name in one config")
        pipelines[key] = pipeline
    return pipelines


def _suggestions(data: str, corpus: Path | None) -> list[str]:
    """A question in each of three languages that the bundled passages answer."""
    if data != BUNDLED or corpus is not None:
        return []
    by_lang = {e.question.lang: e.question.text for e in reversed(load_dataset(data).examples)}
    return [by_lang[lang] for lang in ("fi", "ko", "ru")]


def typed_questions(examples: Sequence[str]) -> Iterator[str]:
    """Questions from standard input until `quit` or its end.

    On a terminal, earlier questions are stored in the cache folder.
    """
    terminal = sys.stdin.isatty()
    history = _history() if terminal else None
    if terminal:
        _print_help(examples)
    while (line := _next_line(prompt=terminal)) is not None:
        if line in QUIT:
            return
        if line == "help":
            _print_help(examples)
        elif line:
            if history is not None:
                import readline

                history.parent.mkdir(parents=True, exist_ok=True)
                readline.write_history_file(history)
            yield line


def _next_line(*, prompt: bool) -> str | None:
    """The next line without white space at its ends, None at the end of the input."""
    try:
        if prompt and sys.stdout.isatty():
            return input(PROMPT).strip()  # with the editing keys of readline
        if prompt:
            errors.print(PROMPT, end="")
        line = sys.stdin.readline()
    except EOFError:
        line = ""
    return line.strip() if line else None


def _print_help(examples: Sequence[str]) -> None:
    for line in (HELP, ENDING, *(f"  {example}" for example in examples)):
        errors.print(Text(line, style="dim"))


def _history() -> Path | None:
    """The file with the questions of earlier sessions, which are loaded; None without readline."""
    try:
        import readline
    except ImportError:  # Windows
        return None
    path = cache_dir() / "ask_history"
    readline.set_history_length(REMEMBERED)
    if path.is_file():
        readline.read_history_file(path)
    return path
