"""Spellings that must meet in a search, and words that must stay distinct."""

import pytest

from xorqa.core.errors import ConfigError, MissingExtraError
from xorqa.core.text import folding
from xorqa.core.text.folding import MARKS, SIMPLIFIED, check_options
from xorqa.core.text.search_tokens import ENGLISH_STOP_WORDS, stop_tokens, tokens

MEET = [
    ("en", "Beyoncé", "Beyonce"),
    ("en", "naïve Łódź Ærø", "naive lodz aero"),
    ("en", "co\u00adoperate", "cooperate"),  # a soft hyphen
    ("en", "İstanbul Diyarbakır", "Istanbul Diyarbakir"),
    ("en", "two\u200bwords", "two words"),
    ("en", "ﬁfty ①", "fifty 1"),
    ("de", "Straße", "STRASSE"),
    ("ru", "Ёлка самолёт", "елка самолет"),
    ("ru", "Москва́", "Москва"),
    ("el", "ΑΘΗΝΑ", "Αθήνα"),
    ("el", "ΟΔΥΣΣΕΥΣ", "Ὀδυσσεύς"),
    ("el", "ἄνθρωπος τῷ λόγῳ", "άνθρωπος τω λόγω"),
    ("el", "ΜΑΪΟΣ", "Μάιος"),
    ("tr", "IŞIK İZMİR", "ışık izmir"),
    ("az", "QIZIL İL", "qızıl il"),
    ("ro", "Iaşi ţară", "Iași țară"),
    ("ar", "مُحَمَّد كـتب", "محمد كتب"),
    ("ar", "إسلام أحمد آسيا", "اسلام احمد اسيا"),
    ("ar", "مدرسة", "مدرسه"),
    ("ar", "الكتاب والكتاب بالكتاب للكتاب", "كتاب كتاب كتاب كتاب"),
    ("ar", "مصطفى", "مصطفي"),
    ("ar", "سنة ٢٠٢٠", "سنة 2020"),
    ("fa", "كتاب علي", "کتاب علی"),
    ("fa", "می\u200cخواهم", "میخواهم"),
    ("fa", "۱۳۹۹ خانۀ", "1399 خانه"),
    ("ur", "ہندوستان", "هندوستان"),
    ("ur", "كراچي ۴۵", "کراچی 45"),
    ("ku", "ه\u200cم", "ەم"),
    ("he", "שָׁלוֹם", "שלום"),
    ("he", "צה״ל", 'צה"ל'),
    ("yi", "ײד", "ייד"),
    ("hi", "क्‍या २०२०", "क्या 2020"),
    ("bn", "ভারত ১৯৭১", "ভারত 1971"),
    ("bn", "হঠাৎ", "হঠাত্\u200d"),
    ("si", "ශ්\u200dරී", "ශ්රී"),
    ("ml", "അവൻ", "അവന്\u200d"),
    ("ml", "എന്റെ ഞാൻ", "എൻറെ ഞാന്\u200d"),
    ("te", "౨౦౨౦", "2020"),
    ("th", "พ.ศ. ๒๕๖๓", "พ.ศ. 2563"),
    ("th", "ประเทศ\u200bไทย", "ประเทศไทย"),
    ("km", "ខ្មែរ\u200bក្រហម ១៩៧៥", "ខ្មែរក្រហម 1975"),
    ("my", "မြန်မာ ၂၀၂၀", "မြန်မာ 2020"),
    ("bo", "བོད\u0f0cཡིག", "བོད་ཡིག"),
    ("am", "ፀሐይ ዓለም", "ጸሀይ አለም"),
    ("ja", "ｶﾞﾝﾀﾞﾑ", "ガンダム"),
]
DISTINCT = [
    ("de", "schön", "schon"),
    ("es", "año", "ano"),
    ("fi", "näin", "nain"),
    ("fr", "pêcher", "pécher"),
    ("vi", "má", "ma"),
    ("ru", "мой", "мои"),
    ("uk", "їх", "іх"),
    ("tr", "ısı", "isi"),
    ("ar", "الله", "له"),
    ("ar", "اللهم", "لهم"),
    ("ar", "بالغة", "غة"),
    ("ar", "علم", "عالم"),
    ("fa", "می خواهم", "میخواهم"),
    ("ps", "ښځی", "ښځي"),
    ("sd", "کل", "ڪل"),
    ("ur", "بھی", "بہی"),
    ("ug", "ئىش", "ئيش"),
    ("yi", "אַ", "אָ"),
    ("hi", "हँस", "हंस"),
    ("hi", "काम", "कम"),
    ("ml", "അവൻ", "അവന"),
    ("ti", "ሐመመ", "ሀመመ"),
    ("zh", "漢語", "汉语"),  # without the option
    ("ja", "かき", "がき"),
    ("km", "កា", "កី"),
    ("yo", "ọ̀kọ́", "ọkọ"),
]


@pytest.mark.parametrize(("lang", "one", "other"), MEET)
def test_spellings_of_a_word_meet(lang: str, one: str, other: str) -> None:
    assert tokens(one, lang) == tokens(other, lang) != []


@pytest.mark.parametrize(("lang", "one", "other"), DISTINCT)
def test_words_stay_distinct(lang: str, one: str, other: str) -> None:
    assert tokens(one, lang) != tokens(other, lang)


def test_vietnamese_without_marks_is_an_option() -> None:
    assert tokens("Đường phố Hà Nội", "vi", folding=(MARKS,)) == ["duong", "pho", "ha", "noi"]
    assert tokens("Đường", "vi") == ["đường"]
    assert tokens("Đường", "de", folding=(MARKS,)) == ["đường"]


def test_traditional_chinese_as_simplified_is_an_option() -> None:
    pytest.importorskip("opencc")
    assert tokens("漢語圖書館", "zh", folding=(SIMPLIFIED,)) == tokens("汉语图书馆", "zh")
    assert tokens("漢語", "ja", folding=(SIMPLIFIED,)) == ["漢語"]


def test_an_option_that_needs_a_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opencc", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    folding._opencc.cache_clear()
    folding._simplified.cache_clear()
    with pytest.raises(MissingExtraError, match=r"xorqa\[chinese\]"):
        tokens("漢語", "zh", folding=(SIMPLIFIED,))


def test_an_unknown_option_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ConfigError, match="simplified-chinese, vietnamese-marks"):
        check_options(["simplified"])


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        ("km", "សិទ្ធិមនុស្ស", ["សិទ្ធិ", "ទ្ធិម", "មនុ", "នុស្ស"]),
        ("lo", "ສິດທິ", ["ສິດ", "ດທິ"]),
        ("my", "မြန်မာ", ["မြန်", "န်မာ"]),
        ("bo", "བོད་ཡིག", ["བོད", "ཡིག", "བོདཡིག"]),
        ("am", "ኢትዮጵያ፡ሀገር።", ["ኢትዮጵያ", "ሀገር"]),
    ],
)
def test_tokens_of_scripts_without_spaces(lang: str, text: str, found: list[str]) -> None:
    assert tokens(text, lang) == found


def test_stop_words_are_tokens_of_their_own() -> None:
    assert stop_tokens("The Who are a band.", "The Who") == [
        "the who", "the who", "who are", "are a", "the", "who",
    ]  # fmt: skip
    assert stop_tokens("To be or not") == ["to be", "be or", "or not", "to", "be", "or", "not"]
    assert {*stop_tokens("To be or not")} >= {"to", "be"} <= ENGLISH_STOP_WORDS
