import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from xorqa.core.types import Span
from xorqa.lab.training.translate_train.quote_projection import MARKS, enclose, locate, unquote

TEXT = "They met in Paris."
PARIS = Span(12, 17)
QUOTED = 'They met "in Paris" in Paris.'
AGAIN = Span(QUOTED.rindex("Paris"), QUOTED.rindex("Paris") + 5)


def test_the_marks_are_those_the_text_has_not() -> None:
    assert enclose(TEXT, PARIS) == 'They met in "Paris".'
    assert enclose(QUOTED, AGAIN) == 'They met "in Paris" in “Paris”.'
    assert enclose("".join(MARKS), Span(0, 1)) is None


@pytest.mark.parametrize(
    "translation",
    [
        'Sie trafen sich in "Paris".',
        "Sie trafen sich in „Paris“.",
        "Sie trafen sich in „Paris”.",
        'Sie trafen sich in „Paris".',
        "Sie trafen sich in «Paris».",
        "Sie trafen sich in «\u00a0Paris\u00a0».",
        "Sie trafen sich in »Paris«.",
        "Sie trafen sich in ”Paris”.",
        "Sie trafen sich in 「Paris」.",
        "Sie trafen sich in ＂Paris＂.",
    ],
)
def test_any_language_s_marks_are_known(translation: str) -> None:
    text, span = unquote(translation, TEXT, PARIS) or ("", Span(0, 0))
    assert text == "Sie trafen sich in Paris."
    assert text[span.start : span.end] == "Paris"


def test_a_stop_that_went_inside_is_none_of_the_answer_s() -> None:
    text, span = unquote('In "Paris," trafen sie sich.', TEXT, PARIS) or ("", Span(0, 0))
    assert (text, text[span.start : span.end]) == ("In Paris, trafen sie sich.", "Paris")
    source = "He left the U.S. then."
    text, span = unquote('Er verließ die "U.S." dann.', source, Span(12, 16)) or ("", Span(0, 0))
    assert text[span.start : span.end] == "U.S."


@pytest.mark.parametrize(
    "translation",
    [
        "Sie trafen sich in Paris.",
        'Sie trafen sich in "Paris.',
        '"Sie" trafen sich in "Paris".',
        'Sie trafen sich in "".',
        'Sie trafen sich in Paris".".',
    ],
)
def test_marks_that_cannot_be_trusted(translation: str) -> None:
    assert unquote(translation, TEXT, PARIS) is None


def test_other_quotations_stay_and_are_not_taken_for_the_answer() -> None:
    kept = 'Sie trafen sich "in Paris" in “Paris”.'
    text, span = unquote(kept, QUOTED, AGAIN) or ("", Span(0, 0))
    assert text == 'Sie trafen sich "in Paris" in Paris.'
    assert span.start == text.rindex("Paris")
    for lost in (
        "Sie trafen sich „in Paris“ in „Paris“.",
        'Sie trafen sich "in Paris" in Paris.',
        "Sie trafen sich in Paris in “Paris”.",
    ):
        assert unquote(lost, QUOTED, AGAIN) is None


@given(st.text('ab "“”«»「」', min_size=1, max_size=20), st.data())
def test_what_a_faithful_translator_keeps_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    answer = Span(start, data.draw(st.integers(start + 1, len(text))))
    inside = text[answer.start : answer.end]
    assume(inside == inside.strip() != "")
    marked = enclose(text, answer)
    if marked is not None:
        assert unquote(marked, text, answer) == (text, answer)


def test_an_answer_is_located_if_it_stands_there_once() -> None:
    assert locate("Es liegt in Paris.", " paris ", lang="de") == (
        "Es liegt in Paris.",
        Span(12, 17),
    )
    assert locate("Paris, in Paris", "Paris", lang="de") is None
    assert locate("Pariser Leben", "Paris", lang="de") is None
    assert locate("東京都は首都", "東京", lang="ja") == ("東京都は首都", Span(0, 2))
    assert locate("Anything", " ", lang="de") is None
    assert locate("a+b", "A+B", lang="de") == ("a+b", Span(0, 3))
