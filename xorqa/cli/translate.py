"""`xorqa translate`: MLQA's translation baselines, recorded translations of questions."""

from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from ..analysis.translate_test import ENGLISH, translate_test
from ..caching.store import stage_cache
from ..core.config import stage_table
from ..core.errors import ConfigError, DataError
from ..core.lang import in_name
from ..core.quantity import quantity
from ..core.registry import build
from ..core.stages import Translator
from ..core.types import Question, TranslationFailure
from ..datasets.catalog import load_dataset
from ..datasets.data_files import data_file
from ..datasets.dataset import sample_questions
from ..io.files import sha256, write_json
from ..io.predictions import write_answers
from ..io.squad_xor import SquadQuestion, read_squad, read_xor, squad_articles
from ..models.alignment import EncoderAligner, WordAligner
from ..reading.pairs import DEFAULT_READER
from ..reading.span import SpanReader
from ..training.translate_train.translate import translate_train
from ..translation.recorded import record
from .completion import datasets
from .import_translations import import_translations
from .options import Reader, Sample, Wait
from .show import counted, print_line, progress, waiting_if

MAX_SHOWN = 5  # failures

app = typer.Typer(no_args_is_help=True)
app.command("import")(import_translations)

File = Annotated[Path, Argument(help="SQuAD-style JSON.")]
TranslatorOption = Annotated[
    str, Option(help="A name, my_package.module:MyTranslator, or a table: {use = '...', k = 4}.")
]
FromOption = Annotated[
    str | None, Option("--from", help="The file's language, if it is not in its name.")
]


@app.command()
def train(
    file: File,
    translator: TranslatorOption,
    to: Annotated[str, Option(help="The language to translate into: de.")],
    out: Annotated[Path, Option(help="SQuAD-style JSON, with a card of counts beside it.")],
    source: Annotated[str, Option("--from", help="The file's language.")] = ENGLISH,
) -> None:
    """Translate training data, with the answers in quotation marks to locate them again.

    Contexts are translated sentence by sentence. An answer whose quotation marks were lost is
    located by its own translation; otherwise the question is left out. The card (OUT.card.json)
    counts how the answers were located.

    Example: xorqa translate train train-v1.1.json --translator my_mt:MyTranslator
    --to de --out squad.de.json
    """
    stage, table = _translator(translator)
    file = data_file(file)
    questions = _questions(file)
    unanswered = next((question.qid for question in questions if not question.answers), None)
    if unanswered is not None:
        raise DataError(f"{file}: question '{unanswered}' has no answer to learn from")
    with progress() as report:
        made = translate_train(
            questions, stage, lang=source, to=to, cache=stage_cache(), progress=report
        )
    squad = {"version": "1.1", "data": squad_articles(made.questions)}
    write_json(out, squad, indent=None)
    write_json(
        out.with_suffix(".card.json"),
        {
            "recipe": "translate-train",
            "file": str(file),
            "sha256": sha256(file),
            "from": source,
            "to": to,
            "translator": table,
            "fingerprint": stage.fingerprint(),
            "questions": len(questions),
            **made.counts,
        },
    )
    counts = counted(made.counts)
    print_line(f"{len(made.questions)} of {quantity(len(questions), 'question')} ({counts}): {out}")


@app.command()
def test(
    file: File,
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
    stage, _ = _translator(translator)
    file = data_file(file)
    lang = _language(file, source)
    questions = _questions(file)
    aligner: WordAligner = stage if isinstance(stage, WordAligner) else EncoderAligner()
    span_reader, cache = SpanReader(adapter=reader), stage_cache()
    with progress() as report:
        made = translate_test(
            questions, stage, span_reader, aligner, lang=lang, cache=cache, progress=report
        )
    write_answers(pred, made.answers)
    counts = counted(made.counts)
    print_line(
        f"{quantity(len(questions), 'question')} ({counts}), "
        f"aligned by {type(aligner).__name__}: {pred}"
    )
    if made.untranslated:
        print_line(
            f"{made.untranslated} questions and sentences could not be translated and were read "
            "as they are; run the command again to retry"
        )


@app.command()
def questions(
    translator: TranslatorOption,
    out: Annotated[Path, Option(help="JSONL; translations already in it are not repeated.")],
    data: Annotated[
        str | None, Option(help="A data set: see `xorqa data list`.", autocompletion=datasets)
    ] = None,
    file: Annotated[
        Path | None, Option(help="Or questions as XOR QA JSONL, or SQuAD-style .json.")
    ] = None,
    source: FromOption = None,
    to: Annotated[str, Option(help="The language to translate into.")] = ENGLISH,
    sample: Sample = None,
    wait: Wait = False,
) -> None:
    """Translate questions once and record them for the translator `recorded`.

    The exit status is 1 if any could not be translated; run the command again to retry.

    Example: xorqa translate questions --data xquad-open --out nllb.jsonl
    --translator "{use = 'seq2seq', model = 'facebook/nllb-200-distilled-600M'}"
    """
    to_translate, translations = _load_questions(data, file, source)
    if sample is not None:
        to_translate = sample_questions(to_translate, sample)
    failures: list[TranslationFailure] = []
    stage, table = _translator(translator, translations=translations, failed=failures.append)
    provider = " ".join(str(table[key]) for key in ("use", "model") if key in table)
    today = date.today().isoformat()
    with waiting_if(wait), progress() as report:
        tell = partial(report, "translating")
        new = record(stage, to_translate, out, to=to, provider=provider, date=today, progress=tell)
    print_line(f"{quantity(new, 'new translation')} by {provider}: {out}")
    for failure in failures[:MAX_SHOWN]:
        print_line(f"not translated: {failure.question.qid} ({failure.reason})")
    if failures:
        print_line(
            f"{quantity(len(failures), 'question')} not translated; run the command again to retry"
        )
        raise typer.Exit(1)


def _load_questions(
    data: str | None, file: Path | None, source: str | None
) -> tuple[list[Question], dict[str, str]]:
    """The questions of a data set or a file, and human translations by qid."""
    if data is not None and file is None:
        dataset = load_dataset(data)
        return [example.question for example in dataset.examples], dataset.translations
    if file is not None and data is None:
        file = data_file(file)
        if file.suffix == ".json":
            lang = _language(file, source)
            return [Question(q.qid, q.question, q.lang or lang) for q in read_squad(file)], {}
        return [Question(row.qid, row.question, row.lang) for row in read_xor(file)], {}
    raise ConfigError("give either --data NAME or --file QUESTIONS.jsonl")


def _language(file: Path, source: str | None) -> str:
    lang = source or in_name(file.name)
    if lang is None:
        raise ConfigError(
            f"name the language of {file} with --from LANG; its name does not contain one"
        )
    return lang


def _translator(value: str, **given: Any) -> tuple[Translator, dict[str, Any]]:
    """Build the translator of a name or a TOML table, with the `given` values it accepts."""
    table = stage_table(value)
    return build("translator", table, **given), table


def _questions(file: Path) -> list[SquadQuestion]:
    questions = list(read_squad(file))
    if not questions:
        raise DataError(f"{file} contains no questions")
    return questions
