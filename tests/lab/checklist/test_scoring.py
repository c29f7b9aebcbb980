import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.checklist.scoring import normalize_answer, score_case
from xorqa.lab.checklist.suite import Case, Example

ENGLISH = ("a", "an", "the")


@pytest.mark.parametrize(
    ("text", "articles", "wanted"),
    [
        ("The Dog.", ENGLISH, "dog"),
        ("the other", ENGLISH, "other"),
        ("the", ENGLISH, ""),
        ("l’auto", ("l'",), "auto"),
        ("الكلب", ("ال-",), "كلب"),
        ("٢٤ أيام", (), "24 أيام"),
        ("ｶｰ　２", (), "カー 2"),
        ("(犬)。", (), "犬"),
        ("rock 'n' roll", ENGLISH, "rock n roll"),
    ],
)
def test_answers_as_compared(text, articles, wanted):
    assert normalize_answer(text, articles) == wanted


@given(st.text(), st.lists(st.sampled_from(["a", "the", "l'", "al-"])))
def test_full_stops_and_double_spaces_are_removed(text, articles):
    done = normalize_answer(text, tuple(articles))
    assert done == " ".join(done.split())
    assert "." not in done


def make_case(type, *examples):
    return Case("en/x/0", "en", "x", "c", type, ENGLISH, examples)


def verdict(case, *texts):
    return score_case(case, dict(zip(case.qids(), texts, strict=False)))


def test_a_case_passes_if_all_examples_do():
    case = make_case("MFT", Example("c", "q", ("dog", "puppy")), Example("c", "r", ("cat",)))
    assert verdict(case, "the puppy", "Cat").passed
    assert verdict(case, "the puppy", "dog").right == (True, False)


def test_no_answer_is_wrong():
    assert not verdict(make_case("MFT", Example("c", "q", ("dog",)))).passed


@pytest.mark.parametrize("type", ["INV", "DIR"])
def test_no_answer_is_not_an_unchanged_one(type):
    case = make_case(type, Example("c", "q", ("dog",)), Example("c", "Q", ("dog",), of=0))
    assert verdict(case).right == (False, False)
    assert verdict(case, "dog").right == (True, False)
    assert score_case(case, {case.qids()[1]: ""}).right == (False, False)


def test_an_unchanged_answer_passes_even_if_it_is_wrong():
    case = make_case("INV", Example("c", "q", ("dog",)), Example("c", "Q", ("dog",), of=0))
    assert verdict(case, "cat", "a cat").passed
    assert verdict(case, "cat", "dog").right == (True, False)


def test_names_that_change_places_must_do_so_in_the_answer():
    swapped = {"Anna": "Omar", "Omar": "Anna"}
    case = make_case("DIR", Example("c", "q", ("Anna",)), Example("d", "q", ("Omar",), 0, swapped))
    assert verdict(case, "Anna", "Omar").passed
    assert verdict(case, "Anna and Omar", "omar and anna").passed
    assert not verdict(case, "Anna", "Anna").passed


def test_names_that_change_may_change_their_case_too():
    renamed = {"Nina": "Nadia", "Ninadan": "Nadiadan", "у": "в"}
    case = make_case(
        "INV",
        Example("Nina Viktordan kasıbdır", "q", ("Viktor", "Viktordan")),
        Example("Viktor Nadiadan kasıbdır", "q", ("Viktor",), 0, renamed),
    )
    assert verdict(case, "Viktordan", "Viktor").passed
    assert not verdict(case, "Viktordan", "Nadiadan").passed
    assert not verdict(case, "Nina", "Viktor").passed
    assert verdict(case, "музика Nina", "музика Nadia").passed  # wrong, and as wrong as before


def test_an_answer_in_the_contexts_language_is_wrong_but_marked():
    case = make_case("MFT", Example("c", "q", ("koira",), in_context=("dog",)))
    assert verdict(case, "koira").passed
    english = verdict(case, "dog")
    assert (english.right, english.foreign) == ((False,), (True,))
    assert verdict(case, "cat").foreign == (False,)
