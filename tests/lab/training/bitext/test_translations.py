import random
from collections import Counter

import pytest

from xorqa.lab.training.bitext.translations import draw_batches, vary

LEXICON = {"fi": {"river": "joki"}, "de": {"river": "fluss"}}
PAIR = ("ko", "강이 어디?", "Where is the river?")


def test_a_source_is_drawn_by_weight_and_its_languages_by_the_root_of_their_size() -> None:
    decks = {
        (0, "fi"): [("fi", f"f{at}", "f") for at in range(90)],
        (0, "ko"): [("ko", f"k{at}", "k") for at in range(10)],
        (1, "en"): [("en", "e", "e")],
    }
    batches = draw_batches(decks, [3.0, 1.0], size=8, count=1000, rng=random.Random(1))
    counts = Counter(pair[0] for batch in batches for pair in batch)
    assert {len(batch) for batch in batches} == {8}
    assert counts["en"] / 8000 == pytest.approx(0.25, abs=0.02)
    assert counts["fi"] / counts["ko"] == pytest.approx(3, abs=0.3)


def test_a_deck_repeats_no_pair_before_all_others() -> None:
    decks = {(0, "fi"): [("fi", f"f{at}", "f") for at in range(6)]}
    [batch] = draw_batches(decks, [1.0], size=12, count=1, rng=random.Random(1))
    assert len(set(batch[:6])) == len(set(batch[6:])) == 6


def test_texts_are_at_times_english_or_code_switched() -> None:
    rng = random.Random(1)
    varied = [vary(PAIR, LEXICON, english=0.5, code_switched=0.5, rng=rng) for _ in range(800)]
    assert {pair[2] for pair in varied} == {PAIR[2]}
    texts = Counter(pair[1] for pair in varied)
    assert texts[PAIR[1]] / 800 == pytest.approx(0.5, abs=0.05)
    assert set(texts) == {
        PAIR[1],
        PAIR[2],
        "Where is the joki?",
        "Where is the fluss?",
    }


def test_english_sources_stay_as_they_are_without_a_lexicon() -> None:
    english = ("en", PAIR[2], PAIR[2])
    assert vary(english, {}, english=1.0, code_switched=1.0, rng=random.Random(1)) == english
