import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError, DataError
from xorqa.metrics.report import Score, average
from xorqa.metrics.significance import MACRO, Settings, check_questions, compare, shared_measures

QUICK = Settings(samples=500)


def scores(by_lang):
    """Language to values of f1."""
    return [
        Score(f"{lang}{at}", lang, {"f1": value, "em": float(value == 1)})
        for lang, values in by_lang.items()
        for at, value in enumerate(values)
    ]


def system(seed, *, gain=0.0, **sizes):
    values = np.random.default_rng(seed)
    return scores(
        {lang: (values.random(size) * (1 - gain) + gain).tolist() for lang, size in sizes.items()}
    )


def keyed(rows):
    return {(row.metric, row.run, row.lang): row for row in rows}


A = system(1, fi=40, te=25)
B = system(2, fi=40, te=25, gain=0.1)
C = system(3, fi=40, te=25, gain=0.6)


@settings(max_examples=20)
@given(
    st.dictionaries(
        st.sampled_from(["ar", "fi"]), st.lists(st.floats(0, 1), min_size=1), min_size=1
    )
)
def test_a_run_does_not_differ_from_itself(by_lang):
    for row in compare(scores(by_lang), {"same": scores(by_lang)}, settings=Settings(samples=20)):
        assert (row.difference, row.low, row.high) == (0, 0, 0)
        assert (row.p_bootstrap, row.p_randomisation, row.p_corrected) == (1, 1, 1)
        assert not row.significant


def test_a_clearly_better_run():
    rows = compare(A, {"better": C}, metrics=["f1"])
    assert [row.lang for row in rows] == ["fi", "te", MACRO]
    for row in rows:
        assert row.low < row.difference < row.high
        assert row.low > 10
        assert row.p_bootstrap < 0.001
        assert row.p_randomisation < 0.001
        assert row.significant


def test_scores_are_those_of_the_report():
    rows = keyed(compare(A, {"b": B}, settings=QUICK))
    ours, theirs = (average(run, task="t", scorer="s") for run in (A, B))
    for metric in ("f1", "em"):
        for lang in ("fi", "te"):
            row = rows[metric, "b", lang]
            assert row.n == ours.n[lang]
            assert row.baseline == ours.per_lang[lang][metric]
            assert row.score == theirs.per_lang[lang][metric]
        macro = rows[metric, "b", MACRO]
        assert (macro.baseline, macro.score) == (ours.macro[metric], theirs.macro[metric])
        assert macro.difference == theirs.macro[metric] - ours.macro[metric]
        assert macro.n == 65


def test_the_macro_average_weighs_languages_alike():
    """Its variance is that of a mean of means, whatever the numbers of questions."""
    a, b = system(1, fi=400, te=20), system(2, fi=400, te=20)
    rows = keyed(compare(a, {"b": b}, metrics=["f1"]))
    width = {lang: row.high - row.low for (_, _, lang), row in rows.items()}
    assert width[MACRO] == pytest.approx((width["fi"] ** 2 + width["te"] ** 2) ** 0.5 / 2, rel=0.1)


def test_one_language_has_no_macro_average():
    rows = compare(system(1, fi=9), {"b": system(2, fi=9)}, metrics=["f1"], settings=QUICK)
    assert [row.lang for row in rows] == ["fi"]
    assert rows[0].p_corrected == rows[0].p_randomisation


def test_corrections_run_over_languages_macro_and_runs_of_a_metric():
    rows = compare(A, {"b": B, "c": C}, settings=replace(QUICK, correction="bonferroni"))
    assert [(row.metric, row.run, row.lang) for row in rows] == [
        (metric, run, lang)
        for metric in ("f1", "em")
        for run in "bc"
        for lang in ("fi", "te", MACRO)
    ]
    for row in rows:
        assert row.p_corrected == min(1, 6 * row.p_randomisation)
        assert row.significant == (row.p_corrected <= 0.05)


@pytest.mark.parametrize(("confidence", "significant"), [(0.9, True), (0.91, False)])
def test_significant_is_a_p_of_exactly_the_rest(confidence, significant):
    """Nine samples cannot reach beyond 0.1."""
    a, b = scores({"fi": [0.0] * 30}), scores({"fi": [1.0] * 30})
    quick = Settings(samples=9, confidence=confidence)
    (row,) = compare(a, {"b": b}, metrics=["f1"], settings=quick)
    assert row.p_corrected == 0.1
    assert row.significant == significant


def test_results_depend_on_the_seed_only():
    rows = compare(A, {"b": B}, settings=QUICK)
    shuffled = [random.Random(seed).sample(run, len(run)) for seed, run in enumerate((A, B))]
    assert compare(shuffled[0], {"b": shuffled[1]}, settings=QUICK) == rows
    assert compare(A, {"b": B}, settings=replace(QUICK, seed=2)) != rows


def test_other_languages_runs_and_metrics_change_nothing():
    def bare(rows):
        return {
            key: replace(row, p_corrected=0, significant=False) for key, row in keyed(rows).items()
        }

    rows = bare(compare(A, {"b": B}, settings=QUICK))
    more = bare(
        compare(
            A + system(4, ar=9),
            {"c": C + system(5, ar=9), "b": B + system(6, ar=9)},
            settings=QUICK,
        )
    )
    for key, row in rows.items():
        assert key[2] == MACRO or more[key] == row
    for row in compare(A, {"b": B}, metrics=["em"], settings=replace(QUICK, correction="none")):
        same = rows["em", "b", row.lang]
        assert (row.p_bootstrap, row.p_randomisation) == (same.p_bootstrap, same.p_randomisation)


