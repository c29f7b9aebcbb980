import pytest

from xorqa.models.thoughts import ends_in_thoughts, without_thoughts


@pytest.mark.parametrize(
    ("text", "reply", "is_cut"),
    [
        ("Where is Inari?", "Where is Inari?", False),
        ("<think>\nHmm.\n</think>\n\nWhere is Inari?", "\n\nWhere is Inari?", False),
        ("Hmm.</think>Where is Inari?", "Where is Inari?", False),
        ("<think>one</think>two<think>three</think>four", "four", False),
        ("<Thinking>Hmm.</Thinking>Where?", "Where?", False),
        ("[THINK]Hmm.[/THINK]Where?", "Where?", False),
        ("<think>\nHmm, the user wants Where is", "", True),
        ("<think>Hmm.</think>Where?<think>Or", "Where?", True),
        ("", "", False),
    ],
)
def test_thoughts_are_no_part_of_a_reply(text: str, reply: str, is_cut: bool) -> None:
    assert without_thoughts(text) == reply
    assert ends_in_thoughts(text) == is_cut
