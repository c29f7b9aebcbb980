"""Sentences joined to a text."""

from collections.abc import Sequence

from ...core.lang import language
from ...core.text.sentences import sentence_separator
from ...core.types import Span


def join_sentences(sentences: Sequence[str], *, lang: str) -> tuple[str, list[Span]]:
    """Join sentences with their language's separator; return the text and the sentences' spans.

    Raises:
        ConfigError: if the language is unknown.
    """
    separator = sentence_separator(language(lang).script)
    spans, start = [], 0
    for sentence in sentences:
        spans.append(Span(start, start + len(sentence)))
        start += len(sentence) + len(separator)
    return separator.join(sentences), spans
