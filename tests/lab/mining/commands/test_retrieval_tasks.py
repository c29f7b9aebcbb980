"""`xorqa eval tatoeba`, `xsim`, `bucc` and `mewsli-x`: files in, tables and JSON out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Xorqa = Callable[..., Any]
SIDES = {"fin": "a\nb\nc\n", "kor": "a\nb\nc\n", "ber": "a\nb\nc\n"}


@pytest.fixture
def test_sets(xorqa: Xorqa) -> Path:
    """Three test sets, with vectors that are right in Finnish, and one third right in Korean."""
    arrays = {}
    for code, text in SIDES.items():
        for name in (f"tatoeba.{code}-eng.{code}", f"tatoeba.{code}-eng.eng"):
            Path(name).write_text(text)
            arrays[name] = np.eye(3)
    arrays["tatoeba.kor-eng.kor"] = np.eye(3)[[1, 0, 2]]
    np.savez("mine.npz", **arrays)
    return Path()


def test_tatoeba_per_language_and_per_benchmark(xorqa: Xorqa, test_sets: Path) -> None:
    command = ("eval", "tatoeba", "--dir", ".", "--encoder", "mine.npz", "--json", "t.json")
    outcome = xorqa(*command)
    assert outcome.status == 0
    assert "XTREME, 2 of its 36 languages: accuracy 66.7" in outcome.out
    result = json.loads(Path("t.json").read_text())
    accuracy = {lang: row["accuracy"] for lang, row in result["per_lang"].items()}
    assert accuracy == pytest.approx({"ber": 100, "fi": 100, "ko": 100 / 3})
    assert result["macro"]["accuracy"] == pytest.approx(700 / 9)
    assert result["n"] == {"ber": 3, "fi": 3, "ko": 3}
    assert xorqa(*command, "--lang", "fin,ko").status == 0
    assert [*json.loads(Path("t.json").read_text())["per_lang"]] == ["fi", "ko"]


def test_tatoeba_with_an_encoder_reuses_its_vectors(
    xorqa: Xorqa, test_sets: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("eval", "tatoeba", "--dir", ".", "--encoder", tiny, "--lang", "fi")
    outcome = xorqa(*command, "--vectors", "vectors", "--json", "t.json")
    assert outcome.status == 0, outcome.err
    first = json.loads(Path("t.json").read_text())
    monkeypatch.setattr(
        "xorqa.lab.mining.encoding.encode_queries", lambda *_: pytest.fail("encoded again")
    )
    assert xorqa(*command, "--vectors", "vectors", "--json", "t.json").status == 0
    assert json.loads(Path("t.json").read_text()) == first
    assert first["per_lang"]["fi"]["accuracy"] == 100  # both sides have the same sentences


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--lang", "sv"), "has no test set of 'sv'; valid: ber, fi, ko"),
        (("--encoder", "other.npz"), "other.npz has no array 'tatoeba.ber-eng.eng'"),
        (("--dir", "empty"), "empty has no test set such as tatoeba.fin-eng.fin"),
    ],
)
def test_tatoeba_with_wrong_options(
    xorqa: Xorqa, test_sets: Path, options: tuple[str, str], message: str
) -> None:
    np.savez("other.npz", x=np.eye(3))
    Path("empty").mkdir()
    outcome = xorqa("eval", "tatoeba", "--dir", ".", "--encoder", "mine.npz", *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err


def test_sides_of_different_length(xorqa: Xorqa, test_sets: Path) -> None:
    Path("tatoeba.fin-eng.fin").write_text("a\nb\n")
    outcome = xorqa("eval", "tatoeba", "--dir", ".", "--encoder", "mine.npz", "--lang", "fi")
    assert outcome.status == 2
    assert "tatoeba.fin-eng.eng has 3 lines, tatoeba.fin-eng.fin 2" in outcome.err


def test_xsim(xorqa: Xorqa) -> None:
    for name in ("a.fi", "b.en"):
        Path(name).write_text("a\nb\nc\nd\n")
    np.savez("v.npz", **{"a.fi": np.eye(4), "b.en": np.eye(4)[[1, 0, 2, 3]]})
    command = ("eval", "xsim", "a.fi", "b.en", "--langs", "fi,en", "--encoder", "v.npz")
    for margin in ("ratio", "absolute", "distance"):
        outcome = xorqa(*command, "--margin", margin, "--json", "x.json")
        assert outcome.status == 0
        assert json.loads(Path("x.json").read_text())["macro"] == {"xsim": 50}
    outcome = xorqa(*command[:-4], "--langs", "fi", "--encoder", "v.npz")
    assert "name the languages of the two files, such as fi,en" in outcome.err


GOLD = "de-1\ten-1\nde-2\ten-2\n"
SCORED = "1.5\tde-1\ten-1\n1.1\tde-2\ten-3\n1.0\tde-2\ten-2\n"


def test_bucc_with_a_threshold_from_training_pairs(xorqa: Xorqa) -> None:
    for name, text in {
        "gold.tsv": GOLD, "pred.tsv": SCORED, "train.gold": "de-8\ten-8\n",
        "train.tsv": "1.4\tde-8\ten-8\n1.2\tde-8\ten-9\n", "chosen.tsv": "de-1\ten-1\n",
    }.items():  # fmt: skip
        Path(name).write_text(text)
    command = ("eval", "bucc", "--data", "gold.tsv", "--json", "b.json", "--pred")

    def values(*options: str) -> dict[str, Any]:
        outcome = xorqa(*command, *options)
        assert outcome.status == 0, outcome.err
        result: dict[str, Any] = json.loads(Path("b.json").read_text())
        return result

    train = ("--train-data", "train.gold", "--train-pred", "train.tsv")
    tuned = values("pred.tsv", *train)
    assert tuned["thresholds"] == pytest.approx({"de": 1.3})
    assert tuned["per_lang"]["de"] == pytest.approx({"f1": 200 / 3, "precision": 100, "recall": 50})
    assert values("pred.tsv")["per_lang"]["de"]["f1"] == pytest.approx(80)
    assert values("pred.tsv", "--threshold", "1.05")["per_lang"]["de"]["f1"] == pytest.approx(50)
    assert values("chosen.tsv")["per_lang"]["de"]["recall"] == 50
    outcome = xorqa(*command, "pred.tsv", *train, "--threshold", "1")
    assert "use either --threshold or --train-data" in outcome.err
    Path("pred.tsv").write_text("1.0\tde-1\ten-1\nde-1\ten-1\n")
    assert "line 2: some lines have a score, others do not" in xorqa(*command, "pred.tsv").err


def test_mewsli_x_of_two_languages(xorqa: Xorqa) -> None:
    for lang, gold in {"de": "Q1", "pl": "Q2"}.items():
        Path(f"test-{lang}.json").write_text(json.dumps({f"{lang}1": [gold]}))
    Path("pred.json").write_text('{"de1": ["Q3", "Q1"]}')
    outcome = xorqa(
        "eval", "mewsli-x", "--data", "test-de.json", "--data", "test-pl.json",
        "--pred", "pred.json", "--json", "m.json",
    )  # fmt: skip
    assert outcome.status == 0, outcome.err
    assert "missing id: 1 ('pl1')" in outcome.out
    result = json.loads(Path("m.json").read_text())
    assert result["per_lang"] == {"de": {"map@20": 50}, "pl": {"map@20": 0}}
    assert result["macro"] == {"map@20": 25}
