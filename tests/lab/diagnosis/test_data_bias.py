"""The questions alone: shares of buckets, and numbers, by language."""

import math
from dataclasses import replace

from tests.lab.diagnosis.made_up import questions, random_data
from xorqa.lab.diagnosis.data_bias import bias_grids, bias_json
from xorqa.lab.diagnosis.diagnosis import diagnose_data
from xorqa.lab.diagnosis.page import diagnosis_page, page_data

ALONE = replace(random_data(1), systems={})


def test_shares_of_each_language_add_up_and_buckets_are_those_of_systems() -> None:
    alone, with_systems = diagnose_data(ALONE), diagnose_data(random_data(1))
    values = bias_json(alone)
    assert values["questions_by_language"] == {
        "all": 200,
        **dict.fromkeys(("ar", "en", "ja", "th", "zh"), 40),
    }
    for feature, rows in values["shares"].items():
        for lang in ("all", "ar", "zh"):
            assert math.isclose(sum(row["share"][lang] for row in rows), 100), feature
        scores = with_systems.scores["s0"][feature]
        assert {row["bucket"]: row["n"]["all"] for row in rows} == {
            row.bucket.name: row.n for row in scores
        }
    lengths = [len(row.text.split()) for row in questions() if row.lang == "en"]
    assert values["numbers"]["qLen"]["en"]["mean"] == sum(lengths) / 2
    assert "qType" not in values["numbers"] and "language" not in values["shares"]


def test_the_page_has_no_system() -> None:
    alone = diagnose_data(ALONE)
    data = page_data(alone)
    assert (data.systems, data.metrics, data.values) == ([], (), [])
    assert len(data.features) == len(alone.features) and len(data.features[0].of) == 1
    text = diagnosis_page(alone)
    assert all(grid.title in text for grid in bias_grids(alone))
