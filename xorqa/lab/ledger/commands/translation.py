"""`xorqa eval translation`: the quality of translations of questions into or from English."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Option

from ....cli.options import Output, with_groups
from ....cli.show import counted, progress
from ....core.config import stage_table
from ....core.errors import ConfigError, DataError, MissingExtraError
from ....core.progress import quantity
from ....core.registry import build
from ....datasets.catalog import data_file
from ....io.cache import Cache, stage_cache
from ....io.files import read_lines
from ....metrics.report import Report
from ....tables.grid import score_grid
from ...common.translate_texts import translate_texts
from ...common.translation_measures import PAPER_MT, comparable_with_paper, score_translations
from ...training.common.training_data import Pair, read_pairs

COPY, LEXICON, ENGLISH = "copy", "lexicon", "en"
PAPER = "paper's MT on XOR dev (another test set)"


@with_groups
def translation(
    data: Annotated[
        Path, Option(help="Tab-separated pairs: language, text, language, translation.")
    ],
    output: Output,
    system: Annotated[
        list[str] | None,
        Option(help="A name, a translator.safetensors or {use = '...', ...}; repeatable."),
    ] = None,
    pred: Annotated[
        list[Path] | None, Option(help="Translations, one per line; repeatable.")
    ] = None,
) -> None:
    """BLEU, chrF and entity recall of translations into or from English, per other language.

    Baselines are copying the question and, into English, the lexicon if installed. Entities are the
    reference's words with a capital (the first word needs two) or a digit.

    Example: xorqa eval translation --data held-out.tsv --system bundled
    """
    pairs = read_pairs([data_file(data)])
    cache, reports = stage_cache(), {}
    into_english = all(pair[2] == ENGLISH for pair in pairs)
    baselines = [COPY, LEXICON] if into_english else [COPY]
    for name in dict.fromkeys([*baselines, *(system or ())]):
        try:
            reports[name] = _score(_translated(name, pairs, cache), pairs)
        except MissingExtraError as missing:
            if name != LEXICON or LEXICON in (system or ()):
                raise
            output.aside(f"without the lexicon: {missing}")
    for path in pred or ():
        if path.name in reports:
            raise ConfigError(f"--pred {path}: another system is called {path.name} already")
        reports[path.name] = _score(_read(path, pairs), pairs)
    output.write_json({name: report.to_json() for name, report in reports.items()})
    counts = reports[COPY].n
    comparable = comparable_with_paper(counts)
    paper = {PAPER: PAPER_MT} if comparable and into_english else {}
    grid = score_grid("translation", reports | paper)
    output.print_grid(grid)
    languages = "the paper's six languages" if comparable else "all languages of the data"
    output.aside(f"pairs: {counted(counts)}; the macro average is over {languages}")


def _score(translations: Sequence[str], pairs: Sequence[Pair]) -> Report:
    return score_translations(
        translations,
        [pair[3] for pair in pairs],
        [pair[0] if pair[2] == ENGLISH else pair[2] for pair in pairs],
    )


def _read(path: Path, pairs: Sequence[Pair]) -> list[str]:
    lines = read_lines(path)
    if len(lines) != len(pairs):
        raise DataError(
            f"{path} has {quantity(len(lines), 'line')} for {quantity(len(pairs), 'pair')}"
        )
    return lines


def _translated(name: str, pairs: Sequence[Pair], cache: Cache) -> list[str]:
    if name == COPY:
        return [pair[1] for pair in pairs]
    is_file = name.endswith(".safetensors")
    table = {"use": "bundled", "model": name} if is_file else stage_table(name)
    translator = build("translator", table)
    translations: dict[tuple[str, str, str], str] = {}
    with progress() as show:
        for lang, to in sorted({(pair[0], pair[2]) for pair in pairs}):
            texts = [pair[1] for pair in pairs if (pair[0], pair[2]) == (lang, to)]
            report = partial(show, f"{name} {lang} {to}")
            translated = translate_texts(
                translator, texts, lang=lang, to=to, cache=cache, progress=report
            )
            translations |= {(lang, text, to): output for text, output in translated.items()}
    return [translations.get(pair[:3], pair[1]) for pair in pairs]
