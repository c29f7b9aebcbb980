"""Centuries, decades, years with an era, seasons and parts of periods."""

import pytest

from tests.answering.localising.forms import each
from xorqa.answering.localising.localisers import apply_rules

CENTURIES = {
    "the 18th century": (
        "القرن الثامن عشر",
        "১৮শ শতাব্দী",
        "1700-luku",
        "18世紀",
        "18세기",
        "XVIII век",
        "18వ శతాబ్దం",
    ),
    "20th century": (
        "القرن العشرون",
        "২০শ শতাব্দী",
        "1900-luku",
        "20世紀",
        "20세기",
        "XX век",
        "20వ శతాబ్దం",
    ),
    "twenty-first century": (
        "القرن الحادي والعشرون",
        "২১শ শতাব্দী",
        "2000-luku",
        "21世紀",
        "21세기",
        "XXI век",
        "21వ శతాబ్దం",
    ),
    "5th century BC": (
        "القرن الخامس قبل الميلاد",
        "খ্রিস্টপূর্ব ৫ম শতাব্দী",
        "400-luku eaa.",
        "紀元前5世紀",
        "기원전 5세기",
        "V век до н. э.",
        "క్రీ.పూ. 5వ శతాబ్దం",
    ),
    "1st century": (
        "القرن الأول",
        "১ম শতাব্দী",
        "1. vuosisata",
        "1世紀",
        "1세기",
        "I век",
        "1వ శతాబ్దం",
    ),
    "the 11th century": (
        "القرن الحادي عشر",
        "১১শ শতাব্দী",
        "1000-luku",
        "11世紀",
        "11세기",
        "XI век",
        "11వ శతాబ్దం",
    ),
}
DATES = {
    "1990s": (
        "تسعينيات القرن العشرين",
        "১৯৯০-এর দশক",
        "1990-luku",
        "1990年代",
        "1990년대",
        "1990-е годы",
        "1990లు",
    ),
    "the 1910s": (
        "العقد الثاني من القرن العشرين",
        "১৯১০-এর দশক",
        "1910-luku",
        "1910年代",
        "1910년대",
        "1910-е годы",
        "1910లు",
    ),
    "the 2000s": (
        "العقد الأول من القرن الحادي والعشرين",
        "২০০০-এর দশক",
        "2000-luku",
        "2000年代",
        "2000년대",
        "2000-е годы",
        "2000లు",
    ),
    "mid-1960s": (
        "منتصف ستينيات القرن العشرين",
        "১৯৬০-এর দশকের মাঝামাঝি",
        "1960-luvun puoliväli",
        "1960年代半ば",
        "1960년대 중반",
        "середина 1960-х годов",
        "1960ల మధ్యకాలం",
    ),
    "the late 1980s": (
        "أواخر ثمانينيات القرن العشرين",
        "১৯৮০-এর দশকের শেষের দিক",
        "1980-luvun loppu",
        "1980年代後半",
        "1980년대 후반",
        "конец 1980-х годов",
        "1980ల చివరి భాగం",
    ),
    "early 1990s": (
        "أوائل تسعينيات القرن العشرين",
        "১৯৯০-এর দশকের শুরুর দিক",
        "1990-luvun alku",
        "1990年代初頭",
        "1990년대 초",
        "начало 1990-х годов",
        "1990ల ప్రారంభం",
    ),
    "500 BC": (
        "500 قبل الميلاد",
        "৫০০ খ্রিস্টপূর্বাব্দ",
        "500 eaa.",
        "紀元前500年",
        "기원전 500년",
        "500 год до н. э.",
        "క్రీ.పూ. 500",
    ),
    "AD 79": ("79 م", "৭৯ খ্রিস্টাব্দ", "79 jaa.", "79年", "79년", "79 год", "క్రీ.శ. 79"),
    "44 BCE": (
        "44 قبل الميلاد",
        "৪৪ খ্রিস্টপূর্বাব্দ",
        "44 eaa.",
        "紀元前44年",
        "기원전 44년",
        "44 год до н. э.",
        "క్రీ.పూ. 44",
    ),
    "10,000 BC": (
        "10,000 قبل الميلاد",
        "১০,০০০ খ্রিস্টপূর্বাব্দ",
        "10\u00a0000 eaa.",
        "紀元前10,000年",
        "기원전 10,000년",
        "10\u00a0000 год до н. э.",
        "క్రీ.పూ. 10,000",
    ),
    "c. 1450": (
        "حوالي عام 1450",
        "আনুমানিক ১৪৫০ সাল",
        "noin 1450",
        "1450年頃",
        "1450년경",
        "около 1450 года",
        "సుమారు 1450",
    ),
    "c. 500 BC": (
        "حوالي 500 قبل الميلاد",
        "আনুমানিক ৫০০ খ্রিস্টপূর্বাব্দ",
        "noin 500 eaa.",
        "紀元前500年頃",
        "기원전 500년경",
        "около 500 года до н. э.",
        "సుమారు క్రీ.పూ. 500",
    ),
    "early 20th century": (
        "أوائل القرن العشرين",
        "২০শ শতাব্দীর শুরুর দিক",
        "1900-luvun alku",
        "20世紀初頭",
        "20세기 초",
        "начало XX века",
        "20వ శతాబ్దం ప్రారంభం",
    ),
    "mid-19th century": (
        "منتصف القرن التاسع عشر",
        "১৯শ শতাব্দীর মাঝামাঝি",
        "1800-luvun puoliväli",
        "19世紀半ば",
        "19세기 중반",
        "середина XIX века",
        "19వ శతాబ్దం మధ్యకాలం",
    ),
    "late 18th century": (
        "أواخر القرن الثامن عشر",
        "১৮শ শতাব্দীর শেষের দিক",
        "1700-luvun loppu",
        "18世紀後半",
        "18세기 후반",
        "конец XVIII века",
        "18వ శతాబ్దం చివరి భాగం",
    ),
    "late 2nd century BC": (
        "أواخر القرن الثاني قبل الميلاد",
        "খ্রিস্টপূর্ব ২য় শতাব্দীর শেষের দিক",
        "100-luvun eaa. loppu",
        "紀元前2世紀後半",
        "기원전 2세기 후반",
        "конец II века до н. э.",
        "క్రీ.పూ. 2వ శతాబ్దం చివరి భాగం",
    ),
    "from 1914 to 1918": (
        "من 1914 إلى 1918",
        "১৯১৪ থেকে ১৯১৮",
        "1914–1918",
        "1914年から1918年",
        "1914년부터 1918년까지",
        "с 1914 по 1918 год",
        "1914 నుండి 1918 వరకు",
    ),
    "between 1914 and 1918": (
        "بين عامي 1914 و1918",
        "১৯১৪ ও ১৯১৮ সালের মধ্যে",
        "vuosien 1914 ja 1918 välillä",
        "1914年から1918年の間",
        "1914년과 1918년 사이",
        "между 1914 и 1918 годами",
        "1914 మరియు 1918 మధ్య",
    ),
    "mid-July": (
        "منتصف يوليو",
        "জুলাই মাসের মাঝামাঝি",
        "heinäkuun puoliväli",
        "7月中旬",
        "7월 중순",
        "середина июля",
        "జులై మధ్యకాలం",
    ),
    "late May 1945": (
        "أواخر مايو 1945",
        "১৯৪৫ সালের মে মাসের শেষের দিক",
        "vuoden 1945 toukokuun loppu",
        "1945年5月下旬",
        "1945년 5월 말",
        "конец мая 1945 года",
        "మే 1945 చివరి భాగం",
    ),
    "early March 1999": (
        "أوائل مارس 1999",
        "১৯৯৯ সালের মার্চ মাসের শুরুর দিক",
        "vuoden 1999 maaliskuun alku",
        "1999年3月上旬",
        "1999년 3월 초",
        "начало марта 1999 года",
        "మార్చి 1999 ప్రారంభం",
    ),
    "late 1999": (
        "أواخر عام 1999",
        "১৯৯৯ সালের শেষের দিক",
        "vuoden 1999 loppu",
        "1999年後半",
        "1999년 말",
        "конец 1999 года",
        "1999 చివరి భాగం",
    ),
    "summer 1967": (
        "صيف 1967",
        "১৯৬৭ সালের গ্রীষ্ম",
        "kesä 1967",
        "1967年夏",
        "1967년 여름",
        "лето 1967 года",
        "1967 వేసవి",
    ),
    "the fall of 1989": (
        "خريف 1989",
        "১৯৮৯ সালের শরৎ",
        "syksy 1989",
        "1989年秋",
        "1989년 가을",
        "осень 1989 года",
        "1989 శరదృతువు",
    ),
    "winter": ("الشتاء", "শীতকাল", "talvi", "冬", "겨울", "зима", "శీతాకాలం"),
}


