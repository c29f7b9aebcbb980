"""A run folder opened again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.stages import BaseLocaliser
from xorqa.datasets.mini import load as load_mini
from xorqa.experiments.run import run
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.files import read_json, read_jsonl, write_json, write_jsonl
from xorqa.io.predictions import read_answers
from xorqa.lab.common import saved_run
from xorqa.lab.common.saved_run import check_registered, open_run


@pytest.mark.parametrize("prefer", ["score", "target"])
def test_choosing_again_gives_what_the_run_chose(
    home: Path, tmp_path: Path, tiny_adapter: Path, prefer: str
) -> None:
    routes = (
        Route("eng", {"use": "bm25"}, {"use": "human"}),
        Route("target", {"use": "bm25"}, corpus="target"),
    )
    reader = {"use": "span", "adapter": str(tiny_adapter), "passages": 2}
    chooser = {"use": "rule", "prefer": prefer}
    settings = PipelineSettings(routes, k=3, reader=reader, chooser=chooser)
    run(settings, load_mini().only(["fi"]), tmp_path / "run")
    found = open_run(tmp_path / "run")
    assert found.settings == settings
    assert [e.question.lang for e in found.dataset.examples] == ["fi"] * 24
    official = read_answers(tmp_path / "run" / "xor_full.json").by_qid
    chosen = found.choose(found.settings.chooser)
    pairs = zip(found.dataset.examples, chosen, strict=True)
    assert {example.question.qid: answer.text for example, answer in pairs} == official
    other = found.choose({"use": "rule", "prefer": {"score": "target"}.get(prefer, "score")})
    assert other != chosen


def test_candidates_are_localised_again(saved_mini: Path) -> None:
    found = open_run(saved_mini)
    assert all(len(row) == 6 for row in found.answers)
    assert {a.method.split(":")[0] for row in found.answers for a in row} == {
        "span",
        "copied",
        "name",
        "rule",
        "transliterated",
        "title",
    }


@pytest.mark.parametrize(
    ("file", "change", "error", "message"),
    [
        ("manifest", {"finished": False}, ConfigError, "contains no finished run"),
        ("manifest", {"until": "read"}, ConfigError, "a run without answers"),
        ("manifest", {"dataset": "none"}, ConfigError, "no data set is called 'none'"),
        ("manifest", {"questions": "x"}, DataError, r"mini has changed since .*saved was written"),
        ("config", {"routes": 3}, ConfigError, "routes must be list"),
    ],
)
def test_folders_without_a_usable_run(
    saved_mini: Path, file: str, change: dict[str, object], error: type[Exception], message: str
) -> None:
    path = saved_mini / f"{file}.json"
    write_json(path, read_json(path) | change)
    with pytest.raises(error, match=message):
        open_run(saved_mini)


@pytest.mark.parametrize("damage", [{}, {"candidates": [{"text": ""}]}])
def test_a_damaged_run_is_one_line(saved_mini: Path, damage: dict[str, object]) -> None:
    path = saved_mini / "spans.jsonl"
    write_jsonl(path, [{"qid": row["qid"]} | damage for _, row in read_jsonl(path)])
    with pytest.raises(DataError, match="is damaged"):
        open_run(saved_mini)


def test_questions_that_the_run_did_not_answer_are_left_out(
    saved_mini: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = load_mini()
    new = replace(whole.examples[0], question=replace(whole.examples[0].question, qid="new"))
    more = replace(whole, examples=(*whole.examples, new))
    monkeypatch.setattr(saved_run, "load_dataset", lambda name: more)
    assert len(open_run(saved_mini).dataset.examples) == 3 * 24


@pytest.mark.parametrize("use", ["os:system", f"{__name__}:Saboteur"])
@pytest.mark.parametrize("role", ["reader", "localiser", "chooser"])
def test_opening_a_run_imports_no_code_that_the_folder_names(
    saved_mini: Path, role: str, use: str
) -> None:
    path = saved_mini / "config.json"
    write_json(path, read_json(path) | {role: {"use": use, "command": "touch opened"}})
    with pytest.raises(ConfigError, match=rf"config\.json names '{use}', .* --trust"):
        open_run(saved_mini)


def test_opening_a_run_imports_no_data_set_that_the_folder_names(saved_mini: Path) -> None:
    path = saved_mini / "manifest.json"
    write_json(path, read_json(path) | {"dataset": "xorqa.datasets.mini:load"})
    with pytest.raises(ConfigError, match=r"names 'xorqa.datasets.mini:load', .* --trust"):
        open_run(saved_mini)
    assert len(open_run(saved_mini, trust=True).dataset.examples) == 3 * 24


def test_a_trusted_run_may_name_a_class_but_no_function(saved_mini: Path) -> None:
    path = saved_mini / "config.json"
    write_json(path, read_json(path) | {"localiser": {"use": "os:system", "command": "true"}})
    with pytest.raises(ConfigError, match="'os:system' is not a localiser"):
        open_run(saved_mini, trust=True)
    write_json(path, read_json(path) | {"localiser": {"use": f"{__name__}:Silent"}})
    assert open_run(saved_mini, trust=True).answers[0] == ()


class Silent(BaseLocaliser):
    """A localiser of a user's own."""

    version = 1

    def fingerprint(self) -> str:
        return "silent"

    def localise(self, questions: list[object], candidates: list[object]) -> list[list[object]]:
        return [[] for _ in questions]


@pytest.mark.parametrize(
    "value",
    [
        {"use": "os:system"},
        {"use": f"{__name__}:Silent"},
        {"use": None},
        {"use": ["rule"]},
        {"routes": [{"retriever": {"use": "hybrid", "parts": [{"use": "os:system"}]}}]},
        {"localiser": {"use": "chain", "translator": {"use": "builtins:exec"}}},
        {"use": "dense", "encoder": "os:system"},
        {"use": "dense", "encoder": "owner/model", "trust_remote_code": True},
        {"use": "dense", "encoder": "owner/model", "passage_tower": "os:system"},
        {"use": "qdrant", "encoder": {"model": "os:system"}},
    ],
)
def test_untrusted_settings_name_registered_stages_only(value: object) -> None:
    with pytest.raises(ConfigError, match=r"^config\.json (names|runs code) .* --trust$"):
        check_registered(value, where="config.json")


def test_registered_stages_pass_at_any_depth() -> None:
    parts = [{"use": "bm25"}, {"use": "dense"}]
    check_registered({"routes": [{"retriever": {"use": "hybrid", "parts": parts}}]}, where="x")
    check_registered({"reader": {"use": "generate", "model": "llama3.1:8b"}}, where="x")
