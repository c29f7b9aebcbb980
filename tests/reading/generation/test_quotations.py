import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.reading.generation.reply import find_quotation

NILE = "The “White Nile” is 3,700 km long – it’s in  Africa.\nSee ｆｕｌｌ."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("3,700 km", "3,700 km"),
        ('"White Nile"', "White Nile"),
        ('The "White Nile" is', "The “White Nile” is"),
        (
            "3,700 km long - it's in Africa. See full",
            "3,700 km long – it’s in  Africa.\nSee ｆｕｌｌ",
        ),
        ("« in Africa »", "in  Africa"),
        ("… in Africa. …", "in  Africa"),
        ("...it's in\u00a0Africa", "it’s in  Africa"),
        ("in af\u00adrica", None),
        ("in Af\u00adrica", "in  Africa"),
        ("3700 km", None),
        ("in africa", None),
        ("", None),
        (" ... ", None),
        ("“”", None),
        (".", None),
    ],
)
def test_the_place_of_a_quotation(quote: str, found: str | None) -> None:
    span = find_quotation(quote, NILE)
    assert (span and NILE[span.start : span.end]) == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Jyväskylä", "Jyva\u0308skyla\u0308 on kaupunki."),
        ("ガーナ", "ｶﾞｰﾅの首都"),
        ("한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8 전쟁"),
        ("ে", "কে"),
        ("నది", "గోదావరి ఒక నది."),
    ],
)
def test_composition_and_width_do_not_count(quote: str, text: str) -> None:
    span = find_quotation(quote, text)
    assert (span is not None) == any(map(str.isalnum, quote))


@given(st.text(min_size=1, max_size=60), st.data())
def test_every_part_of_a_text_with_a_letter_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    span = find_quotation(text, f"a {text} b")
    if any(map(str.isalnum, text)) and text.isascii():
        assert span is not None
    if span is not None:
        assert 0 <= span.start < span.end <= len(text) + 4
    find_quotation(text[start:], text)
