"""`xquad-mixed` and `te-mixed`: parallel questions whose answer stands in one Wikipedia only.

Articles are halved by a hash of their title. For the first half the gold paragraphs are taken
out of W_i, so that the answer stands only in W_eng; for the second out of W_eng. Where TyDi
GoldP has paragraphs in a language, they are added to its W_i.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.errors import DataError
from ..core.types import AnsweredIn, Example, Gold, Passage, Question, Span
from ..io.files import read_lines
from ..io.squad_xor import SquadQuestion, read_squad
from .corpus import Corpus
from .dataset import Dataset
from .squad import by_text, load_xquad_open, squad_corpus
from .subsets import ENGLISH, TARGET, title_hash
from .tydi import DEV_LANGUAGES, tydi_corpus

_TEQUAD = (
    "con_eng",
    "que_eng",
    "real_con_tel",
    "que_tel",
    "corrected_ans_tel",
    "translated_ans_tel",
)


def load_xquad_mixed(folder: Path) -> Dataset:
    """XQuAD's questions in 11 languages, English apart.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    whole = load_xquad_open(folder)
    asked = [example for example in whole.examples if example.question.lang != "en"]
    wide = replace(
        whole,
        examples=tuple(asked),
        corpora={lang: _widened(corpus, lang, folder) for lang, corpus in whole.corpora.items()},
    )
    return halve(wide, name="xquad-mixed")


def load_te_mixed(folder: Path) -> Dataset:
    """TeQuAD's questions that SQuAD v1.1 asks too.

    About half of TeQuAD's lines are questions of SQuAD v2.0 that no passage answers, with an
    answer that only looks plausible: they are left out, by their English line. A question's
    English form and gold are SQuAD's own, which TeQuAD's English lines repeat in tokens.

    Raises:
        DataError: if a file is missing or of another layout, or its lines are not parallel.
    """
    english = squad_corpus(folder / "squad")
    lines = _tequad(folder)
    texts = dict.fromkeys(line.telugu for line in lines)
    telugu = Corpus(
        "tequad",
        [Passage(f"tequad-{number:05d}", text, lang="te") for number, text in enumerate(texts, 1)],
    )
    docids = by_text(english), by_text(telugu)
    whole = Dataset(
        "te-open",
        tuple(_example(line, *docids) for line in lines),
        {"en": english, "te": _widened(telugu, "te", folder)},
    )
    return halve(whole, name="te-mixed")


def halve(dataset: Dataset, *, name: str) -> Dataset:
    """The same questions, each with its gold paragraphs taken out of one of two corpora.

    Every question must have a gold passage in English and in its own language. All paragraphs
    with a gold paragraph's text are taken out; a gold whose place is gone keeps its text.
    """
    gone: dict[str, set[str]] = defaultdict(set)
    examples = []
    for example in dataset.examples:
        where, lang = _where(example, dataset.corpora["en"]), example.question.lang
        emptied = lang if where == ENGLISH else "en"
        gone[emptied] |= {
            dataset.corpora[emptied][gold.docid].text
            for gold in example.golds
            if gold.lang == emptied and gold.docid
        }
        golds = (
            Gold(gold.text, gold.lang) if gold.lang == emptied else gold for gold in example.golds
        )
        examples.append(replace(example, golds=tuple(golds), answered_in=where))
    corpora = {
        lang: Corpus(f"{name}.{lang}", (one for one in corpus if one.text not in gone[lang]))
        for lang, corpus in dataset.corpora.items()
    }
    return Dataset(name, tuple(examples), corpora)


def _where(example: Example, english: Corpus) -> AnsweredIn:
    docid = next(gold.docid for gold in example.golds if gold.lang == "en" and gold.docid)
    title = english[docid].title.replace(" ", "_")  # as SQuAD's files write it
    return ENGLISH if title_hash(title) < 0.5 else TARGET


def _widened(corpus: Corpus, lang: str, folder: Path) -> Corpus:
    if lang == "en" or lang not in DEV_LANGUAGES:
        return corpus
    return Corpus(corpus.name, [*corpus, *tydi_corpus(folder / "tydiqa-goldp", lang)])


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of TeQuAD: SQuAD's question and paragraph, and both in Telugu with the answers."""

    squad: SquadQuestion
    question: str
    telugu: str
    answers: tuple[str, ...]


def _tequad(folder: Path) -> list[_Line]:
    columns = [read_lines(folder / "tequad" / f"{name}.txt") for name in _TEQUAD]
    if len(set(map(len, columns))) > 1:
        raise DataError(f"{folder / 'tequad'}: the files do not have the same number of lines")
    known = {
        (_letters(row.context), _letters(row.question)): row
        for row in read_squad(folder / "squad" / "dev-v1.1.json")
    }
    rows = (
        (known.get((_letters(c), _letters(q))), *rest) for c, q, *rest in zip(*columns, strict=True)
    )
    return [
        _Line(row, question, telugu, tuple(dict.fromkeys(answers)))
        for row, telugu, question, *answers in rows
        if row
    ]


def _letters(text: str) -> str:
    """What two ways of writing the same text share."""
    return re.sub(r"[\W_]+", "", text).casefold()


def _example(line: _Line, english: dict[str, str], telugu: dict[str, str]) -> Example:
    """The first Telugu answer stands in the paragraph; it is taken where it stands first."""
    row, (text, *others) = line.squad, line.answers
    start = line.telugu.find(text)
    if start < 0:
        raise DataError(f"tequad: the answer of '{line.question}' is not in its paragraph")
    golds = [
        Gold(row.answers[0], "en", english[row.context], row.span),
        Gold(text, "te", telugu[line.telugu], Span(start, start + len(text))),
        *(Gold(other, "te") for other in others),
    ]
    return Example(Question(f"{row.qid}.te", line.question, "te"), tuple(golds), row.question)
