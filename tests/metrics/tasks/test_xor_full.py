import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.io.squad_xor import read_xor
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks.xor_full import bleu, by_qid, normalize, score_xor_full

GOLDEN = Path(__file__).parents[3].parent / "shared" / "golden"


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("MeCab", "unidic_lite"):
        pytest.importorskip(name)


def values(prediction, *answers, lang="fi"):
    return dict(score_xor_full([Reference("q", lang, answers)], {"q": prediction})[0].values)


def test_counters_go_and_articles_stay():
    assert normalize(" The  1998年! ") == "the 1998"
    assert normalize("12人, 30歳, 1998년") == "12 30 1998"


def test_f1_and_exact_match_take_the_best_gold():
    found = values("1998년 봄", "1997", "1998")
    assert (found["f1"], found["em"]) == (pytest.approx(2 / 3), 0.0)
    found = values("1998년", "1997", "1998", lang="ko")
    assert (found["f1"], found["em"]) == (1.0, 1.0)


def test_words_in_another_order_are_not_an_exact_match():
    found = values("Suomi Oulu", "Oulu Suomi")
    assert (found["f1"], found["em"]) == (1.0, 0.0)


def test_bleu_is_over_characters_with_all_golds_as_references():
    # "abcd" against "abcde": every precision 1, brevity penalty exp(1 - 5/4)
    assert bleu("abcd", ["abcde"]) == pytest.approx(0.7788007830714049)
    # abcd stands in the first gold only, cdef in the second only: every n-gram is matched
    assert bleu("abcdef", ["abcdex", "xbcdef"]) == 1.0
    assert bleu("abcd", ["wxyz"]) == bleu("", ["abcd"]) == 0.0


def test_a_gold_of_fewer_than_four_characters_scores_no_bleu():
    assert 0.0 < bleu("abc", ["abc"]) < 1e-50
    assert values("1998", "1998")["bleu"] == 1.0
    found = values("42", "42")
    assert (found["f1"], found["em"]) == (1.0, 1.0)
    assert found["bleu"] < 1e-50


def test_a_gold_that_normalises_to_nothing_scores_no_f1():
    found = values("年", "年", lang="fi")
    assert (found["f1"], found["em"]) == (0.0, 1.0)


def test_japanese_is_segmented_except_for_bleu_of_the_prediction():
    found = values("東京の歴史", "東京の文化", lang="ja")
    assert found["f1"] == pytest.approx(2 / 3)
    found = values("ジョン・レノン", "ジョン レノン", lang="ja")
    assert (found["f1"], found["em"]) == (1.0, 1.0)
    assert found["bleu"] == pytest.approx(bleu("ジョン・レノン", ["ジョン レノン \n"]))


def test_a_japanese_gold_does_not_score_100():
    found = values("東京の歴史", "東京の歴史", lang="ja")
    assert (found["f1"], found["em"]) == (1.0, 1.0)
    assert found["bleu"] == bleu("東京の歴史", ["東京 の 歴史 \n"]) < 0.5
    # the point becomes a blank in predictions only; MeCab keeps it as a word of the gold
    found = values("ジョン・レノン", "ジョン・レノン", lang="ja")
    assert (found["f1"], found["em"]) == (pytest.approx(4 / 5), 0.0)


def test_ids_may_carry_a_prefix_but_whole_ids_come_first():
    assert by_qid({"dev_1": "a", "x_2": "b", "2": "c"}) == {
        "dev_1": "a",
        "1": "a",
        "x_2": "b",
        "2": "c",
    }
    rows = [Reference("1", "fi", ("abcd",)), Reference("own_2", "fi", ("abcd",))]
    report = find_task("xor-full").evaluate(rows, {"dev_1": "abcd", "own_2": "abcd"})
    assert report.per_lang == {"fi": {"f1": 100.0, "em": 100.0, "bleu": 100.0}}


