from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.io.files import read_json
from xorqa.lab.planning.commands.plan import collection_size, parse_size


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("18M", 18_000_000),
        ("20k", 20_000),
        ("1.5m", 1_500_000),
        ("7", 7),
        ("20_000", 20_000),
        ("20,000", 20_000),
    ],
)
def test_sizes_with_and_without_suffixes(text: str, count: int) -> None:
    assert parse_size(text) == count


@pytest.mark.parametrize("text", ["", "0", "-5", "18G", "many", "0.0001k"])
def test_invalid_sizes_are_rejected(text: str) -> None:
    with pytest.raises(ConfigError, match="write 18M, 20k or 20000"):
        parse_size(text)


def test_the_size_of_a_collection(rivers: str) -> None:
    assert collection_size(rivers) == 5
    assert collection_size("ir_datasets:miracl/ar/dev") == 2_061_414, "known without a download"


def test_measured_and_predicted_figures_have_separate_rows(
    xorqa: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "plan.json"
    outcome = xorqa("plan", "2M", "--kind", "bm25", "--measure", 2000, "--json", file)
    assert outcome.status == 0, outcome.err
    rows = [line.split() for line in outcome.out.splitlines() if "ured" in line or "uted" in line]
    assert [("measured" in row, "computed" in row) for row in rows] == [
        (True, False),
        (True, False),
        (False, True),
    ]
    assert "2,000,000" in rows[2] and "linear" in outcome.out
    figures = read_json(file)
    assert (figures["passages"], figures["sample"]["name"]) == (2_000_000, "mini.en")
    [forecast] = figures["kinds"]
    assert [measurement["passages"] for measurement in forecast["measured"]] == [1000, 2000]
    assert forecast["disk"] > 500 * forecast["measured"][1]["disk"]


def test_a_users_sample_and_an_unknown_kind(xorqa: Callable[..., Any], corpus: Path) -> None:
    outcome = xorqa("plan", "9", "--kind", "bm25", "--sample", corpus)
    assert outcome.status == 2 and "rivers has 3 passages, fewer than 8" in outcome.err
    outcome = xorqa("plan", "9", "--kind", "sq4")
    assert outcome.status == 2 and "valid: bm25, flat" in outcome.err


def test_a_ranker_is_measured_too(
    xorqa: Callable[..., Any], tmp_path: Path, tiny_classifier: Path
) -> None:
    file = tmp_path / "plan.json"
    table = f'{{use="cross-encoder", model="{tiny_classifier}", depth=4}}'
    outcome = xorqa(
        "plan", "9k", "--kind", "bm25", "--measure", 2000, "--ranker", table, "--json", file
    )
    assert outcome.status == 0, outcome.err
    assert "ms per question, whatever the number of passages" in " ".join(outcome.out.split())
    assert read_json(file)["ranker_ms"][table] > 0
    outcome = xorqa("plan", "9", "--kind", "bm25", "--measure", 2000, "--ranker", "best")
    assert outcome.status == 2 and "no ranker is called 'best'" in outcome.err


@pytest.mark.slow
def test_mining_is_planned_if_it_is_named(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    outcome = xorqa("plan", "1M", "--kind", "mine", "--measure", 2000, "--json", file)
    assert outcome.status == 0, outcome.err
    [forecast] = read_json(file)["kinds"]
    assert forecast["disk"] == 2 * 4 * 384 * 1_000_000 and forecast["query_ms"] == 0
    assert "0.0 ms" not in outcome.out and "product of the sizes" in outcome.out
    unknown = xorqa("plan", "1M", "--kind", "mined")
    assert unknown.status == 2 and "hnsw" in unknown.err and "mine, " in unknown.err
