"""Split texts into passages of a maximum number of words, never inside a word.

In scripts written without spaces, words are estimated by their average length; a passage ends
between phrases, or between letters of a phrase that is longer than a passage. Whatever the script,
a passage of up to 100 words also fits into an encoder's window of 512 subwords, which are estimated
(`core.text.subwords`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...core.lang import language
from ...core.text.patterns import compiled
from ...core.text.sentences import sentence_separator, split_sentences
from ...core.text.subwords import subwords
from ...core.text.words import wakati
from ...core.types import Span

WINDOW = 450.0
"""The most subwords of a passage: 512, less a title and a prefix; `_USUAL_SIZE` words have less."""

_USUAL_SIZE = 100
_LABEL = 80  # characters of a line that may introduce the next one
_SENTENCE_ENDS = ".!?…。！？।॥؟۔։።"
_SHORT = 8  # characters without spaces that may stand within a word, such as a name
_WORD = re.compile(r"\S+")
_PHRASE = re.compile(r"[^\s。！？；，、：]+[。！？；，、：」』”）]*|\S")
_MARKS = "。！？；，、：」』”）။၊។៕៖།༎\u200b፡።፣፤፥፦"
_SUBPHRASE = re.compile(f"[^{_MARKS}]+[{_MARKS}]*|[{_MARKS}]+")
_SENTENCE = re.compile(r"[^。]*。|[^。]+")
_WORD_LENGTHS = {"th": 4.0, "zh": 1.5}  # characters, the approximate averages of word lists
_SCRIPTS = {"th": r"\p{Thai}", "zh": r"\p{Han}"}
_SCRIPT_WORD_LENGTHS = {
    r"\p{Han}": 1.5,
    r"[\p{Hiragana}\p{Katakana}]": 2.0,
    r"[\p{Thai}\p{Lao}]": 4.0,
    r"\p{Yi}": 1.5,
    r"[\p{Khmer}\p{Myanmar}\p{Javanese}\p{Balinese}\p{Tai_Tham}\p{Tai_Le}\p{Tai_Viet}]": 5.0,
    r"\p{Tibetan}": 6.0,
}
_UNIT = (  # syllables of Tibetan, short runs of ASCII, letters with marks and vowels before them
    r"[\p{Tibetan}--\u0f0b]+\u0f0b*|[A-Za-z0-9]{1,20}"
    r"|[\u0e40-\u0e44\u0ec0-\u0ec4]?\p{L}(?:[\u17d2\u1039\u1a60]\p{L}|[\p{M}\u0e33\u0eb3])*|\X"
)


class _Piece(NamedTuple):
    """A piece of a text, with its words and subwords, which add up."""

    span: Span
    words: float
    subwords: float


class _Filled(NamedTuple):
    """What a passage has; `fits` says whether it may have more."""

    words: float = 0.0
    subwords: float = 0.0

    def plus(self, words: float, subwords: float) -> _Filled:
        return _Filled(self.words + words, self.subwords + subwords)

    def fits(self, size: int) -> bool:
        return self.words <= size and self.subwords <= _window(size)


def split_text(text: str, *, lang: str, size: int) -> list[str]:
    """Split a text into passages of at most `size` words, with white space normalised.

    Words are separated by spaces; Japanese words are MeCab's (unidic-lite). In Thai and Chinese,
    and in words of scripts without spaces, a passage ends after a phrase, at a space or
    punctuation; a phrase longer than a passage is split between letters, and between syllables in
    Tibetan. A passage has less words where it would have more than `WINDOW` subwords; for more
    than 100 words, the window grows in proportion.
    """
    text = " ".join(text.split())
    passages: list[str] = []
    start, end, filled = 0, 0, _Filled()
    for span, *counts in _pieces(text, lang, size):
        if end > start and not filled.plus(*counts).fits(size):
            passages.append(text[start:end])
            start, filled = span.start, _Filled()
        end, filled = span.end, filled.plus(*counts)
    return [*passages, text[start:end]] if end > start else passages


def split_paragraphs(paragraphs: Iterable[str], *, lang: str, size: int) -> list[str]:
    """Split paragraphs into passages of at most `size` words that end where a sentence ends.

    A paragraph is not split if it fits into the passage, or into the next one when at least half
    of this one is filled. A sentence longer than a passage is split as a text. A passage has a
    line per paragraph. A short line that ends no sentence, such as a term or the name of an
    option, stands with what follows.
    """
    passages = [""]
    filled = _Filled()
    for paragraph in paragraphs:
        counts = _counts(paragraph, lang, size)
        roomy = filled.plus(*counts).fits(size)
        whole = counts.fits(size) and (roomy or 2 * filled.words >= size)
        joint = "\n"
        for piece in [paragraph] if whole else _sentences(paragraph, lang, size):
            counts = _counts(piece, lang, size)
            if passages[-1] and not filled.plus(*counts).fits(size):
                before, _, last = passages[-1].rpartition("\n")
                label = _counts(last, lang, size)
                introduces = before and _is_label(last) and label.plus(*counts).fits(size)
                passages[-1:] = [before, last] if introduces else [passages[-1], ""]
                filled = label if introduces else _Filled()
            passages[-1] += (joint if passages[-1] else "") + piece
            filled = filled.plus(*counts)
            joint = sentence_separator(language(lang).script)
    return list(filter(None, passages))


def _is_label(line: str) -> bool:
    return len(line) <= _LABEL and line[-1:] not in _SENTENCE_ENDS


def _window(size: int) -> float:
    return WINDOW * max(1.0, size / _USUAL_SIZE)


def _sentences(text: str, lang: str, size: int) -> Iterator[str]:
    """The sentences of a text; a long one in pieces of at most `size` words."""
    for span in split_sentences(text, lang):
        yield from split_text(text[span.start : span.end], lang=lang, size=size)


def _counts(text: str, lang: str, size: int) -> _Filled:
    filled = _Filled()
    for _, words, parts in _pieces(text, lang, size):
        filled = filled.plus(words, parts)
    return filled


def _pieces(text: str, lang: str, size: int) -> Iterator[_Piece]:
    """The smallest pieces to split between, none larger than a passage unless it is one word."""
    for span, words in _phrases(text, lang):
        phrase = text[span.start : span.end]
        estimate = subwords(phrase)
        is_phrase = words > 1.0
        if estimate <= _window(size) and (words <= size or not is_phrase):
            yield _Piece(span, words, estimate)
            continue
        for unit in compiled(_UNIT).finditer(phrase):
            at = Span(span.start + unit.start(), span.start + unit.end())
            yield _Piece(at, words * len(unit[0]) / len(phrase), subwords(unit[0]))


def _phrases(text: str, lang: str) -> Iterator[tuple[Span, float]]:
    """The words of a text, or its phrases without spaces, with the number of words in each."""
    if lang == "ja":
        yield from ((span, 1.0) for span in _japanese(text))
    elif lang in _WORD_LENGTHS and compiled(_SCRIPTS[lang]).search(text):
        for match in _PHRASE.finditer(text):
            yield Span(*match.span()), max(1.0, len(match[0]) / _WORD_LENGTHS[lang])
    else:
        for match in _WORD.finditer(text):
            yield from _word(match[0], match.start())


def _word(word: str, start: int) -> Iterator[tuple[Span, float]]:
    """What stands between spaces: one word, or phrases of a script without spaces."""
    if len(word) <= _SHORT or word.isascii() or not compiled(_LONG_RUN).search(word):
        yield Span(start, start + len(word)), 1.0
        return
    for match in _SUBPHRASE.finditer(word):
        words = sum(
            len(compiled(script).findall(match[0])) / length
            for script, length in _SCRIPT_WORD_LENGTHS.items()
        )
        yield Span(start + match.start(), start + match.end()), max(1.0, words)


_LONG_RUN = (
    rf"(?:[^\p{{L}}]*[{''.join(f'[{script}]' for script in _SCRIPT_WORD_LENGTHS)}]){{{_SHORT + 1}}}"
    r"|፡\p{L}"
)


def _japanese(text: str) -> Iterator[Span]:
    for sentence in _SENTENCE.finditer(text):
        at = sentence.start()
        for word in wakati(sentence[0]).split():
            at += text[at] == " "
            yield Span(at, at + len(word))
            at += len(word)
