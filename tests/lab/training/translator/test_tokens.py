import pytest

from xorqa.lab.training.translator.tokens import style_token
from xorqa.models.source_encoding import QUESTION, SPECIAL


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("where is it", "<lower>"),
        ("NEXT TO", "<lower>"),
        ("who?", "<lower?>"),
        ("It is.", "<Cased>"),
        ("Who is it?", "<Cased?>"),
        ("나일강은 어디에 있나요", "<Cased>"),
        ("أين يقع نهر النيل؟", "<Cased?>"),
    ],
)
def test_the_style_of_a_text(text: str, style: str) -> None:
    assert SPECIAL[style_token(text)] == style


def test_questions_are_asked_for() -> None:
    assert style_token("Where is the Nile?") == QUESTION
