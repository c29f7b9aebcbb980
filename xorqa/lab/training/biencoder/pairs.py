"""Questions with the sentence or passage that answers them, from SQuAD-style files.

An item has each side in one or more languages. The other languages come from files parallel by
question id (a translated SQuAD), from questions with a language of their own (those of `xorqa data
distant`), or, for questions only, from translations of the same question (XOR-TyDi's include a few
of TyDi GoldP's Korean ones). SQuAD, TyDi GoldP and JaQuAD as published are each in one language.
XQuAD is parallel, but LAReQA is evaluated on it: never train on it.
"""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ....core.errors import ConfigError, DataError, Notice
from ....core.lang import ENGLISH, LANGUAGES, in_name
from ....core.text.sentences import split_sentences
from ....core.types import Span
from ....io.dpr_json import is_dpr, read_dpr
from ....io.squad_xor import SquadQuestion, read_squad
from ....models.towers import Text
from ..common.training_data import Pair, is_held_out, match_key
from ..reader.samples import is_in_place, is_unambiguous
from .recipe import BiencoderSource

WORDS = 100  # of a passage (Karpukhin et al. 2020, DPR, section 4.1)

Translations = Mapping[tuple[str, str], Sequence[tuple[str, str]]]
"""(language, match key of a question) to its translations, each (language, question)."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph that questions are about."""

    title: str
    text: str
    lang: str


@dataclass(frozen=True, slots=True)
class Item:
    """A question and the unit that answers it; every mapping is by language.

    Items of one `group` have the same answer unit. `golds` are the short answers, `paragraphs`
    those that the units are from, and `negatives` the hard negatives that a file brings.
    """

    group: str
    questions: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    golds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    paragraphs: dict[str, Paragraph] = field(default_factory=dict)
    negatives: tuple[str, ...] = ()

    def answer(self, lang: str, context: bool) -> Text:
        """The unit in a language, with `context` as the pair of it and its paragraph."""
        unit = self.answers[lang]
        return (unit, self.paragraphs[lang].text) if context else unit


def read_items(
    source: BiencoderSource,
    *,
    unit: str,
    excluded: frozenset[str] = frozenset(),
    translations: Translations | None = None,
) -> tuple[list[Item], list[Item]]:
    """A source's items to train on, and those of held-out articles.

    Questions are left out if their match key is `excluded`, or if their answer is not at its
    offset or crosses the end of a unit. An article is held out by its title in the first file
    that has the question.

    Raises:
        ConfigError: if a file's language is unknown.
        DataError: if a file has another layout, or an id twice in one language.
    """
    first, items = _by_id(source, unit)
    parts: tuple[list[Item], list[Item]] = [], []
    for qid, item in items.items():
        _translate(item, translations or {})
        if not excluded.intersection(map(match_key, item.questions.values())):
            parts[is_held_out(first[qid], source.held_out)].append(item)
    return parts


def _by_id(source: BiencoderSource, unit: str) -> tuple[dict[str, SquadQuestion], dict[str, Item]]:
    """The first question of each id, and the items of all files."""
    first: dict[str, SquadQuestion] = {}
    items: dict[str, Item] = {}
    for file in source.paths:
        if is_dpr(file):
            _add_dpr(file, source, first, items)
            continue
        lang = _language(file, source)
        for question in read_squad(file):
            first.setdefault(question.qid, question)
            paragraph = Paragraph(question.title.replace("_", " "), question.context, lang)
            answer = _answer(question, paragraph, unit, first_offsets=source.first_offsets)
            if answer is None:
                continue
            item = items.setdefault(question.qid, Item(group=answer))
            if lang in item.answers:
                raise DataError(f"{file}: id '{question.qid}' occurs twice in language '{lang}'")
            item.questions[question.lang or lang] = question.question
            item.answers[lang] = answer
            item.golds[lang], item.paragraphs[lang] = question.answers, paragraph
    return first, items


