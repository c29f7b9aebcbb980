import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.io.predictions import read_answers
from xorqa.io.squad_xor import read_squad
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks.mlqa import normalize, score_mlqa

SHARED = Path(__file__).parents[3].parent / "shared"
LANGS = ("ar", "de", "en", "es", "hi", "vi", "zh")


def values(prediction, *answers, lang="en"):
    return dict(score_mlqa([Reference("q", lang, answers)], {"q": prediction})[0].values)


@pytest.mark.parametrize(
    ("lang", "text", "tokens"),
    [
        ("en", "The “Panthers”, a team!", "panthers team"),
        ("en", "Athens $5 50%", "athens 5 50"),
        ("en", "das Haus", "das haus"),
        ("es", "El río de las Amazonas", "río de amazonas"),
        ("de", "Die Häuser des Königs", "häuser königs"),
        ("vi", "Những người của làng", "người làng"),
        ("hi", "भारत का राजा।", "भारत का राजा"),
        ("ar", "الملك خالد، والملك", "ملك خ د و ملك"),
        ("zh", "在2015年，Super Bowl 50赢了。", "在 2015 年 super bowl 50 赢 了"),
        ("de", "在2015年", "在2015年"),
        ("ja", "The 東京、タワー", "the 東京タワー"),
    ],
)
def test_each_language_has_its_articles_and_tokens(lang, text, tokens):
    assert normalize(text, lang) == tokens


def test_chinese_f1_counts_characters():
    assert values("四次", "四次入选", lang="zh") == {"f1": pytest.approx(2 / 3), "em": 0.0}
    assert values("四次", "四次入选", lang="ja") == {"f1": 0.0, "em": 0.0}


def test_best_gold_and_unanswered():
    assert values("the Oulu!", "Turku", "Oulu") == {"f1": 1.0, "em": 1.0}
    (unanswered,) = score_mlqa([Reference("q", "en", ("Oulu",))], {"other": "Oulu"})
    assert unanswered.values == {"f1": 0.0, "em": 0.0}


@pytest.mark.parametrize(
    ("lang", "gold"), [("en", "the"), ("es", "las"), ("ar", "ال"), ("zh", "。")]
)
def test_a_gold_of_nothing_but_articles_matches_exactly_with_f1_of_0(lang, gold):
    assert values(gold, gold, lang=lang) == {"f1": 0.0, "em": 1.0}


texts = st.lists(st.text("xéال中é1।, "), min_size=1).map(" the ".join)
langs = st.sampled_from([*LANGS, "ja", "fi"])


@given(st.text() | texts, langs)
def test_normalising_twice_changes_nothing_and_leaves_no_punctuation(text, lang):
    once = normalize(text, lang)
    assert normalize(once, lang) == once
    assert not set(once) & set("।，.$%")


@given(texts, st.lists(texts, min_size=1, max_size=3), texts, langs)
def test_scores_lie_between_0_and_1_and_a_further_gold_never_lowers_them(
    text, golds, further, lang
):
    before, after = values(text, *golds, lang=lang), values(text, *golds, further, lang=lang)
    assert all(0 <= before[name] <= after[name] <= 1 for name in before)
    if all(normalize(gold, lang) for gold in golds):
        assert before["em"] <= before["f1"]


pairs = st.tuples(texts, langs).filter(lambda pair: normalize(*pair))


@given(st.lists(pairs, min_size=1), st.randoms())
def test_golds_score_100_in_any_order(golds, random):
    rows = [Reference(str(i), lang, (gold,)) for i, (gold, lang) in enumerate(golds)]
    predictions = {row.qid: row.answers[0] for row in rows}
    report = find_task("mlqa").evaluate(rows, predictions)
    assert report.macro == {"f1": 100.0, "em": 100.0}
    shuffled = dict(random.sample(sorted(predictions.items()), len(rows)))
    random.shuffle(rows)
    assert find_task("mlqa").evaluate(rows, shuffled) == report


@pytest.mark.skipif(not (SHARED / "golden").is_dir(), reason="needs ../shared/golden")
@pytest.mark.parametrize("lang", LANGS)
def test_equals_the_official_script(lang):
    expected = json.loads((SHARED / "golden" / "mlqa.expected.json").read_text())[lang]
    references = [
        Reference(question.qid, lang, question.answers[:1])
        for question in read_squad(SHARED / "data" / "xquad" / f"xquad.{lang}.json")
    ]
    predictions = read_answers(SHARED / "golden" / f"mlqa.{lang}.pred.json").by_qid
    found = find_task("mlqa").evaluate(references, predictions).per_lang[lang]
    assert found["f1"] == pytest.approx(expected["f1"], abs=1e-9)
    assert found["em"] == pytest.approx(expected["exact_match"], abs=1e-9)
