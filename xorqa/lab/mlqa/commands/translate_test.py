"""`xorqa translate test`: MLQA's translate-test."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Reader
from ....cli.show import counted, print_line, progress
from ....cli.translate import (
    FromOption,
    TranslatorOption,
    build_translator,
    language_of,
)
from ....core.progress import quantity
from ....datasets.catalog import data_file
from ....io.cache import stage_cache
from ....io.predictions import write_answers
from ....reading.pairs import DEFAULT_READER
from ....reading.span import SpanReader
from ...parallel_files import squad_questions
from .. import translate_test as testing
from ..alignment import EncoderAligner, WordAligner


def translate_test(
    file: Annotated[Path, Argument(help="SQuAD-style JSON.")],
    translator: TranslatorOption,
    pred: Annotated[Path, Option(help="The file for answers, {id: text}.")],
    source: FromOption = None,
    reader: Reader = DEFAULT_READER,
) -> None:
    """Read the English translations, and project the answers into the original contexts.

    Words are linked by the translator's attention, if it has a method `links`, else by the
    bundled encoder's vectors. Score the file with `xorqa eval mlqa`.

    Example: xorqa translate test xquad.de.json --translator my_mt:MyTranslator --pred de.json
    """
    stage, _ = build_translator(translator)
    file = data_file(file)
    lang = language_of(file, source)
    questions = squad_questions(file)
    aligner: WordAligner = stage if isinstance(stage, WordAligner) else EncoderAligner()
    span_reader, cache = SpanReader(adapter=reader), stage_cache()
    with progress() as report:
        translated = testing.translate_test(
            questions, stage, span_reader, aligner, lang=lang, cache=cache, progress=report
        )
    write_answers(pred, translated.answers)
    counts = counted(translated.counts)
    print_line(
        f"{quantity(len(questions), 'question')} ({counts}), "
        f"aligned by {type(aligner).__name__}: {pred}"
    )
    if translated.untranslated:
        print_line(
            f"{translated.untranslated} questions and sentences could not be translated and were "
            "read as they are; run the command again to retry"
        )
