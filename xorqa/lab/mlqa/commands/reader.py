"""`xorqa read`, `eval reader` and `translate test`: a reader that is given the passages."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from ....cli.eval import EvalInput, score_and_print
from ....cli.options import FileLang, JsonFile, Reader, ScoringOutput, with_groups
from ....cli.show import counted, counting_notices, print_line, progress
from ....cli.translate import TRANSLATOR, FromOption, build_translator, language_of
from ....core.errors import ConfigError, DataError
from ....core.lang import ENGLISH
from ....core.progress import Progress, quantity
from ....core.stages import Translator
from ....datasets.catalog import data_file
from ....io.cache import stage_cache
from ....io.files import write_json
from ....io.predictions import write_answers
from ....io.squad_xor import read_checked_squad, read_squad
from ....metrics.answers import score_answers
from ....metrics.report import Reference, Score
from ....metrics.task import Task, read_squad_references
from ....metrics.tasks.mlqa import score_mlqa
from ....metrics.tasks.squad import score_squad
from ....reading.pairs import DEFAULT_READER, QuestionPassage
from ....reading.span import SpanReader
from ....translation.seq2seq import Seq2SeqTranslator
from ...common.given_passages import read_given
from ...common.parallel_files import squad_questions
from .. import translate_test as testing
from ..alignment import EncoderAligner, WordAligner
from ..attention import AttentionAligner
from ..translate_test import BackTranslation


def read(
    data: Annotated[Path, Option(help="SQuAD-style JSON; answers are optional.")],
    pred: Annotated[Path, Option(help="The prediction file to write: {id: text}.")],
    reader: Reader = DEFAULT_READER,
    json_file: JsonFile = None,
) -> None:
    """Answer every question from its own paragraph. An interrupted run resumes.

    Example: xorqa read --data xquad.ar.json --pred ar.json
    """
    data = data_file(data)
    with counting_notices() as notices:
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
    if json_file:
        write_json(
            json_file, {"questions": len(questions), "seconds": seconds, "notices": dict(notices)}
        )
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
    with counting_notices() as notices:
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
    score_and_print(READER, inputs, output, notices=notices)
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
    pred: Annotated[Path, Option(help="The file for answers, {id: text}.")],
    translator: Annotated[str, TRANSLATOR] = "",
    source: FromOption = None,
    reader: Reader = DEFAULT_READER,
    translated: Annotated[
        Path | None,
        Option(help="Read these translations by id instead of translating: MLQA's released files."),
    ] = None,
    align: Annotated[
        Literal["attention", "encoder"] | None,
        Option(
            help="Link words by the translator's attention (seq2seq), or by the encoder's vectors."
        ),
    ] = None,
    back: Annotated[
        str | None,
        Option(help="Do not link words: a translator of the English answers (MLQA's Hindi)."),
    ] = None,
) -> None:
    """Read the English translations, and project the answers into the original contexts.

    Words are linked by the translator's attention, if it is a seq2seq model or has a method
    `links`, else by the bundled encoder's vectors. With --back, answers are translated instead.
    Score the file with `xorqa eval mlqa`.

    Example: xorqa translate test xquad.de.json --translator my_mt:MyTranslator --pred de.json

    Example: xorqa translate test mlqa.hi.json --from hi --pred hi.json
    --translated translate-test-context-hi-question-hi.json
    --back "{use = 'seq2seq', model = 'Helsinki-NLP/opus-mt-en-hi'}"
    """
    if not translator and translated is None:
        raise ConfigError("name a translator with --translator, or translations with --translated")
    if back and align:
        raise ConfigError("--back translates the answers, and --align links words; give one")
    stage = build_translator(translator)[0] if translator else None
    file = data_file(file)
    lang = language_of(file, source)
    questions = squad_questions(file)
    projector: WordAligner | BackTranslation
    projector = BackTranslation(build_translator(back)[0]) if back else _aligner(stage, lang, align)
    span_reader, cache = SpanReader(adapter=reader), stage_cache()
    with progress() as report:
        if translated is not None:
            rows = {row.qid: row for row in squad_questions(data_file(translated))}
            english = testing.given_english(questions, rows, lang=lang)
        else:
            assert stage is not None
            telling = partial(report, "translating")
            english = testing.into_english(
                questions, stage, lang=lang, cache=cache, progress=telling
            )
        result = testing.read_english(
            questions, english, span_reader, projector, lang=lang, cache=cache, progress=report
        )
    write_answers(pred, result.answers)
    how = "answers translated back" if back else f"aligned by {type(projector).__name__}"
    print_line(f"{quantity(len(questions), 'question')} ({counted(result.counts)}), {how}: {pred}")
    if result.untranslated:
        print_line(
            f"{result.untranslated} questions and sentences could not be translated and were "
            "read as they are; run the command again to retry"
        )


def _aligner(stage: Translator | None, lang: str, align: str | None) -> WordAligner:
    """The aligner of --align; by default attention where the translator has it."""
    if align == "encoder":
        return EncoderAligner()
    if isinstance(stage, Seq2SeqTranslator):
        return AttentionAligner(stage, lang=lang, to=ENGLISH)
    if isinstance(stage, WordAligner):
        return stage
    if align == "attention":
        name = type(stage).__name__ if stage else "no translator"
        raise ConfigError(
            f"--align attention needs --translator seq2seq or one with a method `links`, not {name}"
        )
    return EncoderAligner()
