from collections import Counter
from dataclasses import replace

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.checklist.format import read_checklist
from xorqa.lab.checklist.perturb import perturb


def cases(checklist, kind, change):
    return [case for case in perturb(checklist, kind, count=6) if case.test.endswith(f": {change}")]


def pairs(some):
    for case in some:
        for example in case.examples:
            if example.of is not None:
                yield case.examples[example.of], example


def test_every_perturbed_example_follows_its_original(small):
    for kind in ("INV", "DIR"):
        for case in perturb(small, kind, count=4):
            assert case.type == kind
            assert [example.of for example in case.examples[::2]] == [None] * (
                len(case.examples) // 2
            )
            assert [example.of for example in case.examples[1::2]] == list(
                range(0, len(case.examples), 2)
            )


def test_a_typo_swaps_two_letters_of_the_question_and_spares_what_was_drawn(small):
    found = list(pairs(cases(small, "INV", "typos")))
    assert found
    for one, other in found:
        assert one.context == other.context
        assert one.question != other.question
        assert Counter(one.question) == Counter(other.question)
        assert sum(a != b for a, b in zip(one.question, other.question, strict=True)) == 2
        for name in ("Anna", "Rose", "Maria", "Omar", "polite"):
            assert (name in one.question) == (name in other.question)


def test_an_aside_is_added(small):
    for one, other in pairs(cases(small, "INV", "aside")):
        rest = other.context.replace(one.context, "").strip()
        assert rest in small.asides
        assert not other.renamed


@pytest.mark.parametrize("asides", [(), ("It rains.",)])
def test_asides_that_are_missing(small, asides):
    bare = replace(small, asides=asides, lang="hi", script="Deva")
    with pytest.raises(DataError, match=r"'hi', asides: needs two sentences or more, and one with"):
        list(perturb(bare, "INV", count=1))


def test_scripts_without_spaces_join_sentences_without(small):
    japanese = replace(small, script="Jpan")
    for one, other in pairs(cases(japanese, "INV", "aside")):
        assert len(other.context) == len(one.context) + len(other.context.replace(one.context, ""))
        assert any(
            one.context + a == other.context or a + one.context == other.context
            for a in small.asides
        )


@pytest.mark.parametrize(
    ("lang", "script", "digit"),
    [("hi", "Deva", "२"), ("mr", "Deva", "२"), ("fa", "Arab", "۲"), ("my", "Mymr", "၂")],
)
def test_digits_change_their_script(small, lang, script, digit):
    found = list(pairs(cases(replace(small, lang=lang, script=script), "INV", "digits")))
    assert found
    for one, other in found:
        assert "24" in one.context
        assert digit in other.context
        assert "24" not in other.context


def test_a_language_without_digits_of_its_own_has_no_such_case(small):
    assert cases(small, "INV", "digits") == []


def test_other_names_are_of_the_same_agreement_and_change_the_answer(write):
    checklist = read_checklist(write(("omar = [", 'adam = ["Adam", "m"]\nomar = [')))
    found = list(pairs(cases(checklist, "INV", "names")))
    assert found
    agr = {word.text: word.forms["agr"] for word in checklist.words["name"].values()}
    for one, other in found:
        for old, new in other.renamed.items():
            assert agr[old] == agr[new]
            assert old not in other.context + other.question
        assert other.answers == tuple(other.renamed.get(one, one) for one in one.answers)


def test_a_question_is_paraphrased(small):
    found = list(pairs(cases(small, "INV", "asked")))
    assert found
    for one, other in found:
        assert one.question.startswith("Who")
        assert other.question.startswith("Which one")
        assert one.answers == other.answers


@pytest.mark.parametrize("change", ["swapped", "opposite"])
def test_the_answer_must_become_the_other_name(small, change):
    found = list(pairs(cases(small, "DIR", change)))
    assert found
    for one, other in found:
        assert other.renamed[one.answers[0]] == other.answers[0] != one.answers[0]
        if change == "swapped":
            assert one.question == other.question
        else:
            assert one.context == other.context


def test_a_test_whose_answer_is_no_name_has_no_names_to_change(small):
    made = [case.test for case in perturb(small, "DIR", tests=["pets"], count=4)]
    assert made == []
