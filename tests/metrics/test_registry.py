"""One conformance test for tasks and one for scorers, over the registered ones and outside ones."""

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.io.predictions import read_passages
from xorqa.lab.mining.mewsli_x import read_gold, read_rankings
from xorqa.metrics.registry import TASKS, find_scorer, find_task, pipeline_tasks
from xorqa.metrics.report import Reference, Score
from xorqa.metrics.task import SCORERS, read_xor_references

ROWS = [
    Reference("q-2", "fi", ("Oulu",)),
    Reference("q-1", "te", ("Turku", "Vaasa")),
    Reference("no-prediction", "ja", ("東京",)),
    Reference("unknown-language", "xx", ("1,294.5 km",)),
]
XOR = '{"id": "a-1", "question": "Missä?", "lang": "fi", "answers": ["Oulu"]}\n'
MEWSLI_X = '{"a-1": ["Oulu"]}'
SQUAD = """{"data": [{"title": "T", "paragraphs": [{"context": "Oulu", "qas": [{"id": "a-1",
"question": "Missä?", "answers": [{"text": "Oulu", "answer_start": 0}]}]}]}]}"""


def exact(references, predictions):
    """A scorer from outside."""
    return [
        Score(row.qid, row.lang, {"em": float(predictions.get(row.qid) in row.answers)})
        for row in references
    ]


class Exact:
    """A scorer as a class."""

    def __call__(self, references, predictions):
        return exact(references, predictions)


class MyTask:
    """A task from outside."""

    name, title, scorers = "my-task", "My task: exact match", {"exact": exact}


class NoTask:
    name = "no-task"


OUTSIDE = f"{__name__}:MyTask"


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("nltk", "punkt", "MeCab", "unidic_lite", "sacremoses", "sacrebleu"):
        pytest.importorskip(name)


def prediction(task, text):
    """A text as a prediction of a task."""
    several = task.read_predictions in (read_passages, read_rankings)
    return (text, "Elsewhere.") if several else text


@pytest.mark.parametrize("name", [*TASKS, OUTSIDE])
def test_tasks(name, tmp_path):
    """The conformance test: its description, its files, its scores and its reports."""
    task = find_task(name)
    assert task == find_task(name)
    assert task.name == (name if name in TASKS else "my-task")
    assert task.title.strip() and "\n" not in task.title
    assert name not in TASKS or tuple(task.scorers) == SCORERS
    data = {read_xor_references: XOR, read_gold: MEWSLI_X}.get(task.read_references, SQUAD)
    (tmp_path / "data.fi.json").write_text(data, encoding="utf-8")
    references = task.read_references(tmp_path / "data.fi.json", lang=None)
    assert references == [Reference("a-1", "fi", ("Oulu",))]
    predictions = {row.qid: prediction(task, row.answers[-1]) for row in ROWS}
    langs = dict.fromkeys(predictions, "fi")
    task.write_predictions(tmp_path / task.file, predictions, langs)
    assert task.read_predictions(tmp_path / task.file).by_qid == predictions
    assert not task.read_predictions(tmp_path / task.file).problems
    for scorer in task.scorers:
        scores = task.score(ROWS, predictions, scorer=scorer)
        assert [(row.qid, row.lang) for row in scores] == [(row.qid, row.lang) for row in ROWS]
        shuffled = task.score(ROWS[::-1], predictions, scorer=scorer)
        assert shuffled[::-1] == scores
        report = task.report(scores, scorer=scorer)
        assert (report.task, report.scorer) == (task.name, scorer)
        assert set(report.measures) == set(scores[0].values)
        if name in TASKS:
            assert report.measures == tuple(measure.name for measure in task.measures)
            assert task.citation
        with pytest.raises(DataError, match=f"{task.name}: no question can be scored"):
            task.evaluate([], {}, scorer=scorer)


@pytest.mark.parametrize(
    "name",
    [*((task, by) for task in TASKS for by in SCORERS), f"{__name__}:exact", f"{__name__}:Exact"],
)
def test_scorers(name):
    """The conformance test: one score per question that counts, 1 for gold, 0 for nothing."""
    task, scorer = find_task(OUTSIDE), None
    if isinstance(name, tuple):
        task = find_task(name[0])
        scorer = task.scorers[name[1]]
    scorer = scorer or find_scorer(name)
    rows = [row for row in ROWS if row.qid != "no-prediction"]
    predictions = {row.qid: prediction(task, row.answers[0]) for row in rows}
    scores = scorer(ROWS, predictions | {"extra": prediction(task, "x")})
    metrics = list(scores[0].values)
    by_qid = {row.qid: row for row in scores}
    assert set(by_qid) <= {row.qid for row in ROWS}
    for score in scores:
        assert list(score.values) == metrics
        assert all(0 <= value <= 1 for value in score.values.values())
    for row in rows:
        assert by_qid[row.qid].values[metrics[0]] == 1
    if "no-prediction" in by_qid:
        assert set(by_qid["no-prediction"].values.values()) == {0}
    assert scorer(ROWS, predictions) == scores
    assert scorer([], {}) == []


def test_a_task_may_be_a_class_with_some_attributes_of_a_task():
    task = find_task(OUTSIDE)
    assert task.evaluate(ROWS[:1], {"q-2": "Oulu"}).macro == {"em": 100.0}
    assert task.default_scorer == "exact"
    assert task.file == "my_task.json"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "xor-ful",
            f"no task is called 'xor-ful'; valid: {', '.join(sorted(TASKS))}, or mod",
        ),
        ("no_package:T", "task 'no_package:T' cannot be imported: No module named 'no_package'"),
        ("os:no_such_name", "task 'os:no_such_name' cannot be imported: module 'os' has no attr"),
        (f"{__name__}:NoTask", f"'{__name__}:NoTask' is not a task: it lacks title, scorers"),
    ],
)
def test_objects_that_are_not_tasks(name, message):
    with pytest.raises(ConfigError, match=f"^{message}"):
        find_task(name)


@pytest.mark.parametrize("name", ["os:getcwd", "os:sep", f"{__name__}:Reference"])
def test_objects_that_are_not_scorers(name):
    with pytest.raises(ConfigError, match=f"^'{name}' is not a scorer: it must be callable as"):
        find_scorer(name)


def test_pipelines_are_scored_stage_by_stage():
    names = [task.name for task in pipeline_tasks()]
    assert names == ["xor-retrieve", "xor-engspan", "xor-full"]
    assert all(task.predict([]) == {} for task in pipeline_tasks())


def test_the_files_of_a_run_have_the_names_of_the_tasks():
    assert [task.file for task in pipeline_tasks()] == [
        "xor_retrieve.json",
        "xor_engspan.json",
        "xor_full.json",
    ]
