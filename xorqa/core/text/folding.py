"""The folding of letters for word search: one table per script, and what languages do otherwise.

Two spellings of a word become one: with or without optional marks and joiners, in the letters of
one keyboard or another, in native digits or ASCII. Letters that distinguish words of a language
stay distinct in it. Where Lucene normalises a script (Arabic, Persian, Greek), the tables agree
with it.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from ..errors import ConfigError
from ..named import require
from .normalize import ascii_digits, strip_accents
from .patterns import compiled

SIMPLIFIED = "simplified-chinese"
MARKS = "vietnamese-marks"
OPTIONS = (SIMPLIFIED, MARKS)
"""The foldings that are used only on demand: traditional characters of Chinese texts become
simplified ones (needs `xorqa[chinese]`), and Vietnamese loses its marks."""


class Folding(NamedTuple):
    """`letters` are replaced one by one, then each match of `marks` (a regex) is dropped.

    `bare` drops all accents of the script's letters, dialytika included.
    """

    letters: Mapping[str, str] = {}
    marks: str = ""
    bare: bool = False


def _pairs(pairs: str) -> dict[str, str]:
    """`"ab cde"` as `{"a": "b", "c": "de"}`."""
    return {pair[0]: pair[1:] for pair in pairs.split()}


SCRIPTS = {
    "Arabic": Folding(
        # alef with hamza or madda, yeh, kaf and heh of several languages, teh marbuta
        _pairs("أا إا آا ٱا یي ىي کك ڪك ہه ۂه ۀه ةه ۃه"),
        "[\u0640\u064b-\u0655\u0670]",  # tatweel, vowel signs, loose hamza
    ),
    "Bengali": Folding(_pairs("ৎত্")),
    "Cyrillic": Folding(marks=r"(?<=\p{Cyrillic})[\u0300\u0301]"),  # stress marks
    "Greek": Folding(bare=True),
    "Hebrew": Folding(_pairs("װוו ױוי ײיי"), r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5]"),
    "Khmer": Folding(marks="[\u17b4\u17b5]"),
    "Malayalam": Folding(_pairs("ൺണ് ൻന് ർര് ൽല് ൾള് ൿക് ൎര് ൌൗ")),
}
"""The folding of each script, in texts of every language but for `DISTINCT`."""


def _amharic() -> dict[str, str]:
    """Letters of one sound, in their seven orders; the fourth of h and of a sounds as the first."""
    rows = {0x1200: 0x1200, 0x1210: 0x1200, 0x1280: 0x1200, 0x12A0: 0x12A0, 0x12D0: 0x12A0}
    rows |= {0x1220: 0x1230, 0x1340: 0x1338}
    orders = {to: [0, 1, 2, 0, 4, 5, 6] for to in (0x1200, 0x12A0)}
    return {
        chr(letter + order): chr(to + orders.get(to, range(7))[order])
        for letter, to in rows.items()
        for order in range(7)
    }


LANGUAGE_FOLDINGS = {
    "am": Folding(_amharic()),
    "en": Folding(_pairs("øo łl đd æae œoe ıi"), bare=True),
    "ku": Folding(_pairs("ھه")),
    "ro": Folding(_pairs("şș ţț")),
    "ru": Folding(_pairs("ёе")),
}
"""What is folded only in texts of a language, beside its script's folding."""

DISTINCT = {"ps": "یىي", "sd": "کڪ", "ug": "ى", "yi": "\u05b7\u05b8\u05bc\u05bf"}
"""Letters and marks that distinguish words in a language, so that they are not folded in it."""

ZERO_WIDTH_SPACE = "\u200b"
UNSPACED = (
    r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\p{Hangul}\p{Thai}\p{Bopomofo}\p{Yi}"
    r"\p{Lao}\p{Khmer}\p{Myanmar}\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Tai_Viet}"
    r"\p{Balinese}\p{Javanese}"
)
"""Scripts written without spaces between words, in a regex's brackets; Hangul is searched alike.
Tibetan is not among them: its syllables are separated by a mark."""

