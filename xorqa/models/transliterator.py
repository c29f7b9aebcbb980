"""A learned transliterator: a small character-level encoder-decoder for names in English.

Texts are decomposed (NFD), so a Hangul syllable is two or three characters and a letter with
accents several. The source begins with the token of the target language.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .adapters import Adapter, card_as, open_adapter
from .batches import by_length
from .beam import hypotheses
from .device import pick_device
from .seq2seq import Network, Shape
from .source_encoding import END, PAD, EncodedSource, pad_sources
from .translator import dequantise_rows

TASK = "transliterator"
START = 2
RESERVED = (PAD, END, START)
BUDGET = 4096  # padded source characters per batch
LONGEST = 64  # characters, decomposed


class Transliteration(NamedTuple):
    """A name in the script of the target language, and its probability."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The languages and characters that a transliterator knows, in the order of their tokens."""

    langs: tuple[str, ...]
    source: str
    target: str

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of source and target tokens."""
        reserved = len(RESERVED)
        return reserved + len(self.langs) + len(self.source), reserved + len(self.target)

    def encode(self, english: str, lang: str) -> list[int]:
        """The source tokens of an English name."""
        first = len(RESERVED)
        language = first + self.langs.index(lang)
        first += len(self.langs)
        characters = decomposed(english.lower())[:LONGEST]
        ids = (self.source.find(char) for char in characters)
        return [language, *(first + index for index in ids if index >= 0), END]

    def decode(self, tokens: Sequence[int]) -> str:
        """The name of target tokens."""
        first = len(RESERVED)
        text = "".join(self.target[token - first] for token in tokens if token >= first)
        return unicodedata.normalize("NFC", text)


@dataclass(frozen=True, slots=True)
class _Card:
    """The card's description of the network."""

    shape: Shape
    alphabet: Alphabet
    thresholds: Mapping[str, float] = field(default_factory=dict)


class TransliteratorModel:
    """A transliterator, shipped or from a `.safetensors` file. Weights load on first use.

    `thresholds` has, by language, the probability from which its names are preferred to those by
    rule.
    """

    def __init__(self, name: str) -> None:
        self.adapter: Adapter = open_adapter(name, task=TASK)
        card = card_as(self.adapter, _Card)
        self.shape, self.alphabet, self.thresholds = card.shape, card.alphabet, card.thresholds

    def transliterate(
        self, names: Sequence[str], lang: str, *, beams: int = 4
    ) -> list[list[Transliteration]]:
        """At most `beams` transliterations of each English name, best first; words keep spaces."""
        return transliterate(self._network, self.alphabet, names, lang, beams=beams)

    @cached_property
    def _network(self) -> Network:
        from safetensors.torch import load_file

        weights = dequantise_rows(load_file(self.adapter.path))
        return Network(
            {name: value.to(pick_device()) for name, value in weights.items()}, self.shape
        )


def transliterate(
    network: Network, alphabet: Alphabet, names: Sequence[str], lang: str, *, beams: int
) -> list[list[Transliteration]]:
    """Transliterate English names by beam search."""
    import torch

    sources = [EncodedSource(alphabet.encode(name, lang), [], []) for name in names]
    results: list[list[Transliteration]] = [[] for _ in names]
    for positions in by_length([len(source.ids) for source in sources], budget=BUDGET):
        with torch.inference_mode():
            batch = pad_sources([sources[position] for position in positions], None)
            rankings = hypotheses(
                network,
                network.memory(batch),
                start=START,
                end=END,
                beams=beams,
                max_tokens=LONGEST,
            )
        for position, ranking in zip(positions, rankings, strict=True):
            results[position] = [
                Transliteration(alphabet.decode(tokens), math.exp(log_probability))
                for tokens, log_probability in ranking
            ]
    return results


def decomposed(text: str) -> str:
    """A text in the form whose characters are tokens."""
    return unicodedata.normalize("NFD", text)
