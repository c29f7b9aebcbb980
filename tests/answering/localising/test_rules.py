"""What the rules say, language by language, and what they leave alone."""

import subprocess
import sys
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.answering.localising import dates
from xorqa.answering.localising.dates import read_english_date
from xorqa.answering.localising.localisers import apply_rules
from xorqa.answering.localising.values import PartialDate
from xorqa.core.lang import LANGUAGES, XOR_LANGUAGES

NB = "\u00a0"

DATES = {
    "ar": ("8 مايو 1980", "مارس 1914", "مايو", "الاثنين"),
    "bn": ("৮ মে, ১৯৮০", "মার্চ ১৯১৪", "মে", "সোমবার"),
    "fi": ("8. toukokuuta 1980", "maaliskuu 1914", "toukokuu", "maanantai"),
    "ja": ("1980年5月8日", "1914年3月", "5月", "月曜日"),
    "ko": ("1980년 5월 8일", "1914년 3월", "5월", "월요일"),
    "ru": ("8 мая 1980", "март 1914", "май", "понедельник"),
    "te": ("8 మే, 1980", "మార్చి 1914", "మే", "సోమవారం"),
}
NUMBERS = {  # 11,680; 1,234,567.5; 1.5 million; 23%; 11,680 km; 27 years
    "ar": ("11,680", "1,234,567.5", "1.5 مليون", "23%", "11,680 كم", "27 سنة"),
    "bn": ("১১,৬৮০", "১২,৩৪,৫৬৭.৫", "১৫ লাখ", "২৩%", "১১,৬৮০ কিমি", "২৭ বছর"),
    "fi": (
        f"11{NB}680",
        f"1{NB}234{NB}567,5",
        "1,5 miljoonaa",
        f"23{NB}%",
        f"11{NB}680 km",
        "27 vuotta",
    ),
    "ja": ("11,680", "1,234,567.5", "150万", "23%", "11,680 km", "27年"),
    "ko": ("11,680", "1,234,567.5", "150만", "23%", "11,680km", "27년"),
    "ru": (
        f"11{NB}680",
        f"1{NB}234{NB}567,5",
        "1,5 миллиона",
        f"23{NB}%",
        f"11{NB}680 км",
        "27 лет",
    ),
    "te": ("11,680", "12,34,567.5", "1.5 మిలియన్లు", "23%", "11,680 కి.మీ.", "27 సంవత్సరాలు"),
}
NAMES = {  # the United States of America, UK, Burma, England, Hong Kong; Russian
    "ar": ("الولايات المتحدة", "المملكة المتحدة", "ميانمار", "إنجلترا", "هونغ كونغ", "الروسية"),
    "bn": ("মার্কিন যুক্তরাষ্ট্র", "যুক্তরাজ্য", "মায়ানমার", "ইংল্যান্ড", "হংকং", "রুশ"),
    "fi": ("Yhdysvallat", "Iso-Britannia", "Myanmar", "Englanti", "Hongkong", "venäjä"),
    "ja": ("アメリカ合衆国", "イギリス", "ミャンマー", "イングランド", "香港", "ロシア語"),
    "ko": ("미국", "영국", "미얀마", "잉글랜드", "홍콩", "러시아어"),
    "ru": ("США", "Великобритания", "Мьянма", "Англия", "Гонконг", "русский"),
    "te": ("అమెరికా సంయుక్త రాష్ట్రాలు", "యునైటెడ్ కింగ్\u200cడమ్", "మయన్మార్", "ఇంగ్లాండు", "హాంగ్ కాంగ్", "రష్యన్"),
}


@pytest.mark.parametrize("lang", XOR_LANGUAGES)
def test_dates(lang):
    day, month, may, monday = DATES[lang]
    for text in ("8 May 1980", "May 8, 1980", "8th of May, 1980", "may 8 1980."):
        assert apply_rules(text, lang) == (day, "rule:date")
    assert apply_rules("March 1914", lang) == (month, "rule:date")
    digits = "১৯৮০-০৫-০৮" if lang == "bn" else "1980-05-08"
    assert apply_rules("1980-05-08", lang) == (digits, "rule:date")
    assert apply_rules("May", lang) == (may, "rule:date")
    assert apply_rules("Monday", lang) == (monday, "rule:date")


