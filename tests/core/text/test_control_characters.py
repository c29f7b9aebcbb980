import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.text.normalize import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\u001b[2J"),
        ("\x9b31m", "\\u009b31m"),
        ("a\rb", "a\\u000db"),
        ("left \u202etfel\u2066", "left \\u202etfel\\u2066"),
        ("\ud800", "\\ud800"),
        ("one\ttab\r\nand lines\n", "one\ttab\r\nand lines\n"),
        ("می‌خواهم \u200fنیل", "می‌خواهم \u200fنیل"),
    ],
)
def test_control_characters_are_escaped_and_text_is_not(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_json_stays_the_same_value(text: str) -> None:
    shown = visible(json.dumps(text, ensure_ascii=False))
    assert json.loads(shown) == text
    assert visible(shown) == shown
