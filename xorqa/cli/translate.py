"""`xorqa translate`: MLQA's translation baselines, recorded translations of questions."""

from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from ..core.config import stage_table
from ..core.errors import ConfigError
from ..core.lang import in_name
from ..core.progress import quantity
from ..core.registry import build
from ..core.stages import Translator
from ..core.types import Question, TranslationFailure
from ..datasets.catalog import data_file, load_dataset
from ..datasets.dataset import sample_questions
from ..io.squad_xor import read_squad, read_xor
from ..translation.recorded import record
from .commands import open_group
from .options import Sample, Wait, datasets
from .show import print_line, progress, waiting_if

MAX_SHOWN = 5  # failures

app = open_group("translate")

TRANSLATOR = Option(
    help="A name, my_package.module:MyTranslator, or a table: {use = '...', k = 4}."
)
TranslatorOption = Annotated[str, TRANSLATOR]
FromOption = Annotated[
    str | None, Option("--from", help="The file's language, if it is not in its name.")
]


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
    to: Annotated[str, Option(help="The language to translate into.")] = "en",
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
    stage, table = build_translator(translator, translations=translations, failed=failures.append)
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
            lang = language_of(file, source)
            return [Question(q.qid, q.question, q.lang or lang) for q in read_squad(file)], {}
        return [Question(row.qid, row.question, row.lang) for row in read_xor(file)], {}
    raise ConfigError("give either --data NAME or --file QUESTIONS.jsonl")


def language_of(file: Path, source: str | None) -> str:
    lang = source or in_name(file.name)
    if lang is None:
        raise ConfigError(
            f"name the language of {file} with --from LANG; its name does not contain one"
        )
    return lang


def build_translator(value: str, **given: Any) -> tuple[Translator, dict[str, Any]]:
    """Build the translator of a name or a TOML table, with the `given` values it accepts."""
    table = stage_table(value)
    return build("translator", table, **given), table
