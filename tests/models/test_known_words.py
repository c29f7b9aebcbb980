import pytest

from xorqa.models.known_words import SHARED, KnownWords


@pytest.mark.parametrize(
    ("lang", "known", "token", "wanted"),
    [
        ("fi", ["joki"], "joki", ["joki"]),
        ("fi", ["joki", "silta"], "jokisilta", ["joki", "silta"]),
        ("fi", ["voima", "laitos", "voi", "malaitos"], "voimalaitos", ["voima", "laitos"]),
        ("fi", ["silta", "joki", "jokisilta"], "jokisilta", ["jokisilta"]),
        ("de", ["regier", "form"], "regierungsform", ["regier", "form"]),
        ("tr", ["joki", "silta"], "jokisilta", ["jokisilta"]),
        ("fi", ["joki", "silta"], "jokix", ["jokix"]),
        ("te", ["రెస్టారెంట్"], "రెస్టారెంట్లో", ["రెస్టారెంట్"]),
        ("bn", ["রেস্তোরাঁতেই"], "রেস্তোরাঁয়", ["রেস্তোরাঁতেই"]),
        ("bn", ["রেস্তোরাঁতেই", "রেস্তোরাঁ", "রেস্তোরাঁতে"], "রেস্তোরাঁয়", ["রেস্তোরাঁ"]),
        ("te", ["నది"], "నదిలో", ["నదిలో"]),  # too short to be compared
        ("ja", ["東京都庁舎"], "東京", ["東京"]),
    ],
)
def test_words_that_a_token_is(lang: str, known: list[str], token: str, wanted: list[str]) -> None:
    assert KnownWords(known, lang).placed([token]) == [(word, 0) for word in wanted]


def test_a_similar_word_shares_most_of_both() -> None:
    words = KnownWords(["abcdefghij"], "te")
    shared = {length: words.placed(["abcdefghij"[:length] + "x"])[0][0] for length in range(10)}
    similar = [length for length, word in shared.items() if word == "abcdefghij"]
    assert similar == [length for length in range(10) if length >= SHARED * 10]


def test_words_stand_where_their_token_stands() -> None:
    words = KnownWords(["joki", "silta", "new york"], "fi")
    placed = words.placed(["new", "york", "jokisilta", "joki"])
    assert placed == [("new york", 0), ("joki", 2), ("silta", 2), ("joki", 3)]


def test_nothing_is_similar_without_words() -> None:
    assert KnownWords([], "te").placed(["రెస్టారెంట్లో"]) == [("రెస్టారెంట్లో", 0)]
