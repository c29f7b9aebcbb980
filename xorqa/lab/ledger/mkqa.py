"""MKQA answer matching: SQuAD's exact match with the articles and the tokens of each language.

Longpre et al. 2021, as in the published script: Arabic ال is removed even inside words, French and
Italian articles even where a word begins with one, and Chinese, Japanese, Khmer and Thai ignore
white space, since each character is a token. MKQA writes a number, a blank and a unit, in Japanese
too ("27 年"), so this differs from SQuAD's normalisation.
"""

import re
import string

from ...metrics.answers import ARTICLES, best

_WORDS = {lang: rf"\b({'|'.join(words)})\b" for lang, words in ARTICLES.items()}
_ARTICLES = _WORDS | {
    "ar": "ال",
    "da": r"\b(en|et)\b",
    "fi": r"\b(se|yks|yksi)\b",
    "fr": r"\b(le|la|du|de|un)",
    "hu": r"\b(a|az|egy)\b",
    "it": r"\b(il|lo|la|i|gli|le|del|dei|degli|uno|una|un)",
    "nl": r"\b(de|het|een|des|der|den)\b",
    "no": r"\b(en|et|ei)\b",
    "pt": r"\b(o|a|os|as|um|uma|uns|umas)\b",
    "sv": r"\b(en|ett)\b",
}
_BY_CHARACTER = {"ja", "km", "th", "zh"}
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize(text: str, lang: str) -> str:
    """Lower-case a text; remove ASCII punctuation, the language's articles and extra white space.

    F1 would count the tokens between spaces.
    """
    text = text.lower().translate(_PUNCTUATION)
    if lang in _ARTICLES:
        text = re.sub(_ARTICLES[lang], " ", text)
    tokens = "".join(text.split()) if lang in _BY_CHARACTER else text.split()
    return " ".join(tokens)


def exact_match(prediction: str, golds: tuple[str, ...], lang: str) -> float:
    """1.0 if the prediction and one of the gold answers normalise to the same string, else 0.0."""
    return best(
        lambda text, gold: float(normalize(text, lang) == normalize(gold, lang)), prediction, golds
    )
