"""Normalise and tokenise answers by language, for the strict scorers.

SQuAD's steps (Rajpurkar et al. 2016, section 6.1) in every language, as MLQA does it (Lewis
et al. 2020, section 4.1): case, punctuation and articles do not count. Beyond that,
texts are NFKC-normalised, only the language's own articles are removed, and an answer that has only
articles or punctuation keeps them.

`tokens` are those of a normalised answer, `words` those that XOR-Full counts, by Moses and MeCab.
"""

from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

import regex

from ..core.text.normalize import fold
from ..core.text.words import wakati

ARTICLES = {
    "de": (
        *("ein", "eine", "einen", "einem", "eines", "einer"),
        *("der", "die", "das", "den", "dem", "des"),
    ),
    "en": ("a", "an", "the"),
    "es": ("un", "una", "unos", "unas", "el", "la", "los", "las"),
    "vi": ("của", "là", "cái", "chiếc", "những"),
}
"""The articles that scorers ignore: ISO 639-1 code to articles in lower case (NFC).

The lists are those of MLQA's published scorer (Lewis et al. 2020, section 4.1); those of English
are SQuAD's. Arabic writes its article as a part of the word, so it has no list.
"""

PUNCTUATION = regex.compile(r"[\p{P}$+<=>^`|~]")
"""Unicode's punctuation, and ASCII punctuation that Unicode classes as symbols."""

CHARACTERS = {
    "th": regex.compile(r"\p{Thai}|[^\s\p{Thai}]+"),
    "zh": regex.compile(r"\p{Han}|[^\s\p{Han}]+"),
}
"""Languages written without spaces: the pattern of a token, a character of the script or a run of
others."""

_ARABIC_ARTICLE = "ال"


def normalize(text: str, lang: str) -> str:
    """Fold an answer; remove punctuation, the language's articles and extra white space.

    If nothing remains, articles are kept; if still nothing, punctuation too. Invisible characters
    are always removed. Only languages of `ARTICLES` and Arabic have articles.
    """
    folded = fold(text)
    words = PUNCTUATION.sub("", folded).split()
    without_articles = _without_articles(words, lang)
    return " ".join(without_articles or words or folded.split())


def tokens(text: str, lang: str) -> list[str]:
    """The tokens of a normalised answer.

    They are separated by spaces; Japanese is segmented by MeCab, and in Chinese and Thai each
    character of the script is a token.
    """
    text = normalize(text, lang)
    if lang == "ja":
        return wakati(text).split()
    return CHARACTERS[lang].findall(text) if lang in CHARACTERS else text.split()


def _without_articles(words: list[str], lang: str) -> list[str]:
    if lang == "ar":
        words = [word.removeprefix(_ARABIC_ARTICLE) for word in words]
    articles = ARTICLES.get(lang, ())
    return [word for word in words if word and word not in articles]


@lru_cache(maxsize=16384)  # gold answers and texts that folding does not change recur
def words(text: str, lang: str) -> tuple[str, ...]:
    """Split a text into words and punctuation, none of which contains white space.

    Uses the Moses tokenizer with the language's abbreviations (or English ones), then splits
    Chinese and Thai into characters; Japanese is segmented by MeCab. A text that these tokenizers
    delete entirely (control characters) is split at spaces.
    """
    if lang == "ja":
        tokens = wakati(text).split()
    else:
        tokens = _moses(lang).tokenize(text, escape=False)
        if lang in CHARACTERS:
            tokens = CHARACTERS[lang].findall(" ".join(tokens))
    return tuple(tokens or text.split())


def word_signature() -> str:
    """The signature of the tokenizers, with their versions, in sacreBLEU's format."""
    moses, mecab = version("sacremoses"), version("unidic-lite")
    return f"words:moses-sacremoses-{moses},ja-mecab-unidic-lite-{mecab}"


@cache
def _moses(lang: str) -> Any:
    return import_module("sacremoses").MosesTokenizer(lang)
