import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.errors import DataError
from xorqa.formats import read_answers, read_xor
from xorqa.metrics.report import Reference
from xorqa.metrics.xor_engspan import evaluate_engspan, score_engspan

GOLDEN = Path(__file__).parents[2].parent / "shared" / "golden"


def values(prediction, *answers):
    predictions = {} if prediction is None else {"q": prediction}
    return dict(score_engspan([Reference("q", "fi", answers)], predictions)[0].values)


def test_best_gold_after_normalising():
    assert values("the OULU.", "Turku", "Oulu") == {"f1": 1.0, "em": 1.0}
    assert values("Oulu Finland", "Oulu", "x") == {"f1": pytest.approx(2 / 3), "em": 0.0}
    assert values("Turku", "Oulu") == {"f1": 0.0, "em": 0.0}


def test_unanswered_counts_as_zero_and_other_ids_do_not_count():
    assert values(None, "Oulu") == {"f1": 0.0, "em": 0.0}
    rows = [
        Reference("a", "fi", ("x",)),
        Reference("b", "fi", ("x",)),
        Reference("c", "te", ("x",)),
    ]
    report = evaluate_engspan(rows, {"a": "x", "c": "x", "other": "x"})
    assert (report.task, report.scorer) == ("xor-engspan", "official")
    assert report.per_lang == {"fi": {"f1": 50.0, "em": 50.0}, "te": {"f1": 100.0, "em": 100.0}}
    assert report.macro == {"f1": 75.0, "em": 75.0}


def test_a_question_without_gold_is_refused():
    with pytest.raises(DataError, match="question 'q' has no gold answer"):
        values("x")


words = st.lists(st.text("bcdé1", min_size=1), min_size=1).map(" ".join)


@given(st.lists(words, min_size=1), st.randoms())
def test_golds_score_100_in_any_order(answers, random):
    rows = [Reference(str(i), "fi" if i % 2 else "ja", (a,)) for i, a in enumerate(answers)]
    predictions = {row.qid: row.answers[0] for row in rows}
    report = evaluate_engspan(rows, predictions)
    assert report.macro == {"f1": 100.0, "em": 100.0}
    random.shuffle(rows)
    assert evaluate_engspan(rows, predictions) == report


@given(words, st.lists(words, min_size=1), words)
def test_scores_lie_between_0_and_1_and_a_further_gold_never_lowers_them(text, golds, further):
    before, after = values(text, *golds), values(text, *golds, further)
    assert all(0 <= before[name] <= after[name] <= 1 for name in before)
    assert before["em"] <= before["f1"]


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs ../shared/golden")
def test_equals_the_official_script():
    expected = json.loads((GOLDEN / "expected.json").read_text())["xor_engspan"]
    references = [
        Reference(row.qid, row.lang, row.answers)
        for row in read_xor(GOLDEN / "xor_engspan.data.jsonl")
    ]
    report = evaluate_engspan(references, read_answers(GOLDEN / "xor_engspan.pred.json"))
    for name, official in {"f1": "f1", "em": "exact_match"}.items():
        found = {lang: row[name] for lang, row in report.per_lang.items()}
        wanted = {lang: row[official] for lang, row in expected["per_lang"].items()}
        assert found == pytest.approx(wanted, abs=1e-12)
        assert report.macro[name] == pytest.approx(expected["macro"][official], abs=1e-12)
