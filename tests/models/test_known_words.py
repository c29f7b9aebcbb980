import pytest

from xorqa.core.text import stems
from xorqa.models.known_words import LONGEST, SHARED, KnownWords


@pytest.mark.parametrize(
    ("lang", "known", "token", "wanted"),
    [
        ("fi", ["joki"], "joki", ["joki"]),
        # compounds
        ("fi", ["joki", "silta"], "jokisilta", ["joki", "silta"]),
        ("fi", ["abcd", "efghijkl", "abcdef", "ghijkl"], "abcdefghijkl", ["abcdef", "ghijkl"]),
        ("fi", ["jokisilta", "joki", "silta"], "jokisilta", ["jokisilta"]),
        ("fi", ["abc", "efghij"], "abcefghij", ["abcefghij"]),
        ("de", ["wxyz", "abcd"], "wxyzsabcd", ["wxyz", "abcd"]),
        ("sv", ["wxyz", "abcd"], "wxyzsabcd", ["wxyz", "abcd"]),
        ("fi", ["wxyz", "abcd"], "wxyzsabcd", ["wxyzsabcd"]),
        ("sv", ["wxy", "abcd"], "wxysabcd", ["wxysabcd"]),
        ("tr", ["joki", "silta"], "jokisilta", ["jokisilta"]),
        ("fi", ["coca cola zero"], "cocacola", ["cocacola"]),  # parts of a phrase are no words
        # endings
        ("te", ["రెస్టారెంట్"], "రెస్టారెంట్లో", ["రెస్టారెంట్"]),
        ("bn", ["রেস্তোরাঁতেই"], "রেস্তোরাঁয়", ["রেস্তোরাঁতেই"]),
        ("bn", ["রেস্তোরাঁতেই", "রেস্তোরাঁ", "রেস্তোরাঁতে"], "রেস্তোরাঁয়", ["রেস্তোরাঁ"]),
        ("te", ["abcd"], "abcde", ["abcde"]),  # too few characters
        ("te", ["abcdefghij"], "abcdefghijklmnopqrst", ["abcdefghijklmnopqrst"]),
        ("te", ["abcdef ghi"], "abcdefg", ["abcdefg"]),
        ("ja", ["東京都庁舎建設"], "東京都庁舎設計", ["東京都庁舎設計"]),
        # numbers
        ("te", ["1947"], "1947లో", ["1947"]),
        ("te", ["120000"], "120001", ["120001"]),
        ("bn", ["১২০০০০"], "১২০০০১", ["120001"]),
        ("fi", ["joki"], "007n", ["007"]),
        ("fi", [""], "joki", ["joki"]),
    ],
)
def test_words_that_a_token_is(lang: str, known: list[str], token: str, wanted: list[str]) -> None:
    assert KnownWords(known, lang).placed([token]) == [(word, 0) for word in wanted]


def test_a_similar_word_shares_most_of_both() -> None:
    words = KnownWords(["abcdefghij"], "te")
    shared = {length: words.placed(["abcdefghij"[:length] + "x"])[0][0] for length in range(10)}
    similar = [length for length, word in shared.items() if word == "abcdefghij"]
    assert similar == [length for length in range(10) if length >= SHARED * 10]


def test_words_that_mean_themselves_are_not_guessed() -> None:
    words = KnownWords(["microscop", "joki", "silta"], "es")
    assert words.placed(["microsoft", "joki"]) == [("microscop", 0), ("joki", 1)]
    same = words.placed(["microsoft", "joki"], {"microsoft", "joki"})
    assert same == [("microsoft", 0), ("joki", 1)]


def test_words_stand_where_their_token_stands() -> None:
    words = KnownWords(["joki", "silta", "new york"], "fi")
    placed = words.placed(["new", "york", "jokisilta", "joki"])
    assert placed == [("new york", 0), ("joki", 2), ("silta", 2), ("joki", 3)]


def test_long_tokens_are_no_compounds(monkeypatch: pytest.MonkeyPatch) -> None:
    words, token = KnownWords(["ab"], "de"), "ab" * LONGEST
    stems.stem.cache_clear()
    assert words.placed([token]) == [(token, 0)]
    assert stems.stem.cache_info().misses == 1


def test_nothing_is_similar_without_words() -> None:
    assert KnownWords([], "te").placed(["రెస్టారెంట్లో"]) == [("రెస్టారెంట్లో", 0)]
