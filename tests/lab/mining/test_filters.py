import pytest

from xorqa.lab.mining.filters import (
    expected_languages,
    first_of_similar,
    not_copied,
    usual_lengths,
)


def test_lengths_are_compared_with_the_median_ratio() -> None:
    pairs = [
        ("abcdef", "ab"),
        ("abcdefg", "ab"),
        ("abcdef", "ab"),
        ("ab", "abcdef"),
        ("a" * 20, "ab"),
    ]
    assert usual_lengths(pairs, 2.5) == [True, True, True, False, False]
    assert usual_lengths([], 2.5) == []


def test_languages_that_are_detected_with_confidence() -> None:
    finnish = "Kemijoki on Suomen pisin joki, ja se laskee Perämereen Kemissä."
    english = "The Kemijoki is the longest river of Finland."
    pairs = [(english, finnish), (english, english), (finnish, finnish), (english, "Oulu")]
    assert expected_languages(pairs, ("en", "fi")) == [True, False, False, True]


@pytest.mark.parametrize(
    ("pair", "kept"),
    [
        (("Oulu, 1990.", "OULU 2001"), False),
        (("Nokia Oyj", "Nokia"), True),
        (("!", "!"), False),
        (("!", "?"), True),
    ],
)
def test_copies(pair: tuple[str, str], kept: bool) -> None:
    assert not_copied([pair]) == [kept]


def test_the_first_of_similar_pairs_is_kept() -> None:
    pairs = [
        ("Founded in 1990.", "Perustettu 1990."),
        ("Founded in 1991", "Aloitti 1991."),
        ("It began in 1992.", "perustettu 1992"),
        ("It began in 1992.", "Alkoi 1992"),
        ("Hello", "Hei"),
    ]
    assert first_of_similar(pairs) == [True, False, False, True, True]