@pytest.mark.parametrize("lang", XOR_LANGUAGES)
def test_numbers(lang):
    texts = ("11,680", "1,234,567.5", "1.5 million", "23%", "11,680 km", "27 years")
    for text, expected in zip(texts, NUMBERS[lang], strict=True):
        assert apply_rules(text, lang) == (expected, "rule:number")


@pytest.mark.parametrize("lang", XOR_LANGUAGES)
def test_a_bare_number_gets_no_grouping(lang):
    said, method = apply_rules("11680", lang)
    assert method == "rule:number"
    assert said == ("১১৬৮০" if lang == "bn" else "11680")


@pytest.mark.parametrize("lang", XOR_LANGUAGES)
def test_names(lang):
    places = ("the United States of America", "UK", "Burma", "England", "Hong Kong")
    *countries, russian = NAMES[lang]
    for text, expected in zip(places, countries, strict=True):
        assert apply_rules(text, lang) == (expected, "rule:territory")
    assert apply_rules("Russian", lang) == (russian, "rule:language")
    assert apply_rules("Russian language", lang) == (russian, "rule:language")


@pytest.mark.parametrize(
    "variants",
    [
        ("United States", "USA", "U.S.", "U.S.A.", "United States of America", "The United States"),
        ("UK", "U.K.", "Great Britain", "the United Kingdom"),
        ("Myanmar", "Burma", "Myanmar (Burma)"),
        ("Türkiye", "Turkey"),
        ("Côte d'Ivoire", "Côte d’Ivoire", "Cote d'Ivoire", "Ivory Coast"),
        ("Saint Lucia", "St. Lucia"),
        ("Bosnia and Herzegovina", "Bosnia & Herzegovina"),
    ],
)
def test_variants_are_one_territory(variants):
    assert len({apply_rules(text, "ru") for text in variants}) == 1
    assert apply_rules(variants[0], "ru")[1] == "rule:territory"


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("1,386 million", "ja", "13億8600万"),
        ("1,386 million", "ko", "13억 8600만"),
        ("5 million", "ru", "5 миллионов"),
        ("3 million", "ar", "3 ملايين"),
        ("20 million years", "ru", "20 миллионов лет"),
        ("20 million", "sw", "milioni 20"),
        ("1000 trillion", "fi", "1000 biljoonaa"),
        ("0 million", "ja", "0"),
        ("1914–1918", "bn", "১৯১৪–১৯১৮"),
        ("-5 °C", "fi", "-5 °C"),
        ("1 kilometre", "ru", "1 километр"),
        ("2 kilometers", "ru", "2 километра"),
        ("80 miles per hour", "ja", "時速80マイル"),
        ("11,680", "te", "11,680"),
        ("1.5", "fi", "1,5"),
        ("007", "bn", "০০৭"),
    ],
)
def test_numbers_with_words(text, lang, expected):
    assert apply_rules(text, lang) == (expected, "rule:number")


def test_currencies():
    assert apply_rules("US dollars", "ja") == ("米ドル", "rule:currency")
    assert apply_rules("yen", "fi") == ("Japanin jeni", "rule:currency")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "turkey",
        "march",
        "Paul Zerdin",
        "31 February 1990",
        "2019-13-45",
        "K2",
        "4K",
        "1,00",
        "the",
        "May Queen",
        "5 apples",
        "1/2",
        "٣",
        "world",
        "in 1980",
        "1" * 81,
    ],
)
def test_everything_else_is_left_alone(text):
    assert apply_rules(text, "ru") is None


def test_a_scale_with_a_unit_needs_a_link_in_some_languages():
    assert apply_rules("20 million years", "fr") is None


@pytest.mark.parametrize("lang", ["xx", "ckb", ""])
def test_unknown_languages_have_no_rules(lang):
    assert apply_rules("8 May 1980", lang) is None


@pytest.mark.parametrize("lang", sorted(set(LANGUAGES) - {"en"}))
def test_every_language_of_the_table_has_all_rules(lang):
    texts = {
        "8 May 1980": "date",
        "May 1980": "date",
        "May 8": "date",
        "Friday": "date",
        "1.5 million": "number",
        "23 percent": "number",
        "5 km": "number",
        "3 days": "number",
        "Japan": "territory",
        "Japanese": "language",
        "euro": "currency",
    }
    for text, rule in texts.items():
        said, method = apply_rules(text, lang)
        assert method == f"rule:{rule}"
        assert said
        assert "-day" not in said


