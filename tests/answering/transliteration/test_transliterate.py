"""Names in other scripts: what is a name, and how it sounds."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.answering.transliteration.letters import (
    arabic,
    bengali,
    cyrillic,
    hangul,
    katakana,
    phones_of,
    telugu,
)
from xorqa.answering.transliteration.transliterate import is_name, transliterate

SCRIPTS = {
    katakana: "KATAKANA",
    hangul: "HANGUL",
    cyrillic: "CYRILLIC",
    arabic: "ARABIC",
    bengali: "BENGALI",
    telugu: "TELUGU",
}
WORDS = {  # word: katakana, hangul, Cyrillic, Arabic
    "Cooper": ("クーパー", "쿠퍼", "Купер", "كوبر"),
    "Blake": ("ブレイク", "블레이크", "Блейк", "بليك"),
    "Harrison": ("ハリソン", "해리슨", "Харрисон", "هاريسون"),
    "Franklin": ("フランクリン", "프랭클린", "Франклин", "فرانكلن"),
    "Knight": ("ナイト", "나이트", "Найт", "نايت"),
}


@pytest.mark.parametrize("word", WORDS)
def test_words(word):
    phones = phones_of(word)
    written = katakana(phones), hangul(phones), cyrillic(phones), arabic(phones)
    assert written == WORDS[word]


@pytest.mark.parametrize(
    ("spelt", "phones"),
    [
        ("Knight", "n ai t"),
        ("Wright", "r ai t"),
        ("McCartney", "m a k k ar t n i+"),
        ("Queen", "k w I n"),
        ("Jack", "J a q"),
        ("Zoë", "z ou"),
        ("", ""),
        ("42", ""),
    ],
)
def test_sounds(spelt, phones):
    assert " ".join(phones_of(spelt)) == phones


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        ("John F. Kennedy", "ja", "ジョン・F・ケネディ"),
        ("John F. Kennedy", "ko", "존 F. 케네디"),
        ("John F. Kennedy", "ru", "Джон Ф. Кеннеди"),
        ("Jean-Luc Picard", "ru", "Джин-Люк Пикард"),
        ("Bjørn", "ru", "Бджорн"),
        ("Edward FitzGerald", "ja", "エドワード・フィッツジェラルド"),
        ("James Brown", "ja", "ジェームズ・ブラウン"),  # a given name, an ordinary word
    ],
)
def test_names(text, lang, said):
    assert transliterate(text, lang) == said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Open Door",
        "relief",
        "NASA",
        "PlayStation",
        "The Beatles",
        "Lord of the Rings",
        "van",
        "J. R.",
        "Paul 2",
        "a Cooper",
        "One Two Three Four Five",
        "Пол",
        "Brown",
    ],
)
def test_what_is_no_name(text):
    assert not is_name(text)
    assert transliterate(text, "ja") is None


@pytest.mark.parametrize("text", ["Lech Wałęsa", "Antonín Dvořák", "Škoda", "Recep Erdoğan"])
def test_names_with_letters_of_latin_extended_a(text):
    assert is_name(text)


def test_latin_languages_have_no_transliteration():
    assert is_name("Paul Cooper")
    assert transliterate("Paul Cooper", "fi") is None


@given(st.text("abcdefghijklmnopqrstuvwxyzéñ'", max_size=20))
@pytest.mark.parametrize("script", SCRIPTS, ids=SCRIPTS.values())
def test_any_spelling_stays_in_its_script(script, word):
    said = script(phones_of(word))
    for char in said.replace("\u30fc", ""):  # the mark of long katakana
        assert unicodedata.name(char).startswith(SCRIPTS[script])


@given(st.text(max_size=30), st.sampled_from(["ar", "bn", "ja", "ko", "ru", "te"]))
def test_any_text_is_said_or_left(text, lang):
    said = transliterate(text, lang)
    assert (said is not None) == is_name(text)
