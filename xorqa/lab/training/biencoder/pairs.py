"""Questions with the sentence or passage that answers them, from SQuAD-style files.

An item has each side in one or more languages. The other languages come from files parallel by
question id (a translated SQuAD), from questions with a language of their own (those of `xorqa data
distant`), or, for questions only, from translations of the same question (XOR-TyDi's include a few
of TyDi GoldP's Korean ones). SQuAD, TyDi GoldP and JaQuAD as published are each in one language.
XQuAD is parallel, but LAReQA is evaluated on it: never train on it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ....core.errors import ConfigError, DataError
from ....core.lang import LANGUAGES, in_name
from ....core.text.sentences import split_sentences
from ....core.types import Span
from ....io.squad_xor import SquadQuestion, read_squad
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
    those that the units are from.
    """

    group: str
    questions: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    golds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    paragraphs: dict[str, Paragraph] = field(default_factory=dict)


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


def by_question(pairs: Iterable[Pair]) -> Translations:
    """A look-up table of sentence pairs by either side."""
    translations: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for a_lang, a, b_lang, b in pairs:
        translations.setdefault((a_lang, match_key(a)), []).append((b_lang, b))
        translations.setdefault((b_lang, match_key(b)), []).append((a_lang, a))
    return translations


def units(paragraph: Paragraph, unit: str) -> list[str]:
    """The texts of a paragraph's units: its sentences, or its passages after their title.

    A passage is a run of whole sentences of at most 100 words, or one longer sentence. It has its
    title in front, as in retrieval (`Passage.titled`).
    """
    head = f"{paragraph.title}\n" if unit == "passage" and paragraph.title else ""
    return [head + paragraph.text[span.start : span.end] for span in _cut(paragraph, unit)]


@lru_cache(maxsize=256)  # a paragraph's questions are consecutive
def _cut(paragraph: Paragraph, unit: str) -> tuple[Span, ...]:
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


def _answer(
    question: SquadQuestion, paragraph: Paragraph, unit: str, *, first_offsets: bool
) -> str | None:
    """The unit that holds the first answer."""
    gold = question.span
    if gold is None or not (is_unambiguous if first_offsets else is_in_place)(question):
        return None
    texts = units(paragraph, unit)
    holds = (span.start <= gold.start and gold.end <= span.end for span in _cut(paragraph, unit))
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
