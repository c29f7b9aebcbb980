"""Texts with their English translations, to distil from, and English passages to read with them.

The texts are read from pair files (one pair per line: language, text, language, text), held out,
and drawn in batches. No answer is needed: a question of the passages' own files is read in its
paragraph first, every other one in the paragraphs that a retriever ranks first.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ....core.progress import Log, silent
from ....core.stages import Retriever
from ....core.types import Query, Question
from ....core.validation import NonNegative
from ....datasets.corpus import Corpus
from ....datasets.squad import build_distinct_corpus
from ....io.files import digest
from ....io.squad_xor import read_squad
from ....reading.pairs import QuestionPassage
from ..common.recipe import Source
from ..common.training_data import draw, endless_deck, is_held_out, match_key, read_pairs
from ..common.training_folder import Arrays, compute_in_chunks
from .lexicon import Lexicon, switch_words

SEARCHED_TOGETHER = 1000  # questions, between two files


DeckKey = tuple[int, str]
"""The number of a source, and a language."""


class LangText(NamedTuple):
    """A text and its English translation."""

    lang: str
    text: str
    english: str


@dataclass(frozen=True, slots=True)
class TranslationSource(Source):
    """Texts with their English translations, mixed with other sources by weight.

    Its files are pair files, or SQuAD-style JSON files of English questions,
    which are code-switched and therefore need a lexicon.
    """

    weight: NonNegative = 1.0
    langs: tuple[str, ...] = ()  # of the pairs; default: all
    license: str = ""  # of the data, for the card


def read_source(source: TranslationSource) -> Iterator[LangText]:
    """The pairs of a source: from pair files, or English questions paired with themselves."""
    for path in source.paths:
        if path.suffix == ".json":
            yield from (LangText("en", q.question, q.question) for q in read_squad(path))
            continue
        for lang, text, other, english in read_pairs([path]):
            if other == "en" and (not source.langs or lang in source.langs):
                yield LangText(lang, text, english)


def split_pairs(
    sources: Sequence[TranslationSource], excluded: frozenset[str], *, held_out: float
) -> tuple[dict[DeckKey, list[LangText]], list[LangText]]:
    """The training pairs, and those held out by a hash of their English text."""
    decks: dict[DeckKey, list[LangText]] = {}
    others: list[LangText] = []
    for number, source in enumerate(sources):
        for pair in read_source(source):
            english = match_key(pair.english)
            if english in excluded or match_key(pair.text) in excluded:
                continue
            if int(digest(english), 16) % 10_000 < held_out * 10_000:
                others.append(pair)
            else:
                decks.setdefault((number, pair.lang), []).append(pair)
    return decks, others


def draw_batches(
    decks: Mapping[DeckKey, Sequence[LangText]],
    weights: Sequence[float],
    *,
    size: int,
    count: int,
    rng: random.Random,
) -> list[list[LangText]]:
    """`count` batches; sources are drawn by weight, languages by the square root of their size."""
    roots = {key: len(deck) ** 0.5 for key, deck in decks.items()}
    totals: dict[int, float] = {}
    for (source, _), root in roots.items():
        totals[source] = totals.get(source, 0) + root
    shares = {key: weights[key[0]] * root / totals[key[0]] for key, root in roots.items()}
    endless = {key: endless_deck(deck, rng) for key, deck in decks.items()}
    return [draw(endless, shares, size, rng) for _ in range(count)]


def vary(
    pair: LangText,
    lexicon: Lexicon,
    *,
    english: float,
    code_switched: float,
    rng: random.Random,
) -> LangText:
    """The pair; for a share of them the text is the English one, unchanged or code-switched."""
    lang, text, translation = pair
    if lang != "en":
        if rng.random() >= english:
            return pair
        text = translation
    if lexicon and rng.random() < code_switched:
        lang = rng.choice(sorted(lexicon))
        return LangText(lang, switch_words(text, lexicon[lang], rng), translation)
    return LangText("en", text, translation)


def sample_languages(pairs: Iterable[LangText], size: int, rng: random.Random) -> list[LangText]:
    """At most `size` pairs, with about the same number from each language."""
    by_lang: dict[str, list[LangText]] = {}
    for pair in pairs:
        by_lang.setdefault(pair.lang, []).append(pair)
    per_lang = size // max(1, len(by_lang))
    return [
        pair
        for lang in sorted(by_lang)
        for pair in rng.sample(by_lang[lang], min(per_lang, len(by_lang[lang])))
    ]


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
        key: [pair for pair in deck if match_key(pair.english) not in held_out]
        for key, deck in decks.items()
    }
    others = [p for deck in decks.values() for p in deck if match_key(p.english) in held_out]
    return {key: deck for key, deck in trained.items() if deck}, others


def rank_passages(
    english: Iterable[str],
    corpus: Corpus,
    make_retriever: Callable[..., Retriever],
    *,
    depth: int,
    folder: Path,
    report: Log = silent,
) -> dict[str, list[str]]:
    """The texts of the first `depth` passages for each English question.

    They stay in `folder`, as does the index.
    """
    questions = sorted(set(english))
    retriever = make_retriever(corpus=corpus, folder=folder / "index")
    retriever.build(progress=lambda done, total: report(f"indexed {done} of {total}"))
    positions = {passage.docid: position for position, passage in enumerate(corpus.passages)}

    def search(chunk: Sequence[str]) -> Arrays:
        queries = [Query(Question(text, text, "en"), text, "en") for text in chunk]
        ranked = np.full((len(chunk), depth), -1, np.int32)
        for row, hits in zip(ranked, retriever.retrieve(queries, k=depth), strict=True):
            row[: len(hits)] = [positions[hit.passage.docid] for hit in hits]
        return {"positions": ranked}

    chunks = compute_in_chunks(
        questions,
        search,
        folder=folder / "passages",
        depends_on={"retriever": retriever.fingerprint(), "corpus": corpus.sha, "depth": depth},
        size=SEARCHED_TOGETHER,
        progress=lambda done, total: report(f"passages of {done} of {total} questions"),
    )
    rows = (row for chunk in chunks for row in chunk["positions"])
    return {
        question: [corpus.passages[position].text for position in row if position >= 0]
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
        containing = paragraphs.by_question.get(match_key(english), ())
        passages = list(dict.fromkeys([*containing, *ranked[english]]))[:depth]
        weights = [1 / rank for rank in range(1, len(passages) + 1)]
        if passages:
            [passage] = rng.choices(passages, weights)
            questions.append(TranslatedQuestion(lang, text, english, passage))
    return questions
