"""The sentences of a pool's paragraphs: published, split by xorqa or by a function of yours.

A `Splitter` is found by name: `xorqa`, `module:name`, or a folder of files like XQuAD-R's.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, DataError
from ...core.named import accepts, import_named
from ...core.text.sentences import split_sentences
from ...core.types import Span
from ...io.files import read_json, write_text
from ...io.strict_json import as_text
from ..common.parallel_files import parallel_folder

Sentence = tuple[Span, str]
"""A span of the context, and the sentence's text."""

Splitter = Callable[[Mapping[str, Any], str], list[Sentence]]
"""Returns the sentences of a paragraph in a language; raises ValueError if it cannot."""

OURS = "xorqa"


def find_splitter(name: str) -> Splitter:
    """Find a splitter: ours, a function (text, lang) that returns (start, end) pairs, or a folder.

    Raises:
        ConfigError: if there is no such function or folder.
    """
    if name == OURS:
        return split_by_rule
    if ":" in name and not Path(name).exists():
        function = import_named(name, {}, kind="sentence splitter")
        if not accepts(function, "", "en"):
            raise ConfigError(f"'{name}' must be callable as split(text, lang)")
        return _by_function(function)
    return _by_files(parallel_folder(name, kind="sentence splitter", bundled=(OURS, "module:name")))


def split_by_rule(paragraph: Mapping[str, Any], lang: str) -> list[Sentence]:
    """The sentences as `text.sentences` splits them."""
    return _cut(paragraph["context"], split_sentences(paragraph["context"], lang))


def published_sentences(paragraph: Mapping[str, Any], lang: str = "") -> list[Sentence]:
    """The paragraph's own `sentences` and `sentence_breaks`, as in XQuAD-R and MLQA-R."""
    spans = [Span(start, end) for start, end in paragraph["sentence_breaks"]]
    texts = [as_text(text) for text in paragraph["sentences"]]
    if len(spans) != len(texts) or not _are_ordered(spans):
        raise ValueError("'sentences' and 'sentence_breaks' do not match")
    return list(zip(spans, texts, strict=True))


def write_pool_file(path: Path, data: Mapping[str, Any], lang: str, splitter: Splitter) -> None:
    """Write a SQuAD-style file with sentences, byte by byte as XQuAD-R's files are written."""
    articles = [
        article
        | {"paragraphs": [_with_sentences(p, lang, splitter) for p in article["paragraphs"]]}
        for article in data["data"]
    ]
    write_text(path, json.dumps(dict(data) | {"data": articles}, sort_keys=True))


def _with_sentences(paragraph: Mapping[str, Any], lang: str, splitter: Splitter) -> dict[str, Any]:
    sentences = splitter(paragraph, lang)
    breaks = [[span.start, span.end] for span, _ in sentences]
    return dict(paragraph) | {"sentences": [t for _, t in sentences], "sentence_breaks": breaks}


def _by_function(function: Callable[[str, str], Iterable[tuple[int, int]]]) -> Splitter:
    def split(paragraph: Mapping[str, Any], lang: str) -> list[Sentence]:
        text = paragraph["context"]
        return _cut(text, _checked(function(text, lang), text))

    return split


def _by_files(folder: Path) -> Splitter:
    """The sentences that a folder's `<lang>.json` has for the same paragraph."""

    @cache
    def by_context(lang: str) -> dict[str, list[Sentence]]:
        path = folder / f"{lang}.json"
        if not path.is_file():
            raise DataError(
                f"{folder} has no {path.name} with sentences; select others with --lang"
            )
        try:
            return {
                as_text(paragraph["context"]): published_sentences(paragraph)
                for article in read_json(path)["data"]
                for paragraph in article["paragraphs"]
            }
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path} has no sentences like XQuAD-R's: {error!r}") from error

    def split(paragraph: Mapping[str, Any], lang: str) -> list[Sentence]:
        known = by_context(lang)
        if paragraph["context"] not in known:
            raise ValueError(f"{folder / lang}.json does not have this paragraph")
        return known[paragraph["context"]]

    return split


def _cut(text: str, spans: Iterable[Span]) -> list[Sentence]:
    return [(span, text[span.start : span.end]) for span in spans]


def _checked(breaks: Iterable[Iterable[int]], text: str) -> list[Span]:
    """The spans of (start, end) pairs, which must be in order and inside the text."""
    spans = [Span(start, end) for start, end in breaks]
    inside = all(0 <= span.start < span.end <= len(text) for span in spans)
    if not inside or not _are_ordered(spans):
        raise ValueError("sentences must be (start, end) pairs in order, inside the text")
    return spans


def _are_ordered(spans: Iterable[Span]) -> bool:
    return all(before.end <= after.start for before, after in pairwise(spans))
