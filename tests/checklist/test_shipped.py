"""The checklists of this package: all are sound, and all say the same as the English one."""

import pytest

from xorqa.checklist.folder import SHIPPED
from xorqa.checklist.format import read_checklist
from xorqa.checklist.lint import lint

ENGLISH = read_checklist(SHIPPED / "en.toml")
FILES = sorted(SHIPPED.glob("*.toml"))
SHARED_NAMES = {"anna", "maria", "sara", "nadia", "laura", "nina", "david", "daniel", "adam",
                "martin", "victor", "omar"}  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_sound(path):
    assert lint(read_checklist(path)) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_has_the_tests_slots_and_words_of_the_english_one(path):
    checklist = read_checklist(path)
    assert checklist.lang == path.stem
    for test, english in zip(checklist.tests, ENGLISH.tests, strict=True):
        assert (test.name, test.capability, test.type) == (
            english.name, english.capability, english.type)  # fmt: skip
        assert english.slots.items() <= test.slots.items()
        (wanted,) = english.templates
        for template in test.templates:
            assert len(template.contexts) == len(wanted.contexts)
            assert len(template.questions) == len(wanted.questions)
    for name in ENGLISH.words.keys() - {"name"}:
        assert checklist.words[name].keys() <= ENGLISH.words[name].keys(), name
    assert checklist.words["name"].keys() >= SHARED_NAMES
    kinds = {word.forms["kind"] for word in checklist.words["property"].values()}
    assert kinds <= {"size", "shape", "age", "colour"}
