import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.io.files import quote_cell, unquote_cell


@pytest.mark.parametrize(
    "text", ["=1+2", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "\t=1", "\r=1", "＝1", "-", "-1+1"]
)
def test_a_text_that_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert quote_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["-0.5", "+12", "-1,234.5", "-.5", "1e-05", "-2.0 (24)", "-3 %", "a=b", "", "'s", "–"]
)
def test_numbers_and_other_texts_are_not(text: str) -> None:
    assert quote_cell(text) == text


@given(st.text(st.sampled_from("'=+-@\t\r1.a")))
def test_a_quoted_cell_is_read_as_it_was(text: str) -> None:
    assert unquote_cell(quote_cell(text)) == text
