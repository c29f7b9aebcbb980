"""SQuAD's own training questions in other languages: only their translations are stored here.

`<language>.txt.bz2` has a line per question of SQuAD, empty where there is no translation. The
lines are in the order of the questions' keys, hashes of paragraph and text, since not all copies
of SQuAD have the same ids and order.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ....core.errors import DataError
from ....io.files import digest, read_lines, write_json, write_text
from ....io.squad_xor import SquadQuestion, read_squad
from ...common.squad_json import squad_articles
from .questions import PARALLEL, ROOT, pairs, paragraph_key, translated

FOLDER = ROOT / "published"
LANGS = tuple(sorted(path.name[:2] for path in FOLDER.glob("??.txt.bz2")))
ALL_KEYS = "17c94d1e3ecb1f81"
"""The digest of the keys of all questions, in order."""


def question_key(question: SquadQuestion) -> str:
    """A hash of a question's text and paragraph that ignores white space."""
    return digest(paragraph_key(question.context), " ".join(question.question.split()))[:10]


def published_translations(lang: str, keys: Iterable[str]) -> dict[str, str]:
    """The questions of SQuAD that are translated into a language, by key, of all `keys`."""
    texts = read_lines(FOLDER / f"{lang}.txt.bz2")
    return {key: text for key, text in zip(keys, texts, strict=True) if text}


def write_published_questions(data: Path, out: Path) -> dict[str, int]:
    """Write `published/train.tsv`, pairs with English, and a SQuAD-style file per language.

    `data` is the data folder with SQuAD; returns the number of questions by language.

    Raises:
        DataError: if SQuAD has other questions.
    """
    rows = keyed_questions(data)
    if digest(*rows) != ALL_KEYS:
        raise DataError(
            f"{data / PARALLEL.publication} has other questions than those that are translated; "
            f"it must be as published (xorqa data fetch {PARALLEL.publication})"
        )
    by_lang: dict[str, list[SquadQuestion]] = {}
    for lang in LANGS:
        texts = published_translations(lang, rows)
        by_lang[lang] = translated((rows[key] for key in texts), texts, lang)
        file = {"version": "1.1", "data": squad_articles(by_lang[lang])}
        write_json(out / FOLDER.name / f"{lang}.json", file, indent=None)
    english = {key: row.question for key, row in rows.items()}
    write_text(out / FOLDER.name / "train.tsv", "".join(pairs(by_lang, english)))
    return {lang: len(questions) for lang, questions in by_lang.items()}


def keyed_questions(data: Path) -> dict[str, SquadQuestion]:
    """SQuAD's questions in the order of their keys, which are their ids; some are asked twice."""
    rows: dict[str, SquadQuestion] = {}
    for path in PARALLEL.paragraphs(data):
        for row in read_squad(path):
            rows.setdefault(key := question_key(row), replace(row, qid=key))
    return dict(sorted(rows.items()))
