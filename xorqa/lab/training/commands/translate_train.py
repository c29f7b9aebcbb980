"""`xorqa translate train`: MLQA's translate-train."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.show import counted, print_line, progress
from ....cli.translate import TranslatorOption, build_translator
from ....core.errors import DataError
from ....core.progress import quantity
from ....datasets.catalog import data_file
from ....io.cache import stage_cache
from ....io.files import sha256, write_json
from ....io.squad_xor import squad_articles
from ...parallel_files import squad_questions
from ..translate_train import translate as training


def translate_train(
    file: Annotated[Path, Argument(help="SQuAD-style JSON.")],
    translator: TranslatorOption,
    to: Annotated[str, Option(help="The language to translate into: de.")],
    out: Annotated[Path, Option(help="SQuAD-style JSON, with a card of counts beside it.")],
    source: Annotated[str, Option("--from", help="The file's language.")] = "en",
) -> None:
    """Translate training data, with the answers in quotation marks to locate them again.

    Contexts are translated sentence by sentence. An answer whose quotation marks were lost is
    located by its own translation; otherwise the question is left out. The card (OUT.card.json)
    counts how the answers were located.

    Example: xorqa translate train train-v1.1.json --translator my_mt:MyTranslator
    --to de --out squad.de.json
    """
    stage, table = build_translator(translator)
    file = data_file(file)
    questions = squad_questions(file)
    unanswered = next((question.qid for question in questions if not question.answers), None)
    if unanswered is not None:
        raise DataError(f"{file}: question '{unanswered}' has no answer to learn from")
    with progress() as report:
        translated = training.translate_train(
            questions, stage, lang=source, to=to, cache=stage_cache(), progress=report
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
            "to": to,
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
