"""Numbers in Chinese characters, and years of the Republic of China, as digits."""

import re

_DIGITS = {char: number for number, char in enumerate("〇一二三四五六七八九")}
_DIGITS |= {"零": 0, "両": 2, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_CHARS = "".join([*_DIGITS, *_UNITS])
_RUN = re.compile(rf"(?<![\d{_CHARS}])[{_CHARS}]+")  # not after a digit: 4千万 is a unit's
_SIMPLIFIED = str.maketrans("萬億", "万亿")
_REPUBLIC = re.compile(r"民[國国](元|\d{1,3})年")
_BEFORE_REPUBLIC = 1911


def with_digits(text: str, lang: str) -> str:
    """The text with digits for numerals ("一億二千万": "1億2000万") and for 民國 years.

    In Chinese, traditional units become simplified ones ("14億": "14亿").

    Only for parsing: names such as 三重 have numerals, too.
    """
    if lang == "zh":
        text = text.translate(_SIMPLIFIED)
    digits = _RUN.sub(lambda match: _number(match[0]), text)
    return _REPUBLIC.sub(lambda match: f"{_year(match[1])}年", digits)


def _year(number: str) -> int:
    return _BEFORE_REPUBLIC + (1 if number == "元" else int(number))


def _number(run: str) -> str:
    if not any(char in _UNITS for char in run):
        return "".join(str(_DIGITS[char]) for char in run)  # a year, digit by digit
    total, digit = 0, None
    for char in run:
        if char in _UNITS:
            total += (1 if digit is None else digit) * _UNITS[char]
            digit = None
        else:
            digit = _DIGITS[char] or None
    return str(total + (digit or 0))
