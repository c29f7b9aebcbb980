import json
from functools import partial

import numpy as np
import pytest

from xorqa.lab.backretrieval.all_pairs import (
    chance,
    evaluate_pairs,
    pairs_to_json,
    spreads,
)
from xorqa.lab.backretrieval.encoders import TextEncoder
from xorqa.lab.backretrieval.evaluate import Results, evaluate
from xorqa.lab.backretrieval.pair_tables import pair_report, pair_tables
from xorqa.lab.backretrieval.sides import load_sides

LANGS = ("de", "en", "fi")


def result(bkr, xlr=(0.5, 0.5)):
    values = {"BkR": np.array(bkr), "CORR": np.zeros(2)}
    values |= {"XLR": np.array(xlr)} if xlr else {}
    return Results(40, 10, 80 if xlr else 0, {"a": values}, {"a": 0.0})


RESULTS = {("en", "fi"): result((0.2, 0.4)), ("fi", "en"): result((0.1, 0.1), (0.6, 0.8))}


def test_means_spread_and_worst_pair():
    spread = spreads(RESULTS, "BkR")["a"]
    assert spread.mean == pytest.approx(0.2) and spread.worst == ("fi", "en")
    assert spread.deviation == pytest.approx(np.std([0.3, 0.1], ddof=1))
    assert spread.quartiles == pytest.approx((0.1, 0.15, 0.2, 0.25, 0.3))
    assert spreads(RESULTS, "XLR")["a"].worst == ("en", "fi")
    assert chance(RESULTS, "BkR") == 0.25 and chance(RESULTS, "XLR") == 0.125


def test_tables_page_and_json():
    bkr, xlr = pair_tables(RESULTS)
    assert bkr.rows[0][0] == (
        *("a", "200.0", "141.4", "fi-en"),
        *("100.0", "150.0", "200.0", "250.0", "300.0"),
    )
    assert "Random: 250.0." in bkr.caption and "Random: 125.0." in xlr.caption
    page = pair_report(RESULTS)
    assert page.count("<svg") == 2 and page.count("<rect") == 2 and "random 250.0" in page
    values = json.loads(json.dumps(pairs_to_json(RESULTS)))
    assert values["encoders"]["a"]["BkR"]["worst"] == "fi-en"
    assert [(row["source"], row["target"]) for row in values["pairs"]] == list(RESULTS)


def test_table_2_distinguishes_9_3_from_9_4():
    results = {("en", "ru"): result((0.0093, 0.0093)), ("ru", "en"): result((0.0094, 0.0094))}
    [row] = pair_tables(results)[0].rows[0]
    assert (row[3], row[4], row[-1]) == ("en-ru", "9.3", "9.4")


def test_the_box_plot_has_a_named_point_per_pair_as_figure_3():
    page = pair_report(RESULTS | {("en", "de"): result((0.2, 0.24))})
    plot = page[page.index("BkR over the pairs") :]
    plot = plot[: plot.index("</svg>")]
    assert plot.count("<circle") == 3
    for point in ("en-fi: 300.0", "fi-en: 100.0", "en-de: 220.0"):
        assert f"<title>{point}</title>" in plot
    assert ">fi-en</text>" in plot and ">en-fi</text>" in plot and ">en-de</text>" not in plot


def test_a_pair_without_xlr_leaves_bkr_alone():
    results = RESULTS | {("en", "de"): result((0.3, 0.3), None)}
    assert [grid.title for grid in pair_tables(results)] == ["BkR over pairs"]


def test_every_directed_pair_is_that_of_the_pair_alone(tmp_path):
    stream = np.random.default_rng(2)
    for lang in LANGS:
        rows = [
            {
                "id": f"{number}",
                "text": f"{number} {lang}",
                "vector": stream.normal(size=3).tolist(),
            }
            for number in range(30)
        ]
        (tmp_path / f"{lang}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    sides = load_sides(tmp_path, LANGS, LANGS, images="vectors")
    results = evaluate_pairs(
        {"characters": TextEncoder("characters")},
        sides,
        texts=12,
        evaluate=partial(evaluate, seeds=2, k=5),
    )
    assert len(results) == 6
    alone = load_sides(tmp_path, ["fi"], ["en"], images="vectors")
    assert list(alone[0]) == ["fi"] and list(alone[1]) == ["en"]
    two = ({**alone[0], "en": sides[0]["en"]}, {**alone[1], "fi": sides[1]["fi"]})
    again = evaluate_pairs(
        {"characters": TextEncoder("characters")},
        two,
        texts=12,
        evaluate=partial(evaluate, seeds=2, k=5),
    )
    np.testing.assert_array_equal(
        again["fi", "en"].values["characters"]["BkR"],
        results["fi", "en"].values["characters"]["BkR"],
    )


def test_held_out_texts_only(tmp_path):
    for lang in ("en", "fi"):
        rows = [{"id": f"{number}", "text": "a", "vector": [1, 0]} for number in range(100)]
        (tmp_path / f"{lang}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    sides = load_sides(tmp_path, ["en"], ["fi"], images="vectors", held_out=0.3)
    assert sides[0]["en"].ids == sides[1]["fi"].ids
    assert 15 < len(sides[0]["en"].ids) < 45 and sides[0]["en"].total == 100
