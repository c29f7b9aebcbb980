from collections import Counter
from dataclasses import replace

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.checklist.format import read_checklist
from xorqa.lab.checklist.perturb import perturb


def cases(checklist, kind, change):
    return [case for case in perturb(checklist, kind, count=6) if case.test.endswith(f": {change}")]


def pairs(perturbed_cases):
    for case in perturbed_cases:
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
    typos = list(pairs(cases(small, "INV", "typos")))
    assert typos
    for original, perturbed in typos:
        assert original.context == perturbed.context
        assert original.question != perturbed.question
        assert Counter(original.question) == Counter(perturbed.question)
        assert sum(a != b for a, b in zip(original.question, perturbed.question, strict=True)) == 2
        for name in ("Anna", "Rose", "Maria", "Omar", "polite"):
            assert (name in original.question) == (name in perturbed.question)


def test_an_aside_is_added(small):
    for original, perturbed in pairs(cases(small, "INV", "aside")):
        rest = perturbed.context.replace(original.context, "").strip()
        assert rest in small.asides
        assert not perturbed.renamed


@pytest.mark.parametrize("asides", [(), ("It rains.",)])
def test_asides_that_are_missing(small, asides):
    bare = replace(small, asides=asides, lang="hi", script="Deva")
    with pytest.raises(DataError, match=r"'hi', asides: needs two sentences or more, and one with"):
        list(perturb(bare, "INV", count=1))


def test_scripts_without_spaces_join_sentences_without(small):
    japanese = replace(small, script="Jpan")
    for original, perturbed in pairs(cases(japanese, "INV", "aside")):
        assert len(perturbed.context) == len(original.context) + len(
            perturbed.context.replace(original.context, "")
        )
        assert any(
            original.context + a == perturbed.context or a + original.context == perturbed.context
            for a in small.asides
        )


@pytest.mark.parametrize(
    ("lang", "script", "digit"),
    [("hi", "Deva", "२"), ("mr", "Deva", "२"), ("fa", "Arab", "۲"), ("my", "Mymr", "၂")],
)
def test_digits_change_their_script(small, lang, script, digit):
    changes = list(pairs(cases(replace(small, lang=lang, script=script), "INV", "digits")))
    assert changes
    for original, perturbed in changes:
        assert "24" in original.context
        assert digit in perturbed.context
        assert "24" not in perturbed.context


def test_a_language_without_digits_of_its_own_has_no_such_case(small):
    assert cases(small, "INV", "digits") == []


def test_other_names_are_of_the_same_agreement_and_change_the_answer(write):
    checklist = read_checklist(write(("omar = [", 'adam = ["Adam", "m"]\nomar = [')))
    changes = list(pairs(cases(checklist, "INV", "names")))
    assert changes
    agr = {word.text: word.forms["agr"] for word in checklist.words["name"].values()}
    for original, perturbed in changes:
        for old, new in perturbed.renamed.items():
            assert agr[old] == agr[new]
            assert old not in perturbed.context + perturbed.question
        assert perturbed.answers == tuple(
            perturbed.renamed.get(original, original) for original in original.answers
        )


def test_a_question_is_paraphrased(small):
    paraphrases = list(pairs(cases(small, "INV", "asked")))
    assert paraphrases
    for original, perturbed in paraphrases:
        assert original.question.startswith("Who")
        assert perturbed.question.startswith("Which one")
        assert original.answers == perturbed.answers


@pytest.mark.parametrize("change", ["swapped", "opposite"])
def test_the_answer_must_become_the_other_name(small, change):
    changes = list(pairs(cases(small, "DIR", change)))
    assert changes
    for original, perturbed in changes:
        assert perturbed.renamed[original.answers[0]] == perturbed.answers[0] != original.answers[0]
        if change == "swapped":
            assert original.question == perturbed.question
        else:
            assert original.context == perturbed.context


def test_a_test_whose_answer_is_no_name_has_no_names_to_change(small):
    tests = [case.test for case in perturb(small, "DIR", tests=["pets"], count=4)]
    assert tests == []
