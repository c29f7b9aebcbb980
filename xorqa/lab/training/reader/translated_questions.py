"""Questions to distil: texts with their English translations, and English passages to read.

No answer is needed. A question of the passages' own files is read in its paragraph first, every
other one in the paragraphs that a retriever ranks first.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ....core.progress import Log, silent
from ....core.stages import Retriever
from ....core.types import Query, Question
from ....datasets.corpus import Corpus
from ....datasets.squad import build_distinct_corpus
from ....io.squad_xor import read_squad
from ....reading.pairs import QuestionPassage
from ..bitext.translations import DeckKey, LangText
from ..common.chunks import Arrays, compute_in_chunks
from ..common.decontamination import match_key
from .windows import is_held_out

CHUNK = 1000  # questions searched between two files


class TranslatedQuestion(NamedTuple):
    """A question, what the teacher reads instead, and the passage of both."""

    lang: str
    text: str
    english: str
    passage: str

    @property
    def of_teacher(self) -> QuestionPassage:
        """What the teacher reads."""
        return QuestionPassage(self.english, self.passage)


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """The paragraphs to train on, and those that contain a question, by its match key.

    Questions of `held_out` are about articles that are not trained on.
    """

    corpus: Corpus
    by_question: Mapping[str, Sequence[str]]
    held_out: frozenset[str]


def read_paragraphs(files: Iterable[Path], held_out: float) -> Paragraphs:
    """The paragraphs of SQuAD-style files, and those of a share of the articles apart."""
    rows = [row for file in files for row in read_squad(file)]
    by_question: dict[str, dict[str, None]] = {}
    for row in rows:
        by_question.setdefault(match_key(row.question), {})[row.context] = None
    held = {match_key(row.question) for row in rows if is_held_out(row, held_out)}
    trained = (row for row in rows if not is_held_out(row, held_out))
    corpus = build_distinct_corpus("passages", "en", trained)
    contexts = {key: tuple(contexts) for key, contexts in by_question.items()}
    return Paragraphs(corpus, contexts, frozenset(held))


def hold_out_articles(
    decks: Mapping[DeckKey, Sequence[LangText]], held_out: frozenset[str]
) -> tuple[dict[DeckKey, list[LangText]], list[LangText]]:
    """The decks without the questions of held-out articles, and these questions."""
    trained = {
        key: [pair for pair in deck if match_key(pair[2]) not in held_out]
        for key, deck in decks.items()
    }
    others = [p for deck in decks.values() for p in deck if match_key(p[2]) in held_out]
    return {key: deck for key, deck in trained.items() if deck}, others


def rank_passages(
    english: Iterable[str],
    corpus: Corpus,
    make_retriever: Callable[[], Retriever],
    *,
    depth: int,
    folder: Path,
    report: Log = silent,
) -> dict[str, list[str]]:
    """The texts of the first `depth` passages for each English question; they stay in `folder`."""
    questions = sorted(set(english))
    retriever = make_retriever()
    retriever.build(progress=lambda done, total: report(f"indexed {done} of {total}"))
    position = {passage.docid: at for at, passage in enumerate(corpus.passages)}

    def search(chunk: Sequence[str]) -> Arrays:
        queries = [Query(Question(text, text, "en"), text, "en") for text in chunk]
        ranked = np.full((len(chunk), depth), -1, np.int32)
        for row, hits in zip(ranked, retriever.retrieve(queries, k=depth), strict=True):
            row[: len(hits)] = [position[hit.passage.docid] for hit in hits]
        return {"positions": ranked}

    chunks = compute_in_chunks(
        questions,
        search,
        folder=folder / "passages",
        depends_on={"retriever": retriever.fingerprint(), "corpus": corpus.sha, "depth": depth},
        size=CHUNK,
        progress=lambda done, total: report(f"passages of {done} of {total} questions"),
    )
    rows = (row for chunk in chunks for row in chunk["positions"])
    return {
        question: [corpus.passages[at].text for at in row if at >= 0]
        for question, row in zip(questions, rows, strict=True)
    }


def with_passages(
    pairs: Iterable[LangText],
    paragraphs: Paragraphs,
    ranked: Mapping[str, Sequence[str]],
    *,
    depth: int,
    rng: random.Random,
) -> list[TranslatedQuestion]:
    """Each question with one of its first `depth` passages; that of rank r has weight 1/r.

    A question without a passage is dropped.
    """
    questions = []
    for lang, text, english in pairs:
        own = paragraphs.by_question.get(match_key(english), ())
        passages = list(dict.fromkeys([*own, *ranked[english]]))[:depth]
        weights = [1 / rank for rank in range(1, len(passages) + 1)]
        if passages:
            [passage] = rng.choices(passages, weights)
            questions.append(TranslatedQuestion(lang, text, english, passage))
    return questions
