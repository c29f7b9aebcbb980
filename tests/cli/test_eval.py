import json
import re

import pytest
from typer.testing import CliRunner

from xorqa.cli.eval import app
from xorqa.errors import DataError

ROWS = [
    {"id": "1", "question": "Missä?", "answers": ["Oulu on"], "lang": "fi"},
    {"id": "2", "question": "どこ?", "answers": ["オウル市"], "lang": "ja"},
]


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("nltk", "punkt", "MeCab", "unidic_lite"):
        pytest.importorskip(name)


@pytest.fixture
def call(tmp_path):
    """Run a task on ROWS and a prediction value; the result and the JSON file's path."""

    def run(task, predictions, *options, data=ROWS):
        lines = "\n".join(json.dumps(row) for row in data)
        (tmp_path / "data.jsonl").write_text(lines, encoding="utf-8")
        (tmp_path / "pred.json").write_text(json.dumps(predictions), encoding="utf-8")
        paths = {"data": "data.jsonl", "pred": "pred.json", "json": "out/scores.json"}
        named = [part for key, name in paths.items() for part in (f"--{key}", tmp_path / name)]
        args = [task, *map(str, named), *options]
        return CliRunner().invoke(app, args), tmp_path / "out" / "scores.json"

    return run


def test_retrieve_prints_a_table_and_writes_json(call):
    passages = [{"id": "1", "lang": "fi", "ctxs": ["Siis Oulu on."]}]
    result, path = call("xor-retrieve", passages, "--k", "1", "--k", "3")
    assert result.exit_code == 0
    assert "R@1kt" in result.output
    assert "Questions counted: fi 1." in result.output
    assert "1 of 2 questions have no prediction and are not counted." in result.output
    assert json.loads(path.read_text()) == {
        "task": "xor-retrieve",
        "scorer": "official",
        "per_lang": {"fi": {"R@1kt": 100.0, "R@3kt": 100.0}},
        "macro": {"R@1kt": 100.0, "R@3kt": 100.0},
        "n": {"fi": 1},
    }


def test_retrieve_has_the_tasks_budgets_by_default(call):
    _, path = call("xor-retrieve", [{"id": "1", "lang": "fi", "ctxs": []}])
    assert json.loads(path.read_text())["macro"] == {"R@2kt": 0.0, "R@5kt": 0.0}


def test_engspan_and_full(call):
    result, path = call("xor-engspan", {"1": "Oulu"})
    assert json.loads(path.read_text())["macro"] == pytest.approx({"f1": 100 / 3, "em": 0.0})
    assert "33.3" in result.output
    assert "1 of 2 questions have no prediction and score 0." in result.output
    result, path = call("xor-full", {"dev_1": "Oulu on", "2": "オウル市"})
    assert "no prediction" not in result.output
    assert json.loads(path.read_text())["macro"]["em"] == pytest.approx(200 / 7)


@pytest.mark.parametrize(
    ("task", "predictions", "data", "message"),
    [
        ("xor-retrieve", {"1": "Oulu"}, ROWS, "pred.json must be a JSON list"),
        ("xor-retrieve", [], ROWS, "xor-retrieve: no question can be scored"),
        ("xor-retrieve", [{"id": "1", "lang": "te", "ctxs": []}], ROWS, "'te', the data 'fi'"),
        ("xor-engspan", [], ROWS, "must be a JSON object"),
        ("xor-engspan", {}, [{**ROWS[0], "answers": []}], "question '1' has no gold answer"),
        ("xor-full", {"1": 5}, ROWS, "the answer to '1' must be a string"),
        ("xor-full", {}, [], "no question can be scored"),
    ],
)
def test_bad_files_are_told_in_one_line(call, task, predictions, data, message):
    result, path = call(task, predictions, data=data)
    assert isinstance(result.exception, DataError)
    assert re.search(message, str(result.exception))
    assert "\n" not in str(result.exception)
    assert result.output == ""
    assert not path.exists()


def test_a_missing_file_is_named(tmp_path):
    missing = str(tmp_path / "none.jsonl")
    result = CliRunner().invoke(app, ["xor-full", "--data", missing, "--pred", missing])
    assert str(result.exception) == f"{missing} cannot be read: No such file or directory"
