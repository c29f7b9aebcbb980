"""`xorqa read`: predict answers for a SQuAD-style file."""

import time
from pathlib import Path
from typing import Annotated

from typer import Option

from ..core.errors import DataError
from ..core.progress import quantity
from ..datasets.catalog import data_file
from ..io.cache import stage_cache
from ..io.predictions import write_answers
from ..io.squad_xor import read_squad
from ..reading.pairs import DEFAULT_READER, QuestionPassage
from ..reading.span import SpanReader, read_given
from .options import Reader
from .show import print_line, progress


def read(
    data: Annotated[Path, Option(help="SQuAD-style JSON; answers are optional.")],
    pred: Annotated[Path, Option(help="The prediction file to write: {id: text}.")],
    reader: Reader = DEFAULT_READER,
) -> None:
    """Answer every question from its own paragraph. An interrupted run resumes.

    Example: xorqa read --data xquad.ar.json --pred ar.json
    """
    data = data_file(data)
    questions = list(read_squad(data))
    if not questions:
        raise DataError(f"{data} contains no questions")
    stage = SpanReader(adapter=reader)
    start = time.perf_counter()
    with progress() as report:
        answers = read_given(
            stage,
            [QuestionPassage(question.question, question.context) for question in questions],
            cache=stage_cache(),
            progress=lambda done, total: report("reading", done, total),
        )
    seconds = time.perf_counter() - start
    write_answers(pred, {q.qid: text for q, text in zip(questions, answers, strict=True)})
    print_line(
        f"{quantity(len(questions), 'question')} in {seconds:.1f} s "
        f"({len(questions) / seconds:.0f} per second, including cached answers): {pred}"
    )
