"""Metrics by bucket: equal to hand computations and to the mean over all questions."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lab.diagnosis.made_up import questions, random_data
from xorqa.core.errors import ConfigError
from xorqa.lab.diagnosis.diagnosis import diagnose_data
from xorqa.lab.diagnosis.facts import DiagnosisInput, Outcome
from xorqa.lab.diagnosis.pairs import ALL
from xorqa.lab.diagnosis.report import to_csv, to_json
from xorqa.lab.diagnosis.tables import diagnosis_grids
from xorqa.metrics.significance import Settings

FEW = Settings(samples=200)


def diagnose(data, **options):
    return diagnose_data(data, **{"settings": FEW} | options)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=60))
def test_the_mean_of_buckets_weighted_by_n_is_the_mean_of_all(f1s):
    outcomes = tuple(Outcome(None if f1 is None else {"f1": f1}) for f1 in f1s)
    counted = [f1 for f1 in f1s if f1 is not None]
    facts = tuple((questions() * 6)[: len(f1s)])
    data = DiagnosisInput("squad", "official", facts, {"s": outcomes})
    if not counted:
        with pytest.raises(ConfigError, match="no question can be scored"):
            diagnose(data)
        return
    scores = diagnose(data, settings=Settings(samples=3)).scores["s"]
    for rows in scores.values():
        assert sum(row.n for row in rows) == len(counted)
        total = math.fsum(row.n * row.metrics["f1"].value for row in rows)
        assert total / len(counted) == pytest.approx(100 * math.fsum(counted) / len(counted), 1e-9)


def test_a_bucket_has_the_mean_and_n_of_its_questions():
    data = random_data(1)
    scores = diagnose(data, by=["language", "aLen"], edges={"aLen": (2, 3)}).scores["s0"]
    by_lang = {row.bucket.name: row for row in scores["language"]}
    for lang in ("en", "th"):
        f1s = [
            outcome.values["f1"]
            for question, outcome in zip(data.questions, data.systems["s0"], strict=True)
            if question.lang == lang
        ]
        assert by_lang[lang].n == len(f1s) == 40
        assert by_lang[lang].metrics["f1"].value == pytest.approx(100 * sum(f1s) / 40)
    assert [(row.bucket.name, row.n) for row in scores["aLen"]] == [
        ("≤ 1", 60),
        ("2", 100),
        ("≥ 3", 40),
    ]


def test_intervals_hold_the_mean_and_are_those_of_a_binomial():
    outcomes = tuple(Outcome({"em": float(number < 300)}) for number in range(1000))
    facts = tuple(questions() * 100)
    data = DiagnosisInput("squad", "official", facts, {"s": outcomes})
    [row] = diagnose(data, settings=Settings(samples=10_000)).scores["s"][ALL]
    assert row.metrics["em"].value == pytest.approx(30)
    half = 100 * 1.96 * math.sqrt(0.3 * 0.7 / 1000)
    assert row.metrics["em"].low == pytest.approx(30 - half, abs=0.25)
    assert row.metrics["em"].high == pytest.approx(30 + half, abs=0.25)


def test_results_do_not_depend_on_other_features_or_the_order_of_questions():
    data = random_data(2, systems=1)
    turned = DiagnosisInput(
        data.task, data.scorer, data.questions[::-1], {"s0": data.systems["s0"][::-1]}
    )
    few = diagnose(turned, by=["qType"]).scores["s0"]["qType"]
    assert few == diagnose(data).scores["s0"]["qType"]


def test_default_features_are_those_that_split_the_questions():
    names = [feature.name for feature in diagnose(random_data(1)).features]
    assert {"language", "aLen", "qType", "gold-rank"} <= set(names)
    assert not {"passage-language", "answered-in", "chrF"} & set(names)
    with pytest.raises(ConfigError, match="no value for any question"):
        diagnose(random_data(1), by=["chrF"])


def test_ranks_of_each_system_make_its_own_buckets():
    data = random_data(3)
    diagnosis = diagnose(data, by=["gold-rank"])
    for system, outcomes in data.systems.items():
        ranks = Counter(outcome.gold_rank for outcome in outcomes)
        rows = {row.bucket.name: row.n for row in diagnosis.scores[system]["gold-rank"]}
        assert rows == {"≤ 1": ranks[1], "2–5": ranks[4], "missing": ranks[None]}
    assert "gold-rank" not in diagnosis.scores["oracle"]


def test_own_features(tmp_path, monkeypatch):
    values = tmp_path / "values.tsv"
    values.write_text("q0\t1\nq1\t7\n", encoding="utf-8")
    (tmp_path / "own_module.py").write_text(
        "def first(question):\n    return question.text[:1] if question.lang == 'en' else None\n"
        "def wrong(question):\n    return [question]\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    scores = diagnose(random_data(1), by=[f"hops={values}", "own_module:first"]).scores["s0"]
    assert [(r.bucket.name, r.n) for r in scores["hops"]] == [
        ("1–6", 20),
        ("7", 20),
        ("missing", 160),
    ]
    assert [(r.bucket.name, r.n) for r in scores["first"]] == [
        ("H", 20),
        ("W", 20),
        ("missing", 160),
    ]
    for name, message in (
        ("own_module:wrong", "must return a number"),
        ("own_module:nothing", "cannot be imported"),
        ("alen", "valid: BLEU-AQ"),
        (f"aLen={values}", "a name of its own"),
    ):
        with pytest.raises(ConfigError, match=message):
            diagnose(random_data(1), by=[name])


def test_options_are_checked():
    with pytest.raises(ConfigError, match="no metric is called 'f2'; valid: em, f1"):
        diagnose(random_data(1), metrics=["f2"])
    with pytest.raises(ConfigError, match="no feature is called 'cLen'"):
        diagnose(random_data(1), by=["aLen"], edges={"cLen": (3,)})


def test_reports_have_every_bucket():
    diagnosis = diagnose(random_data(1, systems=3))
    values = to_json(diagnosis)
    assert list(values["systems"]) == ["s0", "s1", "s2", "oracle"]
    bucket = values["systems"]["s0"]["aLen"][0]
    assert bucket.keys() == {"bucket", "low", "high", "n", "metric"}
    assert bucket["metric"]["f1"].keys() == {"value", "low", "high"}
    assert [(pair["a"], pair["b"]) for pair in values["pairs"]] == [
        ("s0", "s1"),
        ("s0", "s2"),
        ("s1", "s2"),
    ]
    lines = to_csv(diagnosis).splitlines()
    assert lines[0].startswith("system,feature,bucket,bucket_low") and len(lines) > 100
    titles = [grid.title for grid in diagnosis_grids(diagnosis)]
    assert titles[0] == "squad (official), f1 by bucket" and titles[-1] == "All pairs, f1"
    assert (
        "aLen: words of the first gold answer (4 quantiles)"
        in diagnosis_grids(diagnosis)[0].caption
    )
