"""Names and numbers of a question that a passage lacks: it may be about something else."""

from functools import lru_cache

from ...core.text.normalize import ascii_digits
from ...core.text.words import word_spans
from ...core.types import Answer, Question

_STEM = 5  # letters that inflected forms of a name share


def missing_names(question: Question, answer: Answer) -> float:
    """The share of the question's names and numbers that its passage and title lack.

    It is 0 if the question has none, and for passages in another language, where names may have
    another form. Names are words with a capital, except the first word.
    """
    source = answer.source
    if source is None or source.lang != question.lang:
        return 0.0
    names = _names(question.text)
    passage = _folded(source.hit.passage.titled)
    return sum(not _occurs(name, passage) for name in names) / max(len(names), 1)


def _names(text: str) -> list[str]:
    first, *others = _words(text) or ("",)
    return [
        word.casefold()
        for word in (first, *others)
        if any(map(str.isdigit, word))
        or (word is not first and len(word) > 1 and word[0].isupper())
    ]


def _occurs(name: str, words: frozenset[str]) -> bool:
    inflected = len(name) >= _STEM and any(word.startswith(name[:_STEM]) for word in words)
    return inflected or name in words


@lru_cache(maxsize=1024)
def _folded(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _words(text))


def _words(text: str) -> tuple[str, ...]:
    plain = ascii_digits(text)
    return tuple(plain[span.start : span.end] for span in word_spans(plain))
