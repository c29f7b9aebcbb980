"""Systems are read from folders; what fails a check is rejected with the reason."""

import json

import pytest

from tests.lab.leaderboard.systems import scores, write_metadata, write_run, write_system
from xorqa.core.errors import ConfigError
from xorqa.io.files import read_json, write_json, write_text
from xorqa.lab.leaderboard.entries import read_systems
from xorqa.lab.leaderboard.from_papers import published_systems
from xorqa.lab.leaderboard.leaderboard import make_leaderboard, to_json
from xorqa.lab.leaderboard.result import MEAN
from xorqa.metrics.report import average


def only(folder):
    """The single system of a folder, which was accepted."""
    systems, rejected = read_systems(folder)
    assert not rejected and len(systems) == 1
    return systems[0]


def reason(folder):
    """Why the single system of a folder is rejected."""
    systems, rejected = read_systems(folder)
    assert not systems and len(rejected) == 1
    return "; ".join(rejected[0].reasons)


def test_scores_of_questions_are_averaged(tmp_path):
    write_system(tmp_path / "a", 0.5)
    result = only(tmp_path).results[0]
    report = average(scores(0.5), task="squad", scorer="official")
    assert result.board.name == "xquad" and result.n == {"official": 120, "strict": 120}
    assert result.values["strict"][MEAN] == report.macro
    assert result.values["official"]["fi"] == report.per_lang["fi"]
    assert result.languages == ("ar", "fi", "ja") and result.group == "XQuAD, 3 languages"


def test_the_languages_of_development(tmp_path):
    write_system(tmp_path / "a", 0.5, more="developed_on = ['de']\n")
    system = only(tmp_path)
    rows = to_json(make_leaderboard([system]))["boards"][0]["rows"]
    assert rows[0]["metadata"]["developed_on"] == ["de"]
    write_system(tmp_path / "a", 0.5, more="developed_on = ['xx']\n")
    assert "no ISO 639-1 code of a language: xx" in reason(tmp_path)


def test_a_run_folder_needs_no_results(tmp_path):
    write_run(tmp_path / "a", 0.5)
    system = only(tmp_path)
    assert system.is_run and [row.board.name for row in system.results] == ["xor-full"]
    assert system.results[0].data == "mini"


def test_a_report_of_eval_and_of_lareqa(tmp_path):
    folder = tmp_path / "a"
    report = average(scores(0.4), task="squad", scorer="strict").to_json()
    write_json(folder / "report.json", report | {"problems": {}})
    lareqa = {"mAP": 0.5, "mAP@20": 0.4, "counts": {"fi": {"questions": 3, "candidates": 4}}}
    lareqa["per language"] = {"mAP": {"fi": 0.5}, "mAP@20": {"fi": 0.4}}
    write_json(folder / "lareqa.json", lareqa)
    write_metadata(folder, results=[("xquad", "report.json"), ("xquad-r", "lareqa.json")])
    squad, xquad_r = only(tmp_path).results
    assert squad.values["strict"][MEAN] == report["macro"] and squad.n == {"strict": 120}
    assert xquad_r.values["official"] == {
        "fi": {"mAP": 50, "mAP@20": 40},
        MEAN: {"mAP": 50, "mAP@20": 40},
    }
    write_json(folder / "lareqa.json", lareqa | {"diagnostic": True})
    assert "fitted on the evaluated vectors" in reason(tmp_path)


def test_an_average_needs_all_its_boards(tmp_path):
    report = {"scorer": "official", "n": {"fi": 3}}
    values = {"f1": 60.0, "em": 40.0, "map@20": 20.0, "accuracy": 70.0}
    write_json(tmp_path / "a" / "r.json", report | {"per_lang": {"fi": values}, "macro": values})
    lareqa = {"mAP": 0.5, "mAP@20": 0.3, "counts": {"fi": {"questions": 3}}}
    lareqa["per language"] = {"mAP": {"fi": 0.5}, "mAP@20": {"fi": 0.3}}
    write_json(tmp_path / "a" / "lareqa.json", lareqa)
    boards = ["xquad", "mlqa", "tydi-goldp", "mewsli-x", "tatoeba"]
    results = [(board, "r.json") for board in boards]
    write_metadata(
        tmp_path / "a", results=results, more="fine_tuning_data = ['87,599 questions']\n"
    )
    assert "xtreme-r" not in make_leaderboard([only(tmp_path)]).boards
    write_metadata(tmp_path / "a", results=[*results, ("lareqa", "lareqa.json")])
    ours = only(tmp_path)
    [row] = make_leaderboard([ours]).boards["xtreme-r"]
    assert row.result.values["official"][MEAN] == {
        "average": 45,
        "question answering": 50,
        "retrieval": 40,
    }
    rows = make_leaderboard([ours, *published_systems()]).boards["xtreme-r"]
    assert [row.rank for row in rows] == [1, 1, 2, 3]  # ours is over other languages


