import json
from pathlib import Path

import pytest

from xorqa.io.locks import lock_folder
from xorqa.lab.checklist.folder import SHIPPED
from xorqa.lab.checklist.suite import read_suite

ROWS = [
    ["Field", "en"],
    ["Name", "Pets"],
    ["Capability", "Taxonomy"],
    ["Context", "{first_name} has {animal}."],
    ["Question", "What has {first_name}?"],
    ["Answer", "{animal}"],
    ["animal", "a dog"],
    ["animal", "a cat"],
]


@pytest.fixture
def lists(tmp_path):
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "en.toml").write_bytes((SHIPPED / "en.toml").read_bytes())
    return folder


@pytest.fixture
def suite(xorqa, lists):
    path = Path("suite.jsonl")
    done = xorqa(
        "checklist",
        "generate",
        lists,
        "--cases",
        3,
        "--test",
        "comparisons",
        "--test",
        "properties",
        "--out",
        path,
    )
    assert (done.status, "6 cases, 12 examples in 1 language:" in done.out) == (0, True)
    return path


def right(suite):
    return {
        qid: e.answers[0]
        for case in read_suite(suite)
        for qid, e in zip(case.qids(), case.examples, strict=True)
    }


def test_a_valid_checklist_prints_example_cases(xorqa, lists):
    done = xorqa("checklist", "lint", lists / "en.toml")
    assert done.status == 0
    assert "English has no problems" in done.out
    assert "-> " in done.out


def test_problems_are_printed_one_per_line(xorqa, lists):
    path = lists / "en.toml"
    path.write_text(path.read_text().replace("than {b}.", "than  {b}."))
    done = xorqa("checklist", "lint", path)
    assert done.status == 1
    assert f"{path} (en): test 'comparisons': " in done.err
    assert "sound" not in done.out


def test_the_official_table_becomes_suites(xorqa, lists):
    Path("sheet.tsv").write_text("\n".join(map("\t".join, ROWS)))
    done = xorqa("checklist", "import", "sheet.tsv", "--names", lists, "--cases", 4, "--out", "off")
    assert done.status == 0
    cases = read_suite(Path("off/en.jsonl"))
    assert len(cases) == 4
    assert cases[0].examples[0].answers[0] in ("a dog", "a cat")
    assert cases[0].articles == ("a", "an", "the")


def test_a_table_that_fails_at_its_last_language_leaves_no_suite(xorqa, lists):
    column = ROWS[0].index("en")
    rows = [[*row, "sv" if row is ROWS[0] else row[column]] for row in ROWS]
    Path("sheet.tsv").write_text("\n".join(map("\t".join, rows)))
    done = xorqa("checklist", "import", "sheet.tsv", "--names", lists, "--cases", 4, "--out", "off")
    assert done.status == 2
    assert "no checklist of 'sv' to take names from" in done.err
    assert not Path("off").exists()


@pytest.mark.parametrize("kind", ["INV", "DIR"])
def test_inv_and_dir_cases_are_generated(xorqa, lists, kind):
    xorqa("checklist", "generate", lists, "--cases", 2, "--type", kind, "--out", "s.jsonl")
    cases = read_suite(Path("s.jsonl"))
    assert {case.type for case in cases} == {kind}
    assert any(case.test.startswith("comparisons: ") for case in cases)


def test_a_question_may_be_of_another_language_than_its_context(xorqa, lists):
    english = (lists / "en.toml").read_text()
    (lists / "sv.toml").write_text(english.replace('lang = "en"', 'lang = "sv"'))
    done = xorqa(
        "checklist",
        "generate",
        lists,
        "--lang",
        "sv",
        "--context-lang",
        "en",
        "--cases",
        2,
        "--out",
        "s.jsonl",
    )
    assert done.status == 0
    assert {(case.lang, case.context_lang) for case in read_suite(Path("s.jsonl"))} == {
        ("sv", "en")
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lang", "xx"], "no language is called xx; valid: en"),
        (["--test", "xx"], "no test is called xx; valid: animal and vehicle"),
        (["--type", "INV", "--context-lang", "en"], "is for MFT cases only"),
    ],
)
def test_unknown_names_raise_errors_with_the_valid_ones(xorqa, lists, arguments, message):
    done = xorqa("checklist", "generate", lists, "--out", "s.jsonl", *arguments)
    assert done.status == 2
    assert message in done.err


def test_predictions_of_another_system_are_scored(xorqa, suite):
    answers = right(suite)
    answers["en/comparisons/000/0"] = "nobody"
    del answers["en/properties/000/1"]
    Path("pred.json").write_text(json.dumps(answers))
    done = xorqa("checklist", "run", suite, "--pred", "pred.json", "--out", "mine")
    assert done.status == 0
    assert "1 example without a prediction, counted as wrong" in done.out
    rows = [json.loads(line) for line in Path("mine/results.jsonl").read_text().splitlines()]
    failed = {row["id"] for row in rows if row["failures"]}
    assert failed == {"en/comparisons/000", "en/properties/000"}
    assert "33.3" in done.out


def test_two_systems_are_compared(xorqa, suite):
    Path("good.json").write_text(json.dumps(right(suite)))
    Path("bad.json").write_text("{}")
    for name in ("bad", "good"):
        xorqa("checklist", "run", suite, "--pred", f"{name}.json", "--out", name)
    done = xorqa("checklist", "report", "bad", "good", "--out", "page.html", "--samples", 200)
    assert done.status == 0
    assert "good against bad" in done.out
    assert "-100.0" in done.out
    assert "good against bad" in Path("page.html").read_text()


def test_runs_of_different_suites_cannot_be_compared(xorqa, suite, lists):
    Path("none.json").write_text("{}")
    xorqa("checklist", "generate", lists, "--cases", 2, "--test", "properties", "--out", "b.jsonl")
    xorqa("checklist", "run", suite, "--pred", "none.json", "--out", "one")
    xorqa("checklist", "run", "b.jsonl", "--pred", "none.json", "--out", "two")
    done = xorqa("checklist", "report", "one", "two")
    assert done.status == 2
    assert "different suites" in done.err


def test_options_that_would_be_ignored_are_rejected(xorqa, suite, config):
    run = ("checklist", "run", suite, "--out", "results")
    for options in (
        ("--config", config, "--reader", "reader-multi"),
        ("--pred", "a", "--config", "b"),
    ):
        assert "use only one of --reader, --pred and --config" in xorqa(*run, *options).err
    assert "--corpus needs --config" in xorqa(*run, "--corpus", "a.jsonl").err


def test_a_reader_and_a_pipeline_are_run(xorqa, suite, tiny_adapter, config):
    done = xorqa("checklist", "run", suite, "--reader", tiny_adapter, "--out", "reader")
    assert done.status == 0
    predictions = json.loads(Path("reader/predictions.json").read_text())
    assert set(predictions) == set(right(suite))
    done = xorqa(
        "checklist", "run", suite, "--config", config, "--distractors", 3, "--out", "whole"
    )
    assert done.status == 0, done.err
    assert set(json.loads(Path("whole/predictions.json").read_text())) == set(right(suite))


def test_two_runs_cannot_write_the_same_folder(xorqa, suite):
    pred = Path("pred.json")
    pred.write_text(json.dumps(right(suite)), encoding="utf-8")
    command = ("checklist", "run", suite, "--pred", pred, "--out", "results")
    with lock_folder(Path("results"), "results folder"):
        done = xorqa(*command)
    assert done.status == 2
    assert done.err.startswith("error: LockedError: results folder results is being written by ")
    assert not Path("results").exists()
    assert xorqa(*command).status == 0
