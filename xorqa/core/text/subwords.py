"""An estimate, from above, of the subwords of a text in the vocabulary of XLM-R, without a model.

The rates are the most subwords per character among the Universal Declaration's languages of each
script, with a margin (`xorqa bench known-items` measures them again).
"""

import unicodedata
from functools import cache, lru_cache

_RATES = {  # subwords per character, by the first word of the character's name in Unicode
    "ADLAM": 0.5, "ARABIC": 0.62, "ARMENIAN": 0.3, "CHAKMA": 0.45, "BENGALI": 0.42,
    "CANADIAN": 0.55, "CHEROKEE": 0.55,
    "CJK": 0.9, "CYRILLIC": 0.65, "DEVANAGARI": 0.56, "ETHIOPIC": 0.85, "GEORGIAN": 0.32,
    "GREEK": 0.57, "GUJARATI": 0.4, "GURMUKHI": 0.45, "HANGUL": 0.75, "HEBREW": 0.45,
    "HIRAGANA": 0.7, "KANNADA": 0.38, "KATAKANA": 0.7, "KHMER": 0.34, "LAO": 0.36,
    "MALAYALAM": 0.31, "MONGOLIAN": 0.9, "MYANMAR": 0.8, "SINHALA": 0.4, "TAMIL": 0.33,
    "TELUGU": 0.47, "THAANA": 0.3, "THAI": 0.3, "TIBETAN": 0.2, "TIFINAGH": 0.6,
}  # fmt: skip
_ASCII = 0.45
_OTHER = 1.2  # Latin letters beyond ASCII, combining marks, and scripts that XLM-R does not know


@lru_cache(maxsize=1 << 16)
def subwords(word: str) -> float:
    """The most subwords that a word, or a run of words, is expected to have; at least 1."""
    return max(1.0, sum(map(_rate, word)))


@cache
def _rate(character: str) -> float:
    if character.isascii():
        return 0.0 if character.isspace() else _ASCII
    name = unicodedata.name(character, "").partition(" ")[0]
    return _RATES.get(name, _OTHER)
