import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.metrics.per_question import read_scores, write_scores
from xorqa.metrics.report import Score

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
