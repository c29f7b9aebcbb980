import itertools
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.types import Span
from xorqa.reading.decode import CONSIDERED, ScoredSpan, TokenScores, best_spans, whole_characters

LETTERS = "aé 東क్षాক্‍তা็กำ\u0301\u200d\u200c\u3000\n"
TEXT = st.text(LETTERS, min_size=1, max_size=20)


def joins(char: str) -> bool:
    """A mark, a joiner, Thai's sara am, a vowel or final letter of a decomposed Hangul syllable."""
    mark = unicodedata.category(char).startswith("M")
    return mark or char in "\u200c\u200d\u0e33" or "\u1160" <= char <= "\u11ff"


def window(offsets: list[tuple[int, int]], start: list[float], end: list[float]) -> TokenScores:
    return TokenScores(
        np.array(offsets, np.int32).reshape(-1, 2),
        np.array(start, np.float32),
        np.array(end, np.float32),
    )


def words(text: str, start: list[float], end: list[float]) -> TokenScores:
    """A window with a token a word."""
    ends = np.cumsum([len(word) + 1 for word in text.split()]) - 1
    return window([(e - len(w), e) for w, e in zip(text.split(), ends, strict=True)], start, end)


def texts(text: str, found: list[ScoredSpan]) -> list[str]:
    return [text[scored.span.start : scored.span.end] for scored in found]


def is_whole(text: str, span: Span) -> bool:
    """Trimmed, and no mark or joiner is torn from what it belongs to."""
    shown = text[span.start : span.end]
    head = not joins(text[span.start]) or span.start == 0
    tail = span.end == len(text) or not joins(text[span.end])
    trimmed = not shown[-1].isspace() and (not shown[0].isspace() or joins(shown[1]))
    return head and tail and trimmed


def test_decomposed_hangul_stays_whole() -> None:
    text = unicodedata.normalize("NFD", "정병욱이 지었다")
    raw = Span(0, text.index("\u110b") + 1)  # the last syllable's first letter alone
    span = whole_characters(text, raw)
    assert unicodedata.normalize("NFC", text[span.start : span.end]) == "정병욱"


@given(TEXT, st.data())
def test_whole_characters_are_never_cut(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    raw = Span(start, data.draw(st.integers(start, len(text))))
    span = whole_characters(text, raw)
    assert 0 <= span.start <= span.end <= len(text)
    if text[raw.start : raw.end].strip():
        assert span.start < span.end
        assert set(range(span.start, span.end)) >= {
            at for at in range(raw.start, raw.end) if not text[at].isspace() and not joins(text[at])
        }
        assert is_whole(text, span)
        assert whole_characters(text, span) == span
    else:
        assert span.start == span.end


@given(TEXT, st.data())
def test_spans_are_whole_within_the_text_and_apart(text: str, data: st.DataObject) -> None:
    count = st.lists(st.floats(-30, 30), min_size=len(text), max_size=len(text))
    offsets = [(at, at + 1) for at in range(len(text))]
    found = best_spans([window(offsets, data.draw(count), data.draw(count))], text, top=3)
    for scored in found:
        assert 0 <= scored.span.start < scored.span.end <= len(text)
        assert is_whole(text, scored.span)
        assert scored.score <= 1e-5
    ordered = sorted((s.span.start, s.span.end) for s in found)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(ordered))
    assert bool(found) == bool(text.strip())


def test_the_score_is_the_log_probability_of_both_ends() -> None:
    text = "in Oulu , Finland"
    start, end = [0.0, 2.0, -1.0, 1.0], [0.5, 3.0, 0.0, 1.0]
    found = best_spans([words(text, start, end)], text)
    assert texts(text, found)[0] == "Oulu"
    wanted = 2.0 - np.log(np.exp(start).sum()) + 3.0 - np.log(np.exp(end).sum())
    assert found[0].score == pytest.approx(wanted, abs=1e-5)


def test_probabilities_are_over_all_windows() -> None:
    text = "in Oulu , Finland"
    whole = words(text, [0, 2, -1, 1], [0, 3, 0, 1])
    halves = [
        TokenScores(whole.offsets[part], whole.start[part], whole.end[part])
        for part in (slice(0, 2), slice(2, 4))
    ]
    [apart, *_], [together, *_] = best_spans(halves, text), best_spans([whole], text)
    assert apart.span == together.span
    assert apart.score == pytest.approx(together.score, abs=1e-5)


