import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.metrics.report import Score, average, read_scores, with_subsets, write_scores


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


ROW = {"task": "squad", "scorer": "strict", "lang": "fi", "qid": "q1", "values": {"em": 1.0}}

names = st.text(st.characters(exclude_categories=["Cs"]))
scores = st.builds(
    Score,
    qid=names,
    lang=names,
    values=st.fixed_dictionaries({"em": st.floats(0, 1), "R@2kt": st.floats(0, 1)}),
)
tables = st.dictionaries(
    st.tuples(names, names),
    st.lists(scores, min_size=1, max_size=3, unique_by=lambda score: (score.lang, score.qid)),
    max_size=3,
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("scores") / "scores.jsonl"


@settings(max_examples=50)
@given(table=tables)
def test_what_was_written_is_read_in_its_order(path, table):
    write_scores(path, table)
    found = read_scores(path)
    assert found == table
    assert list(found) == list(table)


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_line_is_one_question(path):
    write_scores(path, {("squad", "strict"): [Score("q1", "fi", {"em": 1.0})]})
    assert json.loads(path.read_text()) == ROW


def test_a_question_may_occur_in_other_languages_tasks_and_scorers_but_not_twice(path):
    others = [ROW | {"lang": "te"}, ROW | {"task": "mlqa"}, ROW | {"scorer": "official"}]
    write(path, ROW, *others)
    assert {key: len(rows) for key, rows in read_scores(path).items()} == {
        ("squad", "strict"): 2,
        ("mlqa", "strict"): 1,
        ("squad", "official"): 1,
    }
    write(path, ROW, *others, ROW)
    with pytest.raises(DataError, match=r"scores\.jsonl, line 5: fi question 'q1' occurs twice"):
        read_scores(path)


@pytest.mark.parametrize(
    "wrong",
    [
        {name: value for name, value in ROW.items() if name != "qid"},
        ROW | {"values": [1.0]},
        ROW | {"values": {"em": "high"}},
        ROW | {"values": {"em": None}},
    ],
)
def test_another_layout_names_the_line(path, wrong):
    write(path, ROW | {"qid": "q0"}, wrong)
    with pytest.raises(DataError, match=r"scores\.jsonl, line 2: not the scores of a question"):
        read_scores(path)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"f1": 1.0}, "has the metrics f1, not em"),
        ({"em": 1.5}, "must be from 0 to 1"),
        ({}, "has the metrics none, not em"),
    ],
)
def test_values_that_no_scorer_gives_name_the_line(path, values, message):
    write(path, ROW | {"qid": "q0"}, ROW | {"values": values})
    with pytest.raises(DataError, match=rf"line 2: .*{message}"):
        read_scores(path)
