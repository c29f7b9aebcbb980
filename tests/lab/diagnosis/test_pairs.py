"""Pairs: differences by hand, no false alarms, and systems together."""

import random
from dataclasses import replace

import pytest

from tests.lab.diagnosis.made_up import questions, random_data
from xorqa.lab.diagnosis.combined import common_errors, oracle
from xorqa.lab.diagnosis.diagnosis import diagnose_data
from xorqa.lab.diagnosis.facts import DiagnosisInput, Outcome
from xorqa.lab.diagnosis.report import to_json
from xorqa.metrics.significance import Settings

SEEDS = 100


def better_in_thai():
    """A is right on Thai questions, B on Chinese ones, both on all others."""
    facts = tuple(questions() * 20)
    a = tuple(Outcome({"f1": float(row.lang != "zh")}, f"a {row.qid}") for row in facts)
    b = tuple(Outcome({"f1": float(row.lang != "th")}, f"b {row.qid}") for row in facts)
    return DiagnosisInput("squad", "official", facts, {"A": a, "B": b})


def test_the_best_buckets_of_each_system_and_the_questions_behind_them():
    diagnosis = diagnose_data(better_in_thai(), by=["language", "qType"])
    [pair] = diagnosis.pairs
    [thai, *_] = diagnosis.best(pair, of_a=True)
    assert (thai.feature, thai.bucket.name, thai.n, thai.difference) == ("language", "th", 40, 100)
    assert thai.significant and (thai.low, thai.high) == (100, 100)
    [chinese, *_] = diagnosis.best(pair, of_a=False)
    assert (chinese.bucket.name, chinese.difference) == ("zh", -100)
    overall = pair.overall("f1")
    assert overall.difference == 0 and not overall.significant
    behind = to_json(diagnosis)["pairs"][0]["b_best"][0]["questions"]
    assert len(behind) == 5 and {row["lang"] for row in behind} == {"zh"}
    assert behind[0]["answers"] == {"A": "a q6", "B": "b q6"} and "这座桥" in behind[0]["passage"]


def test_small_buckets_are_not_listed():
    diagnosis = diagnose_data(better_in_thai(), by=["language"], min_n=41)
    assert diagnosis.best(diagnosis.pairs[0], of_a=True) == []


def test_questions_that_a_system_does_not_count_are_left_out():
    data = better_in_thai()
    a = (replace(data.systems["A"][0], values=None), *data.systems["A"][1:])
    [pair] = diagnose_data(replace(data, systems={**data.systems, "A": a})).pairs
    assert pair.overall("f1").n == len(data.questions) - 1


def test_p_values_are_corrected_over_all_pairs_and_buckets():
    diagnosis = diagnose_data(random_data(5, systems=3), settings=Settings(samples=500))
    rows = [row for pair in diagnosis.pairs for row in pair.differences if row.metric == "f1"]
    least = min(rows, key=lambda row: row.p_randomisation)
    assert least.p_corrected == pytest.approx(min(1, least.p_randomisation * len(rows)))
    assert all(row.p_corrected >= row.p_randomisation for row in rows)


def test_common_errors_and_the_oracle():
    diagnosis = diagnose_data(better_in_thai())
    assert diagnosis.common_errors == ()
    assert diagnosis.scores["oracle"]["all"][0].metrics["f1"].value == 100
    rows = {
        "A": [Outcome({"f1": 0.0, "em": 0.0}), Outcome(None), Outcome({"f1": 0.5, "em": 0.0})],
        "B": [Outcome({"f1": 0.0, "em": 0.0}), Outcome({"f1": 0.0, "em": 0.0}), Outcome(None)],
    }
    assert common_errors(rows, "f1") == [0]
    assert oracle(rows, ("f1", "em")) == [rows["A"][0], rows["B"][1], rows["A"][2]]


@pytest.mark.slow
def test_answers_swapped_by_a_fair_coin_give_few_significant_buckets():
    significant = tests = alarms = 0
    for seed in range(SEEDS):
        coin, data = random.Random(f"coin {seed}"), random_data(seed, times=10)
        swapped = [
            (b, a) if coin.random() < 0.5 else (a, b)
            for a, b in zip(*data.systems.values(), strict=True)
        ]
        systems = dict(zip(("A", "B"), map(tuple, zip(*swapped, strict=True)), strict=True))
        diagnosis = diagnose_data(
            replace(data, systems=systems), settings=Settings(samples=2000, seed=seed)
        )
        rows = [row for row in diagnosis.pairs[0].differences if row.metric == "f1"]
        alarms += any(row.significant for row in rows)
        significant += sum(row.significant for row in rows)
        tests += len(rows)
    assert significant / tests <= 0.05
    assert alarms <= 0.05 * SEEDS + 3  # Holm controls it; three more is within chance
