from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from xorqa.core.lang import LANGUAGES
from xorqa.core.text.sentences import split_sentences

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text("aB1. !?。।؟กข\n\r\t\u2028\xa0")


def divided(text, lang):
    return [text[span.start : span.end] for span in split_sentences(text, lang)]


@example(text="B\u2028\xa0.\r!", lang="sv")  # sentencex panics on it
@given(text=TEXTS, lang=st.sampled_from(sorted(LANGUAGES)))
def test_every_character_but_white_space_is_in_one_sentence(text, lang):
    spans = split_sentences(text, lang)
    assert all(before.end <= after.start for before, after in pairwise(spans))
    kept = {place for span in spans for place in range(span.start, span.end)}
    assert all(text[place].isspace() for place in range(len(text)) if place not in kept)
    for sentence in divided(text, lang):
        assert sentence and sentence == sentence.strip()


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("en", ["Dr. Smith left at 3.5 p.m. on Monday.", "Who came?"]),
        ("de", ["Am 3. Mai kam er z. B. nach Köln.", "Und dann?"]),
        ("hi", ["नील नदी लंबी है।", "वह अफ़्रीका में है।"]),
        ("ar", ["أين يقع النيل؟", "يقع في أفريقيا."]),
        ("ru", ["Он родился в 1799 г. в Москве.", "Кто он?"]),
    ],
)
def test_sentences_of_spaced_languages(lang, sentences):
    assert divided("  ".join(sentences), lang) == sentences


def test_chinese_needs_no_blanks():
    assert divided("尼罗河很长。它在非洲。", "zh") == ["尼罗河很长。", "它在非洲。"]


def test_thai_is_divided_at_blanks_where_enough_was_said():
    clause = "แม่น้ำไนล์เป็นแม่น้ำที่ยาวที่สุดในทวีปแอฟริกาและไหลผ่านหลายประเทศ"
    assert divided(clause, "th") == [clause]
    assert divided(f"{clause} {clause} {clause}", "th") == [f"{clause} {clause}", clause]
    assert divided(f"{clause} {clause} 1799 {clause}", "th") == [f"{clause} {clause} 1799 {clause}"]
