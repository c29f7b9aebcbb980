"""SQuAD's own training questions in other languages: their ids and translations are stored here.

`ids.txt.bz2` has the id of a question per line; `<language>.txt.bz2` its translation in the same
line, which is empty where there is none.
"""

from pathlib import Path

from ....core.errors import DataError
from ....io.files import read_lines, write_json, write_text
from ....io.squad_xor import SquadQuestion, read_squad
from ...common.squad_json import squad_articles
from .questions import PARALLEL, ROOT, pairs, translated

FOLDER = ROOT / "published"
LANGS = tuple(sorted(path.name[:2] for path in FOLDER.glob("??.txt.bz2")))


def published_translations(lang: str) -> dict[str, str]:
    """The questions of SQuAD that are translated into a language, by id."""
    texts = read_lines(FOLDER / f"{lang}.txt.bz2")
    return {qid: text for qid, text in zip(_ids(), texts, strict=True) if text}


def write_published_questions(data: Path, out: Path) -> dict[str, int]:
    """Write `published/train.tsv`, pairs with English, and a SQuAD-style file per language.

    `data` is the data folder with SQuAD; returns the number of questions by language.

    Raises:
        DataError: if SQuAD lacks a question.
    """
    rows = {row.qid: row for path in PARALLEL.paragraphs(data) for row in read_squad(path)}
    ids = _ids()
    english = {qid: rows[qid].question for qid in ids if qid in rows}
    if missing := len(ids) - len(english):
        raise DataError(
            f"{data / PARALLEL.publication} lacks {missing} of the questions that are translated; "
            f"it must be as published (xorqa data fetch {PARALLEL.publication})"
        )
    by_lang: dict[str, list[SquadQuestion]] = {}
    for lang in LANGS:
        texts = published_translations(lang)
        by_lang[lang] = translated((rows[qid] for qid in texts), texts, lang)
        file = {"version": "1.1", "data": squad_articles(by_lang[lang])}
        write_json(out / FOLDER.name / f"{lang}.json", file, indent=None)
    write_text(out / FOLDER.name / "train.tsv", "".join(pairs(by_lang, english)))
    return {lang: len(questions) for lang, questions in by_lang.items()}


def _ids() -> list[str]:
    return read_lines(FOLDER / "ids.txt.bz2")
