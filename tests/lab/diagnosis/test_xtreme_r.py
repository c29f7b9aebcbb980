"""XTREME-R's features and buckets, as printed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

from tests.lab.diagnosis.made_up import random_data, write_squad
from xorqa.core.errors import ConfigError
from xorqa.io.files import write_json
from xorqa.lab.diagnosis.buckets import make_buckets
from xorqa.lab.diagnosis.extremes import by_language, extremes, extremes_grid
from xorqa.lab.diagnosis.facts import QuestionFacts
from xorqa.lab.diagnosis.xtreme_r import first_token, sentence_bleu


def names(values: list[float], **options: Any) -> list[str]:
    buckets = make_buckets(values, feature="f", fill="greedy", **options)
    assert "closed on the right" in buckets.rule
    counts = [int((buckets.of == place).sum()) for place in range(len(buckets.buckets))]
    return [f"{b.name}: {n}" for b, n in zip(buckets.buckets, counts, strict=True)]


def test_greedy_buckets_close_once_they_have_their_share() -> None:
    assert names([1, 1, 1, 2, 3, 4, 5, 6]) == ["1: 3", "(1,3]: 2", "(3,5]: 2", "(5,6]: 1"]
    assert names([0, 0, 0, 0.25]) == ["0: 3", "(0,0.25]: 1"]
    assert names([7, 7]) == ["7: 2"]
    assert names([1, 2, 3, 4], edges=(2, 3)) == ["≤ 2: 2", "(2,3]: 1", "> 3: 1"]


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("Who built it?", "Anna built it in 1901."),
        ("Anna Rossi", "Who is it?"),
        ("a b c d e", "a b c d e f g"),
        ("x", "y z"),
    ],
)
def test_bleu_is_that_of_sacrebleu(text: str, reference: str) -> None:
    theirs = sacrebleu.sentence_bleu(text, [reference], use_effective_order=False).score / 100
    assert sentence_bleu(text, reference, "en") == theirs
    assert sentence_bleu("", reference, "en") is None


@pytest.mark.parametrize(
    ("english", "expected"),
    [("How many?", "how"), ("In what year?", "other"), ("WHO is it?", "who"), ("", None)],
)
def test_first_tokens(english: str, expected: str | None) -> None:
    assert first_token(QuestionFacts("q", "ar", "?", (), "ar", english=english)) == expected


def test_extremes_are_those_of_each_language() -> None:
    data = random_data(3)
    options: dict[str, Any] = {"by": ["xtreme-r"], "buckets": "greedy", "metrics": ["f1+em"]}
    diagnoses = by_language(data, **options)
    rows = extremes(diagnoses)
    assert {row.lang for row in rows} == {"en", "ar", "th", "zh", "ja"}
    row = next(row for row in rows if (row.lang, row.of, row.feature) == ("ar", "s0", "qLen"))
    scores = diagnoses["ar"].scores["s0"]["qLen"]
    values = [score.metrics["f1+em"].value for score in scores]
    assert row.high and row.low
    assert (row.high[2], row.low[2]) == (max(values), min(values))
    pair = [row for row in rows if row.of == "s0 - s1"]
    assert pair and all(row.high is None or row.high[2] > 0 for row in pair)
    assert all(row.low is None or row.low[2] < 0 for row in pair)
    assert sum(map(len, extremes_grid(diagnoses).rows)) == len(rows)


def test_the_mean_needs_both_metrics() -> None:
    data = random_data(1)
    outcomes = [row.values for row in data.systems["s0"] if row.values]
    for row in outcomes:
        del row["em"]  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match=r"no metric is called 'f1\+em'"):
        by_language(data, metrics=["f1+em"])


def test_the_command(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    rows = [("q0", "Who built it?", "Anna built it.", "Anna")]
    rows += [("q1", "How was it built?", "Anna built it by hand.", "by hand")]
    data, file, out = (tmp_path / name for name in ("d.en.json", "p.json", "out.json"))
    write_squad(data, rows)
    write_json(file, {"q0": "Anna", "q1": "hand"})
    outcome = xorqa(
        *("diagnose", "--task", "squad", "--data", data, "--pred", f"a={file}"),
        *("--by", "xtreme-r", "--buckets", "greedy", "--metric", "f1+em", "--by-language"),
        *("--samples", 20, "--min-n", 1, "--json", out),
    )
    assert (outcome.status, outcome.err) == (0, "")
    assert "Best and worst bucket of each feature, f1+em" in outcome.out
    found = json.loads(out.read_text("utf-8"))["languages"]
    types = next(row for row in found if row["feature"] == "first-token")
    assert (types["best"]["bucket"], types["worst"]["bucket"]) == ("who", "how")
    assert types["worst"]["value"] == pytest.approx(100 / 3)
