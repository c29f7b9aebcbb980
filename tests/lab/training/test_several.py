"""Several recipes share a time, and the validation scores of all are in one table."""

from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.io.files import write_json, write_text
from xorqa.lab.training import several
from xorqa.lab.training.common.time_limit import TimeLimit
from xorqa.lab.training.history import TrainingHistory, TrainingStage, kind_of_recipe
from xorqa.lab.training.several import (
    read_histories,
    train_in_turn,
    validation_grid,
    validation_results,
)


@pytest.fixture
def histories(tiny: Path, tmp_path: Path, file: Path) -> dict[str, TrainingHistory]:
    """Three recipes whose files exist."""
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.toml").write_text(f"""
            [reader]
            base = "{tiny}"
            sources = [{{ files = ["{file}"] }}]
            schedule = {{ learning_rate = 1e-3 }}
        """)
    return read_histories([str(tmp_path / f"{name}.toml") for name in ("one", "two", "three")])


def test_a_recipe_gets_what_earlier_ones_leave(
    histories: dict[str, TrainingHistory], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    given: dict[str, float] = {}

    def train(history: TrainingHistory, out: Path, *, limit: TimeLimit, **_: Any) -> list[Path]:
        given[out.name] = limit.left
        now[0] += 4
        return [out / "reader.safetensors"]

    monkeypatch.setattr(several, "train_history", train)
    paths = train_in_turn(histories, tmp_path, limit=TimeLimit(30, lambda: now[0]))
    assert given == {"one": 10, "two": 13, "three": 22}
    assert paths["two"] == [tmp_path / "two" / "reader.safetensors"]


def test_all_inputs_are_there_before_the_first_is_trained(
    histories: dict[str, TrainingHistory], tmp_path: Path
) -> None:
    path = tmp_path / "three.toml"
    path.write_text(path.read_text().replace("train.json", "lost.json"))
    with pytest.raises(DataError, match=r"missing input files: .*lost\.json"):
        train_in_turn(histories, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_scores_of_every_training_run(tmp_path: Path) -> None:
    stages = TrainingHistory("b.toml", "reader", (TrainingStage("x"), TrainingStage("y")))
    histories = {"a": TrainingHistory("a.toml", "reader"), "b": stages}
    for name, scores in (
        ("a", "2,10.04\n4,30.0\n6,20.0\n"),
        ("a/settled", "1,29.0\n"),
        ("b/y", ""),
    ):
        write_text(tmp_path / name / "validation.csv", f"step,score\n{scores}")
    for name in histories:
        write_json(tmp_path / name / "card.json", {"validation": {"f1": 29.5}})
    results = validation_results(histories, tmp_path)
    assert results["a"]["runs"]["a"]["scores"] == [(2, 10.04), (4, 30.0), (6, 20.0)]
    assert results["b"]["card"] == {"f1": 29.5}
    assert validation_grid(results).rows == (
        (
            ("a", "a", "6", "10.0", "30.0", "29.0"),
            ("b", "x", "–", "–", "–", "–"),
            ("b", "y", "–", "–", "–", "–"),
        ),
    )


def test_recipes_need_one_table_and_different_names(
    histories: dict[str, TrainingHistory], tmp_path: Path
) -> None:
    assert kind_of_recipe("encoder-large") == "query_encoder"
    with pytest.raises(ConfigError, match="two recipes are called 'one'"):
        read_histories([str(tmp_path / "one.toml"), str(tmp_path / "one.toml")])
    with pytest.raises(ConfigError, match="needs exactly one of the tables biencoder, "):
        read_histories(["translator"])