def test_the_other_way_round_is_the_mirror_image():
    there, back = compare(A, {"x": B}), compare(B, {"x": A})
    for row, mirrored in zip(there, back, strict=True):
        assert mirrored.difference == -row.difference
        assert (mirrored.low, mirrored.high) == pytest.approx((-row.high, -row.low))
        assert mirrored.p_bootstrap == row.p_bootstrap
        assert mirrored.p_randomisation == row.p_randomisation


def test_intervals_cover_and_tests_keep_their_level():
    """A hundred pairs of systems that are equally good."""
    rows = [
        row
        for seed in range(100)
        for row in compare(
            system(2 * seed, fi=60, te=30),
            {"b": system(2 * seed + 1, fi=60, te=30)},
            metrics=["f1"],
            settings=Settings(samples=300, correction="none"),
        )
        if row.lang == MACRO
    ]
    assert len(rows) == 100
    assert 88 <= sum(row.low <= 0 <= row.high for row in rows) <= 99
    assert 1 <= sum(row.significant for row in rows) <= 12


def test_runs_that_cannot_be_paired_are_refused():
    with pytest.raises(DataError, match="c and the baseline have different questions"):
        compare(A, {"b": B, "c": C[1:]}, settings=QUICK)
    with pytest.raises(ConfigError, match="no metric 'bleu'"):
        compare(A, {"b": B}, metrics=["bleu"], settings=QUICK)


def test_a_measure_may_be_named_as_tables_do():
    by_title = compare(A, {"b": B}, metrics=["F1"], settings=QUICK)
    assert by_title == compare(A, {"b": B}, metrics=["f1"], settings=QUICK)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"samples": 0}, "samples must be from 1 to 1000000 and seed at least 0, not 0 and 1"),
        ({"seed": -1}, "not 10000 and -1"),
        ({"confidence": 95}, "confidence must be between 0 and 1, such as 0.95, not 95"),
        ({"confidence": float("nan")}, "not nan"),
        ({"correction": "sidak"}, "'sidak'; valid: bh, bonferroni, holm, none"),
    ],
)
def test_settings_that_cannot_be_used(change, message):
    with pytest.raises(ConfigError, match=message):
        Settings(**change)


def tied(qids, lang="fi", metrics=("f1", "em")):
    return [Score(qid, lang, dict.fromkeys(metrics, 0.5)) for qid in qids]


def test_the_same_questions_pass_in_any_order():
    check_questions(tied("abc"), tied("cab"), "dense")


def test_other_questions_are_counted_and_named_by_language():
    ours, theirs = (
        tied("abcdef") + tied("xy", "ja"),
        tied("ef") + tied("xyz", "ja"),
    )
    with pytest.raises(DataError) as error:
        check_questions(ours, theirs, "dense")
    assert str(error.value) == (
        "dense and the baseline have different questions; only in the baseline: "
        "fi 4 (a, b, c, ...); only in dense: ja 1 (z)"
    )


def test_runs_over_different_languages_are_refused_by_language():
    finnish, telugu = tied("a"), tied("a", "te")
    with pytest.raises(DataError) as error:
        check_questions(finnish, telugu, "dense")
    assert str(error.value) == (
        "dense has questions in te, the baseline in fi; run both over the same languages"
    )
    with pytest.raises(DataError, match="baseline in fi, te; run both with --lang te"):
        check_questions([*finnish, *telugu], telugu, "dense")


def test_a_question_in_another_language_is_another_question():
    ours = tied("a") + tied("b", "te")
    with pytest.raises(DataError, match=r"baseline: fi 1 \(a\), te 1 \(b\); only in dense: fi 1"):
        check_questions(ours, tied("b") + tied("a", "te"), "dense")


def test_metrics_are_all_or_the_selected_ones_without_duplicates():
    ours, theirs = tied("a"), tied("a", metrics=["em", "f1"])
    assert shared_measures(ours, {"dense": theirs}) == ("f1", "em")
    assert shared_measures(ours, {"dense": theirs}, ["em", "em"]) == ("em",)


def test_runs_with_other_metrics_can_share_a_metric():
    ours, theirs = tied("a"), tied("a", metrics=["bleu", "em"])
    with pytest.raises(ConfigError) as error:
        shared_measures(ours, {"dense": theirs})
    assert str(error.value) == (
        "the baseline has the metrics em, f1, but dense has bleu, em; select from those in both: em"
    )
    assert shared_measures(ours, {"dense": theirs}, ["em"]) == ("em",)
    with pytest.raises(ConfigError, match="dense has no metric 'f1'; valid: bleu, em"):
        shared_measures(ours, {"dense": theirs}, ["f1"])
    with pytest.raises(ConfigError, match="the baseline has no metric 'bleu'; valid: em, f1"):
        shared_measures(ours, {"dense": theirs}, ["bleu"])


@pytest.mark.parametrize("uneven", [[], tied("a") + tied("b", metrics=["em"])])
def test_uneven_or_missing_scores_raise_an_error(uneven):
    with pytest.raises(DataError, match="dense: no questions, or questions with different"):
        shared_measures(tied("a"), {"dense": uneven})
