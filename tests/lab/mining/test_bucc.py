import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.mining.bucc import above, bucc_report, score_pairs, tune_threshold

GOLD = {("de-1", "en-1"), ("de-2", "en-2"), ("de-3", "en-3")}


def plain(candidates: dict[tuple[str, str], float], gold: set[tuple[str, str]]) -> float:
    """`bucc_optimize` of XTREME, which fails where the last candidate would be the last kept."""
    items = sorted(candidates.items(), key=lambda item: -item[1])
    threshold = best = correct = 0.0
    for index, item in enumerate(items):
        correct += item[0] in gold
        if correct > 0:
            precision, recall = correct / (index + 1), correct / len(gold)
            f1 = 2 * precision * recall / (precision + recall)
            if f1 > best:
                best = f1
                threshold = (item[1] + items[min(index + 1, len(items) - 1)][1]) / 2
    return threshold


pairs = st.tuples(st.sampled_from("abcd"), st.sampled_from("wxyz"))
scores = st.sampled_from([0.5, 0.75, 1.0, 1.25]) | st.floats(0, 2)


@given(st.dictionaries(pairs, scores), st.sets(pairs, min_size=1))
def test_the_threshold_and_the_scores_equal_xtreme(
    candidates: dict[tuple[str, str], float], gold: set[tuple[str, str]]
) -> None:
    threshold = tune_threshold(candidates, gold)
    assert threshold == pytest.approx(plain(candidates, gold), abs=1e-9)
    mined = [pair for pair, score in candidates.items() if score >= threshold]
    correct = len(gold.intersection(mined))
    values = score_pairs(above(candidates, threshold), gold)
    if not correct:
        assert set(values.values()) == {0}
        return
    precision, recall = correct / len(mined), correct / len(gold)
    f1 = 2 * precision * recall / (precision + recall)
    assert values == pytest.approx({"f1": f1, "precision": precision, "recall": recall}, abs=1e-9)


def test_the_threshold_lies_between_the_last_kept_pair_and_the_next() -> None:
    candidates = {("de-1", "en-1"): 1.5, ("de-2", "en-2"): 1.2, ("de-1", "en-3"): 1.0}
    assert tune_threshold(candidates, GOLD) == pytest.approx(1.1)
    assert score_pairs(above(candidates, 1.1), GOLD) == pytest.approx(
        {"f1": 0.8, "precision": 1, "recall": 2 / 3}
    )


def test_without_a_gold_pair_or_with_all_kept() -> None:
    assert tune_threshold({("de-1", "en-2"): 1.5}, GOLD) == 0
    assert tune_threshold({}, GOLD) == 0
    assert tune_threshold({("de-1", "en-1"): 1.5}, GOLD) == 1.5
    assert score_pairs(set(), GOLD) == {"f1": 0, "precision": 0, "recall": 0}


def test_the_report_is_in_percent_and_counts_gold_pairs() -> None:
    values = {"de": score_pairs(GOLD, GOLD), "fr": score_pairs(set(), GOLD)}
    report = bucc_report(values, {"de": 3, "fr": 3}, signature="test")
    assert report.per_lang["de"] == {"f1": 100, "precision": 100, "recall": 100}
    assert report.macro["f1"] == 50 and report.n == {"de": 3, "fr": 3}
