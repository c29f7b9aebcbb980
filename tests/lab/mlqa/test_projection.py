from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.types import Span
from xorqa.lab.mlqa.alignment import Links
from xorqa.lab.mlqa.projection import Projection, best_span, parallel_text

link_weights = st.dictionaries(
    st.tuples(st.integers(0, 7), st.integers(0, 5)), st.sampled_from([0.25, 0.5, 1.0, 2.0])
)


def equation(weights: Links, answer: set[int], span: Span) -> float:
    """F1 of Equation 1 as it is printed, term by term."""
    inside = range(span.start, span.end)
    shared = sum(w for (j, i), w in weights.items() if i in answer and j in inside)
    rows = sum(w for (_, i), w in weights.items() if i in answer)
    columns = sum(w for (j, _), w in weights.items() if j in inside)
    if not shared:
        return 0.0
    recall, precision = shared / rows, shared / columns
    return 2 * recall * precision / (recall + precision)


@given(link_weights, st.sets(st.integers(0, 5)))
def test_no_span_has_a_higher_f1_and_none_as_high_is_shorter(
    weights: Links, answer: set[int]
) -> None:
    spans = [Span(start, end) for start in range(8) for end in range(start + 1, 9)]
    scores = {span: round(equation(weights, answer, span), 12) for span in spans}
    span = best_span(weights, answer)
    if max(scores.values()) == 0:
        assert span is None
    else:
        assert span == max(spans, key=lambda s: (scores[s], s.start - s.end, -s.start))


def test_a_word_between_that_belongs_elsewhere_may_be_let_in() -> None:
    weights = {(0, 0): 1.0, (1, 5): 1.0, (2, 1): 1.0, (9, 2): 1.0, (20, 7): 1.0}
    weights |= {(word, word): 1.0 for word in range(10, 20)}
    assert best_span(weights, {0, 1}) == Span(0, 3)
    assert best_span(weights, {0, 10}) == Span(0, 1)
    assert best_span(weights, [7]) == Span(20, 21)
    assert best_span(weights, [3]) is None
    assert best_span({}, [0]) is None


def test_a_span_over_two_sentences_is_found_in_both() -> None:
    translations = {"Uno dos.": "One two.", "Tres cuatro.": "Three four."}
    texts = parallel_text("Uno dos. Tres cuatro.", translations, lang="es", to="en")
    assert texts.target == "One two. Three four."
    word_by_word = {(word, word): 1.0 for word in range(3)}
    for answer, expected in {"two. Three": "dos. Tres", "One": "Uno", "four.": "cuatro."}.items():
        start = texts.target.index(answer)
        projection = Projection(texts, Span(start, start + len(answer)))
        assert projection.project(dict.fromkeys(projection.pairs, word_by_word)) == expected
        assert projection.project({pair: {} for pair in projection.pairs}) == ""