def test_macro_is_over_the_languages_present_and_unanswered_scores_zero():
    rows = [Reference("a", "fi", ("abcd",)), Reference("b", "fi", ("abcd",))]
    report = find_task("xor-full").evaluate(rows, {"a": "abcd"})
    assert (report.task, report.scorer, report.n) == ("xor-full", "official", {"fi": 2})
    assert report.macro == {"f1": 50.0, "em": 50.0, "bleu": 50.0}
    assert report.macro_over_seven == {}


def test_languages_that_the_script_ignores_count_in_the_macro_only():
    rows = [Reference(lang, lang, ("abcd",)) for lang in (*LANGS, "sv")]
    predictions = dict.fromkeys(LANGS, "abcd")
    report = find_task("xor-full").evaluate(rows, predictions)
    assert report.per_lang["sv"] == {"f1": 0.0, "em": 0.0, "bleu": 0.0}
    assert report.macro["f1"] == 100 * 7 / 8
    assert report.macro_over_seven["f1"] == 100.0


def test_a_question_without_gold_is_refused():
    with pytest.raises(DataError, match="question 'q' has no gold answer"):
        find_task("xor-full").evaluate([Reference("q", "fi", ())], {"q": "x"})


LANGS = ("ar", "bn", "fi", "ja", "ko", "ru", "te")
texts = st.text() | st.text("abé1 .年か")


@pytest.mark.filterwarnings("ignore::UserWarning")
@settings(deadline=None)
@given(st.text("abc "), st.lists(st.text("abc "), min_size=1, max_size=4))
def test_bleu_equals_nltks(prediction, golds):
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    expected = nltk.sentence_bleu(golds, prediction)
    assert bleu(prediction, golds) == pytest.approx(expected, rel=1e-12, abs=0)


@settings(deadline=None)
@given(st.text("東京abか1", min_size=1), st.sampled_from(LANGS))
def test_a_gold_scores_100_in_f1_and_exact_match(text, lang):
    found = values(text, text, lang=lang)
    assert (found["f1"], found["em"]) == (1.0, 1.0)


@settings(deadline=None)
@given(texts, st.lists(texts, max_size=3))
def test_a_gold_scores_100_where_something_is_left_to_compare(text, others):
    found = values(text, *others, text)
    assert found["em"] == 1.0
    if normalize(text):
        assert found["f1"] == 1.0
    if len(text) >= 4:
        assert found["bleu"] == 1.0


@settings(deadline=None)
@given(texts, st.lists(texts.filter(normalize), min_size=1, max_size=3))
def test_scores_are_in_order(prediction, golds):
    found = values(prediction, *golds)
    assert 0.0 <= found["em"] <= found["f1"] <= 1.0
    assert 0.0 <= found["bleu"] <= 1.0
    assert found == values(prediction, *golds[::-1])


@settings(deadline=None)
@given(st.lists(st.tuples(texts, texts, st.sampled_from(LANGS)), min_size=1), st.randoms())
def test_the_order_of_questions_does_not_matter(rows, random):
    references = [Reference(str(n), lang, (gold,)) for n, (_, gold, lang) in enumerate(rows)]
    predictions = {str(n): text for n, (text, _, _) in enumerate(rows)}
    report = find_task("xor-full").evaluate(references, predictions)
    random.shuffle(references)
    assert find_task("xor-full").evaluate(references, predictions) == report


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs ../shared/golden")
def test_equals_the_official_script():
    expected = json.loads((GOLDEN / "expected.json").read_text())["xor_full"]
    references = [
        Reference(row.qid, row.lang, row.answers)
        for row in read_xor(GOLDEN / "xor_full.data.jsonl")
    ]
    predictions = json.loads((GOLDEN / "xor_full.pred.json").read_text(encoding="utf-8"))
    report = find_task("xor-full").evaluate(references, predictions)
    assert report.n == {lang: row["count"] for lang, row in expected["per_lang"].items()}
    divided = report.over_seven().macro_over_seven
    for name in ("f1", "em", "bleu"):
        found = {lang: row[name] for lang, row in report.per_lang.items()}
        wanted = {lang: row[name] for lang, row in expected["per_lang"].items()}
        assert found == pytest.approx(wanted, abs=1e-12)
        assert divided[name] == pytest.approx(expected["macro"][name], abs=1e-12)
