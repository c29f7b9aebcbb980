"""Frames: sentences with placeholders, which are filled with words whose offsets are known."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from .....core.config import read_toml
from .....core.types import Span

BREAK = "|"
"""Marks where a frame may be interrupted by another sentence."""
ARTICLES = ("the ", "a ", "an ")


@dataclass(frozen=True, slots=True)
class Ask:
    """A question's frame, its words beside those of the scene, and the placeholder that answers."""

    frame: str
    answer: str
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Scene:
    """A context's frame, its words, and the questions about it."""

    frame: str
    words: Mapping[str, str]
    asks: Sequence[Ask]


@dataclass(frozen=True, slots=True)
class Filled:
    """A text, and the spans of its words without their articles, by placeholder."""

    text: str
    spans: Mapping[str, Span]


@cache
def load(name: str) -> dict[str, Any]:
    """One of the files of words and frames beside this module."""
    return read_toml(Path(__file__).with_name(f"{name}.toml"))


@cache
def names(kind: str) -> tuple[str, ...]:
    """The names of persons, places or companies."""
    return tuple(load("names")[kind].split())


def fill(frame: str, words: Mapping[str, str]) -> Filled:
    """Fill a frame; `{a_v}` is the word of `{v}` with an indefinite article.

    A frame may contain a placeholder several times; the span is that of the first.
    """
    text, spans = "", dict[str, Span]()
    for literal, name, _, _ in Formatter().parse(frame):
        text += literal
        if name is None:
            continue
        key = name.removeprefix("a_")
        word = indefinite(words[key]) if name.startswith("a_") else words[key]
        article = next((len(start) for start in ARTICLES if word.startswith(start)), 0)
        spans.setdefault(key, Span(len(text) + article, len(text) + len(word)))
        text += word
    return Filled(text[:1].upper() + text[1:], spans)


def compose(sentences: Sequence[str], words: Mapping[str, str]) -> Filled:
    """Fill the frames of sentences, one after another."""
    text, spans = "", dict[str, Span]()
    for sentence in sentences:
        start = len(text) + bool(text)
        filled = fill(sentence.strip(), words)
        text = f"{text} {filled.text}" if text else filled.text
        for key, span in filled.spans.items():
            spans.setdefault(key, Span(start + span.start, start + span.end))
    return Filled(text, spans)


def rename(frame: str, suffix: str) -> str:
    """The frame with the placeholders of a second item: `{v}` becomes `{v2}`."""
    return frame.replace("}", f"{suffix}}}")


def indefinite(word: str) -> str:
    """A word with its indefinite article."""
    vowel = word[0].lower() in "aeiou" and not word.lower().startswith(("eu", "uk", "ug", "uz"))
    unpronounced = not word.lower().startswith(("use", "unicorn", "one"))
    return f"{'an' if vowel and unpronounced else 'a'} {word}"


def plural(noun: str) -> str:
    """The regular plural of a noun."""
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "ch", "sh", "x")) else f"{noun}s"


def chance(rng: random.Random, share: float) -> bool:
    """True in that share of the calls."""
    return rng.random() < share
