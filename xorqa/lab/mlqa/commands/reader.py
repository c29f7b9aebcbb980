"""`xorqa read`, `eval reader` and `translate test`: a reader that is given the passages."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.eval import EvalInput, score_and_print
from ....cli.options import FileLang, Reader, ScoringOutput, with_groups
from ....cli.show import counted, print_line, progress
from ....cli.translate import FromOption, TranslatorOption, build_translator, language_of
from ....core.errors import DataError
from ....core.progress import Progress, quantity
from ....datasets.catalog import data_file
from ....io.cache import stage_cache
from ....io.predictions import write_answers
from ....io.squad_xor import read_checked_squad, read_squad
from ....metrics.answers import score_answers
from ....metrics.report import Reference, Score
from ....metrics.task import Task, read_squad_references
from ....metrics.tasks.mlqa import score_mlqa
from ....metrics.tasks.squad import score_squad
from ....reading.pairs import DEFAULT_READER, QuestionPassage
from ....reading.span import SpanReader, read_given
from ...common.parallel_files import squad_questions
from .. import translate_test as testing
from ..alignment import EncoderAligner, WordAligner


def read(
    data: Annotated[Path, Option(help="SQuAD-style JSON; answers are optional.")],
    pred: Annotated[Path, Option(help="The prediction file to write: {id: text}.")],
    reader: Reader = DEFAULT_READER,
) -> None:
    """Answer every question from its own paragraph. An interrupted run resumes.

    Example: xorqa read --data xquad.ar.json --pred ar.json
    """
    data = data_file(data)
    questions = read_checked_squad(data)
    if not questions:
        raise DataError(f"{data} contains no questions")
    stage = SpanReader(adapter=reader)
    pairs = [QuestionPassage(question.question, question.context) for question in questions]
    start = time.perf_counter()
    with progress() as report:
        reading = partial(report, "reading")
        answers = read_given(stage, pairs, cache=stage_cache(), progress=reading)
    seconds = time.perf_counter() - start
    write_answers(pred, {q.qid: text for q, text in zip(questions, answers, strict=True)})
    print_line(
        f"{quantity(len(questions), 'question')} in {seconds:.1f} s "
        f"({len(questions) / seconds:.0f} per second, including cached answers): {pred}"
    )


@with_groups
def reader(
    files: Annotated[list[Path], Argument(help="SQuAD-style JSON: xquad.ar.json ...")],
    output: ScoringOutput,
    adapter: Reader = DEFAULT_READER,
    lang: FileLang = None,
) -> None:
    """F1 and exact match of a reader that is given the gold passage.

    The official scorer is SQuAD v1.1's, as in XTREME; MLQA's, which normalises answers by language,
    is reported beside it.

    Example: xorqa eval reader xquad/xquad.*.json
    """
    files = list(map(data_file, files))
    data = [
        (read_squad_references(file, lang=lang), list(read_squad(file, needs_offsets=False)))
        for file in files
    ]
    stage, clock, inputs = SpanReader(adapter=adapter), _Clock(), []
    cache = stage_cache()
    sizes = stage.pairs.parameters()
    stage.pairs.read([QuestionPassage("", "")])  # load the weights before timing
    with progress() as report:
        for file, (references, questions) in zip(files, data, strict=True):
            timed = clock.watch(partial(report, file.name))
            pairs = [QuestionPassage(q.question, q.context) for q in questions]
            answers = read_given(stage, pairs, cache=cache, progress=timed)
            predictions = {q.qid: text for q, text in zip(questions, answers, strict=True)}
            inputs.append(EvalInput(references, predictions))
    score_and_print(READER, inputs, output)
    counted = ", ".join(f"{name} {number:,}" for name, number in sizes.items())
    output.aside(f"parameters of {adapter}: {counted}")
    output.aside(clock.summary())


def _squad_and_mlqa(references: Sequence[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """SQuAD's official scores, with MLQA's beside them."""
    squad, mlqa = score_squad(references, predictions), score_mlqa(references, predictions)
    return [
        replace(a, values={**a.values, **{f"MLQA {name}": b.values[name] for name in b.values}})
        for a, b in zip(squad, mlqa, strict=True)
    ]


READER = Task(
    name="reader",
    title="F1 and exact match of a reader that is given the gold passage",
    scorers={"official": _squad_and_mlqa, "strict": score_answers},
)


class _Clock:
    """Counts the questions that are read and their seconds; cached answers do not count."""

    def __init__(self) -> None:
        self.seconds, self.questions = 0.0, 0

    def watch(self, report: Progress) -> Progress:
        """Pass one file's progress on to `report`; its first call counts the cached answers."""
        last: tuple[float, int] | None = None

        def timed(done: int, total: int) -> None:
            nonlocal last
            now = time.perf_counter()
            if last is not None:
                self.seconds += now - last[0]
                self.questions += done - last[1]
            last = now, done
            report(done, total)

        return timed

    def summary(self) -> str:
        """The mean time per question, in one line."""
        if not self.questions:
            return "all answers came from the cache; reading was not timed"
        mean = 1000 * self.seconds / self.questions
        return f"{mean:.1f} ms per question in batches, over {quantity(self.questions, 'question')}"


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
