"""Mewsli-X's script on hand-made cases, and where the strict scorer differs from it."""

from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.io.predictions import check
from xorqa.lab.mining.mewsli_x import read_gold, read_rankings
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference

TASK = find_task("mewsli-x")


def value(entities: tuple[str, ...], scorer: str = "official", gold: tuple[str, ...] = ("Q1",)):
    [score] = TASK.score([Reference("m", "de", gold)], {"m": entities}, scorer=scorer)
    return score.values["map@20"]


@pytest.mark.parametrize(
    ("entities", "expected"),
    [
        (("Q1",), 1),
        (("Q2", "Q1"), 1 / 2),
        (("Q2", "Q3", "Q1", "Q1"), 1 / 3),
        ((), 0),
        (("Q2",), 0),
        ((*("Q2",) * 19, "Q1"), 1 / 20),
        ((*(f"Q{number}" for number in range(2, 22)), "Q1"), 0),
    ],
)
def test_the_reciprocal_of_the_rank_within_20(entities: tuple[str, ...], expected: float) -> None:
    assert value(entities) == pytest.approx(expected, abs=1e-12)


def test_a_missing_prediction_scores_zero_and_an_extra_one_is_not_counted() -> None:
    rows = [Reference("a", "de", ("Q1",)), Reference("b", "de", ("Q2",))]
    report = TASK.evaluate(rows, {"a": ("Q1",), "other": ("Q2",)})
    assert report.per_lang == {"de": {"map@20": 50}} and report.n == {"de": 2}


def test_official_uses_the_first_gold_entity_and_counts_repeated_predictions() -> None:
    gold, entities = ("Q1", "Q9"), ("Q2", "Q2", "Q9", "Q1")
    assert value(entities, gold=gold) == 1 / 4
    assert value(entities, "strict", gold) == 1 / 2
    assert value((" Q1 ",), gold=(" Q1",)) == 0  # only the gold id is stripped
    assert value((" Q1 ",), "strict", (" Q1",)) == 1


def test_the_files_of_xtreme_r(tmp_path: Path) -> None:
    gold, pred = tmp_path / "test-pl.json", tmp_path / "pred.json"
    gold.write_text('{"a": ["Q1"], "b": ["Q2"]}')
    pred.write_text('{"a": ["Q1", "Q3"], "a": ["Q1"], "b": "Q2", "c": [], "d": ["Q1"]}')
    references = read_gold(gold)
    assert references == [Reference("a", "pl", ("Q1",)), Reference("b", "pl", ("Q2",))]
    predictions = read_rankings(pred)
    assert predictions.by_qid == {"a": ("Q1",), "c": (), "d": ("Q1",)}
    langs = {row.qid: row.lang for row in references}
    problems = {(row.kind, row.qid) for row in check(predictions, langs, scripts=False)}
    assert {
        ("duplicate id", "a"), ("wrong type", "b"), ("empty answer", "c"), ("extra id", "d"),
    } <= problems  # fmt: skip


def test_gold_files_of_another_layout(tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    path.write_text('{"a": ["Q1"]}')
    with pytest.raises(ConfigError, match="no language in the file's name; set it with --lang"):
        read_gold(path)
    assert read_gold(path, lang="uk")[0].lang == "uk"
    path.write_text('{"a": "Q1"}')
    with pytest.raises(DataError, match="must map ids to lists of entity ids: 'Q1' is not a list"):
        read_gold(path, lang="uk")
    path.write_text('{"a": []}')
    with pytest.raises(DataError, match="mewsli-x: question 'a' has no gold answer"):
        TASK.evaluate(read_gold(path, lang="uk"), {})
