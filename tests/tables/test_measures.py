from xorqa.metrics.answer_measures import CONSISTENCY, score_consistency
from xorqa.metrics.report import average
from xorqa.tables.grid import measures_grids

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
    langs = [f"l{at}" for at in range(12)]
    scores = score_consistency(((lang, lang, "a") for lang in langs), dict.fromkeys(langs, "Nile"))
    report = average(scores, task=CONSISTENCY, scorer="measures").to_json()
    [grid] = measures_grids({CONSISTENCY: report})
    assert len(grid.rows[0]) == 13 and grid.header == ("language", CONSISTENCY)
