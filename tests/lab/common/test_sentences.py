import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError
from xorqa.lab.common.sentences import join_sentences


@given(st.lists(st.text(max_size=5)), st.sampled_from(["de", "ja", "th", "zh"]))
def test_pieces_stand_where_join_says(pieces: list[str], lang: str) -> None:
    text, spans = join_sentences(pieces, lang=lang)
    assert [text[span.start : span.end] for span in spans] == pieces
    assert text == ("" if lang in {"ja", "zh"} else " ").join(pieces)


def test_an_unknown_language_cannot_be_joined() -> None:
    with pytest.raises(ConfigError, match="no language is called 'xx'"):
        join_sentences(["a"], lang="xx")
