"""Names that sound alike in different scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.answering.choosing.features import LEAST, consonants, phonetic_similarity

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["베르디", "Виктор Гюго", "కృష్ణ", "هلسنكي", "ヴェルディ"]
)


@pytest.mark.parametrize(
    ("english", "other"),
    [
        ("Giuseppe Verdi", "주세페 베르디"),
        ("Giovanni Bottesini", "ジョヴァンニ・ボッテジーニ"),
        ("Victor Hugo", "Виктор Гюго"),
        ("Krishna", "కృష్ణ"),
        ("Helsinki", "هلسنكي"),
        ("Mahatma Gandhi", "মহাত্মা গান্ধী"),
        ("Moscow", "Москва"),
        ("VERDI", "Verdí"),
    ],
)
def test_the_same_name(english: str, other: str) -> None:
    assert LEAST <= phonetic_similarity(english, other) <= 1


@pytest.mark.parametrize(
    ("english", "other"),
    [
        ("Tarja Halonen", "베르디"),
        ("Nobel Prize in Physics", "Виктор Гюго"),
        ("Tokyo", "東京"),  # characters do not tell their sound
        ("Dhaka", "టోక్యో"),  # two consonants say too little
        ("1896", "1896"),
        ("", "Verdi"),
    ],
)
def test_nothing_can_be_said(english: str, other: str) -> None:
    assert phonetic_similarity(english, other) == 0


@given(TEXT, TEXT)
def test_bounds_and_symmetry(a: str, b: str) -> None:
    value = phonetic_similarity(a, b)
    assert value == phonetic_similarity(b, a)
    assert value == 0 or LEAST <= value <= 1


@given(TEXT)
def test_a_text_is_like_itself_if_it_has_consonants(text: str) -> None:
    assert phonetic_similarity(text, text) == (1.0 if len(consonants(text)) > 2 else 0.0)
