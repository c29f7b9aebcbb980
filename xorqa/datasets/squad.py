"""SQuAD v1.1 (Rajpurkar et al. 2016) and XQuAD (Artetxe et al. 2020), and `xquad-open`.

XQuAD translates 1,190 questions and 240 paragraphs of SQuAD's development part by hand.
`xquad-open` asks them over everything: W_eng is all paragraphs of SQuAD v1.1, W_i the
XQuAD paragraphs of the question's language.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from ..errors import DataError
from ..formats import SquadQuestion, read_squad
from ..types import Example, Gold, Passage, Question, Span
from .corpus import Corpus
from .dataset import Dataset

XQUAD_LANGUAGES = ("ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh")
SQUAD_FILES = ("train-v1.1.json", "dev-v1.1.json")


def load_xquad_open(folder: Path) -> Dataset:
    """Questions in 12 languages, ordered so that the same question's languages are neighbours."""
    english = squad_corpus(folder / "squad")
    by_text = {passage.text: passage.docid for passage in english}
    files = {
        lang: list(read_squad(folder / "xquad" / f"xquad.{lang}.json")) for lang in XQUAD_LANGUAGES
    }
    corpora = {lang: _corpus(f"xquad.{lang}", lang, rows) for lang, rows in files.items()}
    corpora["en"] = english
    by_qid = {lang: {row.qid: row for row in rows} for lang, rows in files.items()}
    examples = []
    for source in files["en"]:
        if source.context not in by_text:
            raise DataError(
                f"{folder}: the paragraph of XQuAD question {source.qid} is not in SQuAD"
            )
        for lang in XQUAD_LANGUAGES:
            golds = [_gold(source, "en", by_text[source.context])]
            row = by_qid[lang][source.qid]
            if lang != "en":
                docid = next(p.docid for p in corpora[lang] if p.text == row.context)
                golds.append(_gold(row, lang, docid))
            question = Question(f"{row.qid}.{lang}", row.question, lang)
            examples.append(Example(question, tuple(golds), source.question, "test"))
    return Dataset(
        "xquad-open", tuple(examples), corpora,
        "XQuAD's questions over all paragraphs of SQuAD v1.1", "CC BY-SA 4.0",
    )  # fmt: skip


def squad_corpus(folder: Path) -> Corpus:
    """All paragraphs of SQuAD v1.1, train then dev, each one passage with its title."""
    rows = [row for name in SQUAD_FILES for row in read_squad(folder / name)]
    return _corpus("squad", "en", rows)


def _corpus(name: str, lang: str, rows: Iterable[SquadQuestion]) -> Corpus:
    firsts = [next(group) for _, group in groupby(rows, key=lambda row: row.paragraph)]
    return Corpus(name, [
        Passage(f"{name}-{number:05d}", row.context, row.title.replace("_", " "), lang)
        for number, row in enumerate(firsts, 1)
    ])  # fmt: skip


def _gold(row: SquadQuestion, lang: str, docid: str) -> Gold:
    return Gold(row.answers[0], lang, docid, Span(row.start, row.start + len(row.answers[0])))
