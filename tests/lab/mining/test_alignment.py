from xorqa.lab.mining.alignment import align, counts
from xorqa.lab.mining.pairs import MinedPair


def pair(score: float, source: str, target: str) -> MinedPair:
    return MinedPair(score, f"{source} text", target, source, f"{target} id")


def test_sentences_in_several_languages() -> None:
    pairs = {
        "fi": [pair(1.5, "1", "yksi"), pair(1.2, "2", "kaksi"), pair(1.1, "1", "toinen")],
        "ko": [pair(1.3, "1", "하나"), pair(1.4, "3", "셋")],
    }
    rows = align(pairs, pivot="en")
    assert [(row.ids["en"], row.score) for row in rows] == [("1", 1.3), ("3", 1.4), ("2", 1.2)]
    assert rows[0].texts == {"en": "1 text", "fi": "yksi", "ko": "하나"}
    assert rows[1].ids == {"en": "3", "ko": "셋 id"}
    assert counts(rows) == {3: 1, 2: 2}
    assert [row.ids["en"] for row in align(pairs, pivot="en", least=3)] == ["1"]
    assert align({"fi": []}, pivot="en") == []
