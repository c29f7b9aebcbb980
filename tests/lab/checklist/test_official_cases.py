"""The published table itself, where a copy stands beside the checkout."""

import json
from pathlib import Path

import pytest

from xorqa.lab.checklist.official_cases import NAMES, People, generate_official, people
from xorqa.lab.checklist.official_table import complete_languages, read_official_table

SHEET = Path(__file__).parents[4] / "shared/data/multichecklist/checklist_templates.tsv"
EXAMPLES = {
    "comparisons": 2,
    "intensifiers": 12,
    "properties": 2,
    "job and nationality": 8,
    "animal and vehicle": 4,
    "animal and vehicle 2": 4,
}
SPOTS = json.loads(Path(__file__).with_name("official_spots.json").read_text("utf-8"))
FOLK = People(["Anna", "Omar", "Rose", "Adam"], ())

pytestmark = pytest.mark.skipif(not SHEET.exists(), reason="the official table is not here")


@pytest.fixture(scope="module")
def blocks():
    return read_official_table(SHEET)


def official_cases(blocks, *, count, langs=()):
    folk = dict.fromkeys(complete_languages(blocks), FOLK)
    return list(generate_official(blocks, folk, count=count, langs=langs))


def check(cases, count):
    sizes = {}
    for case in cases:
        assert len(case.examples) == EXAMPLES[case.test]
        assert not any("{" in e.context + e.question + e.answers[0] for e in case.examples)
        sizes[case.lang, case.test] = sizes.get((case.lang, case.test), 0) + 1
    assert set(sizes.values()) == {count}
    return {lang for lang, _ in sizes}


def test_the_counts_of_examples_are_those_of_the_table(blocks):
    products = [len(block.contexts) * len(block.questions) for block in blocks]
    assert dict(zip(NAMES, products, strict=True)) == EXAMPLES


def test_every_language_has_every_test(blocks):
    assert len(check(official_cases(blocks, count=5), 5)) == 50


@pytest.mark.slow
def test_every_language_has_200_cases_of_every_test(blocks):
    assert len(check(official_cases(blocks, count=200), 200)) == 50


@pytest.mark.parametrize("lang", ["en", "de", "ja", "ru", "ar"])
def test_examples_read_as_the_templates_say(blocks, lang):
    cases = official_cases(blocks, count=40, langs=[lang])
    examples = {
        (case.test, e.context, e.question, e.answers[0]) for case in cases for e in case.examples
    }
    for test in NAMES:
        assert len(SPOTS[lang][test]) == 3
        for context, question, answer in SPOTS[lang][test]:
            assert (test, context, question, answer) in examples


def test_names_are_masculine_if_the_checklist_marks_gender(small):
    assert people(small).names == ["Anna", "Rose", "Maria", "Omar"]  # too few men


def test_tests_in_the_masculine_have_men_and_the_others_both_genders(blocks):
    folk = People(["Anna", "Maria", "Rose", "Omar", "Adam", "Jan"], (), ["Omar", "Adam", "Jan"])
    cases = list(generate_official(blocks, {"en": folk}, langs=["en"], count=40))
    texts = {}
    for case in cases:
        texts[case.test] = texts.get(case.test, "") + case.examples[0].context
    for test in ("comparisons", "intensifiers", "job and nationality"):
        assert not any(name in texts[test] for name in folk.women)
    men = sum(texts["animal and vehicle 2"].count(name) for name in folk.men)
    women = sum(texts["animal and vehicle 2"].count(name) for name in folk.women)
    assert 0.7 < men / women < 1.4