def test_an_era_may_follow_without_a_space():
    assert apply_rules("447BC", "ja") == ("紀元前447年", "rule:date")


@pytest.mark.parametrize(("text", "lang", "form"), each(CENTURIES))
def test_centuries(text, lang, form):
    assert apply_rules(text, lang) == (form, "rule:century")


@pytest.mark.parametrize(("text", "lang", "form"), each(DATES))
def test_dates(text, lang, form):
    assert apply_rules(text, lang) == (form, "rule:date")


@pytest.mark.parametrize(
    "text",
    [
        *("1900s", "Twentieth Century", "40th century", "early", "Early Music", "mid", "late may"),
        *("Summer", "spring", "fall", "Summer of '69", "C 500", "CE 500", "500 ad", "0 BC", "c. 9"),
        *("from 1918 to 1914", "between 5 and 9", "AD", "BC", "Late Night", "AD 79 BC"),
    ],
)
def test_what_may_be_something_else_is_left_alone(text):
    assert [apply_rules(text, lang) for lang in ("ar", "ja", "ru")] == [None] * 3


@pytest.mark.parametrize(
    ("text", "lang", "english"),
    [
        ("القرن الثامن عشر", "ar", "18th century"),
        ("القرن العشرون", "ar", "20th century"),
        ("18. vuosisata", "fi", "18th century"),
        ("1700-luku", "fi", "18th century"),
        ("紀元前5世紀", "ja", "5th century BC"),
        ("1990-luku", "fi", "1990s"),
        ("1990년대", "ko", "1990s"),
        ("1990-е годы", "ru", "1990s"),
        ("تسعينيات القرن العشرين", "ar", "1990s"),
        ("১৯৯০-এর দশক", "bn", "1990s"),
        ("紀元前500年", "ja", "500 BC"),
        ("44 год до н. э.", "ru", "44 BC"),
        ("10 000 eaa.", "fi", "10,000 BC"),
    ],
)
def test_texts_as_pages_have_them(text, lang, english):
    localised = apply_rules(text, "en", lang)
    assert localised and localised[0] == english


