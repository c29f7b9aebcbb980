"""Texts with their English translations, to distil from: read, held out, and drawn in batches."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....io.files import digest
from ....io.squad_xor import read_squad
from ..common.decks import draw, endless_deck
from ..common.decontamination import match_key
from ..common.limits import check_limits, limited
from ..common.recipe import matching
from .corpus import read_pairs
from .lexicon import Lexicon
from .word_replacement import switch_words

LangText = tuple[str, str, str]
"""Language, text and English text."""

DeckKey = tuple[int, str]
"""The number of a source, and a language."""


@dataclass(frozen=True, slots=True)
class TranslationSource:
    """Texts with their English translations, mixed with other sources by weight.

    Its files are pair files (`bitext.corpus`), or SQuAD-style JSON files of English questions,
    which are code-switched and therefore need a lexicon.
    """

    files: tuple[str, ...]
    weight: float = limited(1.0, 0)
    langs: tuple[str, ...] = ()  # of the pairs; default: all
    license: str = ""  # of the data, for the card

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        check_limits(self, "source")


def split_pairs(
    sources: Sequence[TranslationSource], excluded: frozenset[str], *, held_out: float
) -> tuple[dict[DeckKey, list[LangText]], list[LangText]]:
    """The training pairs, and those held out by a hash of their English text."""
    decks: dict[DeckKey, list[LangText]] = {}
    others: list[LangText] = []
    for number, source in enumerate(sources):
        for pair in read_source(source):
            english = match_key(pair[2])
            if english in excluded or match_key(pair[1]) in excluded:
                continue
            if int(digest(english), 16) % 10_000 < held_out * 10_000:
                others.append(pair)
            else:
                decks.setdefault((number, pair[0]), []).append(pair)
    return decks, others


def read_source(source: TranslationSource) -> Iterator[LangText]:
    """The pairs of a source: from pair files, or English questions paired with themselves."""
    for path in matching(source.files):
        if path.suffix == ".json":
            yield from (("en", row.question, row.question) for row in read_squad(path))
            continue
        for lang, text, other, english in read_pairs([path]):
            if other == "en" and (not source.langs or lang in source.langs):
                yield lang, text, english


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
    totals = [
        sum(root for key, root in roots.items() if key[0] == at) for at in range(len(weights))
    ]
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
        return lang, switch_words(text, lexicon[lang], rng), translation
    return "en", text, translation


def sample_languages(pairs: Iterable[LangText], size: int, rng: random.Random) -> list[LangText]:
    """At most `size` pairs, with about the same number from each language."""
    by_lang: dict[str, list[LangText]] = {}
    for pair in pairs:
        by_lang.setdefault(pair[0], []).append(pair)
    each = size // max(1, len(by_lang))
    return [
        pair
        for lang in sorted(by_lang)
        for pair in rng.sample(by_lang[lang], min(each, len(by_lang[lang])))
    ]
