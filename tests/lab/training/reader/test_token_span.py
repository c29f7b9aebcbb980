"""The tokens of an answer in a window."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.test_features import TEXTS, joins, only
from xorqa.core.types import Span
from xorqa.lab.training.reader.samples import token_span
from xorqa.reading.features import Window, make_windows


def characters(window: Window, tokens: Span) -> Span:
    """The characters that a range of tokens stands for."""
    return Span(int(window.offsets[tokens.start, 0]), int(window.offsets[tokens.end - 1, 1]))


@given(st.sampled_from(sorted(TEXTS)), st.data())
@settings(deadline=None, max_examples=150)
def test_token_span_covers_exactly_its_characters(
    e5_tokenizer: Any, lang: str, data: st.DataObject
) -> None:
    text = TEXTS[lang]
    window = only(make_windows(e5_tokenizer, ["?"], [text]))
    letters = [at for at, char in enumerate(text) if not (char.isspace() or joins(char))]
    start = data.draw(st.sampled_from(letters))
    end = 1 + data.draw(st.sampled_from([at for at in letters if at >= start]))
    found = token_span(window, Span(start, end))
    assert found is not None
    assert window.context.start <= found.start < found.end <= window.context.end
    covered = characters(window, found)
    assert covered.start <= start and end <= covered.end
    assert window.offsets[found.start, 1] > start  # and no token could be left out
    assert window.offsets[found.end - 1, 0] < end


def test_a_gold_on_the_edge_of_a_window_is_found_in_its_neighbour(e5_tokenizer: Any) -> None:
    text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    windows = make_windows(e5_tokenizer, ["?"], [text], max_tokens=14, stride=4)
    for word in text.split():
        span = Span(text.index(word), text.index(word) + len(word))
        found = [(window, tokens) for window in windows if (tokens := token_span(window, span))]
        assert found
        for window, tokens in found:
            covered = characters(window, tokens)
            assert text[covered.start : covered.end].strip() == word
    assert sum(token_span(window, Span(0, len(text))) is not None for window in windows) == 0


def test_an_empty_passage_has_no_tokens(e5_tokenizer: Any) -> None:
    empty = only(make_windows(e5_tokenizer, ["c?"], [""]))
    assert token_span(empty, Span(0, 1)) is None
