"""Training questions in 17 languages about English paragraphs: stored without the paragraphs.

`questions.tsv` has one question per line: its id, its split (train or validation, by article), the
paragraph's key, the answer (a span of the paragraph) and the English question; `<language>.tsv` has
an id and the question in that language. The paragraphs are SQuAD v1.1's (train) and come from its
file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ....core.errors import DataError
from ....core.types import Span
from ....io.files import digest, read_fields, write_json, write_text
from ....io.squad_xor import SquadQuestion, read_squad, squad_articles

FOLDER = Path(__file__).parent
ENGLISH = FOLDER / "questions.tsv"
LANGS = tuple(sorted(path.stem for path in FOLDER.glob("??.tsv")))
"""The languages besides English."""
SPLITS = ("train", "validation")


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """An English question, its answer, and the key of its paragraph (`paragraph_key`)."""

    qid: str
    split: str
    paragraph: str
    answer: str
    text: str


def paragraph_key(text: str) -> str:
    """A hash of a paragraph that ignores white space."""
    return digest(" ".join(text.split()))


def english_questions() -> list[WrittenQuestion]:
    """The bundled English questions."""
    needs = "id, split, paragraph, answer and question"
    return [WrittenQuestion(*fields) for fields in read_fields(ENGLISH, 5, needs)]


def translations(lang: str) -> dict[str, str]:
    """The bundled questions in a language besides English, by id."""
    path = FOLDER / f"{lang}.tsv"
    return {qid: text for qid, text in read_fields(path, 2, "id and question")}  # noqa: C416


def write_multilingual_questions(squad: Path, out: Path) -> dict[str, int]:
    """Write pairs with English and a SQuAD-style file per language; returns questions by language.

    `squad` is SQuAD v1.1's training file. `train.tsv` and `validation.tsv` have pairs: a question
    in another language and the English one. The SQuAD-style files have the questions of both
    splits with the English paragraphs and answers, as in MLQA's G-XLT (Lewis et al. 2020).

    Raises:
        DataError: if the file lacks a paragraph, or a paragraph lacks its answer.
    """
    written = english_questions()
    english = located_questions(written, squad)
    by_lang = {"en": english} | {
        lang: _translated(english, translations(lang), lang) for lang in LANGS
    }
    for lang, questions in by_lang.items():
        data: dict[str, Any] = {"version": "1.1", "data": squad_articles(questions)}
        write_json(out / f"{lang}.json", data, indent=None)
    for split in SPLITS:
        of_split = {q.qid: q.text for q in written if q.split == split}
        write_text(out / f"{split}.tsv", "".join(_pairs(by_lang, of_split)))
    return {lang: len(questions) for lang, questions in by_lang.items()}


def located_questions(written: Iterable[WrittenQuestion], squad: Path) -> list[SquadQuestion]:
    """English questions with their paragraphs and spans, in the order of SQuAD's training file.

    Raises:
        DataError: if the file lacks a paragraph, or a paragraph lacks its answer.
    """
    by_paragraph: dict[str, list[WrittenQuestion]] = {}
    for question in written:
        by_paragraph.setdefault(question.paragraph, []).append(question)
    questions: list[SquadQuestion] = []
    contexts: set[str] = set()
    for row in read_squad(squad):
        if row.context not in contexts:
            contexts.add(row.context)
            here = by_paragraph.pop(paragraph_key(row.context), ())
            questions += (_located(question, row, squad) for question in here)
    if by_paragraph:
        raise DataError(
            f"{squad} lacks {len(by_paragraph)} of the paragraphs that the questions are about; "
            "it must be SQuAD v1.1's training file (xorqa data fetch squad)"
        )
    return questions


def _located(question: WrittenQuestion, row: SquadQuestion, squad: Path) -> SquadQuestion:
    start = row.context.find(question.answer)
    if start < 0:
        raise DataError(f"{squad}: a paragraph of '{row.title}' lacks '{question.answer}'")
    span = Span(start, start + len(question.answer))
    return replace(
        row, qid=question.qid, question=question.text, answers=(question.answer,), span=span
    )


def _translated(
    english: Iterable[SquadQuestion], texts: Mapping[str, str], lang: str
) -> list[SquadQuestion]:
    return [replace(q, question=texts[q.qid], lang=lang) for q in english if q.qid in texts]


def _pairs(
    by_lang: Mapping[str, Iterable[SquadQuestion]], english: Mapping[str, str]
) -> Iterable[str]:
    for lang, questions in by_lang.items():
        if lang != "en":
            for question in questions:
                if question.qid in english:
                    yield f"{lang}\t{question.question}\ten\t{english[question.qid]}\n"
