import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.metrics.report import Score, average, with_subsets


def score(lang, value, qid="q"):
    return Score(qid, lang, {"em": value})


def test_means_per_language_then_over_languages():
    report = average(
        [score("te", 1.0), score("fi", 1.0), score("te", 0.0), score("te", 0.5)],
        task="xor-engspan",
        scorer="official",
    )
    assert report.to_json() == {
        "task": "xor-engspan",
        "scorer": "official",
        "per_lang": {"fi": {"em": 100.0}, "te": {"em": 50.0}},
        "macro": {"em": 75.0},
        "n": {"fi": 1, "te": 3},
    }
    assert list(report.per_lang) == ["fi", "te"]
    json.dumps(report.to_json())


def test_a_report_names_its_metrics_in_their_order():
    values = {"f1": 1.0, "em": 0.0, "bleu": 0.5}
    report = average([Score("q", "te", values)], task="t", scorer="s")
    assert report.measures == ("f1", "em", "bleu")


def test_a_signature_is_reported_if_there_is_one():
    signed = average([score("fi", 1.0)], task="t", scorer="s", signature="v1")
    plain = average([score("fi", 1.0)], task="t", scorer="s")
    assert signed.to_json() == plain.to_json() | {"signature": "v1"}
    assert "signature" not in plain.to_json()


def test_the_error_without_scores_says_what_to_check():
    with pytest.raises(DataError, match="xor-full: no question can be scored; do data"):
        average([], task="xor-full", scorer="official")


unit = st.floats(0, 1)


@given(st.lists(st.tuples(st.sampled_from(["ar", "fi", "ja"]), unit), min_size=1), st.randoms())
def test_order_does_not_matter(pairs, random):
    scores = [score(lang, value) for lang, value in pairs]
    report = average(scores, task="t", scorer="s")
    random.shuffle(scores)
    assert average(scores, task="t", scorer="s") == report
    assert 0 <= report.macro["em"] <= 100


def test_a_report_with_those_of_subsets_beside_it():
    rows = [
        Score(qid, lang, {"f1": value})
        for qid, lang, value in (
            ("a", "fi", 1.0),
            ("b", "fi", 0.0),
            ("c", "te", 0.5),
            ("d", "te", 0.25),
        )
    ]
    where = {"a": "here", "b": "there", "c": "here", "elsewhere": "nowhere"}
    report = average(rows, task="xor-full", scorer="official")
    divided = with_subsets(report, rows, [where, {"d": "hard"}])
    assert list(divided.subsets) == ["here", "there", "hard"]
    assert divided.subsets["here"].per_lang == {"fi": {"f1": 100.0}, "te": {"f1": 50.0}}
    assert divided.subsets["here"].macro == {"f1": 75.0}
    assert divided.subsets["hard"].n == {"te": 1}
    assert (divided.per_lang, divided.macro, divided.n) == (report.per_lang, report.macro, report.n)
    assert divided.to_json() == report.to_json() | {
        "parts": {name: subset.to_json() for name, subset in divided.subsets.items()}
    }
    assert with_subsets(report, rows, []) == report
