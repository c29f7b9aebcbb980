"""Times of day."""

import pytest

from tests.answering.localising.forms import each
from xorqa.answering.localising.localisers import apply_rules

TIMES = {
    "7:30 pm": (
        "7:30 مساءً",
        "সন্ধ্যা ৭:৩০",
        "klo 19.30",
        "午後7時30分",
        "오후 7시 30분",
        "19:30",
        "సాయంత్రం 7:30",
    ),
    "7 a.m.": ("7 صباحًا", "সকাল ৭টা", "klo 7", "午前7時", "오전 7시", "7:00", "ఉదయం 7 గంటలు"),
    "12:15 am": (
        "12:15 صباحًا",
        "রাত ১২:১৫",
        "klo 0.15",
        "午前0時15分",
        "밤 12시 15분",
        "0:15",
        "రాత్రి 12:15",
    ),
    "12 pm": ("12 ظهرًا", "দুপুর ১২টা", "klo 12", "午後0時", "오후 12시", "12:00", "మధ్యాహ్నం 12 గంటలు"),
    "10:05 AM": (
        "10:05 صباحًا",
        "সকাল ১০:০৫",
        "klo 10.05",
        "午前10時5分",
        "오전 10시 5분",
        "10:05",
        "ఉదయం 10:05",
    ),
    "at 3:45 p.m.": (
        "3:45 مساءً",
        "দুপুর ৩:৪৫",
        "klo 15.45",
        "午後3時45分",
        "오후 3시 45분",
        "15:45",
        "మధ్యాహ్నం 3:45",
    ),
    "11 pm": ("11 مساءً", "রাত ১১টা", "klo 23", "午後11時", "오후 11시", "23:00", "రాత్రి 11 గంటలు"),
    "noon": ("الظهر", "দুপুর", "keskipäivä", "正午", "정오", "полдень", "మధ్యాహ్నం"),
    "midnight": ("منتصف الليل", "মধ্যরাত", "keskiyö", "真夜中", "자정", "полночь", "అర్ధరాత్రి"),
}


@pytest.mark.parametrize(("text", "lang", "form"), each(TIMES))
def test_times(text, lang, form):
    assert apply_rules(text, lang) == (form, "rule:date")


@pytest.mark.parametrize(
    "text", ["7:30", "13:00 pm", "25 pm", "0 am", "7:60 am", "Noon", "Midnight", "I am", "7 pms"]
)
def test_what_is_not_a_time_is_left_alone(text):
    assert apply_rules(text, "ja") is None
