"""`chooser-train`: questions over two Wikipedias to train an answer chooser on, none to judge by.

In-language questions are TyDi GoldP's train part (ko, sw), ARCD's (ar) and JaQuAD's without the
fifth that `tydi-open` asks; of the articles in the last fifth by title hash the gold paragraphs
are taken out of W_i, so that these questions are answered nowhere. Cross-lingual ones are
XOR-TyDi's train questions for which distant supervision found an English passage, with English
answers only; W_eng is the paragraphs of SQuAD's and TyDi's English train parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ..core.errors import DataError
from ..core.types import Example, Gold, Question
from ..io.files import digest
from ..io.squad_xor import SquadQuestion, XorQuestion, read_squad, read_xor
from .corpus import Corpus
from .dataset import Dataset
from .sources import JAQUAD
from .squad import as_corpus, by_text
from .subsets import ENGLISH, TARGET, title_hash
from .tydi import HELD_OUT

NOWHERE: Final = "nowhere"
"""`Example.answered_in` of questions that neither Wikipedia answers."""

DISTANT = "distant/xor-tydi.json"
QUESTIONS = "xor_train_retrieve_eng_span.jsonl"
MOST = 1000  # in-language questions of one language, by their ids' hash
TAKEN_OUT = 0.8  # articles with a title hash of at least this lose their gold paragraphs

_ENGLISH = ("squad/train-v1.1.json", "tydiqa-goldp/english_tydiqa_train.json")
_OWN = {
    "ar": ("arcd/arcd-train.json",),
    "ja": tuple(f"jaquad/{file}" for file in JAQUAD),
    "ko": ("tydiqa-goldp/korean_tydiqa_train.json",),
    "sw": ("tydiqa-goldp/swahili_tydiqa_train.json",),
}


def load_chooser_train(folder: Path) -> Dataset:
    """The questions language by language, in-language ones first.

    Raises:
        DataError: if a file is missing or of another layout, or a distant pair's passage or
            question is not among those named above.
    """
    english = _paragraphs("en", _rows(folder, _ENGLISH))
    examples: list[Example] = []
    corpora = {"en": english}
    for lang, files in _OWN.items():
        rows = [
            row for row in _rows(folder, files) if lang != "ja" or title_hash(row.title) >= HELD_OUT
        ]
        kept = [row for row in rows if title_hash(row.title) < TAKEN_OUT]
        corpora[lang] = _paragraphs(lang, kept)
        examples += _in_language(rows, lang, by_text(corpora[lang]))
    examples += _cross_lingual(folder, by_text(english))
    return Dataset("chooser-train", tuple(examples), corpora)


def _rows(folder: Path, files: Iterable[str]) -> list[SquadQuestion]:
    return [row for file in files for row in read_squad(folder / file) if row.answers]


def _paragraphs(lang: str, rows: Iterable[SquadQuestion]) -> Corpus:
    """Each paragraph once."""
    first: dict[str, SquadQuestion] = {}
    for row in rows:
        first.setdefault(row.context, row)
    return as_corpus(f"chooser-train.{lang}", lang, first.values())


def _in_language(rows: Iterable[SquadQuestion], lang: str, docids: dict[str, str]) -> list[Example]:
    """Where a paragraph was taken out, its gold keeps the text alone."""
    chosen = sorted(rows, key=lambda row: digest(row.qid))[:MOST]
    return [
        Example(
            Question(f"{lang}-{row.qid}", row.question.strip(), lang),
            (
                Gold(row.answers[0], lang, docids.get(row.context)),
                *(Gold(text, lang) for text in dict.fromkeys(row.answers[1:])),
            ),
            answered_in=TARGET if row.context in docids else NOWHERE,
        )
        for row in chosen
    ]


def _cross_lingual(folder: Path, docids: dict[str, str]) -> list[Example]:
    """XOR-TyDi's questions that the distant pairs have, by their file's order."""
    path = folder / DISTANT
    if not path.is_file():
        raise DataError(
            f"{path} is missing; make it with: xorqa data distant --with-english --out {path}"
        )
    asked = {row.qid: row for row in read_xor(folder / "xor-tydi" / QUESTIONS)}
    found: dict[str, list[Gold]] = {}
    english: dict[str, str] = {}
    for pair in read_squad(path):
        qid = pair.qid.removesuffix("-en").rpartition("-")[0]
        if qid not in asked or pair.context not in docids:
            raise DataError(f"{path}: pair {pair.qid} is not of these questions and passages")
        if pair.qid.endswith("-en"):
            english[qid] = pair.question
        else:
            gold = Gold(pair.answers[0], "en", docids[pair.context])
            found.setdefault(qid, []).append(gold)
    return [_example(asked[qid], golds, english.get(qid)) for qid, golds in found.items()]


def _example(row: XorQuestion, golds: list[Gold], english: str | None) -> Example:
    others = (Gold(text, "en") for text in row.answers)
    return Example(Question(row.qid, row.question, row.lang), (*golds, *others), english, ENGLISH)