_CASES = {lang: str.maketrans("Iİ", "\u0131i") for lang in ("az", "tr")}  # casefold maps I to i
_KURDISH_E = "ه\u200c"  # a vowel that some keyboards write with a joiner

_ARTICLE = (  # as a prefix of words of three letters or more, but for those of God
    r"(?<![\p{L}\p{N}])(?:(?:ال|لل)(?!لهم?(?!\p{L}))(?=\p{L}{2})"
    r"|(?:[وف][بك]?|[بك])ال(?!لهم?(?!\p{L}))(?=\p{L}{3}))"
)


def fold_for_search(text: str, lang: str, options: tuple[str, ...] = ()) -> str:
    """Fold a text of a language (ISO 639-1) to the letters that word search compares.

    `options` are names of `OPTIONS`. Format characters are dropped; a zero-width space is one
    between letters of a script that is written with spaces.

    Raises:
        MissingExtraError: if the package of an option is not installed.
    """
    rules = _rules(lang, options)
    if text.isascii():
        return text.translate(rules.cases).casefold()
    text = unicodedata.normalize("NFKC", text)
    if lang == "zh" and SIMPLIFIED in options:
        text = "".join(map(_simplified, text))
    for letters, marks in rules.bare:
        text = marks.sub("", letters.sub(lambda match: _bare(match[0]), text))
    text = unicodedata.normalize("NFKC", text.translate(rules.cases).casefold())
    if lang == "ku":
        text = text.replace(_KURDISH_E, "ە")
    text = rules.marks.sub("", text).replace(ZERO_WIDTH_SPACE, " ")
    text = ascii_digits(text.translate(rules.letters))
    return rules.article.sub("", text) if lang == "ar" else text


class _Rules(NamedTuple):
    """The tables and patterns of a language."""

    cases: Mapping[int, int]
    bare: list[tuple[Any, Any]]
    marks: Any
    letters: Mapping[int, str]
    article: Any


@cache
def _rules(lang: str, options: tuple[str, ...]) -> _Rules:
    own = LANGUAGE_FOLDINGS.get(lang, Folding())
    rows = [*SCRIPTS.values(), own]
    letters = {letter: to for row in rows for letter, to in row.letters.items()}
    bare = [script for script, row in SCRIPTS.items() if row.bare]
    if own.bare or (lang == "vi" and MARKS in options):
        bare.append("Latin")
        letters["đ"] = "d"
    distinct = DISTINCT.get(lang, "")
    for letter in distinct:
        letters.pop(letter, None)
    marks = "|".join(row.marks for row in rows if row.marks)
    unspaced = f"(?<=[{UNSPACED}]){ZERO_WIDTH_SPACE}+(?=[{UNSPACED}])"
    invisible = rf"[\p{{Cf}}--{ZERO_WIDTH_SPACE}]"
    kept = f"(?![{distinct}])" if distinct else ""
    return _Rules(
        _CASES.get(lang, {}),
        [
            (compiled(rf"[\p{{{script}}}--[A-Za-z]]"), compiled(rf"(?<=\p{{{script}}})\p{{M}}+"))
            for script in bare
        ],
        compiled(f"{unspaced}|{invisible}|{kept}(?:{marks})"),
        str.maketrans(letters),
        compiled(_ARTICLE),
    )


@cache
def _bare(letter: str) -> str:
    return strip_accents(letter)


@cache
def _simplified(character: str) -> str:
    return str(_opencc().convert(character))


@cache
def _opencc() -> Any:
    return require("opencc", extra="chinese").OpenCC("t2s")


def check_options(options: Iterable[str]) -> tuple[str, ...]:
    """The options in order, without duplicates; raises ConfigError for an unknown one."""
    chosen = tuple(sorted({*options}))
    for name in chosen:
        if name not in OPTIONS:
            raise ConfigError(f"no folding is called '{name}'; valid: {', '.join(OPTIONS)}")
    return chosen
