import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import Notice
from xorqa.core.lang import ISO_639_1
from xorqa.core.text.detection import UNSURE, detect, question_language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Jakie miasto jest stolicą Boliwii i kiedy zostało założone?", "pl"),
        ("Hvilken by er hovedstaden i Bolivia, og hvornår blev den grundlagt?", "da"),
        ("Melyik város Bolívia fővárosa, és mikor alapították?", "hu"),
        ("რომელი ქალაქია ბოლივიის დედაქალაქი?", "ka"),
        ("Который город является столицей Боливии?", "ru"),
    ],
)
def test_a_question_of_a_language_is_detected_without_a_note(text: str, code: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)
        assert question_language(text) == code
    assert detect(text).probability >= UNSURE


def test_gibberish_is_answered_with_a_note_that_names_the_option() -> None:
    with pytest.warns(Notice, match=r"uncertain; assumed .*--lang"):
        question_language("qwrt zxcvb plokij")


def test_a_detected_language_is_printed_in_percent() -> None:
    assert str(detect("Missä kaupungissa Suomen presidentti asuu nykyään?")).startswith("Finnish (")


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_every_text_has_a_language_and_a_probability(text: str) -> None:
    detected = detect(text)
    assert detected.lang in ISO_639_1
    assert 0.0 <= detected.probability <= 1.0 + 1e-9