def _add_dpr(
    file: Path, source: BiencoderSource, first: dict[str, SquadQuestion], items: dict[str, Item]
) -> None:
    """Add the questions of a DPR file that have a passage: the first one answers them."""
    skipped = 0
    for row in read_dpr(file):
        lang = row.lang or _language(file, source)
        if not row.positives:
            skipped += 1
            continue
        passage = row.positives[0]
        paragraph = Paragraph(passage.title, passage.text, ENGLISH)
        answer, *negatives = (_titled(p.title, p.text) for p in (passage, *row.hard_negatives))
        qid = f"{file.name} {row.qid}"
        if qid in items:
            raise DataError(f"{file}: id '{row.qid}' occurs twice")
        first[qid] = SquadQuestion(qid, row.question, passage.title, passage.text, (), None)
        items[qid] = Item(
            answer,
            {lang: row.question},
            {ENGLISH: answer},
            {ENGLISH: row.answers},
            {ENGLISH: paragraph},
            tuple(negatives),
        )
    if skipped:
        message = f"{file}: {skipped} questions have no passage that answers them; left out"
        warnings.warn(message, Notice, stacklevel=2)


def by_question(pairs: Iterable[Pair]) -> Translations:
    """A look-up table of sentence pairs by either side."""
    translations: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for a_lang, a, b_lang, b in pairs:
        translations.setdefault((a_lang, match_key(a)), []).append((b_lang, b))
        translations.setdefault((b_lang, match_key(b)), []).append((a_lang, a))
    return translations


def units(paragraph: Paragraph, unit: str) -> list[str]:
    """The texts of a paragraph's units: its sentences, or its passages after their title.

    A passage is a run of whole sentences of at most 100 words, or one longer sentence. With the
    unit "words" it is exactly 100 words, the last one what is left. It has its title in front, as
    in retrieval (`Passage.titled`).
    """
    texts = [paragraph.text[span.start : span.end] for span in _cut(paragraph, unit)]
    return texts if unit == "sentence" else [_titled(paragraph.title, text) for text in texts]


def _titled(title: str, text: str) -> str:
    return f"{title}\n{text}" if title else text


@lru_cache(maxsize=256)  # a paragraph's questions are consecutive
def _cut(paragraph: Paragraph, unit: str) -> tuple[Span, ...]:
    if unit == "words":
        return tuple(_blocks(paragraph))
    sentences = split_sentences(paragraph.text, paragraph.lang)
    if unit == "sentence":
        return tuple(sentences)
    passages: list[Span] = []
    words = 0
    for sentence in sentences:
        more = _words(paragraph.text[sentence.start : sentence.end], paragraph.lang)
        if passages and words + more <= WORDS:
            passages[-1] = Span(passages[-1].start, sentence.end)
            words += more
        else:
            passages.append(sentence)
            words = more
    return tuple(passages)


def _blocks(paragraph: Paragraph) -> Iterator[Span]:
    """Runs of 100 words, whatever sentence they are of."""
    spaced = paragraph.lang not in LANGUAGES or LANGUAGES[paragraph.lang].spaced
    words = [match.span() for match in re.finditer(r"\S+" if spaced else r"\S\S?", paragraph.text)]
    for at in range(0, len(words), WORDS):
        run = words[at : at + WORDS]
        yield Span(run[0][0], run[-1][1])


def _answer(
    question: SquadQuestion, paragraph: Paragraph, unit: str, *, first_offsets: bool
) -> str | None:
    """The unit that holds the first answer.

    Of exactly 100 words, it is the one that the answer begins in (Asai et al. 2021, C.2).
    """
    gold = question.span
    if gold is None or not (is_unambiguous if first_offsets else is_in_place)(question):
        return None
    texts = units(paragraph, unit)
    ends = gold.start + 1 if unit == "words" else gold.end
    holds = (span.start <= gold.start and ends <= span.end for span in _cut(paragraph, unit))
    return next((text for text, here in zip(texts, holds, strict=True) if here), None)


def _translate(item: Item, translations: Translations) -> None:
    """Add the translations of an item's question."""
    for lang, text in list(item.questions.items()):
        for other, translated in translations.get((lang, match_key(text)), ()):
            item.questions.setdefault(other, translated)


def _language(file: Path, source: BiencoderSource) -> str:
    lang = in_name(file.name) or source.lang
    if lang is None:
        raise ConfigError(f'{file}: its name contains no language; set lang = "en" or another')
    return lang


def _words(text: str, lang: str) -> int:
    """The number of words; in languages without spaces, two characters count as one word."""
    spaced = lang not in LANGUAGES or LANGUAGES[lang].spaced
    return len(text.split()) if spaced else len(text) // 2
