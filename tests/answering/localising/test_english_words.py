"""English number words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.answering.localising.english_words import (
    ordinal_ending,
    ordinal_number,
    with_digits,
)

ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
]
ONES += ["fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelled(number: int) -> str:
    """A number below a million in English words."""
    for size, word in ((1000, "thousand"), (100, "hundred")):
        if number >= size:
            high, low = divmod(number, size)
            tail = f" {'and ' if size == 100 else ''}{spelled(low)}" if low else ""
            return f"{spelled(high)} {word}{tail}"
    if number < len(ONES):
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")


@given(st.integers(0, 999_999))
def test_a_spelled_number_keeps_its_value(number):
    figures = with_digits(spelled(number)).replace(" thousand", ",000")
    assert figures == f"{number:,}"


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("half a million", "0.5 million"),
        ("two and a half years", "2.5 years"),
        ("one and a half million", "1.5 million"),
        ("two dozen", "24"),
        ("half a dozen", "6"),
        ("a hundred people", "100 people"),
        ("Twenty-five", "25"),
        ("Three million people", "3 million people"),
        ("twelve hundred", "1,200"),
        ("forty two", "42"),
    ],
)
def test_words_become_digits(text, digits):
    assert with_digits(text) == digits


@pytest.mark.parametrize(
    "text",
    [
        *("Three Mile Island", "Seven Years' War", "Ocean's Eleven", "First National Bank"),
        *("One Direction", "Seven", "Two and a Half Men", "Twenty One Pilots", "dozens", "a", ""),
        *("nineteen eighty-four", "twenty ten", "thousand", "million", "two-two", "five-o"),
    ],
)
def test_names_stay_as_they_are(text):
    assert with_digits(text) == text


@given(st.integers(1, 999))
def test_an_ordinal_in_digits_keeps_its_number(number):
    assert ordinal_number(f"{number}{ordinal_ending(number)}") == number


def test_ordinals_in_words():
    words = ["first", "second", "third", "fifth", "eighth", "ninth", "twelfth", "twentieth"]
    assert [ordinal_number(word) for word in words] == [1, 2, 3, 5, 8, 9, 12, 20]
    assert ordinal_number("thirty-first") == 31
    assert [ordinal_number(text) for text in ("11st", "0th", "zeroth", "First", "")] == [None] * 5
