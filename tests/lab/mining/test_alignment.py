from collections import Counter

from xorqa.lab.mining.alignment import (
    Aligned,
    align,
    counts,
    evenly,
    incremental,
    language_counts,
)
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


def row(name: str, *langs: str) -> Aligned:
    langs = ("en", *langs)
    return Aligned(1.0, dict.fromkeys(langs, name), dict.fromkeys(langs, f"{name}"))


def test_counts_by_number_and_language_and_language_by_language() -> None:
    rows = [row("a", "de", "es"), row("b", "de"), row("c", "es"), row("d", "de", "es", "ar")]
    assert language_counts(rows) == {
        4: {"en": 1, "de": 1, "es": 1, "ar": 1},
        3: {"en": 1, "de": 1, "es": 1},
        2: {"en": 2, "de": 1, "es": 1},
    }
    assert incremental(rows, ["de", "es", "ar"]) == {"de": 3, "es": 2, "ar": 1}


def test_samples_are_even_over_combinations_and_paragraphs() -> None:
    pairs = [("de", "es"), ("de", "ar"), ("es", "ar")]
    rows = [row(f"p{n % 5}#{n}", *pairs[n % 13 % 3]) for n in range(130)]
    rows += [row("p9#1", "de"), row("p9#2", "de", "es", "ar")]
    sample = evenly(rows, 30, langs=3, pivot="en")
    combinations = Counter(tuple(sorted(one.texts)) for one in sample)
    assert set(combinations.values()) == {10}
    paragraphs = Counter(one.ids["en"].partition("#")[0] for one in sample)
    assert paragraphs == {f"p{n}": 6 for n in range(5)}
    assert evenly(rows, 30, langs=3, pivot="en") == sample
    assert len(evenly(rows, 1000, langs=3, pivot="en")) == 130
    assert evenly([], 5, langs=3, pivot="en") == []
