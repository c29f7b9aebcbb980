import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.text.phrases import Phrases, joined
from xorqa.core.text.search_tokens import tokens


@pytest.mark.parametrize(
    ("lang", "text", "word"),
    [
        ("en", "machine gun", "machine gun"),
        ("ja", "研究所", "研究所"),
        ("ja", "Tシャツ", "t シャツ"),
        ("th", "วิทยาลัย", "วิทยาลัย"),
        ("ko", "대학교", "대학교"),
        ("vi", "phòng thí nghiệm", "phòng thí nghiệm"),
    ],
)
def test_tokens_become_the_word_again(lang: str, text: str, word: str) -> None:
    assert joined(tokens(text, lang)) == word


def test_the_longest_phrase_counts() -> None:
    phrases = Phrases(["machine gun", "machine gun nest", "gun nest", "nest"])
    assert phrases.within(["machine", "gun", "nest", "machine", "gun"]) == [
        "machine gun nest",
        "machine gun",
    ]
    assert phrases.within(["machine", "gunner", "gun", "nest"]) == ["machine", "gunner", "gun nest"]
    assert phrases.within([]) == []


def test_bigrams_at_the_end_of_a_phrase_are_left_out() -> None:
    phrases = Phrases(["研究所", "東京都", "所長"])
    assert phrases.within(tokens("研究所東京都の", "ja")) == ["研究所", "東京都"]
    assert phrases.within(tokens("研究所 東京", "ja")) == ["研究所", "東京"]
    assert phrases.within(tokens("研究所 所長", "ja")) == ["研究所", "所長"]


TEXTS = st.lists(st.sampled_from(["ab", "bc", "a", "研", "研究", "究所", "所"]), max_size=8)


@given(TEXTS.map(lambda words: tokens(" ".join(words), "ja")), st.data())
def test_tokens_are_only_joined_where_a_phrase_is_known(
    words: list[str], data: st.DataObject
) -> None:
    assert Phrases([]).within(words) == words
    start = data.draw(st.integers(0, len(words)))
    end = data.draw(st.integers(start, len(words)))
    if end - start > 1:
        assert Phrases([joined(words[start:end])]).within(words[start:end]) == [
            joined(words[start:end])
        ]
