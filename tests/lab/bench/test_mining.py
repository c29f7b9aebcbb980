"""Tatoeba's pairs among distractors: how they are hidden, and how mining is judged."""

from pathlib import Path

import numpy as np
import pytest

from xorqa.core.errors import DataError
from xorqa.lab.bench.mining import Result, grid, hide, judge, measure
from xorqa.lab.mining.retrieval import Candidates
from xorqa.lab.mining.sentences import Sentences


def side(name: str, count: int) -> Sentences:
    texts = tuple(f"{name} {number}" for number in range(count))
    return Sentences(name, "fi", tuple(map(str, range(count))), texts)


def test_the_distractors_of_the_sides_are_from_different_pairs() -> None:
    english, other = hide(side("en", 12), side("fi", 12), pairs=2, distractors=2)
    assert english.ids[:2] == other.ids[:2]
    assert len({*english.ids, *other.ids}) == 2 + 4 + 4 == len(english) + len(other) - 2
    again, _ = hide(side("en", 12), side("fi", 12), pairs=2, distractors=2)
    assert again == english != hide(side("en", 40), side("fi", 40), pairs=2, distractors=2)[0]


def test_sentences_that_occur_twice_are_used_once() -> None:
    english = Sentences("en", "en", ("0", "1", "2", "3"), ("a", "a", "b", "c"))
    other = Sentences("fi", "fi", ("0", "1", "2", "3"), ("x", "y", "z", "w"))
    sides = hide(english, other, pairs=1, distractors=1)
    assert sides[0].ids[0] == sides[1].ids[0]
    assert {*sides[0].ids, *sides[1].ids} == {"0", "2", "3"}
    with pytest.raises(DataError, match="fi has 3 different pairs; 5 are needed"):
        hide(english, other, pairs=1, distractors=2)


def candidates(*pairs: tuple[int, int]) -> Candidates:
    rows = np.array(pairs)
    return Candidates(rows[:, 0], rows[:, 1], np.linspace(2, 1, len(rows)))


def test_f1_and_precision_at_a_recall_of_80_percent() -> None:
    mined = candidates((0, 0), (1, 1), (7, 7), (2, 2), (3, 3), (9, 8), (4, 4))
    f1, precision = judge(mined, 5)
    assert (f1, precision) == pytest.approx((10 / 12, 4 / 5))
    assert judge(candidates((0, 0), (7, 7)), 5) == (pytest.approx(1 / 3), None)
    assert judge(candidates((6, 5)), 5) == (0, None)


def test_the_table_of_two_encoders(tmp_path: Path) -> None:
    for code in ("fin", "eng"):
        (tmp_path / f"tatoeba.fin-eng.{code}").write_text(
            "".join(f"{code} {n}\n" for n in range(6))
        )
    rows = np.eye(8)
    np.savez(
        tmp_path / "v.npz",
        **{"tatoeba.fin-eng.eng": rows[[0, 1, 2, 3]], "tatoeba.fin-eng.fin": rows[[0, 1, 4, 5]]},
    )
    results = measure(tmp_path, ["fi"], [str(tmp_path / "v.npz")], pairs=2, distractors=1)
    assert [(row.margin, row.f1, row.precision) for row in results] == [
        ("absolute", 1, 1),
        ("ratio", 1, 1),
    ]
    table = grid([*results, Result("x", "ratio", "fi", 0.5, None)], pairs=2, distractors=1)
    assert table.header == ("encoder", "margin", "fi F1", "fi P", "mean F1")
    assert table.rows[0][2] == ("x", "ratio", "50.0", "–", "50.0")
