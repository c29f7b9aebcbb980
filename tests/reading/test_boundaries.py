"""Spans begin and end between words and carry no hanging punctuation."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.types import Span
from xorqa.reading.decode import ScoredSpan, TokenScores, best_spans, inside_words, joins, trimmed

ALPHABET = "aZéДжωΣ19٣๓,.;-–'\"»“(「」)、。 \n한국東京カなกำখে\u0301\u200dع½²"
TEXT = st.text(ALPHABET, min_size=1, max_size=25)


def in_word(char: str) -> bool:
    """A letter of the three scripts, or a digit."""
    name = unicodedata.name(char, "")
    spaced = name.startswith(("LATIN", "CYRILLIC", "GREEK"))
    return char.isdecimal() or (char.isalpha() and spaced)


def read(text: str, likely: str, *, tokens: int = 1) -> list[str]:
    """The spans of a reader that is sure of the first `likely`; tokens are `tokens` characters."""
    offsets = np.array(
        [(at, min(at + tokens, len(text))) for at in range(0, len(text), tokens)], np.int32
    )
    start, end = np.zeros((2, len(offsets)), np.float32)
    at = text.index(likely)
    start[offsets[:, 0] == at] = end[offsets[:, 1] == at + len(likely)] = 9
    found = best_spans([TokenScores(offsets, start, end)], text, longest=60)
    return [text[scored.span.start : scored.span.end] for scored in found]


@settings(deadline=None)
@given(TEXT, st.integers(1, 3), st.data())
def test_no_span_cuts_a_word_and_each_is_text_of_the_passage(
    text: str, tokens: int, data: st.DataObject
) -> None:
    offsets = [(at, min(at + tokens, len(text))) for at in range(0, len(text), tokens)]
    logits = st.lists(
        st.floats(-20, 20, width=32), min_size=len(offsets), max_size=len(offsets)
    ).map(lambda row: np.array(row, np.float32))
    window = TokenScores(np.array(offsets, np.int32), data.draw(logits), data.draw(logits))
    found = best_spans([window], text, top=3)
    assert all(is_legal(text, scored) for scored in found)


def is_legal(text: str, scored: ScoredSpan) -> bool:
    """Within the text, between words, neither beginning nor ending with a separator."""
    start, end = scored.span.start, scored.span.end
    within = 0 <= start < end <= len(text)
    cuts = any(
        0 < at < len(text) and in_word(text[at - 1]) and in_word(text[at]) for at in (start, end)
    )
    shown = text[start:end]
    first = shown[0] in ",;–、。)」" and not joins(shown[1:2] or " ")
    last = shown[-1] in ",;–、。(「"
    return within and not cuts and not first and not last


def test_the_best_legal_span_wins_over_a_likelier_one_inside_words() -> None:
    text = "It was launched on 21 December 1968, carried by Saturn V."
    offsets = np.array([(0, 2), (3, 6), (7, 13), (13, 15), (16, 18), (19, 21), (22, 30), (31, 36)])
    start = np.array([0, 0, 0, 9, 0, 8, 0, 0], np.float32)  # "ed on 21 December 1968,"
    end = np.array([0, 0, 0, 0, 0, 0, 0, 9], np.float32)
    [best, *_] = best_spans([TokenScores(offsets.astype(np.int32), start, end)], text)
    assert text[best.span.start : best.span.end] == "21 December 1968"


@pytest.mark.parametrize(
    ("text", "likely", "wanted"),
    [
        ("in 1,900,000 cases", "1,900", "1,900,000"),
        ("3.5 km", "5", "3.5"),
        ("Дунай течёт", "ун", "Дунай"),
        ("η Αθήνα είναι", "Αθήν", "Αθήνα"),
        ("the MP3 format", "MP", "MP3"),
        ("cafe\u0301s here", "cafe", "cafe\u0301s"),
    ],
)
def test_words_and_numbers_stay_whole(text: str, likely: str, wanted: str) -> None:
    at = text.index(wanted)
    inside = inside_words(text)
    assert inside[at + 1 : at + len(wanted)].all()
    assert not inside[[at, at + len(wanted)]].any()
    assert likely not in read(text, likely)
    assert wanted in read(text, wanted)


@pytest.mark.parametrize(
    ("text", "likely"),
    [
        ("영국의 서리", "영국"),
        ("في العراق", "عراق"),
        ("కిలోల బరువు", "కిలో"),
        ("中华人民", "华人"),
        ("ประเทศไทย", "ไทย"),
    ],
)
def test_words_of_other_scripts_may_be_cut(text: str, likely: str) -> None:
    assert read(text, likely)[0] == likely


def test_japanese_goes_by_mecab() -> None:
    text = "猩紅熱から急性肺炎を併発した。"
    assert "性肺炎" not in read(text, "性肺炎")
    assert read(text, "急性肺炎")[0] == "急性肺炎"
    assert not inside_words("急性肺炎").any()  # without kana it may be Chinese


@pytest.mark.parametrize(
    ("before", "shown", "after", "wanted"),
    [
        ("", "、「鶴八鶴次郎」", "で", "「鶴八鶴次郎」"),
        ("", "「蒼氓", "」で", "蒼氓"),
        ("", "2つの大陸の支配者」", "", "2つの大陸の支配者"),
        ("", "《시의전서", "》", "시의전서"),
        ("", "«قالت لي السمراء", "»", "قالت لي السمراء"),
        ("", "(30 April and 17 June 1916", ")", "30 April and 17 June 1916"),
        ("on ", "November 21, 2004.", "", "November 21, 2004"),
        ("", "9-", "10", "9"),
        ("from 1914", "–1918", "", "1918"),
        ("", "‘Fly Me to the Moon,", "’ he sang", "Fly Me to the Moon"),
        ("", "(see “Oulu", "”)", "see “Oulu"),
    ],
)
def test_hanging_punctuation_is_trimmed(before: str, shown: str, after: str, wanted: str) -> None:
    text = before + shown + after
    found = trimmed(text, Span(len(before), len(before + shown)))
    assert text[found.start : found.end] == wanted


@pytest.mark.parametrize(
    ("before", "shown", "after"),
    [
        ("", "「鶴八鶴次郎」", "で"),
        ("", "『元禄郷帳』では99石余、『天保郷帳』と『旧高旧領』", ""),
        ("in ", "Washington, D.C.", " He"),
        ("", "Martin Luther King Jr.", ", who"),
        ("", "6.", " toukokuuta"),
        ("of ", "-40", " degrees"),
        ("", "50%", "."),
        ("the ", "C#", " language"),
        ("", '"Crazy in Love"', ","),
        ("", "”Fly”", " ja"),
        ("", "FC (Basel)", ""),
        ("", "U-20", "."),
        ("the prefix ", "anti-", " is"),
        ("on ", ".NET", " it"),
    ],
)
def test_punctuation_of_the_answer_stays(before: str, shown: str, after: str) -> None:
    span = Span(len(before), len(before + shown))
    assert trimmed(before + shown + after, span) == span


@settings(deadline=None)
@given(TEXT, st.data())
def test_trimming_only_narrows_and_does_so_once(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    found = trimmed(text, span)
    assert span.start <= found.start <= found.end <= span.end
    assert trimmed(text, found) == found
    cut = text[span.start : found.start] + text[found.end : span.end]
    assert not any(map(str.isalnum, cut))


def test_no_span_in_punctuation_nor_in_one_endless_word() -> None:
    offsets = np.array([(at, at + 1) for at in range(40)], np.int32)
    scores = TokenScores(offsets, np.zeros(40, np.float32), np.zeros(40, np.float32))
    assert best_spans([scores], "." * 40) == []
    assert best_spans([scores], "a" * 40) == []
    assert len(best_spans([scores], "a" * 40, longest=40)) == 1