def outcome(case, lang, test, *, failed):
    failure = {"context": "c", "question": "q", "answers": ["a"], "prediction": "b"}
    failures = [failure | {"foreign": False}] if failed else []
    return {
        **{"id": case, "lang": lang, "test": test, "capability": "x", "type": "MFT"},
        "failures": failures,
    }


def test_a_checklist_counts_each_test_alike(tmp_path):
    rows = [
        outcome("1", "fi", "colours", failed=True),
        outcome("2", "fi", "sizes", failed=False),
        outcome("3", "fi", "sizes", failed=False),
        outcome("4", "ja", "sizes", failed=True),
    ]
    write_text(tmp_path / "a" / "r.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    write_metadata(tmp_path / "a", results=[("multichecklist", "r.jsonl")])
    result = only(tmp_path).results[0]
    rates = {key: row["failure rate"] for key, row in result.values["official"].items()}
    assert rates == {"fi": 50, "ja": 100, MEAN: 75}
    assert not result.questions  # the tests have different numbers of cases


def test_what_a_row_needs_is_listed(tmp_path):
    write_system(tmp_path / "a", 0.5)
    (tmp_path / "a" / "metadata.toml").write_text('model = "a"\nblack_box = []\nhardware = ""\n')
    assert reason(tmp_path) == (
        "parameters is missing; pretraining is missing; fine_tuning is missing; hardware is "
        "missing; date is missing; seen_languages is missing"
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("colour = 1", "metadata.toml has no field 'colour'"),
        ("link = 'javascript:alert(1)'", "link must begin with https://"),
        ("monolingual_data = ['a lot']", "monolingual_data must be amounts such as '85 GB'"),
        ("[[results]]\nboard = 'nq'", "no board is called 'nq'"),
        ("[[results]]\nboard = 'xtreme-r'", "xtreme-r is computed; name the results of"),
        ("[[results]]\nboard = 'xquad'\nfile = '../q.jsonl'", "need a file in the system's folder"),
        ("[[results]]\nboard = 'xquad'\nfile = 'no.jsonl'", "no.jsonl cannot be read"),
        ("[[results]]\nboard = 'xquad'\nvalues = { fi = { f1 = 101 } }", "must be in percent"),
        ("[[results]]\nboard = 'xquad'\nvalues = { fi = { em = 1 } }", "no mean of f1"),
        ("", "names no results, and this is no run folder"),
    ],
)
def test_wrong_metadata_are_rejected(tmp_path, more, message):
    write_metadata(tmp_path / "a", more=more)
    assert message in reason(tmp_path)
    assert str(tmp_path) not in reason(tmp_path)


def test_a_folder_without_metadata_is_rejected(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / ".hidden").mkdir()
    assert reason(tmp_path) == "there is no metadata.toml"


def test_a_folder_without_systems_is_a_mistake(tmp_path):
    with pytest.raises(ConfigError, match="contains no subfolder"):
        read_systems(tmp_path)
    with pytest.raises(ConfigError, match="is not a folder"):
        read_systems(tmp_path / "none")


def test_a_run_must_be_consistent(tmp_path):
    folder = tmp_path / "a"
    write_run(folder, 0.5)
    values = read_json(folder / "scores.json")
    values["xor-full"]["official"]["macro"]["f1"] += 1
    write_json(folder / "scores.json", values)
    assert "scores.json reports f1" in reason(tmp_path)


def test_a_run_must_state_its_services_and_have_sound_predictions(tmp_path):
    folder = tmp_path / "a"
    write_run(folder, 0.5)
    manifest = read_json(folder / "manifest.json")
    write_json(folder / "manifest.json", manifest | {"black_box": {"eng": "a service"}})
    write_json(folder / "xor_full.json", {"q": 5})
    message = reason(tmp_path)
    assert "black_box does not state a service, which the run used" in message
    assert "xor_full.json has 1 error; xorqa submission check" in message
