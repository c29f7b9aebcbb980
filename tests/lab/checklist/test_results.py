from dataclasses import replace

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.checklist.html_report import html_report
from xorqa.lab.checklist.official_cases import ID_PREFIX, NAMES_NOTE
from xorqa.lab.checklist.results import (
    FOREIGN,
    error_grid,
    has_foreign,
    outcome,
    read_results,
    scores,
    write_results,
)
from xorqa.lab.checklist.scoring import score_case
from xorqa.lab.checklist.suite import Case, Example


def outcomes():
    """English: one of two cases of x fails; Finnish: its x answers in English, its y passes."""
    rows = [
        ("en", "x", 0, "dog", ()),
        ("en", "x", 1, "<b>", ()),
        ("en", "y", 0, "dog", ()),
        ("fi", "x", 0, "hund", ("hund",)),
        ("fi", "y", 0, "dog", ()),
    ]
    results = []
    for lang, test, n, prediction, in_english in rows:
        example = Example("A dog & a cat.", "Which?", ("dog",), in_context=in_english)
        case = Case(f"{lang}/{test}/{n}", lang, test, "c", "MFT", (), (example,))
        results.append(outcome(score_case(case, {case.qids()[0]: prediction})))
    return results


def test_the_grid_has_languages_tests_and_means():
    grid = error_grid(outcomes())
    assert grid.header == ("language", "x", "y", "mean")
    assert grid.rows == (
        (("en", "50.0", "0.0", "25.0"), ("fi", "100.0", "0.0", "50.0")),
        (("mean", "75.0", "0.0", "37.5"),),
    )


def test_the_captions_are_true_of_several_languages():
    results = outcomes()
    assert error_grid(results).caption == (
        "Failure rate (%), lower is better: the percentage of failed cases; a case fails if one of "
        "its examples does. Exact match, articles and punctuation aside. Cases: en 3, fi 2."
    )
    foreign = error_grid(results, measure=FOREIGN).caption
    assert "fail only because answers are in the context's language." in foreign


def test_the_names_of_official_cases_are_noted():
    results = outcomes()
    assert NAMES_NOTE not in error_grid(results).caption
    official = [replace(results[0], id=f"{ID_PREFIX}en/x/000"), *results[1:]]
    assert error_grid(official).caption.endswith("XTREME-R's are from Wikidata.")


def test_answers_in_the_contexts_language_have_a_grid_of_their_own():
    grid = error_grid(outcomes(), measure=FOREIGN)
    assert grid.rows[0] == (("en", "0.0", "0.0", "0.0"), ("fi", "100.0", "0.0", "50.0"))
    assert has_foreign(outcomes())
    assert not has_foreign(outcomes()[:3])


def test_a_test_that_a_language_lacks_is_a_dash():
    assert error_grid(outcomes()[:4]).rows[0][1] == ("fi", "100.0", "–", "100.0")


def test_results_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "results.jsonl"
    write_results(path, outcomes())
    assert read_results(path) == outcomes()
    path.write_text('{"id": "x"}\n')
    with pytest.raises(DataError, match="line 1: the result needs a key 'lang'"):
        read_results(path)
    path.write_text("")
    with pytest.raises(DataError, match="contains no results"):
        read_results(path)


def test_scores_are_those_of_cases_by_test():
    by_test = scores(outcomes())
    assert list(by_test) == ["x", "y"]
    assert [score.values["error"] for score in by_test["x"]] == [0, 1, 1]


def test_the_expected_answer_of_a_changed_example_is_the_first_one():
    case = Case(
        "en/z/0",
        "en",
        "z",
        "c",
        "DIR",
        (),
        (Example("c", "q", ("A",)), Example("d", "q", ("B",), 0, {"A": "B"})),
    )
    (failure,) = outcome(score_case(case, {"en/z/0/0": "A", "en/z/0/1": "A"})).failures
    assert failure.answers == ("as before: 'A'", "A → B")


def test_the_page_leads_from_a_cell_to_what_failed():
    results = outcomes()
    text = html_report("Checklist: mine", [error_grid(results, title="mine")], {"mine": results})
    assert '<a href="#s0-en-x">50.0</a>' in text
    assert '<details id="s0-en-x">' in text
    assert "A dog &amp; a cat." in text
    assert "&lt;b&gt;" in text
    assert "right, but in the context's language" in text
    assert 'id="s0-en-y"' not in text
    assert 'href="#s0-en-mean"' not in text
    assert "http" not in text
