"""`xorqa ask`: answer a question, and show the passage that the answer is from."""

import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from rich.text import Text
from typer import Argument, Exit, Option

from ..answering.choosing.learned import is_foreign
from ..answering.transliteration.transliterate import is_name
from ..core.errors import ConfigError, InputError, XorqaError
from ..core.lang import ISO_639_1
from ..core.types import Answer, Trace
from ..datasets.catalog import load_dataset
from ..datasets.corpus import read_corpus
from ..experiments.ask import over_passages
from ..experiments.pipeline import Pipeline
from ..io.candidates import candidate_row
from ..text.control_characters import visible
from ..text.detection import detect
from .completion import datasets
from .options import AsJson, Config, Wait
from .passage_view import around
from .session import typed_questions
from .show import NUMBER, console, errors, print_json, print_line, print_message, waiting_if

BUNDLED = "mini"
PASSAGE_WIDTH = 200  # at most; a pipe has no width


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
    data: Annotated[
        str,
        Option(
            help="The data set whose passages to search: mini, xquad-open.",
            autocompletion=datasets,
        ),
    ] = BUNDLED,
    config: Config = "dense",
    interactive: Annotated[
        bool,
        Option(
            "-i",
            help="Start an interactive session, one question per line; help and quit are commands.",
        ),
    ] = False,
    wait: Wait = False,
    verbose: Annotated[
        bool, Option("--verbose", help="Also print the probabilities and the time of each stage.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Answer a question and show the evidence.

    The confidence is calibrated on held-out training questions of the chooser: of the answers with
    a confidence of 70%, about 70 in 100 were right (see the model card of `chooser`).

    The exit status of an interactive session is 1 if a question failed.

    Examples: xorqa ask "1993년 프랑스 총리는 누구인가요?"
    xorqa ask --corpus passages.jsonl "Who founded the company?"
    """
    if question is None and not interactive:
        for example in _suggestions(data, corpus):
            print_line(f'xorqa ask "{example}"')
        raise ConfigError('no question: type xorqa ask "...", or -i for an interactive session')
    if question is not None and not question.strip():
        raise InputError('the question is empty: type xorqa ask "..."')
    pipeline = open_pipeline(config, data=data, corpus=corpus)
    questions = [] if question is None else [question]
    failed = False
    for text in (
        typed_questions(questions, _suggestions(data, corpus)) if interactive else questions
    ):
        try:
            with waiting_if(wait):
                if lang is None and not as_json:
                    errors.print(Text(f"Detected: {detect(text)}", style="dim"))
                trace = pipeline.ask(text, lang=lang)
        except XorqaError as error:
            if not interactive:
                raise
            failed = True
            print_message("error:", "red", error)
            continue
        if as_json:
            print_json(to_json(trace))
        else:
            _show(trace)
            if verbose:
                _show_details(trace)
    if failed:
        raise Exit(1)


def open_pipeline(config: str, *, data: str = "mini", corpus: Path | None = None) -> Pipeline:
    """Open a pipeline over the user's passages, or over a data set's."""
    if corpus is None:
        return Pipeline.from_config(config, load_dataset(data).corpora)
    return over_passages(read_corpus(corpus), config=config)


def to_json(trace: Trace) -> dict[str, Any]:
    """A trace as JSON values: answer, evidence, candidates and milliseconds."""
    answer = trace.answer
    return {
        "question": {"text": trace.question.text, "lang": trace.question.lang},
        "answer": answer
        and {
            "text": answer.text,
            "original": answer.original,
            "lang": answer.lang,
            "method": answer.method,
            "confidence": answer.confidence,
            "score": answer.score if answer.source else None,
        },
        "evidence": asdict(passage) if (passage := trace.evidence) else None,
        "span": answer and answer.source and asdict(answer.source.span),
        "candidates": [candidate_row(candidate) for candidate in trace.candidates],
        "ms": {stage: round(1000 * seconds, 1) for stage, seconds in trace.timings.items()},
    }


def _show(trace: Trace) -> None:
    answer, passage = trace.answer, trace.evidence
    if answer is None or answer.source is None or passage is None:
        console.print("no answer: the passages have no candidate")
        return
    remark = f"({'; '.join(filter(None, (_confidence(answer), _language(answer, trace))))})"
    shown = Text(answer.text, style="bold green")
    if answer.original:
        shown.append(f" ({answer.original})", style="not bold")
    console.print(shown, Text(remark, style=NUMBER))
    source = answer.source
    parts = around(passage.text, source.span, width=min(console.width, PASSAGE_WIDTH))
    before, within, after = map(visible, parts)
    text = Text.assemble(before, (within, "bold reverse green"), after)
    console.print()
    console.print(Text(passage.title, style="bold"), Text(f"[{passage.docid}]", style="dim"))
    console.print(text)


def _show_details(trace: Trace) -> None:
    """The probabilities of the answer, its rank, and how long each stage took."""
    if source := trace.answer and trace.answer.source:
        scores = (
            f"P(passage answers) {math.exp(source.scores.passage):.1%}  "
            f"P(span | passage) {math.exp(source.scores.span):.1%}  "
            f"retrieval {source.hit.score:.3f} (rank {source.rank + 1}, route {source.route})"
        )
        console.print(Text(f"\n{scores}", style="dim"))
    times = "  ".join(f"{stage} {1000 * s:.0f} ms" for stage, s in trace.timings.items())
    console.print(Text(times, style="dim"))


def _confidence(answer: Answer) -> str:
    """The confidence in percent, marked if it is not calibrated on held-out answers."""
    if answer.confidence is not None:
        return f"confidence {answer.confidence:.0%}"
    return f"confidence {math.exp(min(answer.score, 0.0)):.0%}, not calibrated"


def _language(answer: Answer, trace: Trace) -> str:
    """The language of an answer that is not in the question's language."""
    lang = trace.question.lang
    if answer.lang == lang or not any(map(str.isalpha, answer.text)):
        return ""
    if is_foreign(answer, lang):
        return f"{_name(answer.lang)}, not localised into {_name(lang)}"
    return "" if is_name(answer.text) else f"in {_name(answer.lang)}"


def _name(lang: str) -> str:
    """The English name of a language, or its code."""
    return ISO_639_1[lang].name if lang in ISO_639_1 else lang


def _suggestions(data: str, corpus: Path | None) -> list[str]:
    """A question in each of three languages that the bundled passages answer."""
    if data != BUNDLED or corpus is not None:
        return []
    by_lang = {e.question.lang: e.question.text for e in reversed(load_dataset(data).examples)}
    return [by_lang[lang] for lang in ("fi", "ko", "ru")]
