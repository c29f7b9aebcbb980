"""Questions in several languages with human English translations: XOR-TyDi's training split.

Asai et al. 2021, section 2.1: the questions were translated by people, and answered from English
Wikipedia.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from ....core.errors import DataError
from ....core.types import Example, Gold, Question
from ....io.squad_xor import read_xor
from ..bitext.layouts import published
from ..common.training_data import match_key, read_excluded

TRAIN = "xor_train_retrieve_eng_span.jsonl"

Counts = dict[str, Counter[str]]
"""By language, the number of questions per outcome."""


def files_of(folder: Path) -> list[Path]:
    """The files to read in XOR-TyDi's folder: questions, translations, development questions.

    Raises:
        DataError: if there is no development file, which decontamination needs.
    """
    development = sorted(folder.glob("xor_dev_*.jsonl"))
    if not development:
        raise DataError(
            f"{folder} contains no xor_dev_*.jsonl, whose questions must be excluded; "
            "get them with: xorqa data fetch xor-tydi"
        )
    translations = sorted(folder.glob("question-translations/??-en/??.txt"))
    return [folder / TRAIN, *translations, *development]


def read_translated(
    folder: Path, excluded_files: Sequence[Path] = ()
) -> tuple[list[Example], Counts]:
    """XOR-TyDi's training questions with translations and English answers, and counts of all.

    Questions are left out if they have no translation, or the match key of a development
    question, of one in `excluded_files`, or of a translation of either.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    train, *others = files_of(folder)
    translations = _translations(path for path in others if path.suffix == ".txt")
    development = [path for path in others if path.suffix == ".jsonl"]
    excluded = read_excluded([*development, *excluded_files])
    excluded |= {match_key(text) for (_, key), text in translations.items() if key in excluded}
    examples: list[Example] = []
    counts: Counts = defaultdict(Counter)
    for row in read_xor(train):
        english = translations.get((row.lang, match_key(row.question)), "")
        if excluded & {match_key(row.question), match_key(english)}:
            counts[row.lang]["an evaluation question"] += 1
        elif not english:
            counts[row.lang]["no translation"] += 1
        else:
            golds = tuple(Gold(answer, "en") for answer in row.answers)
            question = Question(row.qid, row.question, row.lang)
            examples.append(Example(question, golds, english))
    return examples, counts


def _translations(files: Iterable[Path]) -> dict[tuple[str, str], str]:
    """The English translation by language and match key; of several, the first."""
    translations: dict[tuple[str, str], str] = {}
    for file in files:
        for lang, text, english in published(file) if file.name != "en.txt" else ():
            if match_key(english):
                translations.setdefault((lang, match_key(text)), " ".join(english.split()))
    return translations