def test_the_rival_is_the_best_span_that_does_not_overlap_however_sure_the_best_is() -> None:
    text = " ".join(f"w{at}" for at in range(60))
    start, end = np.full(60, -4.0), np.full(60, -4.0)
    start[30], end[30], start[50], end[52] = 12, 12, 2, 2
    found = best_spans([words(text, start.tolist(), end.tolist())], text)
    assert texts(text, found) == ["w30", "w50 w51 w52"]
    assert found[0].score - found[1].score == pytest.approx(20, abs=1e-4)


def test_an_end_never_comes_before_its_start_and_length_is_bounded() -> None:
    text = "a b c d e f"
    late = words(text, [0, 0, 0, 0, 9, 0], [0, 9, 0, 0, 0, 1])
    assert texts(text, best_spans([late], text, top=1)) == ["e f"]
    long = words(text, [9, 0, 0, 0, 0, 0], [0, 0, 5, 0, 0, 9])
    assert texts(text, best_spans([long], text, top=1, longest=6)) == [text]
    assert texts(text, best_spans([long], text, top=1, longest=5)) == ["a b c"]


def test_the_earlier_of_equals() -> None:
    text = "a b c d e"
    peaks = [9.0, 0, 9, 0, 9]
    assert texts(text, best_spans([words(text, peaks, peaks)], text, top=3, longest=1)) == [
        "a",
        "c",
        "e",
    ]


def test_answers_that_share_their_words_win_together_over_a_likelier_one() -> None:
    text = "the river Kemi is in Lapland"
    start = np.log([0.2, 0.2, 0.2, 0.01, 0.01, 0.38])
    end = np.log([0.01, 0.01, 0.58, 0.01, 0.01, 0.38])
    assert start[5] + end[5] > start[1] + end[2]
    [best, rival] = best_spans([words(text, start.tolist(), end.tolist())], text, longest=3)
    assert texts(text, [best, rival]) == ["river Kemi", "Lapland"]
    assert best.score == pytest.approx(start[1] + end[2], abs=1e-5)
    assert best.score < rival.score


@given(st.data())
def test_nothing_likely_shares_more_than_the_best(data: st.DataObject) -> None:
    text = " ".join(f"w{at}" for at in range(5))
    logits = st.lists(st.floats(-5, 5, width=32), min_size=5, max_size=5)
    window = words(text, data.draw(logits), data.draw(logits))
    spans = [
        Span(int(window.offsets[a, 0]), int(window.offsets[b, 1]))
        for a in range(5)
        for b in range(a, 5)
    ]
    chance = [float(np.exp(window.start[a] + window.end[b])) for a in range(5) for b in range(a, 5)]
    assert len(spans) < CONSIDERED

    def expected(one: Span) -> float:
        return sum(p * character_f1(one, span) for span, p in zip(spans, chance, strict=True))

    [best] = best_spans([window], text, top=1)
    likely = [span for span, p in zip(spans, chance, strict=True) if p > 0.501 * max(chance)]
    assert best.span in [s for s, p in zip(spans, chance, strict=True) if p > 0.499 * max(chance)]
    assert expected(best.span) >= 0.999 * max(map(expected, likely))


def character_f1(a: Span, b: Span) -> float:
    shared = len(set(range(a.start, a.end)) & set(range(b.start, b.end)))
    return 2 * shared / (a.end - a.start + b.end - b.start)


def test_marks_and_joiners_stay_with_their_letters() -> None:
    text = "ఆ తెలుగు భాష"
    at = text.index("తె")
    assert text[slice(*span(text, at + 1, at + 3))] == "తెలు"
    joined = "👩‍👧 क्‍ष"
    assert span(joined, 0, 1) == (0, 2)
    assert span(joined, 1, 3) == (0, 3)
    assert span(" é ", 0, 3) == (1, 2)


def span(text: str, start: int, end: int) -> tuple[int, int]:
    found = whole_characters(text, Span(start, end))
    return found.start, found.end


def test_nothing_to_decode() -> None:
    assert best_spans([], "text") == []
    assert best_spans([window([], [], [])], "text") == []
    assert best_spans([window([(0, 1)], [0], [0])], " ") == []
