from collections import Counter

import pytest

from xorqa.core.lang import LANGUAGES
from xorqa.core.text.detection import script_share
from xorqa.io.files import read_lines
from xorqa.lab.training.dictionary.pairs import (
    LANGS,
    ROOT,
    dictionary_pairs,
    name_pairs,
    word_pairs,
)


def test_words_are_distinct() -> None:
    words = read_lines(ROOT / "words.txt.bz2")
    assert len(words) > 12_000
    assert len(set(words)) == len(words)
    assert all(words)


def test_every_language_has_translations_in_its_script() -> None:
    texts: dict[str, list[str]] = {}
    for lang, text, _, _ in dictionary_pairs():
        texts.setdefault(lang, []).append(text)
    assert tuple(sorted(texts)) == LANGS
    for lang, found in texts.items():
        assert len(found) > 4000
        assert all(text == text.strip() and text for text in found)
        in_script = [script_share(text, LANGUAGES[lang].script) > 0 for text in found]
        assert sum(in_script) > 0.999 * len(found)  # DVD, EP


@pytest.mark.parametrize(
    ("lang", "text", "english"),
    [("ru", "Том Хэнкс", "Tom Hanks"), ("ru", "Том Хэнкс", "Tom Hanks")],
)
def test_pairs(lang: str, text: str, english: str) -> None:
    assert (lang, text, "en", english) in word_pairs()


def test_names_of_several_languages() -> None:
    count = Counter(lang for lang, *_ in name_pairs())
    assert min(count[lang] for lang in ("ar", "bn", "ja", "ko", "ru", "te")) > 10_000
