"""The number of words of a text."""

from ...core.lang import language
from ...core.text.words import word_spans


def word_count(text: str, lang: str) -> int:
    """The number of words as MLQA counts its tokens (Lewis et al. 2020, Table 8).

    Words are separated by spaces. In languages written without spaces (in MLQA: Chinese), each
    character of such a script, each symbol and each punctuation mark counts as a word.
    """
    return len(text.split()) if language(lang).spaced else len(word_spans(text))
