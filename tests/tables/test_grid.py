from dataclasses import replace

import pytest

from xorqa.metrics.answer_measures import CONSISTENCY, score_consistency
from xorqa.metrics.report import Report, average
from xorqa.tables.grid import MAX_SCORE_COLUMNS, Grid, measures_grids, score_grid


def report(per_lang, macro, scorer="official", signature=""):
    n = dict.fromkeys(per_lang, 1)
    return Report("xor-full", scorer, per_lang, macro, n, signature)


FULL = report({"ar": {"f1": 12.34, "em": 5}, "fi": {"f1": 67.85, "em": 8}}, {"f1": 40, "em": 6.5})
PART = report(
    {"ar": {"bleu": 33.3}, "te": {"bleu": 99.96}},
    {},
    scorer="strict",
    signature="case:mixed|tok:13a",
)
BOTH = {"dense": FULL, "hybrid": PART}


def test_a_row_per_system_and_metric_and_a_dash_for_a_missing_score():
    assert score_grid("t", BOTH) == Grid(
        "t",
        ("system", "metric", "ar", "fi", "te", "macro"),
        (
            (
                ("dense", "f1", "12.3", "67.8", "–", "40.0"),
                ("dense", "em", "5.0", "8.0", "–", "6.5"),
            ),
            (("hybrid", "bleu", "33.3", "–", "100.0", "–"),),
        ),
        "Percent. Scorers: dense: xor-full (official); "
        "hybrid: xor-full (strict, case:mixed|tok:13a).",
        labels=2,
    )


def test_counts_are_a_row_per_system():
    [[f1, _, first], [_, second]] = score_grid("t", BOTH, counts=True).rows
    assert f1 == ("dense", "f1", "12.3", "67.8", "–", "40.0")
    assert first == ("dense", "n", "1", "1", "–", "2")
    assert second == ("hybrid", "n", "1", "–", "1", "–")


def test_counts_of_many_languages_become_a_column():
    wide = report({f"l{number}": {"f1": number} for number in range(MAX_SCORE_COLUMNS)}, {"f1": 4})
    grid = score_grid("t", {"a": wide}, counts=True)
    assert grid.header == ("language", "f1\na", "n\na")
    assert grid.rows[0][-1] == ("macro", "4.0", "9")


def test_one_scorer_is_named_once():
    grid = score_grid("t", {"a": FULL, "b": FULL}, first="road", digits=2)
    assert grid.caption == "Percent. Scorer: xor-full (official)."
    assert grid.header[0] == "road"
    assert grid.rows[1][0] == ("b", "f1", "12.34", "67.85", "40.00")


@pytest.mark.parametrize("langs", [MAX_SCORE_COLUMNS - 1, MAX_SCORE_COLUMNS])
def test_many_languages_become_the_rows(langs):
    per_lang = {f"l{number}": {"f1": number, "em": number / 2} for number in range(langs)}
    wide = report(per_lang, {"f1": 4, "em": 2})
    grid = score_grid("t", {"a": wide, "b": replace(wide, macro={})})
    if langs < MAX_SCORE_COLUMNS:
        assert len(grid.header) == MAX_SCORE_COLUMNS + 2
        return
    assert grid.header == ("language", "f1\na", "em\na", "f1\nb", "em\nb")
    [rows] = grid.rows
    assert rows[3] == ("l3", "3.0", "1.5", "3.0", "1.5")
    assert rows[langs:] == (("macro", "4.0", "2.0", "–", "–"),)


def test_macro_over_seven_has_a_column_only_where_it_differs():
    reports = {"a": replace(FULL, macro_over_seven=FULL.macro), "b": PART}
    same = score_grid("t", reports)
    assert same.header == score_grid("t", BOTH).header
    assert same.caption.endswith(" Official macro_over_seven (the published division) is equal.")
    reports["a"] = replace(FULL, macro_over_seven={"f1": 11.43, "em": 1.9})
    divided = score_grid("t", reports)
    assert divided.header[-2:] == ("macro", "macro_over_seven")
    assert divided.caption.endswith(" Official macro_over_seven is the published division.")
    assert [row[-2:] for group in divided.rows for row in group] == [
        ("40.0", "11.4"),
        ("6.5", "1.9"),
        ("–", "–"),
    ]


QUESTIONS = [("1", "fi", "a"), ("2", "ko", "a"), ("3", "ko", "b"), ("4", "fi", "b")]


def test_a_row_per_measure_and_the_rest_in_the_caption() -> None:
    scores = score_consistency(QUESTIONS, {"1": "Nile", "2": "Nile", "3": "Rhine", "4": "Inari"})
    report = average(scores, task=CONSISTENCY, scorer="measures").to_json()
    measured = {
        CONSISTENCY: report,
        "risk-coverage": {"area": 0.25, "points": []},
        "abstention": {"hallucination_rate": 0.5, "error_rate": None},
    }
    [grid] = measures_grids(measured)
    assert grid.header == ("measure", "fi", "ko", "macro")
    assert grid.rows == (((CONSISTENCY, "50.0", "50.0", "50.0"),),)
    assert "curve (risk: 1 - F1): 25.0." in grid.caption
    assert "Hallucination rate: 50.0." in grid.caption and "Error rate" not in grid.caption
    assert measures_grids({}) == []


def test_many_languages_become_rows() -> None:
    langs = [f"l{number}" for number in range(12)]
    scores = score_consistency(((lang, lang, "a") for lang in langs), dict.fromkeys(langs, "Nile"))
    report = average(scores, task=CONSISTENCY, scorer="measures").to_json()
    [grid] = measures_grids({CONSISTENCY: report})
    assert len(grid.rows[0]) == 13 and grid.header == ("language", CONSISTENCY)
