import json
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.errors import DataError
from xorqa.formats import read_answers, read_xor
from xorqa.metrics.report import Reference
from xorqa.metrics.xor_full import bleu, by_qid, evaluate_full, normalize, score_full

GOLDEN = Path(__file__).parents[2].parent / "shared" / "golden"


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("nltk", "MeCab", "unidic_lite"):
        pytest.importorskip(name)


def values(prediction, *answers, lang="fi"):
    return dict(score_full([Reference("q", lang, answers)], {"q": prediction})[0].values)


def test_counters_go_and_articles_stay():
    assert normalize(" The  1998年! ") == "the 1998"
    assert normalize("12人, 30歳, 1998년") == "12 30 1998"


def test_f1_and_exact_match_take_the_best_gold():
    found = values("1998년 봄", "1997", "1998")
    assert (found["f1"], found["em"]) == (pytest.approx(2 / 3), 0.0)
    found = values("1998년", "1997", "1998", lang="ko")
    assert (found["f1"], found["em"]) == (1.0, 1.0)


def test_bleu_is_over_characters_with_all_golds_as_references():
    # "abcd" against "abcde": every precision 1, brevity penalty exp(1 - 5/4)
    assert bleu("abcd", ["abcde"]) == pytest.approx(0.7788007830714049)
    # abcd stands in the first gold only, cdef in the second only: every n-gram is matched
    assert bleu("abcdef", ["abcdex", "xbcdef"]) == 1.0
    assert bleu("abcd", ["wxyz"]) == bleu("", ["abcd"]) == 0.0
    assert bleu("abc", ["abc"]) < 1e-50


def test_bleu_keeps_nltk_quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bleu("abx", ["abcd"]) < 1e-50


def test_japanese_is_segmented_except_for_bleu_of_the_prediction():
    found = values("東京の歴史", "東京の文化", lang="ja")
    assert found["f1"] == pytest.approx(2 / 3)
    found = values("ジョン・レノン", "ジョン レノン", lang="ja")
    assert (found["f1"], found["em"]) == (1.0, 1.0)
    assert found["bleu"] == pytest.approx(bleu("ジョン・レノン", ["ジョン レノン \n"]))


def test_ids_may_carry_a_prefix_but_whole_ids_come_first():
    assert by_qid({"dev_1": "a", "x_2": "b", "2": "c"}) == {
        "dev_1": "a",
        "1": "a",
        "x_2": "b",
        "2": "c",
    }
    rows = [Reference("1", "fi", ("abcd",)), Reference("own_2", "fi", ("abcd",))]
    report = evaluate_full(rows, {"dev_1": "abcd", "own_2": "abcd"})
    assert report.per_lang == {"fi": {"f1": 100.0, "em": 100.0, "bleu": 100.0}}


def test_macro_divides_by_seven_and_unanswered_scores_zero():
    rows = [Reference("a", "fi", ("abcd",)), Reference("b", "fi", ("abcd",))]
    report = evaluate_full(rows, {"a": "abcd"})
    assert (report.task, report.scorer, report.n) == ("xor-full", "official", {"fi": 2})
    assert report.macro == pytest.approx({"f1": 50 / 7, "em": 50 / 7, "bleu": 50 / 7})


def test_a_question_without_gold_is_refused():
    with pytest.raises(DataError, match="question 'q' has no gold answer"):
        values("x")


LANGS = ("ar", "bn", "fi", "ja", "ko", "ru", "te")
words = st.lists(st.text("abcé1東京か", min_size=1), min_size=1).map(" ".join)


@settings(deadline=None)
@given(st.lists(st.tuples(*[words] * 7), min_size=1, max_size=3), st.randoms())
def test_golds_score_100_in_any_order(rounds, random):
    rows = [
        Reference(f"{number}-{lang}", lang, (text,))
        for number, texts in enumerate(rounds)
        for lang, text in zip(LANGS, texts, strict=True)
    ]
    predictions = {row.qid: row.answers[0] for row in rows}
    report = evaluate_full(rows, predictions)
    assert (report.macro["f1"], report.macro["em"]) == (100.0, 100.0)
    random.shuffle(rows)
    assert evaluate_full(rows, predictions) == report


@settings(deadline=None)
@given(st.text("abcd ", min_size=4), st.lists(st.text("abcd "), max_size=3))
def test_bleu_of_a_gold_is_one_and_never_above(text, others):
    assert bleu(text, [text, *others]) == pytest.approx(1.0)
    assert 0 <= bleu(text, [*others, "ab"]) <= 1 + 1e-12


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs ../shared/golden")
def test_equals_the_official_script():
    expected = json.loads((GOLDEN / "expected.json").read_text())["xor_full"]
    references = [
        Reference(row.qid, row.lang, row.answers)
        for row in read_xor(GOLDEN / "xor_full.data.jsonl")
    ]
    report = evaluate_full(references, read_answers(GOLDEN / "xor_full.pred.json"))
    assert report.n == {lang: row["count"] for lang, row in expected["per_lang"].items()}
    for name in ("f1", "em", "bleu"):
        found = {lang: row[name] for lang, row in report.per_lang.items()}
        wanted = {lang: row[name] for lang, row in expected["per_lang"].items()}
        assert found == pytest.approx(wanted, abs=1e-12)
        assert report.macro[name] == pytest.approx(expected["macro"][name], abs=1e-12)
