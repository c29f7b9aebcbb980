import json

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.checklist.suite import Case, Example, read_suite, write_suite

CASES = [
    Case("en/x/0", "en", "x", "c", "MFT", ("a",), (Example("c", "q", ("dog",)),)),
    Case(
        "fi-en/x/0",
        "fi",
        "x",
        "c",
        "MFT",
        (),
        (Example("c", "q", ("koira",), in_context=("dog",)),),
        "en",
    ),
    Case(
        "en/y/0",
        "en",
        "y",
        "c",
        "DIR",
        (),
        (Example("c", "q", ("A",)), Example("d", "q", ("B",), 0, {"A": "B"})),
    ),
]


def test_a_suite_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "suite.jsonl"
    write_suite(path, CASES)
    assert read_suite(path) == CASES
    first = json.loads(path.read_text().splitlines()[0])
    assert {"lang", "test", "capability", "type", "examples"} <= set(first)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: row.pop("lang"), "line 1: the case needs a key 'lang'"),
        (lambda row: row.update(examples=[]), "no examples"),
        (lambda row: row["examples"][0].update(of=0), "does not precede it"),
        (lambda row: row["examples"][0].update(answers="Anna"), "answers must be list"),
        (lambda row: row["examples"][0].update(answers={"Anna": 1}), "answers must be list"),
        (lambda row: row.update(articles=[None]), "articles must be string"),
        (lambda row: row["examples"][0].update(renamed=["Anna"]), "renamed must be table"),
    ],
)
def test_a_line_that_is_no_case_is_named(tmp_path, change, message):
    path = tmp_path / "suite.jsonl"
    write_suite(path, CASES[:1])
    row = json.loads(path.read_text())
    change(row)
    path.write_text(json.dumps(row))
    with pytest.raises(DataError, match=message):
        read_suite(path)


def test_a_case_that_comes_twice_and_an_empty_suite_are_errors(tmp_path):
    path = tmp_path / "suite.jsonl"
    write_suite(path, CASES[:1] * 2)
    with pytest.raises(DataError, match="line 2: case 'en/x/0' occurs twice"):
        read_suite(path)
    write_suite(path, [])
    with pytest.raises(DataError, match="contains no cases"):
        read_suite(path)
