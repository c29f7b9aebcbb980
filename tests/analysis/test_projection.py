from hypothesis import given
from hypothesis import strategies as st

from xorqa.analysis.projection import Projection, best_span, side_by_side
from xorqa.core.types import Span
from xorqa.models.alignment import Links

links = st.dictionaries(
    st.tuples(st.integers(0, 7), st.integers(0, 5)), st.sampled_from([0.25, 0.5, 1.0, 2.0])
)


def equation(found: Links, answer: set[int], span: Span) -> float:
    """F1 of Equation 1 as it is printed, term by term."""
    inside = range(span.start, span.end)
    shared = sum(w for (j, i), w in found.items() if i in answer and j in inside)
    rows = sum(w for (_, i), w in found.items() if i in answer)
    columns = sum(w for (j, _), w in found.items() if j in inside)
    if not shared:
        return 0.0
    recall, precision = shared / rows, shared / columns
    return 2 * recall * precision / (recall + precision)


@given(links, st.sets(st.integers(0, 5)))
def test_no_span_has_a_higher_f1_and_none_as_high_is_shorter(
    found: Links, answer: set[int]
) -> None:
    spans = [Span(start, end) for start in range(8) for end in range(start + 1, 9)]
    scores = {span: round(equation(found, answer, span), 12) for span in spans}
    span = best_span(found, answer)
    if max(scores.values()) == 0:
        assert span is None
    else:
        wanted = max(spans, key=lambda s: (scores[s], s.start - s.end, -s.start))
        assert span == wanted


def test_a_word_between_that_belongs_elsewhere_may_be_let_in() -> None:
    found = {(0, 0): 1.0, (1, 5): 1.0, (2, 1): 1.0, (9, 2): 1.0, (20, 7): 1.0}
    found |= {(at, at): 1.0 for at in range(10, 20)}
    assert best_span(found, {0, 1}) == Span(0, 3)
    assert best_span(found, {0, 10}) == Span(0, 1)
    assert best_span(found, [7]) == Span(20, 21)
    assert best_span(found, [3]) is None
    assert best_span({}, [0]) is None


def test_a_span_over_two_sentences_is_found_in_both() -> None:
    texts = {"Uno dos.": "One two.", "Tres cuatro.": "Three four."}
    both = side_by_side("Uno dos. Tres cuatro.", texts, lang="es", to="en")
    assert both.target == "One two. Three four."
    word_by_word = {(at, at): 1.0 for at in range(3)}
    for text, wanted in {"two. Three": "dos. Tres", "One": "Uno", "four.": "cuatro."}.items():
        start = both.target.index(text)
        found = Projection(both, Span(start, start + len(text)))
        assert found.made(dict.fromkeys(found.pairs, word_by_word)) == wanted
        assert found.made({pair: {} for pair in found.pairs}) == ""
