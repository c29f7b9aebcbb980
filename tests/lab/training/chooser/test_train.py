"""Training a chooser on a run with made-up candidates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from xorqa.answering.choosing.learned import open_chooser
from xorqa.core.errors import ConfigError, DataError
from xorqa.io.files import read_jsonl, write_jsonl
from xorqa.lab.common.saved_run import open_run
from xorqa.lab.training.chooser import train
from xorqa.lab.training.chooser.rows import collect_rows
from xorqa.lab.training.chooser.train import fit, train_chooser

pytestmark = pytest.mark.filterwarnings("error::FutureWarning")

pytest.importorskip("sklearn")


@pytest.fixture(autouse=True)
def trainable_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "TRAINABLE", ("chooser-train", "mini"))


def test_it_learns_what_the_scores_tell(saved_mini: Path, tmp_path: Path) -> None:
    found = train_chooser([saved_mini], tmp_path / "mine.json")
    assert open_chooser(tmp_path / "mine.json") == found
    rows = collect_rows([open_run(saved_mini)])
    p = np.exp(found.log_p(rows.x))
    assert p[rows.target == 1].mean() > 2 * p[rows.target < 1].mean()
    card = found.card
    assert card["questions"]["en"] == dict.fromkeys(["fi", "ko", "te"], 12)
    assert card["answers"] == 72 * 6
    assert card["calibration"]["error_after"] < 0.1
    for ways in card["choices"].values():
        assert ways["learned"] <= ways["oracle"]
        assert ways["learned"] > ways["target"]
    [run] = card["runs"]
    assert (run["name"], run["dataset"]) == ("made-up", "mini")


def test_the_same_runs_give_the_same_file(saved_mini: Path, tmp_path: Path) -> None:
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for file in files:
        train_chooser([saved_mini], file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_fit_by_hand() -> None:
    x = np.array([[0.0], [0.0], [1.0], [1.0]] * 500)
    right = np.array([0.0, 0.5, 0.5, 1.0] * 500)
    [weight], intercept = fit(x, right, np.ones(len(x)))
    assert intercept == pytest.approx(np.log(0.25 / 0.75), abs=0.02)
    assert weight + intercept == pytest.approx(np.log(0.75 / 0.25), abs=0.02)


def test_a_feature_that_never_changes_weighs_nothing() -> None:
    x = np.array([[0.0, 7.0], [1.0, 7.0]] * 50)
    weights, _ = fit(x, np.array([0.0, 1.0] * 50), np.ones(100))
    assert weights[0] > 0 and weights[1] == 0


def test_evaluation_data_are_refused(
    saved_mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "TRAINABLE", ("chooser-train",))
    with pytest.raises(ConfigError, match=r"a run over mini, which is for evaluation; .*chooser-t"):
        train_chooser([saved_mini], tmp_path / "mine.json")
    assert not (tmp_path / "mine.json").exists()


def test_too_little_to_learn_from(saved_mini: Path, tmp_path: Path) -> None:
    rows = [row for _, row in read_jsonl(saved_mini / "spans.jsonl")]
    wrong = [{**row, "candidates": [{**row["candidates"][0], "text": "zzz"}]} for row in rows]
    write_jsonl(saved_mini / "spans.jsonl", wrong)
    with pytest.raises(DataError, match=r"too few answers to train a chooser on: 72 answers"):
        train_chooser([saved_mini], tmp_path / "mine.json")
