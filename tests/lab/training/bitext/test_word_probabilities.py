import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.training.bitext import word_probabilities
from xorqa.lab.training.bitext.word_probabilities import MIN_PROBABILITY, make_word_probabilities

TRANSLATIONS = {"joki": "river", "kaupunki": "city", "vuori": "mountain", "järvi": "lake"}


def pairs(count: int, *, seed: int = 1) -> list[tuple[str, str, str, str]]:
    """Sentences of three of the words in any order, with a Finnish word that is not translated."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        words = rng.sample(sorted(TRANSLATIONS), 3)
        english = [TRANSLATIONS[word] for word in words]
        rng.shuffle(english)
        rows.append(("fi", " ".join([*words, "kanssa"]), "en", " ".join(english)))
    return rows


def test_words_are_translated_and_function_words_are_not() -> None:
    table = make_word_probabilities(pairs(200))["fi"]
    for word, english in TRANSLATIONS.items():
        assert table[word][english] > 0.7
        assert list(table[word]) == [english]
    assert max(table["kanssa"].values()) < 0.1


def test_a_word_with_two_translations_keeps_both() -> None:
    rows = pairs(200)
    half = [
        (lang, text, other, english.replace("river", "stream") if at % 2 else english)
        for at, (lang, text, other, english) in enumerate(rows)
    ]
    found = make_word_probabilities(half)["fi"]["joki"]
    assert found["river"] == pytest.approx(found["stream"], abs=0.1)
    assert 0.7 < found["river"] + found["stream"] <= 1


@given(st.integers(1, 20), st.integers(0, 99))
def test_probabilities_are_a_distribution(count: int, seed: int) -> None:
    for words in make_word_probabilities(pairs(count, seed=seed)).values():
        for translations in words.values():
            assert all(MIN_PROBABILITY <= p <= 1 for p in translations.values())
            assert sum(translations.values()) <= 1 + 1e-9


def test_unspaced_scripts_have_bigrams_and_other_pairs_are_skipped() -> None:
    rows = [("ja", "東京", "en", "Tokyo"), ("ja", "大阪", "en", "Osaka")] * 3
    assert make_word_probabilities(rows)["ja"]["東京"]["tokyo"] > 0.5
    assert make_word_probabilities([("fi", "joki", "sv", "flod"), ("fi", "...", "en", "a")]) == {}
    assert make_word_probabilities([]) == {}


def test_a_compact_table_has_what_is_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    rare = [("fi", "suo", "en", "swamp"), *[("fi", "Oslo", "en", "Oslo")] * 3]
    whole, compact = (make_word_probabilities([*pairs(200), *rare], compact=c) for c in (0, 1))
    assert {"suo", "oslo", "kanssa"} <= whole["fi"].keys()
    assert {word: [*words] for word, words in compact["fi"].items()} == {
        word: [english] for word, english in {**TRANSLATIONS, "suo": "swamp"}.items()
    }
    monkeypatch.setattr(word_probabilities, "COMPACT_WORDS", 4)  # a word of one pair is left out
    fewer = make_word_probabilities([*pairs(200), *rare], compact=True)
    assert fewer["fi"].keys() == TRANSLATIONS.keys()
    for word, translations in compact["fi"].items():
        for english, p in translations.items():
            assert 0 <= whole["fi"][word][english] - p < 0.01
