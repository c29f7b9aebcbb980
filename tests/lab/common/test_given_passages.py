from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.io.cache import Cache
from xorqa.lab.common.given_passages import read_given
from xorqa.reading.pairs import QuestionPassage
from xorqa.reading.span import SpanReader

ODD = (
    "وُلِدَ نجيب محفوظ في القاهرة",
    "ภาษาไทยไม่มีช่องว่าง",
    "నది పొడవు 550 కి.మీ.",
    "e\u0301 a\u0308 ﬁ ½",
    "\U0001f469\u200d\U0001f467 \U0001f1eb\U0001f1ee \U0001f44d\U0001f3fd",
    "東京都は日本の首都。",
    "the Nile, 6,650 km",
    "\u200f\u202b\u00ad\u0000",
    "\n\t ",
)
contexts = st.lists(st.sampled_from(ODD) | st.text(max_size=12), max_size=12).map(" ".join)


@pytest.fixture(scope="module")
def reader(tiny_adapter: Path) -> SpanReader:
    return SpanReader(adapter=str(tiny_adapter), max_tokens=64, dtype="float32")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "stages.sqlite")


@settings(max_examples=60)
@given(st.sampled_from(ODD), contexts)
def test_an_answer_stands_in_its_context_whatever_that_holds(
    reader: SpanReader, text: str, context: str
) -> None:
    [reading] = reader.pairs.read([QuestionPassage(text, context)])
    for found in reading.spans:
        assert 0 <= found.span.start < found.span.end <= len(context)
        assert context[found.span.start : found.span.end].strip()
    assert bool(reading.spans) <= bool(context.strip())


def test_a_context_of_100_000_characters(reader: SpanReader, cache: Cache) -> None:
    long = "The Nile is 6,650 km long. " * 3704
    [answer] = read_given(reader, [QuestionPassage("How long?", long)], cache=cache)
    assert len(long) > 100_000
    assert answer and answer in long


def test_nothing_to_read_is_an_empty_answer(reader: SpanReader, cache: Cache) -> None:
    asked = [
        QuestionPassage("Who?", ""),
        QuestionPassage("", "The Nile is long."),
        QuestionPassage("Who?", " \n"),
    ]
    answers = read_given(reader, asked, cache=cache)
    assert (answers[0], answers[2]) == ("", "")
    assert answers[1] in asked[1].passage
    assert read_given(reader, [], cache=cache) == []


def test_what_was_read_comes_from_the_cache(
    reader: SpanReader, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [QuestionPassage(f"How long is {at}?", f"River {at} is long.") for at in range(3)]
    first = read_given(reader, asked[:2], cache=cache)
    read: list[QuestionPassage] = []
    real = reader.pairs.read
    monkeypatch.setattr(reader.pairs, "read", lambda pairs: read.extend(pairs) or real(pairs))
    assert read_given(reader, asked, cache=cache)[:2] == first
    assert read == [asked[2]]
