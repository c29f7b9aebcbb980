from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.training.translator.tokens import learn_vocabulary
from xorqa.models.source_encoding import SPECIAL, language_token


@pytest.fixture(scope="module")
def vocabulary() -> Any:
    return learn_vocabulary(["Where is the Nile?", "Where is Lake Inari?"] * 3, size=300)


@given(text=st.from_regex(r"\S+( \S+)*", fullmatch=True))
def test_every_text_comes_back(vocabulary: Any, text: str) -> None:
    normal = vocabulary.normalizer.normalize_str(text)
    assert vocabulary.decode(vocabulary.encode(text).ids) == normal


def test_case_is_kept_and_digits_stand_alone(vocabulary: Any) -> None:
    assert vocabulary.encode("Where 1732").tokens == ["ĠWhere", "Ġ", "1", "7", "3", "2"]
    assert vocabulary.encode("Where").ids != vocabulary.encode("where").ids
    assert [vocabulary.token_to_id(piece) for piece in SPECIAL] == list(range(len(SPECIAL)))


def test_a_vocabulary_of_several_languages_keeps_vowel_signs_in_the_word() -> None:
    bengali = "নদীটি কোথায়?"
    vocabulary = learn_vocabulary([bengali] * 3, size=600, langs=("bn", "te"))
    encoded = vocabulary.encode(bengali)
    assert len(encoded.tokens) == 3
    assert vocabulary.decode(encoded.ids).strip() == bengali
    starts = [language_token(vocabulary, lang, "Who?") for lang in ("bn", "te")]
    assert [vocabulary.id_to_token(start) for start in starts] == ["<Cased? bn>", "<Cased? te>"]
