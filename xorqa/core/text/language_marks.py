"""Letters and words that distinguish languages where n-grams of characters do not."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ..config import read_toml
from .patterns import compiled

LIKELY = 0.6
"""The probability of a language that only letters indicate."""

_LETTERS = {  # languages that py3langid does not know in this script, and takes for others
    "ti": ((None,), r"[ኣቐ-ቝኸ-ዅ]|(?<!\w)(?:እዩ|እያ|እዮም|እንታይ|መን|ናይ|እቲ|እታ|ከመይ|ካብ|ናብ)(?!\w)"),
    "yi": (
        ("Hebr",),
        r"[\u05f0-\u05f2]|א[\u05b7\u05b8]|(?<!\w)(?:איז|דער|און|פון|וואס|ווער|וואו)(?!\w)",
    ),
    "ku": (("Arab",), r"[ڕڵێ]|ۆ(?!.*[ۇۈۋې])"),
    "sd": (("Arab",), r"[ڄڃٻڀٿڦڏڊڪ]"),
    "az": (("Cyrl",), r"[ҹҝ]"),
    "bo": ((None,), r"[\u0f40-\u0fbc]"),
    "dv": ((None,), r"[\u0780-\u07bf]"),
    "iu": ((None,), r"[\u1400-\u167f]"),
    "ii": ((None,), r"[\ua000-\ua48c]"),
}
_MANY_HAN = 20  # a text of more has kana if it is Japanese


def by_letters(text: str, script: str | None) -> tuple[str, float] | None:
    """The language that some letters indicate, and its probability; None for most texts."""
    if script == "Hans":
        return _chinese_or_japanese(text)
    indicated = (
        (code, LIKELY)
        for code, (scripts, letters) in _LETTERS.items()
        if script in scripts and re.search(letters, text)
    )
    return next(indicated, None)


def _chinese_or_japanese(text: str) -> tuple[str, float] | None:
    """Characters that only one of them writes decide; others do in a long text alone."""
    han = [char for char in text if "\u3400" <= char <= "\u9fff"]
    japanese, simplified, traditional = (
        {char for char in han if _in(char, charset)} for charset in ("shift_jis", "gb2312", "big5")
    )
    chinese = (simplified | traditional) - japanese
    if only := japanese - simplified - traditional:
        return ("ja", 0.9) if not chinese else ("ja", LIKELY if len(only) > len(chinese) else 0.5)
    if chinese:
        return "zh", 0.95
    return "zh", 0.9 if len(han) > _MANY_HAN else 0.5


def _in(char: str, charset: str) -> bool:
    return bool(char.encode(charset, "ignore"))


_WORD = r"[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*"


def words_of(text: str) -> list[str]:
    """The words of a text: letters with their marks, and apostrophes inside."""
    return [str(word) for word in compiled(_WORD).findall(text)]


_NAME = 2  # words of a name at most
_NAMES = 3  # function words in a name, such as a song's, per one of the sentence
_CASED = ("Cyrl", "Grek")
_GRAMMAR = {  # what sentences have and names lack
    "Jpan": r"[\u3041-\u3096]+",
    "Hans": r"[的是了在吗嗎呢么麼谁誰哪何和有]",
    "Kore": r"(?:[은는이가을를의에]|나요|까|가요|언제|누구|무엇|어디)(?!\w)",
    "Thai": r"ใด|อะไร|ใคร|ไหน|เมื่อ|อย่างไร|เป็น|คือ|มี|ใน|ของ|ที่|และ|จาก",
}


def is_sentence(latin: list[str], others: list[str], script: str, *, first: bool) -> bool:
    """Whether a text's Latin words are the sentence, and those of the other script are names.

    `first` is true if the Latin words come first.
    """
    if script in _CASED:
        own, other = _in_lower_case(latin, first), _in_lower_case(others, not first)
        return (own > other or (own == other > 0 and first)) and (
            first or not function_words(others)
        )
    written = [word for n, word in enumerate(latin) if word.islower() or (first and not n)]
    own = max(function_words(written).values(), default=0)
    if script in _GRAMMAR:
        other = len(re.findall(_GRAMMAR[script], " ".join(others)))
    else:
        other = max(0, len(others) - _NAME, *function_words(others).values())
    return own > _NAMES * other


def _in_lower_case(words: list[str], first: bool) -> int:
    """The number of words in lower case; the first one of a text may begin with a capital."""
    return sum(map(str.islower, [words[0][1:] or words[0], *words[1:]] if first else words))


_QUOTED = re.compile(r"[\"“„«「『《][^\"”“»」』》]{2,}[\"”“»」』》]")


def without_quotes(text: str) -> str:
    """The text without what is quoted in it, if two words are left."""
    rest = _QUOTED.sub(" ", text)
    return rest if len(words_of(rest)) > 1 else text


def function_words(words: Iterable[str]) -> dict[str, int]:
    """How many of the words are function words of each language.

    Names with an underscore are romanisations.
    """
    lower = [word.lower().replace("’", "'") for word in words]
    return {
        code: count
        for code, known in _function_words().items()
        if (count := sum(word in known for word in lower))
    }


@cache
def _function_words() -> dict[str, frozenset[str]]:
    table = read_toml(Path(__file__).with_name("function_words.toml"))
    return {code: frozenset(words.split()) for code, words in table.items()}
