"""SQuAD's own training questions in other languages: only their translations are stored here.

`<language>.txt.bz2` has a line per question of SQuAD, empty where there is no translation. The
lines are in the order of the questions' keys, hashes of paragraph and text, since not all copies
of SQuAD have the same ids and order. Those of articles that recipes hold out are for validation.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ....core.errors import DataError
from ....io.files import digest, read_lines, write_json, write_text
from ....io.squad_xor import SquadQuestion, read_squad
from ...common.squad_json import squad_articles
from ..common.training_data import is_held_out
from .questions import PARALLEL, ROOT, SPLITS, TRAIN, VALIDATION, pairs, paragraph_key, translated

FOLDER = ROOT / "published"
LANGS = tuple(sorted(path.name[:2] for path in FOLDER.glob("??.txt.bz2")))
ALL_KEYS = "17c94d1e3ecb1f81"
"""The digest of the keys of all questions, in order."""
HELD_OUT = 0.05
"""The share of SQuAD's articles that recipes hold out."""


def question_key(question: SquadQuestion) -> str:
    """A hash of a question's text and paragraph that ignores white space."""
    return digest(paragraph_key(question.context), " ".join(question.question.split()))[:10]


def published_translations(lang: str, keys: Iterable[str]) -> dict[str, str]:
    """The questions of SQuAD that are translated into a language, by key, of all `keys`."""
    texts = read_lines(FOLDER / f"{lang}.txt.bz2")
    return {key: text for key, text in zip(keys, texts, strict=True) if text}


def write_published_questions(data: Path, out: Path) -> dict[str, dict[str, int]]:
    """Write pairs with English, and a SQuAD-style file per language, of each split.

    `data` is the data folder with SQuAD; returns the number of questions by folder and language.
    The folder `published` has `train.tsv`, `validation.tsv` and the training questions, such as
    `fi.json`; those for validation are in its folder `validation`.

    Raises:
        DataError: if SQuAD has other questions.
    """
    rows = keyed_questions(data)
    if digest(*rows) != ALL_KEYS:
        raise DataError(
            f"{data / PARALLEL.publication} has other questions than those that are translated; "
            f"it must be as published (xorqa data fetch {PARALLEL.publication})"
        )
    texts = {lang: published_translations(lang, rows) for lang in LANGS}
    counts: dict[str, dict[str, int]] = {}
    for split in SPLITS:
        of_split = [row for row in rows.values() if _split(row) == split]
        by_lang = {lang: translated(of_split, texts[lang], lang) for lang in LANGS}
        folder = FOLDER.name if split == TRAIN else f"{FOLDER.name}/{split}"
        counts[folder] = {lang: len(questions) for lang, questions in by_lang.items()}
        for lang, questions in by_lang.items():
            if questions:
                file = {"version": "1.1", "data": squad_articles(questions)}
                write_json(out / folder / f"{lang}.json", file, indent=None)
        english = {row.qid: row.question for row in of_split}
        write_text(out / FOLDER.name / f"{split}.tsv", "".join(pairs(by_lang, english)))
    return counts


def _split(question: SquadQuestion) -> str:
    return VALIDATION if is_held_out(question, HELD_OUT) else TRAIN


def keyed_questions(data: Path) -> dict[str, SquadQuestion]:
    """SQuAD's questions in the order of their keys, which are their ids; some are asked twice."""
    rows: dict[str, SquadQuestion] = {}
    for path in PARALLEL.paragraphs(data):
        for row in read_squad(path):
            rows.setdefault(key := question_key(row), replace(row, qid=key))
    return dict(sorted(rows.items()))
