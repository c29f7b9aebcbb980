"""Reading questions and outcomes: files of any system, rankings, and run folders."""

import json

import pytest

from tests.lab.diagnosis.made_up import BRIDGE, BUILDER, questions, write_squad
from xorqa.core.errors import ConfigError, DataError
from xorqa.datasets.catalog import load_dataset
from xorqa.experiments.run import run
from xorqa.experiments.settings import load_settings
from xorqa.io.files import write_json, write_jsonl, write_text
from xorqa.lab.diagnosis.diagnose import diagnose
from xorqa.lab.diagnosis.from_files import read_files
from xorqa.lab.diagnosis.from_ranking import read_rankings
from xorqa.lab.diagnosis.from_runs import read_run_folders
from xorqa.metrics.significance import Settings

FEW = Settings(samples=50)


@pytest.fixture
def parallel(tmp_path):
    """The same two questions in English and Chinese, and two systems' answers."""
    chinese = [row for row in questions() if row.lang == "zh"]
    write_squad(
        tmp_path / "data" / "q.zh.json",
        [(f"q{number}", r.text, r.context, r.answers[0]) for number, r in enumerate(chinese)],
    )
    english = (
        ("q0", BRIDGE[0], "The bridge was built in 1901.", "1901"),
        ("q1", BUILDER[0], "Anna built the bridge.", "Anna"),
    )
    write_squad(tmp_path / "data" / "q.en.json", english)
    answers = {
        "a": {"en": {"q0": "1901", "q1": "Anna"}, "zh": {"q0": "1901年", "q1": "桥"}},
        "b": {"en": {"q0": "1901", "q1": "bridge"}, "zh": {"q0": "1901年", "q1": "桥"}},
    }
    for system, by_lang in answers.items():
        for lang, rows in by_lang.items():
            write_json(tmp_path / system / f"{lang}.json", rows)
    return tmp_path


def test_a_folder_of_parallel_files(parallel):
    folders = {"a": [parallel / "a"], "b": [parallel / "b"]}
    data = read_files("squad", [parallel / "data"], folders)
    assert [(q.qid, q.lang) for q in data.questions] == [
        ("q0", "en"),
        ("q1", "en"),
        ("q0", "zh"),
        ("q1", "zh"),
    ]
    assert {q.english for q in data.questions} == {BRIDGE[0], BUILDER[0]}
    assert [row.values["f1"] for row in data.systems["a"]] == [1, 1, 1, 0]
    assert [row.answer for row in data.systems["b"]] == ["1901", "bridge", "1901年", "桥"]
    diagnosis = diagnose(
        task="squad",
        data=parallel / "data",
        predictions={"a": parallel / "a", "b": parallel / "b"},
        by=["qType"],
        settings=FEW,
    )
    assert [r.bucket.name for r in diagnosis.scores["a"]["qType"]] == ["when", "who"]
    assert len(diagnosis.common_errors) == 1


def test_prediction_files_must_match_the_data_files(parallel):
    files = [parallel / "data" / f"q.{lang}.json" for lang in ("en", "zh")]
    with pytest.raises(ConfigError, match="share ids"):
        read_files("squad", files, {"a": [parallel / "a" / "en.json"]})
    three = [parallel / "a" / "en.json"] * 3
    with pytest.raises(ConfigError, match="has 3 prediction files for 2 data files"):
        read_files("squad", files, {"a": three})
    (parallel / "a" / "zh.json").unlink()
    with pytest.raises(ConfigError, match=r"no predictions for q\.zh\.json"):
        read_files("squad", files, {"a": [parallel / "a"]})
    with pytest.raises(ConfigError, match="not both"):
        diagnose()
    with pytest.raises(ConfigError, match="a task and data"):
        diagnose(predictions={"a": files[0]})


