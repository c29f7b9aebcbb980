"""The exam questions: two a lesson, and the figures of their solutions."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest

from tests.test_docs import ROOT
from xorqa.metrics.tasks.squad import exact_match, f1

PAGE = (ROOT / "docs" / "exam.md").read_text(encoding="utf-8")
LESSONS = sorted((ROOT / "notebooks").glob("[0-9A][0-9]*_*.py"))


def solution(number: str) -> str:
    """The solution of a question, in one line."""
    text = PAGE.partition(f"\n**{number}.** ")[2].partition("\n>")[2]
    return " ".join(re.split(r"\n\n", text)[0].replace("\n>", " ").split())


def test_every_lesson_has_two_questions_with_solutions() -> None:
    titles = re.findall(r"^## (\w+) ", PAGE, re.MULTILINE)
    assert titles == [path.stem.split("_")[0] for path in LESSONS]
    numbers = re.findall(r"^\*\*(.+?)\.\*\* ", PAGE, re.MULTILINE)
    assert numbers == [f"{title}.{number}" for title in titles for number in (1, 2)]
    assert all(solution(number) for number in numbers)


def test_the_verdicts_of_each_lesson_are_counted() -> None:
    stated = {
        name: int(count)
        for names, count in re.findall(r"^\| ([\dA][^|]*) \| (\d+) \|$", PAGE, re.MULTILINE)
        for name in names.split(", ")
    }
    graded = {
        path.stem.split("_")[0]: path.read_text(encoding="utf-8").count('tags=["grade"]')
        for path in LESSONS
    }
    assert stated == graded


def test_each_exercise_has_its_common_wrong_answers() -> None:
    for path in LESSONS:
        lesson = path.stem.split("_")[0]
        section = PAGE.partition(f"\n## {lesson} ")[2].partition("\n## ")[0]
        wrong = section.partition("*Common wrong answers, by exercise:*")[2].partition("\n\n")[0]
        count = path.read_text(encoding="utf-8").count('tags=["grade"]')
        expected = [str(number) for number in range(1, count + 1)]
        assert re.findall(r"\((\d)\)\s", wrong) == expected, lesson


def bm25_ratio(lengths: list[int], k1: float, b: float) -> float:
    mean = float(np.mean(lengths))
    first, last = (1 / (1 + k1 * (1 - b + b * n / mean)) for n in (lengths[0], lengths[-1]))
    return first / last


def swaps_as_far(wins: int) -> float:
    sums = [sum(signs) for signs in product((1, -1), repeat=wins)]
    return float(np.mean([abs(total) >= wins for total in sums]))


@pytest.mark.parametrize(
    ("number", "figure"),
    [
        ("01.1", f"{100 * 0.8 * 0.75 * 0.6:.0f} %"),
        ("01.1", f"{100 * 0.75 * 0.6:.0f} %"),
        ("01.1", f"{100 * 0.8 * 0.6:.0f} %"),
        ("01.1", f"{100 * 0.8 * 0.75:.0f} %"),
        ("02a.1", f"{bm25_ratio([5, 5, 10, 20], 1, 0.5):.2f}"),
        ("02b.1", f"{1 / 61 + 1 / 63:.5f}"),
        ("02b.1", f"{1 / 62:.5f}"),
        ("03a.1", f"F1 {f1('the river Kemi', 'Kemi'):.3f}"),
        ("03b.1", f"{100 * 120 / 200:.0f} %"),
        ("03b.2", f"p = {4 / 5:g}"),
        ("05.1", f"{(1 / 1 + 2 / 2 + 3 / 5 + 4 / 10) / 4:g}."),
        ("06b.1", f"1 - 0.9^2 = {100 * (1 - 0.9**2):.0f} %"),
        ("06b.1", f"1 - 0.9^12 = {100 * (1 - 0.9**12):.0f} %"),
        ("06b.2", f"= {swaps_as_far(6):.3f}"),
        ("06b.2", f"= {6 / 0.2:.0f} cases"),
        ("06b.2", f"= {swaps_as_far(2):g}."),
        ("07b.1", f"{swaps_as_far(6):.3f}"),
        ("07b.2", f"{8 * 0.01:.2f}"),
        ("08.1", f"= {(10 * 80 + 30 * 40) / 40:.0f}."),
        ("08.1", f"= {(30 * 70 + 10 * 30) / 40:.0f}."),
        ("09.1", f"= {(2.8 * 34 / 8) ** 2:.0f}."),
        ("09.1", f"= {1.96 * 34 / np.sqrt(12):.1f} points"),
        ("10.1", f"{100 * (3 * 0.1**2 * 0.9 + 0.1**3):.1f} %"),
        ("11.1", f"{100 * 4 / 10:.0f} %"),
        ("11.1", f"{100 * 10 / 40:.0f} %"),
        ("12.1", f"= {0.9 + 0.8:.1f}"),
        ("12.1", f"= {(0.9 + 0.1 + 0.2 + 0.4 + 0.3 + 0.8) / 6:.2f}."),
        ("12.1", f"= {(0.9 + 0.1 + 0.2 + 0.4 + 0.3 + 0.8) / 12:.3f}."),
        ("13.1", f"ln {64 + 3 * 64} = {np.log(64 + 3 * 64):.2f}"),
        ("14.1", f"nDCG {(2 / np.log2(3) + 1 / 2) / (2 + 1 / np.log2(3)):.3f}"),
        ("14.1", f"nDCG {(1 + 2 / 2) / (2 + 1 / np.log2(3)):.3f}"),
        ("15.1", f"= {0.7 * 0.6 + 0.3 * 0.4:.2f};"),
        ("15.1", f"= {(0.62 - 0.54) / (1 - 0.54):.2f}."),
    ],
)
def test_the_figures_of_solutions(number: str, figure: str) -> None:
    assert figure in solution(number)


def test_the_article_of_kemi_does_not_count() -> None:
    assert exact_match("the river Kemi", "Kemi") == 0
    assert exact_match("the Kemi", "Kemi") == 1
