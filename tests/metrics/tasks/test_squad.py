import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.io.predictions import read_answers
from xorqa.io.squad_xor import read_xor
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks.squad import normalize, score_squad

GOLDEN = Path(__file__).parents[3].parent / "shared" / "golden"


def values(prediction, *answers):
    predictions = {} if prediction is None else {"q": prediction}
    return dict(score_squad([Reference("q", "fi", answers)], predictions)[0].values)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Oulu, a town on an isle!", "oulu town on isle"),
        ("Oulu–the–town", "oulu– –town"),  # a blank takes an article's place
        ("Athens' $5-note", "athens 5note"),
        ("«Oulu»", "«oulu»"),  # only ASCII punctuation goes
        ("Die Stadt", "die stadt"),
    ],
)
def test_english_articles_and_ascii_punctuation_do_not_count(text, normal):
    assert normalize(text) == normal


def test_best_gold_after_normalising():
    assert values("the OULU.", "Turku", "Oulu") == {"f1": 1.0, "em": 1.0}
    assert values("Oulu Finland", "Oulu", "x") == {"f1": pytest.approx(2 / 3), "em": 0.0}
    assert values("Turku", "Oulu") == {"f1": 0.0, "em": 0.0}


def test_unanswered_counts_as_zero():
    assert values(None, "Oulu") == {"f1": 0.0, "em": 0.0}


@pytest.mark.parametrize("gold", ["the", "A", "?!"])
def test_a_gold_that_normalises_to_nothing_has_em_1_and_f1_0(gold):
    assert values(gold, gold) == values("", gold) == {"f1": 0.0, "em": 1.0}


texts = st.lists(st.text("bcdé1. ", min_size=1), min_size=1).map(" the ".join)


@given(st.text() | texts)
def test_normalising_twice_changes_nothing(text):
    assert normalize(normalize(text)) == normalize(text)


@given(texts, st.lists(texts, min_size=1, max_size=3), texts)
def test_scores_lie_between_0_and_1_and_a_further_gold_never_lowers_them(text, golds, further):
    before, after = values(text, *golds), values(text, *golds, further)
    assert all(0 <= before[name] <= after[name] <= 1 for name in before)
    if all(map(normalize, golds)):
        assert before["em"] <= before["f1"]


@given(st.lists(texts.filter(normalize), min_size=1), st.randoms())
def test_golds_score_100_in_any_order(golds, random):
    rows = [Reference(str(i), "fi" if i % 2 else "ja", (gold,)) for i, gold in enumerate(golds)]
    predictions = {row.qid: row.answers[0] for row in rows}
    report = find_task("squad").evaluate(rows, predictions)
    assert report.macro == {"f1": 100.0, "em": 100.0}
    shuffled = dict(random.sample(sorted(predictions.items()), len(rows)))
    random.shuffle(rows)
    assert find_task("squad").evaluate(rows, shuffled) == report


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs ../shared/golden")
def test_equals_the_official_script_of_xor_engspan():
    expected = json.loads((GOLDEN / "expected.json").read_text())["xor_engspan"]
    references = [
        Reference(row.qid, row.lang, row.answers)
        for row in read_xor(GOLDEN / "xor_engspan.data.jsonl")
    ]
    predictions = read_answers(GOLDEN / "xor_engspan.pred.json").by_qid
    report = find_task("xor-engspan").evaluate(references, predictions)
    for name, official in {"f1": "f1", "em": "exact_match"}.items():
        found = {lang: row[name] for lang, row in report.per_lang.items()}
        wanted = {lang: row[official] for lang, row in expected["per_lang"].items()}
        assert found == pytest.approx(wanted, abs=1e-12)
        assert report.macro[name] == pytest.approx(expected["macro"][official], abs=1e-12)
