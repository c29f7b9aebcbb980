import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.answering.localising.chain import ChainLocaliser, read_english_list, write_list
from xorqa.core.lang import LANGUAGES

RULES = ChainLocaliser(transliterator=None)


@pytest.mark.parametrize(
    ("text", "items", "conjunction"),
    [
        ("Angola, Benin, and Ghana", ("Angola", "Benin", "Ghana"), True),
        ("Angola, Benin and Ghana", ("Angola", "Benin", "Ghana"), True),
        ("Angola and Benin", ("Angola", "Benin"), True),
        ("Alexandria, Egypt", ("Alexandria", "Egypt"), False),
        ("2, 3 and 5", ("2", "3", "5"), True),
    ],
)
def test_lists_have_items(text, items, conjunction):
    assert read_english_list(text) == (items, conjunction)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Angola",
        "Angola,",
        "and Benin",
        "10 and 20 percent",
        "1,250,000 men",
    ],
)
def test_other_texts_are_no_lists(text):
    assert read_english_list(text) is None


@pytest.mark.parametrize(
    ("lang", "joined", "with_commas"),
    [
        ("ar", "A وB وC", "A، B، C"),
        ("bn", "A, B এবং C", "A, B, C"),
        ("fi", "A, B ja C", "A, B, C"),
        ("ja", "A、B、C", "A、B、C"),
        ("ko", "A, B 및 C", "A, B, C"),
        ("ru", "A, B и C", "A, B, C"),
        ("te", "A, B మరియు C", "A, B, C"),
    ],
)
def test_each_language_joins_items_its_own_way(lang, joined, with_commas):
    assert write_list("ABC", lang, conjunction=True) == joined
    assert write_list("ABC", lang, conjunction=False) == with_commas


@given(
    st.lists(st.sampled_from(["France", "New Zealand", "1980", "Peru"]), min_size=2, max_size=6),
    st.sampled_from(sorted(LANGUAGES)),
)
def test_every_item_is_in_the_localised_list(items, lang):
    text = ", ".join(items[:-1]) + f" and {items[-1]}"
    localised = RULES.localise_text(text, lang)
    mixed = 0 < items.count("1980") < len(items)
    if localised is None:
        assert mixed or not all(RULES.localise_text(item, lang) for item in items)
    else:
        assert localised[1] == "list"
        assert all(RULES.localise_text(item, lang)[0] in localised[0] for item in items)


def test_a_list_is_localised_only_if_all_of_its_items_are():
    assert RULES.localise_text("France and Germany", "fi") == ("Ranska ja Saksa", "list")
    assert RULES.localise_text("France and a pebble beach", "fi") is None
    assert RULES.localise_text("Emilia Cooper and Ida Tarbell", "fi") == (
        "Emilia Cooper ja Ida Tarbell",
        "list",
    )


def test_two_words_that_may_be_one_name_stay_together():
    assert RULES.localise_text("Simon and Garfunkel", "fi") is None


def test_lists_in_other_languages_than_english_are_not_read():
    assert RULES.localise_text("Ranska ja Saksa", "en", source="fi") is None
