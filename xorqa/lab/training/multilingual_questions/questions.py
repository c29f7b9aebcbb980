"""Training questions in 17 languages about paragraphs of published sets, which are not stored here.

A set is a folder; that of the set `documentation` has its paragraphs, which are our own, as well.
`questions.tsv.bz2` has one question per line: its id, its split (train or validation, by article),
the paragraph's key, the answer (a span of the paragraph, or "-" if the paragraph has none) and the
English question; `<language>.txt.bz2` has the question in that language in the same line, which is
empty where there is none. In the set `parallel` every question is in all languages, in the others
in some.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ....core.errors import DataError
from ....core.lang import ENGLISH
from ....core.types import Span
from ....io.files import digest, read_fields, read_lines, write_json, write_text
from ....io.squad_xor import SquadQuestion, read_squad
from ...common.squad_json import squad_articles

ROOT = Path(__file__).parent
LANGS = tuple(sorted(path.name[:2] for path in (ROOT / "parallel").glob("??.txt.bz2")))
"""The languages besides English."""
SPLITS = TRAIN, VALIDATION = "train", "validation"
NO_ANSWER = "-"
MORE, UNANSWERABLE = "more", "unanswerable"
"""Folders of the files written."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions about the paragraphs, most of them in one language, of files in the data folder.

    Without a `publication` the paragraphs are in the set's own folder. Its files are written to
    the folder `out`.
    """

    name: str
    lang: str
    publication: str
    files: str
    out: str = MORE

    @property
    def folder(self) -> Path:
        """Where its questions are."""
        return ROOT / self.name

    def paragraphs(self, data: Path) -> list[Path]:
        """The files with its paragraphs, none if they were not fetched."""
        folder = data / self.publication if self.publication else self.folder
        return sorted(folder.glob(self.files))


PARALLEL = QuestionSet("parallel", ENGLISH, "squad", "train-v1.1.json", out=".")
SETS = (
    PARALLEL,
    QuestionSet("squad", ENGLISH, "squad", "train-v1.1.json"),
    QuestionSet("jaquad", "ja", "jaquad", "train/*.json"),
    QuestionSet("tydiqa", "ko", "tydiqa-goldp", "korean_tydiqa_train.json"),
    QuestionSet("documentation", ENGLISH, "", "paragraphs.json.bz2", out="documentation"),
)


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """An English question, its answer ("" if there is none), and its `paragraph_key`."""

    qid: str
    split: str
    paragraph: str
    answer: str
    text: str


def paragraph_key(text: str) -> str:
    """A hash of a paragraph that ignores white space."""
    return digest(" ".join(text.split()))


def english_questions(of: QuestionSet = PARALLEL) -> list[WrittenQuestion]:
    """The English questions of a set."""
    needs = "id, split, paragraph, answer and question"
    rows = read_fields(of.folder / "questions.tsv.bz2", 5, needs)
    written = (WrittenQuestion(*fields) for fields in rows)
    return [replace(one, answer="") if one.answer == NO_ANSWER else one for one in written]


def translations(lang: str, of: QuestionSet = PARALLEL) -> dict[str, str]:
    """The questions of a set in a language besides English, by id."""
    texts = read_lines(of.folder / f"{lang}.txt.bz2")
    written = english_questions(of)
    return {one.qid: text for one, text in zip(written, texts, strict=True) if text}


def write_multilingual_questions(data: Path, out: Path) -> dict[str, dict[str, int]]:
    """Write pairs with English, and SQuAD-style files; returns questions by set and language.

    `data` is the data folder with the publications of `SETS`; the sets of those that it lacks are
    left out, except SQuAD's. `train.tsv` and `validation.tsv` have pairs: a question in another
    language and the English one. `fi.json` has Finnish questions of both splits with English
    paragraphs and answers, as in MLQA's G-XLT (Lewis et al. 2020). These are of the set `parallel`;
    those of `documentation` are in a folder of that name, and those of the others in `more`, where
    `ja-fi.json` has Japanese paragraphs. `unanswerable` holds the questions without an answer.

    Raises:
        DataError: if SQuAD is missing, a file lacks a paragraph, or a paragraph its answer.
    """
    if not PARALLEL.paragraphs(data):
        raise DataError(
            f"{data / PARALLEL.publication / PARALLEL.files} is missing; "
            f"fetch it with: xorqa data fetch {PARALLEL.publication}"
        )
    counts: dict[str, dict[str, int]] = {}
    texts: dict[str, str] = {}
    for of in SETS:
        if of.paragraphs(data):
            written = english_questions(of)
            by_lang = _by_language(of, located_questions(written, of, data))
            counts[of.name] = {lang: len(questions) for lang, questions in by_lang.items()}
            for name, questions in _squad_files(of, by_lang).items():
                articles = squad_articles(questions)
                write_json(out / of.out / name, {"version": "1.1", "data": articles}, indent=None)
            for split in SPLITS:
                of_split = {one.qid: one.text for one in written if one.split == split}
                name = f"{of.out}/{split}.tsv"
                texts[name] = texts.get(name, "") + "".join(pairs(by_lang, of_split))
    for name, text in texts.items():
        write_text(out / name, text)
    return counts


def _squad_files(
    of: QuestionSet, by_lang: Mapping[str, Iterable[SquadQuestion]]
) -> dict[str, list[SquadQuestion]]:
    """The questions of each file: `fi.json`, or `ja-fi.json` over Japanese paragraphs."""
    files: dict[str, list[SquadQuestion]] = {}
    for lang, questions in by_lang.items():
        name = f"{lang}.json" if of.lang == ENGLISH else f"{of.lang}-{lang}.json"
        for question in questions:
            path = name if question.answers else f"{UNANSWERABLE}/{name}"
            files.setdefault(path, []).append(question)
    return files


def _by_language(of: QuestionSet, english: list[SquadQuestion]) -> dict[str, list[SquadQuestion]]:
    others = {lang: translated(english, translations(lang, of), lang) for lang in LANGS}
    return {ENGLISH: english} | others


def located_questions(
    written: Iterable[WrittenQuestion], of: QuestionSet, data: Path
) -> list[SquadQuestion]:
    """English questions with their paragraphs and spans, in the order of the paragraphs' files.

    Raises:
        DataError: if a file or a paragraph is missing, or a paragraph lacks its answer.
    """
    by_paragraph: dict[str, list[WrittenQuestion]] = {}
    for question in written:
        by_paragraph.setdefault(question.paragraph, []).append(question)
    questions: list[SquadQuestion] = []
    contexts: set[str] = set()
    for path in of.paragraphs(data):
        for row in read_squad(path, every_paragraph=True):
            if row.context not in contexts:
                contexts.add(row.context)
                here = by_paragraph.pop(paragraph_key(row.context), ())
                questions += (_located(question, row, path) for question in here)
    if by_paragraph:
        raise DataError(
            f"{data / of.publication} lacks {len(by_paragraph)} of the paragraphs that the "
            f"questions are about; it must be as published (xorqa data fetch {of.publication})"
        )
    return questions


def _located(question: WrittenQuestion, row: SquadQuestion, file: Path) -> SquadQuestion:
    located = replace(row, qid=question.qid, question=question.text)
    if not question.answer:
        return replace(located, answers=(), span=None)
    start = row.context.find(question.answer)
    if start < 0:
        raise DataError(f"{file}: a paragraph of '{row.title}' lacks '{question.answer}'")
    span = Span(start, start + len(question.answer))
    return replace(located, answers=(question.answer,), span=span)


def translated(
    english: Iterable[SquadQuestion], texts: Mapping[str, str], lang: str
) -> list[SquadQuestion]:
    """The questions in another language, given its texts by id."""
    return [replace(q, question=texts[q.qid], lang=lang) for q in english if q.qid in texts]


def pairs(
    by_lang: Mapping[str, Iterable[SquadQuestion]], english: Mapping[str, str]
) -> Iterable[str]:
    """The lines of a file of pairs: questions of other languages with `english` ones, by id."""
    for lang, questions in by_lang.items():
        if lang != ENGLISH:
            for question in questions:
                if question.qid in english:
                    yield f"{lang}\t{question.question}\ten\t{english[question.qid]}\n"
