import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.text.stems import stem
from xorqa.io.word_probabilities import read_word_probabilities
from xorqa.models.adapters import open_adapter


@pytest.fixture
def recipe(tiny: Path, tmp_path: Path) -> Path:
    """A recipe that is done in seconds."""
    paragraphs = [
        {
            "context": f"River {at} is {at}00 km long.",
            "qas": [
                {
                    "id": str(at),
                    "question": f"How long is river {at}?",
                    "answers": [{"text": f"{at}00 km", "answer_start": 11}],
                }
            ],
        }
        for at in range(1, 9)
    ]
    (tmp_path / "train.json").write_text(
        json.dumps({"data": [{"title": "Rivers", "paragraphs": paragraphs}]})
    )
    path = tmp_path / "mine.toml"
    path.write_text(f"""
        [reader]
        sources = [{{ files = ["./train.json"], held_out = 0 }}]
        base = "{tiny}"
        questions = 8
        batch_size = 4
        rank = 2
        [reader.schedule]
        learning_rate = 1e-3
    """)
    return path


def test_training_writes_an_adapter(xorqa: Callable[..., Any], recipe: Path) -> None:
    pytest.importorskip("peft")
    outcome = xorqa("train", "reader", recipe, "--out", "mine")
    assert outcome.status == 0
    path = Path("mine") / "reader.safetensors"
    assert f"adapter: {path}" in outcome.out
    assert open_adapter(str(path), task="reader").card["questions"] == 8
    again = xorqa("train", "reader", recipe, "--out", "mine")
    assert again.status == 0 and path.is_file()


def test_a_folder_with_another_recipe_is_rejected(xorqa: Callable[..., Any], recipe: Path) -> None:
    pytest.importorskip("peft")
    xorqa("train", "reader", recipe, "--out", "mine")
    recipe.write_text(recipe.read_text().replace("rank = 2", "rank = 3"))
    outcome = xorqa("train", "reader", recipe, "--out", "mine")
    assert outcome.status == 2
    assert len(outcome.err.splitlines()) == 1
    assert "another recipe (rank differs)" in outcome.err


def test_a_biencoder_from_sentence_pairs_and_questions(
    xorqa: Callable[..., Any], recipe: Path, tmp_path: Path
) -> None:
    pytest.importorskip("peft")
    (tmp_path / "fin.txt").write_text("Go.\tMene.\nRun!\tJuokse!\nHi.\tMoi.\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "tatoeba.eng").write_text("run\n")
    outcome = xorqa(
        "train",
        "parallel",
        tmp_path / "fin.txt",
        "--exclude",
        tmp_path / "tests",
        "--out",
        tmp_path / "pairs.tsv",
    )
    assert outcome.status == 0
    assert "pairs.tsv" in outcome.out
    assert len((tmp_path / "pairs.tsv").read_text().splitlines()) == 2
    text = recipe.read_text().replace("reader", "biencoder").replace("questions = 8", "steps = 2")
    text = text.replace("held_out = 0", 'held_out = 0, lang = "en"')
    recipe.write_text(text.replace("batch_size", 'parallel = ["./pairs.tsv"]\nbatch_size'))
    outcome = xorqa("train", "biencoder", recipe, "--out", "mine")
    assert outcome.status == 0
    path = Path("mine") / "encoder.safetensors"
    assert f"adapter: {path}" in outcome.out
    assert open_adapter(str(path), task="encoder").card["pairs"] == 2


@pytest.mark.parametrize("kind", ["reader", "encoder"])
def test_the_average_of_two_adapters(xorqa: Callable[..., Any], recipe: Path, kind: str) -> None:
    pytest.importorskip("peft")
    command = {"reader": "reader", "encoder": "biencoder"}[kind]
    if kind == "encoder":
        text = recipe.read_text().replace("[reader", "[biencoder").replace("questions =", "steps =")
        recipe.write_text(text.replace("held_out = 0", 'held_out = 0, lang = "en"'))
    parts = []
    for seed in (1, 2):
        outcome = xorqa("train", command, recipe, "--set", f"seed={seed}", "--out", f"{seed}")
        assert outcome.status == 0, outcome.err
        parts.append(Path(f"{seed}") / f"{kind}.safetensors")
    outcome = xorqa("train", "average", recipe, *parts, "--out", "mean")
    assert outcome.status == 0, outcome.err
    path = Path("mean") / f"{kind}.safetensors"
    assert f"adapter: {path}" in outcome.out
    assert len(open_adapter(str(path), task=kind).card["average"]) == 2


def test_without_out_the_plan_is_shown(xorqa: Callable[..., Any], home: Path) -> None:
    outcome = xorqa("train", "reader", "reader-multi")
    assert outcome.status == 0
    assert "mean of fourth, fifth, sixth" in outcome.out
    assert "missing" in outcome.out and "Nothing was trained" in outcome.out
    refused = xorqa("train", "reader", "reader-en", "--out", "mine")
    assert refused.status == 2
    assert "missing input files: squad/train-v1.1.json (xorqa data fetch squad)" in refused.err
    assert not Path("mine").exists()
    both = xorqa("train", "reader", "reader-en", "--out", "a", "--set", "seed=2", "--stage", "b")
    assert "use --set or --stage, not both" in both.err
    alone = xorqa("train", "biencoder", "dpr", "--out", "a", "--stage", "b")
    assert "has no stages; remove --stage" in alone.err


def test_a_no_answer_threshold_is_fitted_from_a_file(
    xorqa: Callable[..., Any], recipe: Path, tiny_adapter: Path
) -> None:
    data, out = recipe.with_name("train.json"), recipe.with_name("mine.card.json")
    options = ("--file", data, "--held-out", 1, "--questions", 4, "--passages", 2, "--out", out)
    done = xorqa("train", "no-answer", tiny_adapter, *options)
    assert done.status == 0
    assert f"threshold: {out}" in done.out
    assert 0 <= json.loads(out.read_text())["no_answer"]["threshold"] <= 1
    refused = xorqa("train", "no-answer", tiny_adapter, *options[:2], "--held-out", 0)
    assert refused.status != 0
    assert "increase --held-out" in refused.err


def test_a_table_of_word_probabilities_for_psq(xorqa: Callable[..., Any]) -> None:
    rows = [("pitkä joki", "long river"), ("joki", "river"), ("pitkä", "long")] * 3
    Path("pairs.tsv").write_text("".join(f"fi\t{fi}\ten\t{en}\n" for fi, en in rows), "utf-8")
    options = ("--probabilities", "--out", "psq.tsv")
    outcome = xorqa("train", "lexicon", "pairs.tsv", *options)
    assert outcome.status == 0, outcome.err
    assert outcome.out.strip() == "fi 2: psq.tsv"
    assert Path("psq.tsv").read_text("utf-8").startswith(f"fi\t{stem('joki', 'fi')}\triver\t0.9")
    small = ("--probabilities", "--compact", "--out", "words")
    assert xorqa("train", "lexicon", "pairs.tsv", *small).status == 0
    assert list(read_word_probabilities(Path("words"))["fi"][stem("joki", "fi")]) == ["river"]
    for mistaken in (["--compact", *options], ["--probabilities", "--out", "words"]):
        refused = xorqa("train", "lexicon", "pairs.tsv", *mistaken)
        assert refused.status != 0
        assert "--out is a folder with --compact, otherwise a file" in refused.err
