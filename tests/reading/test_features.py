import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from xorqa.core.types import Span
from xorqa.datasets.mini import load as load_mini
from xorqa.lab.training.reader.samples import token_span
from xorqa.reading.decode import TokenScores, best_spans, inside_words, trimmed, whole_characters
from xorqa.reading.features import MAX_QUESTION_TOKENS, Window, make_windows

TEXTS = {
    **{lang: next(iter(load_mini().corpora[lang])).text for lang in ("ar", "bn", "en", "ja", "te")},
    "th": "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย ก่อตั้งเมื่อปี พ.ศ. ๒๓๒๕ โดยพระบาทสมเด็จพระพุทธยอดฟ้า",
    "zh": "黄河全长约５４６４公里，发源于青海省的巴颜喀拉山脉，流经九个省区，最后注入渤海。",
    "odd": "  ﬁve ½ cups\u3000of Ⅷ tea\r\n\n e\u0301te\u0301, 株式会社㍿ 👩‍👧 क्‍ष ᏣᎳᎩ ",
}


def only(windows: list[Window]) -> Window:
    [window] = windows
    return window


def joins(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


@pytest.mark.parametrize("lang", TEXTS)
def test_tokens_of_a_window_cover_its_passage_in_order(e5_tokenizer: Any, lang: str) -> None:
    text = TEXTS[lang]
    window = only(make_windows(e5_tokenizer, ["Who?"], [text]))
    offsets = window.offsets[window.context.start : window.context.end]
    covered = {at for start, end in offsets for at in range(start, end)}
    assert {at for at, char in enumerate(text) if not (char.isspace() or joins(char))} <= covered
    assert (np.diff(offsets[:, 0]) >= 0).all()
    assert offsets.min() >= 0 and offsets.max() <= len(text)
    assert e5_tokenizer.decode(window.ids[: window.context.start]) == "<s> Who?</s></s>"
    assert window.context.end == len(window.ids) - 1


def perfect(window: Window, gold: Span) -> TokenScores:
    """What a reader that is sure would say; nothing where the gold is cut off."""
    first, last = window.context.start, window.context.end
    scores = np.zeros((last - first, 2), np.float32)
    tokens = token_span(window, gold)
    if tokens is not None:
        scores[tokens.start - first, 0] = scores[tokens.end - 1 - first, 1] = 20
    return TokenScores(window.offsets[first:last], scores[:, 0], scores[:, 1])


def on_token_boundaries(window: Window, text: str, data: st.DataObject) -> Span:
    offsets = window.offsets[window.context.start : window.context.end]
    cuts = [at for at in range(len(text) + 1) if not any(a < at < b for a, b in offsets)]
    start = data.draw(st.sampled_from(cuts[:-1]))
    end = data.draw(st.sampled_from([cut for cut in cuts if start < cut][:8]))
    return Span(start, end)


@pytest.mark.parametrize("max_tokens", [384, 24])
@given(lang=st.sampled_from(sorted(TEXTS)), data=st.data())
@settings(deadline=None, max_examples=100)
def test_a_sure_reader_gets_the_gold_text_back(
    e5_tokenizer: Any, max_tokens: int, lang: str, data: st.DataObject
) -> None:
    text = TEXTS[lang]
    whole = only(make_windows(e5_tokenizer, ["Who?"], [text]))
    raw = on_token_boundaries(whole, text, data)
    gold = whole_characters(text, raw)
    assume(raw.start <= gold.start < gold.end <= raw.end)  # neither blank nor a torn-off mark
    assume(trimmed(text, gold) == gold and not inside_words(text)[[gold.start, gold.end]].any())
    windows = make_windows(e5_tokenizer, ["Who?"], [text], max_tokens=max_tokens, stride=8)
    scores = [perfect(window, gold) for window in windows]
    assume(any(token_span(window, gold) for window in windows))  # not longer than the overlap
    best = best_spans(scores, text)[0].span
    assert text[best.start : best.end] == text[gold.start : gold.end]
    assert text[best.start : best.end].strip() == text[best.start : best.end]


def test_windows_overlap_and_together_hold_all_tokens(e5_tokenizer: Any) -> None:
    text = TEXTS["ja"]
    whole = only(make_windows(e5_tokenizer, ["どこ?"], [text]))
    windows = make_windows(e5_tokenizer, ["どこ?"], [text], max_tokens=30, stride=8)
    assert len(windows) > 2
    assert all(len(window.ids) <= 30 for window in windows)
    ids: list[int] = []
    for at, window in enumerate(windows):
        own = window.ids[window.context.start : window.context.end]
        assert at == 0 or own[:8] == ids[-8:]
        ids += own[8 if at else 0 :]
    assert ids == whole.ids[whole.context.start : whole.context.end]


def test_windows_know_their_pair(e5_tokenizer: Any) -> None:
    passages = ["short", "long " * 60, ""]
    windows = make_windows(e5_tokenizer, ["a?", "b?", "c?"], passages, max_tokens=32, stride=4)
    pairs = [window.pair for window in windows]
    assert pairs == sorted(pairs) and set(pairs) == {0, 1, 2}
    empty = windows[-1]
    assert empty.context.start == empty.context.end
    assert make_windows(e5_tokenizer, [], []) == []


@pytest.mark.parametrize("max_tokens", [32, 64, 128])
def test_a_question_and_a_passage_that_fill_a_short_window(
    e5_tokenizer: Any, max_tokens: int
) -> None:
    windows = make_windows(e5_tokenizer, ["why " * 90], [TEXTS["en"] * 20], max_tokens=max_tokens)
    assert len(windows) > 1
    assert all(window.context.end > window.context.start for window in windows)


@pytest.mark.parametrize("question", ["why " * 2500, "なぜ" * 5000, "?" * 10_000, " " * 10_000])
def test_a_long_question_leaves_room_for_the_passage(e5_tokenizer: Any, question: str) -> None:
    windows = make_windows(e5_tokenizer, [question], [TEXTS["en"]], max_tokens=256)
    for window in windows:
        assert window.context.start <= MAX_QUESTION_TOKENS + 5
        assert window.context.end > window.context.start
        assert len(window.ids) <= 256
