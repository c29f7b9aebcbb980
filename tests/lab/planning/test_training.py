import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.config import read_toml
from xorqa.io.files import read_json
from xorqa.lab.papers.paper import Experiment, read_paper
from xorqa.lab.planning.workloads import PAIR_TOKENS, Limits, of_translator
from xorqa.lab.training.common.recipe import RECIPES
from xorqa.lab.training.translator.recipe import TranslatorRecipe

ROWS = [row for name in ("lareqa", "mlqa", "xor-qa") for row in read_paper(name).rows]
PLANS = sorted(
    {tuple(shlex.split(line)[1:]) for row in ROWS for line in row.full if "xorqa plan" in line}
)
TINY = {
    "reader": ("batch_size=2", "max_tokens=48"),
    "qa_model": ("batch_size=2", "max_tokens=48"),
    "dpr_reader": ("negatives=2", "max_tokens=48"),
    "ranker": ("random_negatives=2", "max_tokens=48"),
    "biencoder": ("batch_size=2",),
    "translator": ("width=32", "heads=2", "feed=32", "vocabulary=400", "source_vocabulary=400"),
}


def figures(xorqa: Callable[..., Any], *words: object) -> tuple[Any, Any]:
    outcome = xorqa("plan", *words, "--json", "plan.json")
    assert outcome.status == 0, outcome.err
    return read_json(Path("plan.json")), outcome


@pytest.mark.parametrize("words", PLANS, ids=" ".join)
def test_every_plan_of_a_paper_runs_on_tiny_weights(
    words: tuple[str, ...], xorqa: Callable[..., Any], tiny_bert: Path, home: Path
) -> None:
    _, name, *options = words
    if name not in RECIPES:  # an index
        options[options.index("--encoder") + 1] = str(tiny_bert)
        planned, _ = figures(xorqa, name, *options, "--measure", 2000)
        assert all(kind["build_s"] > 0 for kind in planned["kinds"])
        return
    tables = read_toml(RECIPES[name])
    changes = next(changes for table, changes in TINY.items() if table in tables)
    base = () if "translator" in tables else (f"base={tiny_bert}",)
    small = [word for change in (*changes, *base) for word in ("--set", change)]
    planned, _ = figures(xorqa, name, *options, *small)
    assert planned["steps"] > 0 and planned["seconds"] > 0 and planned["parameters"] > 0


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_a_row_that_trains_has_the_plan_of_each_training_and_its_cost(row: Experiment) -> None:
    lines = [shlex.split(line) for line in row.full]
    trained = {words[3] for words in lines if words[:2] == ["xorqa", "train"]} & set(RECIPES)
    assert trained <= {words[2] for words in lines if words[:2] == ["xorqa", "plan"]}
    assert row.cost or not trained


def test_a_recipe_is_planned(xorqa: Callable[..., Any], tiny_bert: Path, home: Path) -> None:
    small = ("--set", f"base={tiny_bert}", "--set", "batch_size=2")
    planned, outcome = figures(xorqa, "lareqa-x-y", *small)
    assert "train-v1.1.json is missing, so batches of texts of the greatest" in outcome.err
    assert (planned["steps"], planned["accumulate"], planned["at_most"]) == (100_000, 32, True)
    wanted = 100_000 * (32 * planned["batch_s"] + planned["update_s"])
    assert planned["seconds"] == pytest.approx(wanted)
    assert "at most" in outcome.out and "100,000 steps of 32 batches" in outcome.out


def test_a_part_of_a_batch_is_scaled(
    xorqa: Callable[..., Any], tiny_bert: Path, home: Path
) -> None:
    part = ("xor-mdpr", "--set", f"base={tiny_bert}", "--batch", 3)
    planned, outcome = figures(xorqa, *part)
    assert planned["share"] == 3 / 96 and planned["steps"] == 6360
    assert "(with 3.1% of a batch, scaled)" in outcome.out
    assert "only its last stage is planned, not xor-dpr-nq" in outcome.err


