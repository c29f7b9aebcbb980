import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.models.source_encoding import romanise


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Forssa, 1732?", "Forssa, 1732?"),
        ("Вашингтон", "vashington"),
        ("カポネは何", "kaponeha "),
        ("바락", "barag"),
        ("ক্রিকেট ১৯৯৬", "kriketta 1996"),
        ("రాజ్", "raaj"),
        ("شيخ", "shykh"),
        ("", ""),
    ],
)
def test_letters_sound_like_their_names(text: str, letters: str) -> None:
    assert romanise(text)[0] == letters


@given(st.text())
def test_every_letter_knows_its_place(text: str) -> None:
    letters, places = romanise(text)
    assert len(letters) == len(places)
    assert places == sorted(places)
    assert all(0 <= place < len(text) for place in places)
