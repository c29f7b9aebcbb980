"""A collection of `ir_datasets` runs through index, run and eval."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.io.files import read_json
from xorqa.io.trec import read_qrels

RUN = Path("runs/tiny-ir_datasets.xorqa-rivers.dev")
MEASURES = {"AP", "RR", "nDCG@10", "R@100", "Success@10"}


@pytest.fixture
def finnish(tmp_path: Path, config: Path) -> Path:
    """A config that searches the passages in the question's language with BM25."""
    path = tmp_path / "own.toml"
    text = config.read_text("utf-8").replace('name = "eng"', 'name = "target"\ncorpus = "target"')
    path.write_text(f'name = "tiny"\n{text}', encoding="utf-8")
    return path


def test_index_run_and_eval(xorqa: Callable[..., Any], finnish: Path, rivers: str) -> None:
    indexed = xorqa("index", "--data", f"{rivers}/dev", "--lang", "fi", "--retriever", "bm25")
    assert indexed.status == 0, indexed.err
    assert "4 passages" in indexed.out
    ran = xorqa("run", finnish, "--data", f"{rivers}/dev", "--until", "retrieve")
    assert ran.status == 0, ran.err
    assert "nDCG@10" in ran.out and "R@100" in ran.out and "nothing is scored" not in ran.out
    assert read_qrels(RUN / "qrels.txt") == {"1": {"k": 2, "o": 1}, "2": {"o": 1, "v": 0}}
    scores = read_json(RUN / "scores.json")
    assert scores.keys() == {"ranking"}
    official = scores["ranking"]["official"]
    assert official["macro"].keys() == MEASURES and official["n"] == {"fi": 2}
    assert official["per_lang"]["fi"]["RR"] == 100.0, "BM25 finds the rivers by their names"
    assert xorqa("compare", RUN, RUN, "--samples", 10).status == 0
    pred, queries = ("--pred", RUN / "run.trec"), ("--queries", RUN / "queries.jsonl")
    by_file = xorqa("eval", "ranking", "--data", RUN / "qrels.txt", *pred, *queries)
    assert by_file.status == 0
    out = ("--measure", "nDCG@10", "--json", "scores.json")
    by_name = xorqa("eval", "ranking", "--data", f"{rivers}/dev", *pred, *out)
    assert by_name.status == 0, by_name.err
    scored = read_json(Path("scores.json"))
    assert scored["macro"]["nDCG@10"] == official["macro"]["nDCG@10"]
    assert scored["problems"]["missing id"] == 1, "query 9 has no question"


def test_official_measures_are_the_default(
    xorqa: Callable[..., Any], finnish: Path, rivers: str
) -> None:
    name = f"{rivers}/judged"
    ran = xorqa("run", finnish, "--data", name, "--until", "retrieve", "--out", "run")
    assert ran.status == 0 and "RR(rel=2)" in ran.out
    assert read_json(Path("run/scores.json"))["ranking"]["strict"]["macro"].keys() == {
        "nDCG@10",
        "RR(rel=2)",
    }
    scored = xorqa("eval", "ranking", "--data", name, "--pred", "run/run.trec")
    assert scored.status == 0 and "RR(rel=2)" in scored.out and "AP" not in scored.out


def test_answers_of_a_run_without_qrels_are_not_scored(
    xorqa: Callable[..., Any], finnish: Path, rivers: str
) -> None:
    ran = xorqa("run", finnish, "--data", f"{rivers}/open", "--out", "run")
    assert ran.status == 0, ran.err
    assert "no question has a gold answer or qrels, so nothing is scored" in ran.out
    assert read_json(Path("run/scores.json")) == {}
    assert read_json(Path("run/xor_full.json")).keys() == {"1", "2", "3"}


def test_two_routes_are_scored_one_by_one(
    xorqa: Callable[..., Any], tmp_path: Path, rivers: str
) -> None:
    path = tmp_path / "two.toml"
    route = '[[routes]]\nname = "{}"\ncorpus = "fi"\nretriever = {{ use = "bm25", k1 = {} }}\n'
    path.write_text(route.format("low", 0.9) + route.format("high", 1.5), encoding="utf-8")
    ran = xorqa("run", path, "--data", f"{rivers}/dev", "--until", "retrieve", "--out", "run")
    assert ran.status == 0, ran.err
    assert read_json(Path("run/scores.json")).keys() == {"ranking low", "ranking high"}


def test_the_folder_of_a_run_is_opened_without_trust(
    xorqa: Callable[..., Any], finnish: Path, rivers: str
) -> None:
    assert xorqa("run", finnish, "--data", f"{rivers}/dev", "--out", "run").status == 0
    ledger = xorqa("ledger", "run")
    assert "trust" not in ledger.err


def test_mistakes(xorqa: Callable[..., Any], finnish: Path, rivers: str) -> None:
    unknown = xorqa("run", finnish, "--data", "ir_datasets:mircl/ar/dev")
    assert unknown.status == 2
    assert "did you mean ir_datasets:miracl/ar/dev" in unknown.err
    empty = xorqa("run", finnish, "--data", rivers)
    assert empty.status == 2 and "has no questions; add yours: --questions FILE" in empty.err


def test_show_and_plan(xorqa: Callable[..., Any], rivers: str) -> None:
    shown = xorqa("data", "show", f"{rivers}/dev")
    assert shown.status == 0, shown.err
    assert "xorqa-rivers.dev" in shown.out and "Mikä on Suomen pisin joki?" in shown.out
    titles = xorqa("data", "show", rivers, "--titles", "--lang", "fi").out.splitlines()
    assert titles == ["fi\tKemijoki", "fi\tOulujoki", "fi\tVuoksi"]
    size = "ir_datasets:miracl/ar/dev"
    planned = xorqa("plan", size, "--kind", "bm25", "--measure", 2000)
    assert planned.status == 0 and "2,061,414" in planned.out
