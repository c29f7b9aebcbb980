"""The translator's input: source tokens, their hidden states in the base, and pieces to copy.

The pieces are those of the text in Latin letters and, in some translators, of the English words
that a table of translation probabilities has for its words.

Pieces of other scripts are copied in a rough romanisation, from the Unicode names of characters.
Most names spell the sound ("KATAKANA LETTER ZI", "HANGUL SYLLABLE GAN"). The result is
deterministic and keeps words distinct, which is all a model needs to learn from it; for text that
people read, use `answering.transliteration`.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from .batches import pad
from .bert import Bert, load_encoder
from .checkpoints import Checkpoint
from .device import autocast, pick_device
from .seq2seq import SourceBatch

if TYPE_CHECKING:
    import torch

STEP = 8  # padded widths are multiples of it

_CYRILLIC = {"IE": "e", "IO": "yo", "YA": "ya", "YU": "yu", "YERU": "y", "HARD SIGN": "",
             "SOFT SIGN": "", "SHORT I": "y", "EL": "l", "EM": "m", "EN": "n", "ER": "r",
             "ES": "s", "EF": "f", "GHE": "g", "HA": "kh"}  # fmt: skip
_SIGNS = {"ANUSVARA": "m", "CANDRABINDU": "n", "VISARGA": "h"}
_CONSONANTS = re.compile("[^AEIOU]+")

PAD, END = 0, 1
STYLES = ("<lower>", "<Cased>", "<lower?>", "<Cased?>")
SPECIAL = ("<pad>", "</s>", *STYLES)
QUESTION = SPECIAL.index("<Cased?>")
QUESTION_MARKS = ("?", "？", "؟")
GLOSS_PIECES = 2  # of translations, per token of the longest source

Gloss = tuple[int, list[str]]
"""Where a word of a text starts, and its likeliest translations."""


@dataclass(frozen=True, slots=True)
class EncodedSource:
    """A text's token ids, its hints, and the position of the token that each hint comes from.

    `hint_ranks` are 1 for the likeliest translation of a word, 2 for the next, and 0 for the text
    in Latin letters.
    """

    ids: list[int]
    hints: list[int]
    hint_positions: list[int]
    hint_ranks: list[int] = field(default_factory=list)


class Hint(NamedTuple):
    """A target piece, the source token that it comes from, and its rank."""

    piece: int
    token: int
    rank: int = 0


def encode_sources(
    texts: Sequence[str],
    source: Any,
    target: Any,
    *,
    max_tokens: int,
    hints: bool,
    glosses: Sequence[Sequence[Gloss]] = (),
) -> list[EncodedSource]:
    """Encode texts for the network, truncated to `max_tokens`; `glosses` are those of each text.

    `source` and `target` are `tokenizers.Tokenizer`s; `source` may be one of transformers.
    """
    if not texts:
        return []
    if callable(source):  # shared with other models, so its settings hold for a call only
        made = source([*texts], truncation=True, max_length=max_tokens, return_offsets_mapping=True)
        encoded = [*zip(made["input_ids"], made["offset_mapping"], strict=True)]
    else:
        source.enable_truncation(max_tokens)
        encoded = [(one.ids, one.offsets) for one in source.encode_batch([*texts])]
    pieces = cache(lambda english: target.encode(english).ids)
    sources = []
    for row, (ids, offsets) in enumerate(encoded):
        place = _Places(offsets)
        found = _letters(texts[row], place, target)[:max_tokens] if hints and place.ends else []
        if glosses and place.ends:
            found += _translations(glosses[row], place, pieces)[: GLOSS_PIECES * max_tokens]
        columns = [list(column) for column in zip(*found, strict=True)] or [[], [], []]
        sources.append(EncodedSource(ids, *columns))
    return sources


class _Places:
    """The tokens of a text, or of its beginning if it was cut, by their last characters."""

    def __init__(self, offsets: Sequence[tuple[int, int]]) -> None:
        self.ends = [(end, token) for token, (start, end) in enumerate(offsets) if end > start]

    def of(self, character: int) -> int:
        """The token of a character, or the last one."""
        after = bisect_left(self.ends, (character + 1, 0))
        return self.ends[min(after, len(self.ends) - 1)][1]


def _letters(text: str, place: _Places, target: Any) -> list[Hint]:
    """The pieces of the romanised text."""
    letters, characters = romanise(text)
    encoded = target.encode(letters)
    return [
        Hint(piece, place.of(characters[end - 1]))
        for piece, (start, end) in zip(encoded.ids, encoded.offsets, strict=True)
        if letters[start:end].strip()
    ]


def _translations(
    glosses: Sequence[Gloss], place: _Places, pieces: Callable[[str], list[int]]
) -> list[Hint]:
    """The pieces of the translations of words."""
    return [
        Hint(piece, place.of(start), rank)
        for start, words in glosses
        if start < place.ends[-1][0]  # a cut text has no others
        for rank, english in enumerate(words, 1)
        for piece in pieces(english)
    ]


class LowerLayers:
    """The base's lowest layers, frozen: token ids to hidden states."""

    def __init__(self, base: Checkpoint, count: int, *, dtype: str = "auto") -> None:
        self.base, self.count, self.dtype = base, count, dtype

    @cached_property
    def model(self) -> Any:
        """The base without the layers above."""
        return load_encoder(self.base, layers=self.count).to(pick_device())

    @property
    def width(self) -> int:
        """The dimensions of a hidden state."""
        if isinstance(self.model, Bert):
            return self.model.dimensions
        return int(self.model.config.hidden_size)

    def states(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        """Hidden states (rows, padded width, dimensions) in float32."""
        import torch

        ids, mask = pad(rows, value=1, step=STEP)
        with torch.inference_mode(), autocast(self.dtype):
            states: torch.Tensor = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        return states.float()


def pad_sources(sources: Sequence[EncodedSource], states: torch.Tensor | None) -> SourceBatch:
    """Pad sources into a batch of hidden states, or of token ids if there are no `states`."""
    ids, mask = pad([source.ids for source in sources], value=PAD, step=STEP)
    hints, hint_mask = pad([source.hints for source in sources], value=PAD, step=STEP)
    hint_positions, _ = pad([source.hint_positions for source in sources], value=0, step=STEP)
    hint_ranks, _ = pad([source.hint_ranks for source in sources], value=0, step=STEP)
    inputs = ids if states is None else states
    return SourceBatch(inputs, mask.bool(), hints, hint_positions, hint_ranks, hint_mask.bool())


def romanise(text: str) -> tuple[str, list[int]]:
    """Romanise a text; also return, for each letter, the index of its source character.

    Latin letters stay, digits of every script become ASCII digits, and characters without a
    sound become spaces.
    """
    letters: list[str] = []
    indices: list[int] = []
    for index, char in enumerate(text):
        sound, ends_inherent = _sound(char)
        if ends_inherent and letters and letters[-1] == "a":
            letters.pop()
            indices.pop()
        letters += sound
        indices += [index] * len(sound)
    return "".join(letters), indices


@cache
def _sound(char: str) -> tuple[str, bool]:
    """A character's letters, and whether it replaces the inherent vowel a before it."""
    name, digit = unicodedata.name(char, ""), unicodedata.digit(char, None)
    if digit is not None:
        return str(digit), False
    if unicodedata.category(char)[0] == "M":
        return _sign(name)
    return _letter(char, name), False


def _sign(name: str) -> tuple[str, bool]:
    """A mark's letters, usually none; Indic vowel signs and viramas replace the inherent vowel."""
    *_, last = name.split() or [""]
    if " VOWEL SIGN " in name:
        return last.lower(), True
    return _SIGNS.get(last, ""), last in {"VIRAMA", "COENG"}


def _letter(char: str, name: str) -> str:
    head, _, letter = name.partition(" LETTER ")
    if char.isascii() or name.startswith("LATIN"):
        return char
    if name.startswith("HANGUL SYLLABLE "):
        return name.rsplit(maxsplit=1)[-1].lower()
    if not letter:
        return "" if "PROLONGED SOUND" in name else " "
    script = head.split()[0]
    if script not in {"CYRILLIC", "ARABIC"}:
        return letter.split()[-1].lower()
    first = _CONSONANTS.match(letter.split()[0])
    sound = (first[0] if first else letter[0]).lower()
    return _CYRILLIC.get(letter, sound) if script == "CYRILLIC" else sound


def language_token(tokenizer: Any, lang: str, text: str) -> int:
    """The control token for a target language of the vocabulary and a text's style."""
    return int(tokenizer.token_to_id(control_token(style_of(text), lang)))


def control_token(style: str, lang: str) -> str:
    """The control token of one of the `STYLES` in a target language of the vocabulary."""
    return f"{style[:-1]} {lang}>"


def style_of(text: str) -> str:
    """The control token of a text's style, one of `STYLES`."""
    lower, upper = text.lower(), text.upper()
    case = "<lower" if text in {lower, upper} and lower != upper else "<Cased"
    return case + ("?>" if text.endswith(QUESTION_MARKS) else ">")
