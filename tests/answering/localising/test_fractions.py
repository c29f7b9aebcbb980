"""Fractions and ordinals."""

import pytest

from tests.answering.localising.forms import each
from xorqa.answering.localising.localisers import apply_rules

FRACTIONS = {
    "half": ("نصف", "অর্ধেক", "puolet", "半分", "절반", "половина", "సగం"),
    "one third": ("ثلث", "এক-তৃতীয়াংশ", "kolmasosa", "3分の1", "3분의 1", "треть", "మూడింట ఒక వంతు"),
    "two-thirds": (
        "ثلثان",
        "দুই-তৃতীয়াংশ",
        "kaksi kolmasosaa",
        "3分の2",
        "3분의 2",
        "две трети",
        "మూడింట రెండు వంతులు",
    ),
    "a quarter": (
        "ربع",
        "এক-চতুর্থাংশ",
        "neljäsosa",
        "4分の1",
        "4분의 1",
        "четверть",
        "నాలుగింట ఒక వంతు",
    ),
    "three quarters": (
        "ثلاثة أرباع",
        "তিন-চতুর্থাংশ",
        "kolme neljäsosaa",
        "4分の3",
        "4분의 3",
        "три четверти",
        "నాలుగింట మూడు వంతులు",
    ),
    "two fifths": (
        "خمسان",
        "দুই-পঞ্চমাংশ",
        "kaksi viidesosaa",
        "5分の2",
        "5분의 2",
        "две пятых",
        "ఐదింట రెండు వంతులు",
    ),
    "seven eighths": (
        "سبعة أثمان",
        "সাত-অষ্টমাংশ",
        "seitsemän kahdeksasosaa",
        "8分の7",
        "8분의 7",
        "семь восьмых",
        "ఎనిమిదింట ఏడు వంతులు",
    ),
    "one tenth": (
        "عشر",
        "এক-দশমাংশ",
        "kymmenesosa",
        "10分の1",
        "10분의 1",
        "одна десятая",
        "పదింట ఒక వంతు",
    ),
    "nine twentieths": (None, None, None, "20分の9", "20분의 9", None, None),
    "first": (None, "প্রথম", "ensimmäinen", None, "첫 번째", None, "మొదటి"),
    "third": (None, "তৃতীয়", "kolmas", "3番目", "세 번째", None, "మూడవ"),
    "3rd": (None, "তৃতীয়", "kolmas", "3番目", "세 번째", None, "మూడవ"),
    "the tenth": (None, "দশম", "kymmenes", "10番目", "열 번째", None, "పదవ"),
    "twenty-first": (None, "২১তম", "21.", "21番目", "21번째", None, "21వ"),
}


@pytest.mark.parametrize(("text", "lang", "form"), each(FRACTIONS))
def test_fractions_and_ordinals(text, lang, form):
    assert apply_rules(text, lang) == (form and (form, "rule:number"))


@pytest.mark.parametrize(
    "text",
    [
        *("quarter", "second", "the second", "Third", "Third Reich", "third base", "two third"),
        *("one thirds", "three thirds", "11st", "0th", "Half Dome", "half-life"),
    ],
)
def test_what_may_be_something_else_is_left_alone(text):
    assert [apply_rules(text, lang) for lang in ("bn", "ja", "ko")] == [None] * 3
