import pytest

from xorqa.core.text.normalize import ascii_digits, strip_accents


@pytest.mark.parametrize(
    ("text", "plain"), [("Édouard", "Edouard"), ("Kōbe", "Kobe"), ("Ød", "Ød"), ("2²", "22")]
)
def test_accents_are_stripped(text: str, plain: str) -> None:
    assert strip_accents(text) == plain


@pytest.mark.parametrize(
    ("text", "digits"), [("১৯৭১ সালে", "1971 সালে"), ("١٢٫٥", "12٫5"), ("x²", "x²"), ("", "")]
)
def test_digits_of_every_script_become_ascii(text: str, digits: str) -> None:
    assert ascii_digits(text) == digits