def test_the_data_is_measured_if_it_is_there(
    xorqa: Callable[..., Any], tiny_bert: Path, squad: Path
) -> None:
    source = f"sources=[{{files=['{squad}'], lang='en', held_out=0.0}}]"
    small = ("--set", f"base={tiny_bert}", "--set", "batch_size=2", "--set", source)
    planned, _ = figures(xorqa, "lareqa-en-en", *small)
    assert not planned["at_most"]


def test_epochs_are_counted_in_the_data_or_by_questions(
    xorqa: Callable[..., Any], tiny_bert: Path, squad: Path, home: Path
) -> None:
    small = ("--set", f"base={tiny_bert}", "--set", "batch_size=2", "--set", "max_tokens=48")
    outcome = xorqa("plan", "mlqa-mbert", *small)
    assert outcome.status == 2 and "train-v1.1.json is missing" in outcome.err
    assert "--questions 87599" in outcome.err
    planned, _ = figures(xorqa, "mlqa-mbert", *small, "--questions", 101)
    assert (planned["steps"], planned["at_most"]) == (101, True)
    source = ("--set", f"sources=[{{files=['{squad}'], held_out=0.0}}]")
    planned, outcome = figures(xorqa, "mlqa-mbert", *small, *source, "--questions", 101)
    assert (planned["steps"], planned["at_most"]) == (6, False)
    assert "--questions has no effect" in outcome.err


def test_a_ranker_s_steps_are_its_questions(
    xorqa: Callable[..., Any], tiny_bert: Path, home: Path
) -> None:
    small = ("--set", f"base={tiny_bert}", "--set", "max_tokens=48", "--batch", 5)
    planned, _ = figures(xorqa, "ranker-xor-path", *small)
    assert (planned["steps"], planned["accumulate"]) == (ceil(15_000 / 8), 8)
    assert planned["share"] == pytest.approx(5 / 51)


@pytest.mark.parametrize("frozen", [0, 1])
def test_a_translator_s_batch_is_filled_with_pairs(frozen: int, tiny_bert: Path) -> None:
    recipe = replace(
        TranslatorRecipe.load("xor-mt"),
        base=str(tiny_bert),
        frozen_layers=frozen,
        encoder_layers=1,
        decoder_layers=1,
        **{"width": 32, "heads": 2, "feed": 32, "vocabulary": 400, "source_vocabulary": 400},
        hints=bool(frozen),
        pieces=None,
    )
    workload = of_translator(recipe, Limits(batch=4))
    assert workload.steps == 300_000
    assert workload.share == 4 * PAIR_TOKENS / 4096
    assert float(workload.loss(workload.batches[0]).detach()) > 0


@pytest.mark.slow
def test_a_recipe_with_the_bundled_base_is_planned(xorqa: Callable[..., Any], home: Path) -> None:
    for recipe in ("reader-low-rank", "ranker-large"):
        planned, _ = figures(xorqa, recipe, "--set", "max_tokens=16", "--batch", 2)
        assert planned["seconds"] > 0, recipe


def test_what_is_not_planned(xorqa: Callable[..., Any]) -> None:
    for words, error in (
        (("transliterator",), "it has none of the tables biencoder, dpr_reader, qa_model"),
        (("translator",), "--set updates=100000"),
        (("lareqa-x-y", "--questions", 9), "has its own number of steps; remove --questions"),
        (("20k", "--set", "steps=1"), "'20k' is no recipe"),
    ):
        outcome = xorqa("plan", *words)
        assert outcome.status == 2 and error in " ".join(outcome.err.split())


@pytest.fixture
def squad(tmp_path: Path) -> Path:
    """Six questions of one paragraph."""
    qas = [
        {"id": str(n), "question": "How?", "answers": [{"text": "Nile", "answer_start": 4}]}
        for n in range(6)
    ]
    articles = [{"title": "Nile", "paragraphs": [{"context": "The Nile flows.", "qas": qas}]}]
    path = tmp_path / "squad.json"
    path.write_text(json.dumps({"data": articles}), encoding="utf-8")
    return path
