"""A learned transliterator: a small character-level encoder-decoder for names in English.

Texts are decomposed (NFD), so a Hangul syllable is two or three characters and a letter with
accents several. The source begins with the token of the target language.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..core.errors import WeightsError
from ..core.validation import Validator
from .adapters import Adapter, open_adapter
from .adapters import save as save_adapter
from .batches import by_length
from .beam import hypotheses
from .checkpoints import Checkpoint
from .device import pick_device
from .seq2seq import Network, Shape
from .source_encoding import END, PAD, EncodedSource, pad_sources
from .translator import dequantise_rows, quantise_rows

if TYPE_CHECKING:
    import torch

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

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str, str]], *, least: int) -> Alphabet:
        """The alphabet of pairs (language, English name, name); `least` is for English ones.

        A character that occurs in fewer than `least` English names is skipped in them.
        """
        from collections import Counter

        langs: set[str] = set()
        source, target = Counter[str](), Counter[str]()
        for lang, english, name in pairs:
            langs.add(lang)
            source.update(set(_decomposed(english.lower())))
            target.update(set(_decomposed(name)))
        known = sorted(char for char, count in source.items() if count >= least)
        return cls(tuple(sorted(langs)), "".join(known), "".join(sorted(target)))

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
        characters = _decomposed(english.lower())[:LONGEST]
        ids = (self.source.find(char) for char in characters)
        return [language, *(first + at for at in ids if at >= 0), END]

    def encode_target(self, name: str) -> list[int]:
        """The target tokens of a name, from `START` to `END`.

        Raises:
            ValueError: for an unknown character.
        """
        return [START, *(len(RESERVED) + self.target.index(c) for c in _decomposed(name)), END]

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


_CARD = ("shape", "alphabet", "thresholds")


class TransliteratorModel:
    """A transliterator, shipped or from a `.safetensors` file. Weights load on first use.

    `thresholds` has, by language, the probability from which its names are preferred to those by
    rule.
    """

    def __init__(self, name: str) -> None:
        self.adapter: Adapter = open_adapter(name, task=TASK)
        card = Validator(WeightsError).fill(
            _Card,
            {key: self.adapter.card[key] for key in _CARD if key in self.adapter.card},
            where=f"{self.adapter.path} is damaged: its card",
        )
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
            memory = network.memory(pad_sources([sources[at] for at in positions], None))
            found = hypotheses(
                network, memory, start=START, end=END, beams=beams, max_tokens=LONGEST
            )
        for at, ranked in zip(positions, found, strict=True):
            results[at] = [
                Transliteration(alphabet.decode(one.tokens), math.exp(one.log_probability))
                for one in ranked
            ]
    return results


def save_transliterator(
    path: Path,
    weights: Mapping[str, torch.Tensor],
    *,
    base: Checkpoint,
    shape: Shape,
    alphabet: Alphabet,
    thresholds: Mapping[str, float],
    card: Mapping[str, object],
) -> None:
    """Write a transliterator's file, its matrices in 8 bits per weight."""
    described = {
        **card,
        "shape": asdict(shape),
        "alphabet": asdict(alphabet),
        "thresholds": dict(thresholds),
    }
    save_adapter(path, quantise_rows(weights), task=TASK, base=base, card=described)


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)
