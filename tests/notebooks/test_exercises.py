"""Every exercise refuses three wrong answers that students give, each with a hint of its own."""

import ast
import importlib
import re
from collections import defaultdict
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
TESTS = Path(__file__).parents[1] / "lessons"
LESSONS = sorted(path.stem.partition("_")[2] for path in FOLDER.glob("[0-9A][0-9]*_*.py"))
HINTS = 3

SHARED = (  # verdicts that every check has, by `graded`
    "Replace the `...` in the cell above with your answer.",
    "This is not the kind of answer asked for (",
    "Your function raises ",
)


@pytest.mark.parametrize("name", LESSONS)
def test_every_check_refuses_three_wrong_answers_with_a_hint_each(name):
    module = importlib.import_module(f"lessons.{name}")
    tested = hints((TESTS / f"test_{name}.py").read_text(encoding="utf-8"))
    checks = [check for check in dir(module) if re.fullmatch(r"check_\d+", check)]
    few = {check: sorted(tested[check]) for check in checks if len(tested[check]) < HINTS}
    assert not few


def hints(source):
    """For each check the hints that its tests expect.

    Two forms count: a parametrised row whose last string is the text expected, and
    `assert "text" in lesson.check_1(answer).reason`.
    """
    found = defaultdict(set)
    for test in ast.walk(ast.parse(source)):
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            for check, text in [*rows(test), *asserts(test)]:
                found[check].add(text.removeprefix("Not yet.").strip())
    return {check: own(texts) for check, texts in found.items()} | defaultdict(set)


def rows(test):
    """The checks and texts in the parameters of a test that asserts a refusal."""
    body = "\n".join(ast.unparse(statement) for statement in test.body)
    called = set(re.findall(r"\bcheck_\d+\b", body))
    refuses = "Not yet" in body or "assert not " in body
    for mark in test.decorator_list:
        for row in parameters(mark):
            strings = [part.value for part in row if is_text(part)]
            if not strings or any(text.startswith("Right") for text in strings):
                continue
            named = set(re.findall(r"\.(check_\d+)\b", " ".join(map(ast.unparse, row))))
            if "check_{check}" in body and isinstance(row[0], ast.Constant):
                named = {f"check_{row[0].value}"}
            wrong = refuses or any(text.startswith("Not yet") for text in strings)
            if wrong and len(named or called) == 1:
                yield min(named or called), strings[-1]


def parameters(mark):
    """The rows of `pytest.mark.parametrize`, each as its expressions."""
    if not (isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith(".parametrize")):
        return []
    values = getattr(mark.args[1], "elts", [])
    return [getattr(row, "elts", None) or getattr(row, "args", [row]) for row in values]


def asserts(test):
    """The checks and texts of `"text" in ...check_1(answer)...`."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and is_text(node.left) and isinstance(node.ops[0], ast.In):
            called = set(re.findall(r"\.(check_\d+)\b", ast.unparse(node.comparators[0])))
            if len(called) == 1:
                yield min(called), node.left.value


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def own(texts):
    """The texts that are not of every check and not contained in another one."""
    shared = {
        text
        for text in texts
        if any(text in verdict or verdict in text for verdict in SHARED)
        or re.search(r"\braises|Error\b", text)
    }
    return {
        text
        for text in texts - shared
        if text and not any(text in other for other in texts - shared - {text})
    }


EXAMPLES = """
@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (1, "Right."),
        (2, "Not yet. Halve it"),
        (3, "Not yet. Halve it"),
        (4, "Not yet. Halve"),
        (5, "Not yet. Replace the `...`"),
        (6, "Not yet. This is not the kind of answer"),
        (7, "Not yet. Your function raises ZeroDivisionError"),
        (lambda: "no hint", "Not yet. Double it"),
    ],
)
def test_one(answer, text):
    assert repr(lesson.check_1(answer)).startswith(text)

@pytest.mark.parametrize(("check", "answer", "hint"), [(lesson.check_2, 1, "two")])
def test_two(check, answer, hint):
    assert not (verdict := check(answer)) and hint in verdict.reason

@pytest.mark.parametrize(("check", "answer", "hint"), [(3, 1, "three")])
def test_three(check, answer, hint):
    verdict = getattr(lesson, f"check_{check}")(answer)
    assert not verdict and hint in verdict.reason

@pytest.mark.parametrize(("answer", "text"), [(1, "in any verdict")])
def test_four(answer, text):
    assert text in repr(lesson.check_4(answer))
    assert "four" in lesson.check_4(4).reason
"""


def test_hints_are_counted_once_and_shared_verdicts_are_not():
    assert hints(EXAMPLES) == {
        "check_1": {"Halve it", "Double it"},
        "check_2": {"two"},
        "check_3": {"three"},
        "check_4": {"four"},
    }
