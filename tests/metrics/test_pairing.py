import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.metrics.pairing import check_questions, shared_metrics
from xorqa.metrics.report import Score


def scores(qids, lang="fi", metrics=("f1", "em")):
    return [Score(qid, lang, dict.fromkeys(metrics, 0.5)) for qid in qids]


def test_the_same_questions_pass_in_any_order():
    check_questions(scores("abc"), scores("cab"), "dense")


def test_other_questions_are_counted_and_named_by_language():
    ours, theirs = scores("abcdef") + scores("xy", "ja"), scores("ef") + scores("xyz", "ja")
    with pytest.raises(DataError) as error:
        check_questions(ours, theirs, "dense")
    assert str(error.value) == (
        "dense and the baseline have different questions; only in the baseline: "
        "fi 4 (a, b, c, ...); only in dense: ja 1 (z)"
    )


def test_runs_over_different_languages_are_refused_by_language():
    finnish, telugu = scores("a"), scores("a", "te")
    with pytest.raises(DataError) as error:
        check_questions(finnish, telugu, "dense")
    assert str(error.value) == (
        "dense has questions in te, the baseline in fi; run both over the same languages"
    )
    with pytest.raises(DataError, match="baseline in fi, te; run both with --lang te"):
        check_questions([*finnish, *telugu], telugu, "dense")


def test_a_question_in_another_language_is_another_question():
    ours = scores("a") + scores("b", "te")
    with pytest.raises(DataError, match=r"baseline: fi 1 \(a\), te 1 \(b\); only in dense: fi 1"):
        check_questions(ours, scores("b") + scores("a", "te"), "dense")


def test_metrics_are_all_or_the_selected_ones_without_duplicates():
    ours, theirs = scores("a"), scores("a", metrics=["em", "f1"])
    assert shared_metrics(ours, {"dense": theirs}) == ("f1", "em")
    assert shared_metrics(ours, {"dense": theirs}, ["em", "em"]) == ("em",)


def test_runs_with_other_metrics_can_share_a_metric():
    ours, theirs = scores("a"), scores("a", metrics=["bleu", "em"])
    with pytest.raises(ConfigError) as error:
        shared_metrics(ours, {"dense": theirs})
    assert str(error.value) == (
        "the baseline has the metrics em, f1, but dense has bleu, em; select from those in both: em"
    )
    assert shared_metrics(ours, {"dense": theirs}, ["em"]) == ("em",)
    with pytest.raises(ConfigError, match="dense has no metric 'f1'; valid: bleu, em"):
        shared_metrics(ours, {"dense": theirs}, ["f1"])
    with pytest.raises(ConfigError, match="the baseline has no metric 'bleu'; valid: em, f1"):
        shared_metrics(ours, {"dense": theirs}, ["bleu"])


@pytest.mark.parametrize("uneven", [[], scores("a") + scores("b", metrics=["em"])])
def test_uneven_or_missing_scores_raise_an_error(uneven):
    with pytest.raises(DataError, match="dense: no questions, or questions with different"):
        shared_metrics(scores("a"), {"dense": uneven})
