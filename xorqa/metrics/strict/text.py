"""Answers as the strict scorers compare them: normalised, then cut into tokens, by language.

SQuAD's steps (Rajpurkar et al. 2016, section 6.1) in every language, as MLQA does it (Lewis
et al. 2020, section 4.1): case, punctuation and articles do not count. Beyond that, width and
compatibility forms do not count either (NFKC), articles are only those of the language, and
an answer of nothing but articles or punctuation stays an answer.
"""

from __future__ import annotations

import regex

from ...text.mecab import wakati
from ...text.normalize import fold
from ..articles import ARTICLES

PUNCTUATION = regex.compile(r"[\p{P}$+<=>^`|~]")
"""Unicode's punctuation, and ASCII's that are symbols to Unicode."""

CHARACTERS = {
    "th": regex.compile(r"\p{Thai}|[^\s\p{Thai}]+"),
    "zh": regex.compile(r"\p{Han}|[^\s\p{Han}]+"),
}
"""Languages written without blanks: a character of the script, or a run of others."""

_ARABIC_ARTICLE = "ال"


def normalize(text: str, lang: str) -> str:
    """An answer folded, without punctuation, the language's articles and extra white space.

    If nothing is left, the articles stay; if still nothing, the punctuation does too. Only an
    answer in which nothing is seen is empty. Any other language than `ARTICLES` and Arabic has
    no articles.
    """
    folded = fold(text)
    words = PUNCTUATION.sub("", folded).split()
    kept = _without_articles(words, lang)
    return " ".join(kept or words or folded.split())


def tokens(text: str, lang: str) -> list[str]:
    """The tokens of a normalised answer.

    Words parted by blanks; Japanese by MeCab; in Chinese and Thai each character of the
    script is a token of its own.
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
