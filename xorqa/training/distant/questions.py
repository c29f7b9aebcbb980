"""Questions in several languages with human English translations: XOR-TyDi's train part.

Asai et al. 2021, section 3: people translated the questions, and others answered them from
English Wikipedia.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...core.errors import DataError
from ...core.types import Example, Gold, Question
from ...io.squad_xor import read_xor
from ..bitext.layouts import published
from ..common.decontamination import bare, read_excluded

TRAIN = "xor_train_retrieve_eng_span.jsonl"

Counts = dict[str, Counter[str]]
"""By language, how many questions met which fate."""


def files_of(folder: Path) -> list[Path]:
    """The files below XOR-TyDi's folder that are read: questions, translations, development.

    Raises:
        DataError: if there is no development file, whose questions must be left out.
    """
    development = sorted(folder.glob("xor_dev_*.jsonl"))
    if not development:
        raise DataError(
            f"{folder} holds no xor_dev_*.jsonl, whose questions must be left out; "
            "xorqa data fetch xor-tydi brings them"
        )
    translations = sorted(folder.glob("question-translations/??-en/??.txt"))
    return [folder / TRAIN, *translations, *development]


def read_translated(
    folder: Path, excluded_files: Sequence[Path] = ()
) -> tuple[list[Example], Counts]:
    """XOR-TyDi's train questions with translations and English answers, and how many are not.

    Left out are those without a translation, and those that equal a development question, one
    of `excluded_files` or the translation of such, whatever their blanks, punctuation and case.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    train, *others = files_of(folder)
    translations = _translations(path for path in others if path.suffix == ".txt")
    development = [path for path in others if path.suffix == ".jsonl"]
    excluded = read_excluded([*development, *excluded_files])
    excluded |= {bare(text) for (_, own), text in translations.items() if own in excluded}
    examples: list[Example] = []
    counts: Counts = defaultdict(Counter)
    for row in read_xor(train):
        english = translations.get((row.lang, bare(row.question)), "")
        if excluded & {bare(row.question), bare(english)}:
            counts[row.lang]["an evaluation question"] += 1
        elif not english:
            counts[row.lang]["no translation"] += 1
        else:
            golds = tuple(Gold(answer, "en") for answer in row.answers)
            question = Question(row.qid, row.question, row.lang)
            examples.append(Example(question, golds, english))
    return examples, counts


def _translations(files: Iterable[Path]) -> dict[tuple[str, str], str]:
    """English by language and bare question; the first, where there are several."""
    found: dict[tuple[str, str], str] = {}
    for file in files:
        for lang, text, english in published(file) if file.name != "en.txt" else ():
            if bare(english):
                found.setdefault((lang, bare(text)), " ".join(english.split()))
    return found
