"""The checklists of this package: all are sound, and all say the same as the English one."""

import pytest

from xorqa.lab.checklist.folder import SHIPPED
from xorqa.lab.checklist.format import read_checklist
from xorqa.lab.checklist.lint import lint

ENGLISH = read_checklist(SHIPPED / "en.toml")
FILES = sorted(SHIPPED.glob("*.toml"))
SHARED_NAMES = {
    "anna",
    "maria",
    "sara",
    "nadia",
    "laura",
    "nina",
    "david",
    "daniel",
    "adam",
    "martin",
    "victor",
    "omar",
}
MULTICHECKLIST = (  # that of XTREME-R has ro and no ha
    "af ar az bg bn de el en es et eu fa fi fr gu ha he hi ht hu id it ja jv ka kk ko lt ml mr ms "
    "my nl pa pl pt qu ru sw ta te th tl tr uk ur vi wo yo zh"
)


def test_there_is_one_for_each_language_of_xtreme_r():
    assert [path.stem for path in FILES] == MULTICHECKLIST.split()
    assert len(FILES) == 50


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_valid(path):
    assert lint(read_checklist(path)) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_has_the_tests_slots_and_words_of_the_english_one(path):
    checklist = read_checklist(path)
    assert checklist.lang == path.stem
    for test, english in zip(checklist.tests, ENGLISH.tests, strict=True):
        assert (test.name, test.capability, test.type) == (
            english.name,
            english.capability,
            english.type,
        )
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