def test_mlqas_pairs_of_languages_and_english_questions(tmp_path):
    name = "test-context-zh-question-ar.json"
    [first, _] = [row for row in questions() if row.lang == "zh"]
    arabic = next(row for row in questions() if row.lang == "ar")
    write_squad(tmp_path / name, [("q0", arabic.text, first.context, first.answers[0])])
    write_squad(tmp_path / "english.json", [("q0", BRIDGE[0], "Built in 1901.", "1901")])
    write_json(tmp_path / "p.json", {"q0": "1901年"})
    assert not read_files("mlqa", [tmp_path / name], {}).questions[0].in_english
    diagnosis = diagnose(
        task="mlqa",
        data=tmp_path / name,
        predictions={"p": tmp_path / "p.json"},
        english=tmp_path / "english.json",
        by=["language", "passage-language", "qType"],
        settings=FEW,
    ).scores["p"]
    assert [rows[0].bucket.name for rows in diagnosis.values()] == [
        "all",
        "ar",
        "another language",
        "when",
    ]


def test_questions_in_xors_format(tmp_path):
    rows = [
        {"id": "x0", "question": "Mikä joki?", "lang": "fi", "answers": ["Niili"], "split": "dev"},
        {"id": "x1", "question": "Kuka?", "lang": "fi", "answers": ["Anna"], "split": "dev"},
    ]
    write_jsonl(tmp_path / "dev.jsonl", rows)
    write_json(tmp_path / "p.json", {"x0": "Niili"})
    data = read_files("xor-full", [tmp_path / "dev.jsonl"], {"p": [tmp_path / "p.json"]})
    assert [row.values["f1"] for row in data.systems["p"]] == [1, 0]
    assert data.questions[1].text == "Kuka?" and data.questions[1].answers == ("Anna",)
    assert [row.answer for row in data.systems["p"]] == ["Niili", ""]
    retrieved = [{"id": "x0", "lang": "fi", "ctxs": ["Niili on joki.", "Muu."]}]
    write_json(tmp_path / "r.json", retrieved)
    data = read_files("xor-retrieve", [tmp_path / "dev.jsonl"], {"r": [tmp_path / "r.json"]})
    assert [row.answer for row in data.systems["r"]] == ["Niili on joki.", ""]
    assert data.systems["r"][1].values is None  # the official scorer leaves it out


def test_rankings(tmp_path):
    write_text(tmp_path / "qrels", "q0 0 d0 1\nq1 0 d1 1\nq2 0 d2 1\n")
    write_text(tmp_path / "run", "q0 Q0 d0 1 3 t\nq1 Q0 d0 1 3 t\nq1 Q0 d1 2 2 t\n")
    queries = [{"qid": f"q{number}", "lang": "en", "question": "Who is it?"} for number in range(3)]
    write_jsonl(tmp_path / "queries", queries)
    options = {"queries": tmp_path / "queries", "measures": ["RR"]}
    data = read_rankings([tmp_path / "qrels"], {"r": [tmp_path / "run"]}, **options)
    assert [row.gold_rank for row in data.systems["r"]] == [1, 2, None]
    assert [row.values and row.values["RR"] for row in data.systems["r"]] == [1, 0.5, None]
    assert data.questions[0].lang == "en" and data.questions[0].in_english == "Who is it?"
    write_text(tmp_path / "queries", json.dumps({"qid": 7}))
    with pytest.raises(DataError, match=r"queries, line 1: needs the strings"):
        read_rankings([tmp_path / "qrels"], {"r": [tmp_path / "run"]}, **options)


def test_run_folders(home, tmp_path):
    world = load_dataset("mini").only(["fi"]).sample(6)
    for name, changes in (("all", {}), ("one", {"k": 1})):
        settings = load_settings("bm25", changes=[f"{k}={v}" for k, v in changes.items()])
        run(settings, world, tmp_path / name, until="retrieve")
    data = read_run_folders([tmp_path / "all", tmp_path / "one"])
    assert data.task == "xor-retrieve" and len(data.systems) == 2
    outcomes = data.systems[str(tmp_path / "all")]
    assert all(row.values is not None for row in outcomes)
    assert any(row.gold_rank for row in outcomes)
    assert all(row.translation for row in outcomes)
    assert all(question.english and question.context for question in data.questions)
    diagnosis = diagnose(tmp_path / "all", tmp_path / "one", by=["gold-rank", "chrF"], settings=FEW)
    assert diagnosis.scores[str(tmp_path / "one")]["gold-rank"]
    with pytest.raises(ConfigError, match="share no official scores of xor-full"):
        read_run_folders([tmp_path / "all"], task="xor-full")
