"""`xorqa translate train|import`: translated training data, and published translations."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ....cli.options import split_langs
from ....cli.show import counted, print_line, progress
from ....cli.translate import TranslatorOption, build_translator
from ....core.errors import ConfigError, DataError, one_of
from ....core.progress import quantity
from ....core.stages import Translator
from ....datasets.catalog import data_file
from ....io.cache import stage_cache
from ....io.files import read_jsonl, sha256, write_json
from ....io.predictions import read_answers
from ....io.squad_xor import SquadQuestion
from ...common.fetched import local_or_fetched
from ...common.parallel_files import squad_questions
from ...common.squad_json import squad_articles
from ..bitext.answer_translations import add_answers
from ..bitext.layouts import add_published, matched_by_id, published
from ..translate_train import translate as training

LANG = "{lang}"  # in the name of an output file


def translate_train(
    file: Annotated[Path, Argument(help="SQuAD-style JSON.")],
    translator: TranslatorOption,
    to: Annotated[str, Option(help="The language to translate into, or several: de or ar,de,el.")],
    out: Annotated[
        Path,
        Option(
            help="SQuAD-style JSON, with a card of counts beside it; for several languages with "
            "{lang} in its name, a file for each."
        ),
    ],
    source: Annotated[str, Option("--from", help="The file's language.")] = "en",
) -> None:
    """Translate training data, with the answers in quotation marks to locate them again.

    Contexts are translated sentence by sentence. An answer whose quotation marks were lost is
    located by its own translation; otherwise the question is left out. The card (OUT.card.json)
    counts how the answers were located.

    Example: xorqa translate train train-v1.1.json --translator my_mt:MyTranslator
    --to de --out squad.de.json

    Example: xorqa translate train squad/train-v1.1.json --translator my_mt:MyTranslator
    --to ar,de,el,es,hi,ru,th,tr,vi,zh --out squad.{lang}.json
    """
    langs = split_langs([to]) or []
    if len(langs) > 1 and LANG not in str(out):
        raise ConfigError(f"--to has {len(langs)} languages; write --out as squad.{LANG}.json")
    if source in langs:
        raise ConfigError(f"--to has '{source}', the language of the file (--from)")
    stage, table = build_translator(translator)
    file = data_file(file)
    questions = squad_questions(file)
    unanswered = next((question.qid for question in questions if not question.answers), None)
    if unanswered is not None:
        raise DataError(f"{file}: question '{unanswered}' has no answer to learn from")
    for lang in langs:
        _translate_into(
            lang, Path(str(out).replace(LANG, lang)), file, questions, stage, table, source
        )


def _translate_into(
    lang: str,
    out: Path,
    file: Path,
    questions: Sequence[SquadQuestion],
    stage: Translator,
    table: Mapping[str, Any],
    source: str,
) -> None:
    """Write the translation into one language, and its card."""
    with progress() as report:
        translated = training.translate_train(
            questions, stage, lang=source, to=lang, cache=stage_cache(), progress=report
        )
    squad = {"version": "1.1", "data": squad_articles(translated.questions)}
    write_json(out, squad, indent=None)
    write_json(
        out.with_suffix(".card.json"),
        {
            "recipe": "translate-train",
            "file": str(file),
            "sha256": sha256(file),
            "from": source,
            "to": lang,
            "translator": table,
            "fingerprint": stage.fingerprint(),
            "questions": len(questions),
            **translated.counts,
        },
    )
    counts = counted(translated.counts)
    print_line(
        f"{len(translated.questions)} of {quantity(len(questions), 'question')} ({counts}): {out}"
    )


HUMAN = "human"
PARALLEL = "??-en/??.txt"  # below a folder, such as XOR-TyDi's question-translations
ENGLISH_FILE = "en.txt"


def import_translations(
    paths: Annotated[
        list[Path],
        Argument(
            metavar="PATH...",
            help="A folder with ar-en/ar.txt and ar-en/en.txt, ..., or files, or xor-tydi.",
        ),
    ],
    out: Annotated[Path, Option(help="JSONL; translations already in it are not repeated.")],
    provider: Annotated[str, Option(help="The source of the translations.")] = HUMAN,
    questions: Annotated[
        list[Path] | None,
        Option(
            help="JSONL with the original questions, if PATH is JSONL with English questions of "
            "the same ids, as XOR QA's authors release those of their translators. Repeatable."
        ),
    ] = None,
    answers: Annotated[
        Path | None,
        Option(
            help="JSON of English answers by question id, if PATH is JSON of their translations by "
            "the same ids; the languages are those of --questions."
        ),
    ] = None,
) -> None:
    """Record published translations into English, or of answers, for the translator `recorded`.

    XOR-TyDi publishes the human translations of its training questions; those of its development
    and test questions are not published.

    Example: xorqa translate import xor-tydi --out human.jsonl

    Example: xorqa translate import gmt_dev.jsonl --questions xor_dev_full_v1_1.jsonl --provider
    GMT --out gmt.jsonl

    Example: xorqa translate import gmt_answers.json --answers runs/eng/xor-engspan.json
    --questions xor_dev_full_v1_1.jsonl --provider GMT --out gmt-answers.jsonl
    """
    if answers is not None:
        _import_answers(paths, out, provider, questions or [], answers)
        return
    files = list(chain.from_iterable(map(_files, paths)))
    pairs: Iterable[tuple[str, str, str]] = chain.from_iterable(map(published, files))
    if questions:
        pairs, unknown = matched_by_id(map(local_or_fetched, questions), files)
        if not pairs:
            raise DataError(f"no id of {one_of(map(str, paths))} is one of --questions")
        if unknown:
            print_line(f"left out, since --questions lacks their ids: {quantity(unknown, 'row')}")
    new = add_published(out, pairs, provider=provider)
    print_line(
        f"{quantity(new, 'new translation')} by {provider} (files read: {len(files)}): {out}"
    )


def _import_answers(
    paths: Sequence[Path], out: Path, provider: str, questions: Sequence[Path], answers: Path
) -> None:
    """Record translations of English answers into the languages of the questions."""
    if not questions:
        raise ConfigError("--answers needs --questions, which have the languages")
    langs = {
        str(row.get("id")): row["lang"]
        for path in questions
        for _, row in read_jsonl(local_or_fetched(path), strings=("lang",))
    }
    english = read_answers(answers)
    new = unknown = 0
    for path in paths:
        translated = read_answers(path)
        for problem in (*english.problems, *translated.problems):
            raise DataError(f"{path}, {answers}: question '{problem.qid}': {problem.detail}")
        by_qid = english.by_qid, translated.by_qid
        added, without = add_answers(out, *by_qid, langs, provider=provider)
        new, unknown = new + added, unknown + without
    if unknown:
        print_line(f"left out, without an English answer or a language: {quantity(unknown, 'row')}")
    print_line(f"{quantity(new, 'new translation')} of answers by {provider}: {out}")


def _files(path: Path) -> list[Path]:
    """The files to read: those of a folder or a fetched publication, or the path itself.

    Raises:
        DataError: for a folder without such files.
    """
    folder = local_or_fetched(path)
    if not folder.is_dir():
        return [folder]
    files = [file for file in sorted(folder.rglob(PARALLEL)) if file.name != ENGLISH_FILE]
    if not files:
        raise DataError(f"{path} has no translations; expected files such as ar-en/ar.txt")
    return files