def test_languages_do_not_leak_into_each_other():
    """Babel shares inherited month names between languages; whoever comes first must not win."""
    code = (
        "from babel import Locale\n"
        "Locale.parse('he').months['stand-alone']['wide'][5]\n"
        "from xorqa.answering.localising.localisers import apply_rules\n"
        "assert [apply_rules('May', lang)[0] for lang in ('ja', 'ko', 'fi', 'ar')]"
        " == ['5月', '5월', 'toukokuu', 'مايو']\n"
        "assert apply_rules('May 1980', 'fi')[0] == 'toukokuu 1980'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


FIRST, LAST = date(1000, 1, 1), date(2100, 12, 31)


def english(day: date) -> str:
    return f"{dates._MONTHS[day.month - 1].title()} {day.day}, {day.year}"


def test_every_gregorian_date_parses_back():
    for offset in range((LAST - FIRST).days + 1):
        day = FIRST + timedelta(days=offset)
        assert read_english_date(english(day)) == PartialDate(day.year, day.month, day.day)


@given(st.dates(FIRST, LAST), st.sampled_from(sorted(LANGUAGES)))
def test_a_date_keeps_its_year_and_day(day, lang):
    said, method = apply_rules(english(day), lang)
    numbers = {int(run) for run in "".join(c if c.isdigit() else " " for c in said).split()}
    assert method == "rule:date"
    assert {day.year, day.day} <= numbers


@given(st.integers(0, 10**12), st.sampled_from(sorted(LANGUAGES)))
def test_a_number_keeps_its_digits(value, lang):
    for text in (str(value), f"{value:,}", f"{value:,}.25"):
        said, method = apply_rules(text, lang)
        ours = [int(char) for char in said if char.isdigit()]
        assert method == "rule:number"
        assert ours == [int(char) for char in text if char.isdigit()]


@pytest.mark.parametrize(
    ("text", "fi", "ja", "ru"),
    [
        ("12 ounces", "12 unssia", "12オンス", "12 унций"),
        ("3 litres", "3 litraa", "3リットル", "3 литра"),
        ("20 metric tons", "20 tonnia", "20トン", "20 тонн"),
        ("1.5 light years", "1,5 valovuotta", "1.5光年", "1,5 светового года"),
        ("10 knots", "10 solmua", "10ノット", "10 узлов"),
    ],
)
def test_other_units(text, fi, ja, ru):
    for lang, expected in (("fi", fi), ("ja", ja), ("ru", ru)):
        assert apply_rules(text, lang) == (expected, "rule:number")


@pytest.mark.parametrize(
    ("text", "source", "lang", "written"),
    [
        ("Germany", "en", "da", "Tyskland"),
        ("Germany", "en", "pl", "Niemcy"),
        ("Germany", "en", "cs", "Německo"),
        ("Germany", "en", "hu", "Németország"),
        ("Germany", "en", "sr", "Немачка"),
        ("3 May 1987", "en", "pl", "3 maja 1987"),
        ("3 May 1987", "en", "mr", "३ मे, १९८७"),
        ("3. toukokuuta 1987", "fi", "cs", "3. května 1987"),
        ("Niemcy", "pl", "fi", "Saksa"),
        ("Tyskland", "da", "ko", "독일"),
        ("3 lakh", "en", "de", "300.000"),
        ("2.5 crore", "en", "de", "25.000.000"),
        ("二十三", "zh", "en", "23"),
        ("一億二千万", "ja", "en", "120 million"),
        ("三百万", "zh", "en", "3 million"),
        ("一九八七年五月三日", "zh", "en", "May 3, 1987"),
        ("二〇〇八年八月八日", "zh", "en", "August 8, 2008"),
        ("民國76年", "zh", "en", "1987"),
        ("民國七十六年五月三日", "zh", "en", "May 3, 1987"),
    ],
)
def test_values_beyond_the_languages_with_tables(text, source, lang, written):
    localised = apply_rules(text, lang, source)
    assert localised is not None and localised[0] == written


@pytest.mark.parametrize(("text", "lang"), [("3 million people", "pl"), ("the late 1980s", "cs")])
def test_what_needs_tables_stays_as_it_is_in_other_languages(text, lang):
    assert apply_rules(text, lang) is None
