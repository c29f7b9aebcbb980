import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.text.stems import stem
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
        [(translation, p)] = table[stem(word, "fi")].items()
        assert (translation, p > 0.7) == (english, True)
    assert max(table[stem("kanssa", "fi")].values()) < 0.1


def test_inflected_forms_are_one_word() -> None:
    forms = ["talossa", "taloissa", "talosta"]
    rows = [("fi", form, "en", english) for form in forms for english in ("house", "houses")]
    assert make_word_probabilities(rows)["fi"] == {"talo": {"house": pytest.approx(1, abs=0.01)}}


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
    assert make_word_probabilities(rows)["ja"]["東京"]["Tokyo"] > 0.5
    assert make_word_probabilities([("fi", "joki", "sv", "flod"), ("fi", "...", "en", "a")]) == {}
    assert make_word_probabilities([]) == {}


def test_a_compact_table_has_what_is_likely() -> None:
    rare = [("fi", "suo", "en", "swamp"), ("fi", "hai kala", "en", "shark fish shoal net")]
    same = [("fi", "Oslo", "en", "Oslo")] * 3
    rows = [*pairs(200), *rare, *same]
    whole, compact = (make_word_probabilities(rows, compact=c)["fi"] for c in (False, True))
    stems = {stem(word, "fi"): [english] for word, english in TRANSLATIONS.items()}
    assert {word: [*words] for word, words in compact.items()} == {**stems, "suo": ["swamp"]}
    assert whole.keys() - compact.keys() == {"kan", "oslo", "hai", "kala"}
    for word, translations in compact.items():
        assert translations.items() <= whole[word].items()


@pytest.mark.parametrize(("lang", "kept"), [("de", True), ("ru", False)])
def test_function_words_that_look_english_have_no_translation(lang: str, kept: bool) -> None:
    words = ["Fluss", "Berg", "Tal", "Wald", "Feld", "Haus"]
    english = ["river", "mountain", "valley", "forest", "field", "house"]
    rows = [(lang, f"die {one}", "en", two) for one, two in zip(words, english, strict=True)]
    table = make_word_probabilities([*rows, (lang, "Tod", "en", "die")], compact=True)[lang]
    assert table.get("die") == ({} if kept else None)


def test_a_name_among_function_words_keeps_itself() -> None:
    rows = [("fi", f"Peru {at}", "en", f"Peru {at}") for at in range(9)]
    rows += [("fi", "perusta", "en", english) for english in ["base", "ground", "found", "basis"]]
    assert "peru" not in make_word_probabilities(rows, compact=True)["fi"]
