import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.lab.training import repeat
from xorqa.lab.training.common.kind import find_kind
from xorqa.lab.training.common.time_limit import TimeLimit
from xorqa.lab.training.history import TrainingHistory, read_history
from xorqa.lab.training.repeat import repeat_history, train_history
from xorqa.models.adapters import open_adapter

STAGES = """
[[stages]]
name = "first"

[[stages]]
name = "second"
start = "first"
seed = 2
changes = {{ questions = 12 }}

[[stages]]
name = "unused"

[[stages]]
name = "mean"
average = ["first", "second"]

[reader]
base = "{base}"
method = "full"
questions = 22
batch_size = 4
max_tokens = 96
validation = 4
dtype = "float32"
sources = [{{ files = ["{file}"], held_out = 0.3, first_offsets = true }}]
[reader.schedule]
learning_rate = {rate}
"""


@pytest.fixture
def made(file: Path, tiny: Path, tmp_path: Path) -> TrainingHistory:
    return written(tmp_path, file, tiny)


def written(folder: Path, file: Path, tiny: Path, rate: str = "1e-2") -> TrainingHistory:
    (folder / "mine.toml").write_text(STAGES.format(base=tiny, file=file, rate=rate))
    return read_history(folder / "mine.toml", "reader")


def test_stages_follow_one_another_and_the_last_is_the_result(
    made: TrainingHistory, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    [path] = repeat_history(made, out)
    assert path == out / "reader.safetensors"
    assert path.read_bytes() == (out / "mean" / "reader.safetensors").read_bytes()
    record = json.loads((out / "stages.json").read_text())
    shas = {row["stage"]: row["sha"] for row in record}
    assert list(shas) == ["first", "second", "mean"]
    card = open_adapter(str(path)).card
    assert [part["sha"] for part in card["average"]] == [shas["first"], shas["second"]]
    assert json.loads((out / "card.json").read_text()) == card
    second = open_adapter(str(out / "second" / "reader.safetensors")).card["recipe"]
    assert (second["seed"], second["questions"]) == (2, 12)
    identity = json.loads((out / "second" / "recipe.json").read_text())
    assert identity["start_sha"] == shas["first"]


def test_finished_stages_are_not_trained_again(
    made: TrainingHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    [first] = repeat_history(made, out, until="first")
    before = (out / "first" / "reader.safetensors").read_bytes()
    trained: list[int] = []
    kind = find_kind("reader")

    def spy(recipe: object, *args: object, **options: object) -> Path | Sequence[Path]:
        trained.append(recipe.seed)  # type: ignore[attr-defined]
        return kind.train(recipe, *args, **options)

    monkeypatch.setattr(repeat, "find_kind", lambda _: replace(kind, train=spy))
    lines: list[str] = []
    repeat_history(made, out, report=lines.append)
    assert trained == [2]
    assert f"first is finished: {out / 'first' / 'reader.safetensors'}" in lines
    assert (out / "first" / "reader.safetensors").read_bytes() == before
    final = first.read_bytes()
    repeat_history(made, out)
    assert trained == [2]
    assert first.read_bytes() == final


def test_a_changed_recipe_is_refused_and_a_lost_file_made_again(
    made: TrainingHistory, file: Path, tiny: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    [path] = repeat_history(made, out, until="first")
    repeat_history(made, out, until="second")
    before = path.read_bytes()
    (out / "first" / "reader.safetensors").unlink()
    [path] = repeat_history(made, out, until="second")
    assert path.read_bytes() == before
    other = written(tmp_path, file, tiny, rate="2e-2")
    with pytest.raises(ConfigError, match=r"another recipe \(schedule differs\)"):
        repeat_history(other, out)


def test_all_weights_are_no_stage(file: Path, tiny: Path, tmp_path: Path) -> None:
    text = STAGES.format(base=tiny, file=file, rate="1e-2").replace("[reader", "[biencoder")
    text = text.replace("questions = 22", "steps = 2").replace("questions = 12", "steps = 1")
    text = text.replace("max_tokens", "max_passage_tokens").replace('"full"', '"all"')
    text = text.replace("held_out", 'lang = "en", held_out')
    (tmp_path / "mine.toml").write_text(text)
    history = read_history(tmp_path / "mine.toml", "biencoder")
    with pytest.raises(ConfigError, match=r"'first' has method = \"all\", which gives a check"):
        repeat_history(history, tmp_path / "out")


def test_stages_share_a_time(
    made: TrainingHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, given = [0.0], []
    kind = find_kind("reader")

    def spy(*args: Any, limit: TimeLimit, **options: Any) -> Path | Sequence[Path]:
        given.append(limit.left)
        now[0] += 12
        return kind.train(*args, **options)

    monkeypatch.setattr(repeat, "find_kind", lambda _: replace(kind, train=spy))
    repeat_history(made, tmp_path / "out", limit=TimeLimit(90, lambda: now[0]))
    assert given == [pytest.approx(30), pytest.approx(39)]  # a third, and half of the rest


def test_a_recipe_without_stages_is_trained_once_in_its_folder(
    made: TrainingHistory, tmp_path: Path
) -> None:
    recipe = Path(made.config)
    recipe.write_text("[reader]" + recipe.read_text().split("[reader]", 1)[1])
    history, out = read_history(recipe, "reader"), tmp_path / "out"
    [path] = train_history(history, out)
    assert path == out / "reader.safetensors"
    lines: list[str] = []
    assert train_history(history, out, report=lines.append) == [path]
    assert lines == [f"all is finished: {path}"]
