"""Split texts into passages of a maximum number of tokens, never inside a word."""

import re
from collections.abc import Iterable, Iterator

from ...core.lang import language
from ...core.text.sentences import sentence_separator, split_sentences
from ...core.text.words import wakati
from ...core.types import Span

_WORD = re.compile(r"\S+")
_PHRASE = re.compile(r"[^\s。！？；，、：]+[。！？；，、：」』”）]*|\S")
_SENTENCE = re.compile(r"[^。]*。|[^。]+")
_WORD_LENGTHS = {"th": 4.0, "zh": 1.5}  # characters, the approximate averages of word lists


def split_text(text: str, *, lang: str, size: int) -> list[str]:
    """Split a text into passages of at most `size` tokens, with white space normalised.

    Tokens are separated by spaces; Japanese tokens are MeCab's words (unidic-lite). Thai and
    Chinese, which have no segmenter here, are split only between phrases, at spaces or
    punctuation; the tokens of a phrase are estimated from the average word length, and a single
    phrase may be longer than `size`.
    """
    text = " ".join(text.split())
    passages: list[str] = []
    start, end, filled = 0, 0, 0.0
    for span, tokens in _pieces(text, lang):
        if filled and filled + tokens > size:
            passages.append(text[start:end])
            start, filled = span.start, 0.0
        end, filled = span.end, filled + tokens
    return [*passages, text[start:end]] if filled else passages


def split_paragraphs(paragraphs: Iterable[str], *, lang: str, size: int) -> list[str]:
    """Split paragraphs into passages of at most `size` tokens that end where a sentence ends.

    A paragraph is not split if it fits into the passage, or into the next one when at least half
    of this one is filled. A sentence of more than `size` tokens is split as a text. A passage has
    a line per paragraph.
    """
    passages = [""]
    filled = 0.0
    for paragraph in paragraphs:
        tokens = _tokens(paragraph, lang)
        whole = tokens <= size and (filled + tokens <= size or 2 * filled >= size)
        joint = "\n"
        for piece in [paragraph] if whole else _sentences(paragraph, lang, size):
            tokens = _tokens(piece, lang)
            if filled and filled + tokens > size:
                passages.append("")
                filled = 0.0
            passages[-1] += (joint if passages[-1] else "") + piece
            filled += tokens
            joint = sentence_separator(language(lang).script)
    return list(filter(None, passages))


def _sentences(text: str, lang: str, size: int) -> Iterator[str]:
    """The sentences of a text; a long one in pieces of at most `size` tokens."""
    for span in split_sentences(text, lang):
        yield from split_text(text[span.start : span.end], lang=lang, size=size)


def _tokens(text: str, lang: str) -> float:
    return sum(tokens for _, tokens in _pieces(text, lang))


def _pieces(text: str, lang: str) -> Iterator[tuple[Span, float]]:
    """The smallest pieces to split between, and the number of tokens in each."""
    if lang == "ja":
        yield from ((span, 1.0) for span in _japanese(text))
    elif lang in _WORD_LENGTHS:
        for match in _PHRASE.finditer(text):
            yield Span(*match.span()), max(1.0, len(match[0]) / _WORD_LENGTHS[lang])
    else:
        yield from ((Span(*match.span()), 1.0) for match in _WORD.finditer(text))


def _japanese(text: str) -> Iterator[Span]:
    for sentence in _SENTENCE.finditer(text):
        at = sentence.start()
        for word in wakati(sentence[0]).split():
            at += text[at] == " "
            yield Span(at, at + len(word))
            at += len(word)