@pytest.mark.parametrize(
    ("source", "text", "to", "expected"),
    [
        ("en", "19th century", "fr", "XIXe siècle"),
        ("en", "1st century", "fr", "Ier siècle"),
        ("fr", "XIXe siècle", "en", "19th century"),
        ("fr", "19e siècle", "de", "19. Jahrhundert"),
        ("es", "siglo XX", "fr", "XXe siècle"),
        ("de", "um 1850", "en", "c. 1850"),
        ("de", "ca. 1850", "fr", "vers 1850"),
        ("fr", "vers 1850", "es", "hacia 1850"),
        ("es", "hacia 1850", "de", "um 1850"),
        ("en", "around 1850", "de", "um 1850"),
        ("en", "circa 1850", "fr", "vers 1850"),
        ("en", "around 1850", "fi", "noin 1850"),
    ],
)
def test_centuries_and_approximate_years_of_european_languages(
    source: str, text: str, to: str, expected: str
) -> None:
    localised = apply_rules(text, to, source)
    assert localised is not None and localised[0] == expected


@pytest.mark.parametrize(
    ("source", "text", "to", "expected"),
    [
        ("ja", "1850年頃", "en", "c. 1850"),
        ("ja", "約1850年", "fi", "noin 1850"),
        ("ru", "около 1850 года", "en", "c. 1850"),
        ("ru", "ок. 1850", "de", "um 1850"),
        ("fi", "noin 1850", "en", "c. 1850"),
        ("ko", "1850년경", "it", "circa 1850"),
        ("zh", "約1850年", "en", "c. 1850"),
        ("nl", "omstreeks 1850", "pt", "por volta de 1850"),
        ("ru", "в XIX веке", "en", "19th century"),
        ("ru", "19-й век", "en", "19th century"),
        ("es", "s. XIX", "en", "19th century"),
        ("it", "sec. XIX", "ja", "19世紀"),
        ("sv", "1800-talet", "en", "19th century"),
        ("ar", "القرن 19", "en", "19th century"),
        ("zh", "19世紀", "en", "19th century"),
        ("uk", "XIX ст.", "en", "19th century"),
    ],
)
def test_periods_as_texts_write_them(source: str, text: str, to: str, expected: str) -> None:
    localised = apply_rules(text, to, source)
    assert localised is not None and localised[0] == expected


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("3–5 May 1987", "ja", "1987年5月3日～5日"),
        ("May 3-5, 1987", "fi", "3.–5. toukokuuta 1987"),
        ("May 3 – June 2, 1987", "ru", "3 мая – 2 июн. 1987"),
        ("December 30, 1987 – January 2, 1988", "ko", "1987년 12월 30일 ~ 1988년 1월 2일"),
        ("from 3 to 5 May", "da", "3.–5. maj"),
        ("31–32 May 1987", "de", None),
        ("5–3 May 1987", "de", None),
        ("3 May to 5 June 1987 and", "de", None),
        ("3 May – 5 June 1987", "es", "3 may – 5 jun 1987"),
    ],
)
def test_ranges_of_dates(text: str, lang: str, expected: str | None) -> None:
    localised = apply_rules(text, lang)
    plain = localised and localised[0].replace("\u2009", " ").replace("\u202f", " ")
    assert plain == expected
