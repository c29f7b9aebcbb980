"""Exact match and token F1 of answers, normalised and tokenised in the answers' own language.

The measures and the steps of normalisation are SQuAD's (Rajpurkar et al. 2016, section 6.1) in
every language, as MLQA does it (Lewis et al. 2020, section 4.1): case, punctuation and articles do
not count. Beyond that, texts are NFKC-normalised, only the language's own articles are removed, and
an answer that has only articles or punctuation keeps them.

`tokens` are those of a normalised answer, `words` those that XOR-Full counts, by Moses and MeCab.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

import regex

from ..core.lang import ENGLISH
from ..core.text.normalize import fold
from ..core.text.words import wakati
from .report import Reference, Score

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


def token_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """F1 (0 to 1) of two bags of tokens; 0.0 if they share none."""
    shared = sum((Counter(predicted) & Counter(gold)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(gold)
    return 2 * precision * recall / (precision + recall)


def best(measure: Callable[[str, str], float], prediction: str, golds: Sequence[str]) -> float:
    """A measure's maximum over the gold answers; 0.0 if there are none."""
    return max((measure(prediction, gold) for gold in golds), default=0.0)


def best_overlap(predicted: list[str], golds: Sequence[list[str]]) -> dict[str, float]:
    """`f1` and `em` of a prediction's tokens, the best over those of the gold answers."""
    f1 = max((token_f1(predicted, gold) for gold in golds), default=0.0)
    return {"f1": f1, "em": float(predicted in golds)}


def score_tokens(
    references: Iterable[Reference],
    predictions: Mapping[str, str],
    tokenize: Callable[[str, str], list[str]],
) -> list[Score]:
    """`f1` and `em` of every question, the best over its gold answers, from 0 to 1.

    `tokenize` maps a text and the question's language to the tokens that are compared. A question
    without a prediction scores 0.
    """
    scores = []
    for row in references:
        values = {"f1": 0.0, "em": 0.0}
        if (prediction := predictions.get(row.qid)) is not None:
            golds = [tokenize(gold, row.lang) for gold in row.answers]
            values = best_overlap(tokenize(prediction, row.lang), golds)
        scores.append(Score(row.qid, row.lang, values))
    return scores


def score_answers(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """As `score_tokens`, with answers in the question's language.

    Two answers without tokens, which are equal, have an F1 of 1.
    """
    return [
        Score(row.qid, row.lang, {**row.values, "f1": max(row.values.values())})
        for row in score_tokens(references, predictions, tokens)
    ]


def score_english_answers(
    references: Sequence[Reference], predictions: Mapping[str, str]
) -> list[Score]:
    """As `score_answers`, with English answers to questions in any language."""
    english = [replace(row, lang=ENGLISH) for row in references]
    return [
        replace(score, lang=row.lang)
        for row, score in zip(references, score_answers(english, predictions), strict=True)
    ]
