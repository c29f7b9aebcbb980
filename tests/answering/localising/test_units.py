"""Counters, centuries, money and metric units."""

import pytest

from xorqa.answering.localising.localisers import apply_rules
from xorqa.answering.localising.numbers import metric


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        ("22 episodes", "ja", "22話"),
        ("22 episodes", "ko", "22화"),
        ("1,200 people", "ja", "1,200人"),
        ("3 children", "ko", "3명"),
        ("1 book", "ja", "1冊"),
    ],
)
def test_counters(text, lang, said):
    assert apply_rules(text, lang) == (said, "rule:number")
    assert apply_rules(text, "de") is None


@pytest.mark.parametrize(
    ("lang", "said"),
    [("ja", "19世紀"), ("ko", "19세기"), ("ru", "XIX век"), ("bn", "১৯শ শতাব্দী")],
)
def test_centuries(lang, said):
    assert apply_rules("the 19th century", lang) == (said, "rule:century")
    assert apply_rules("99th century", lang) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("5th century", "৫ম শতাব্দী"),
        ("the 2nd century", "২য় শতাব্দী"),
        ("10th century", "১০ম শতাব্দী"),
        ("11th century", "১১শ শতাব্দী"),
    ],
)
def test_bengali_ordinals(text, said):
    assert apply_rules(text, "bn") == (said, "rule:century")


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        ("21 US dollars", "ru", "21 доллар США"),
        ("2.5 million US dollars", "ru", "2,5 миллиона долларов США"),
        ("5 million US dollars", "ja", "500万米ドル"),
        ("30 British pounds", "fi", "30 Englannin puntaa"),
    ],
)
def test_money(text, lang, said):
    assert apply_rules(text, lang) == (said, "rule:money")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("29,029 feet", "8,848 meters"),
        ("5 miles", "8 kilometers"),
        ("5.5 inches", "14 centimeters"),
        ("60 miles per hour", "97 kilometers per hour"),
        ("3 square miles", "8 square kilometers"),
        ("0 feet", "0 meters"),
        ("5 km", "5 km"),
        ("Green Mile", "Green Mile"),
    ],
)
def test_metric(text, said):
    assert metric(text) == said


@pytest.mark.parametrize("text", ["5 apples", "$", "$5 trillions", "20 doubloons"])
def test_what_is_not_known_is_left_alone(text):
    assert apply_rules(text, "ja") is None


def test_cities():
    assert apply_rules("London", "ru") == ("Лондон", "rule:city")
    assert apply_rules("New York", "ja") == ("ニューヨーク", "rule:city")
    assert apply_rules("Davis", "ja") is None  # not the station
    assert apply_rules("london", "ru") is None
