import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.metrics.answers import words
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks.xor_full import score_xor_full, score_xor_full_strict, strict_signature


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("sacremoses", "sacrebleu", "MeCab", "unidic_lite"):
        pytest.importorskip(name)


def values(prediction, *answers, lang="fi"):
    predictions = {} if prediction is None else {"q": prediction}
    return dict(score_xor_full_strict([Reference("q", lang, answers)], predictions)[0].values)


PERFECT = {"f1": 1.0, "em": 1.0, "bleu": 1.0}
NOTHING = {"f1": 0.0, "em": 0.0, "bleu": 0.0}


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("fi", "Oulu (ruots. Uleåborg), 1605", "Oulu|(|ruots|.|Uleåborg|)|,|1605"),
        ("ar", "مدينة، القاهرة", "مدينة|،|القاهرة"),
        ("te", "నరేంద్ర మోదీ.", "నరేంద్ర|మోదీ|."),
        ("ko", "1998년 & 'a'", "1998년|&|'|a|'"),
        ("ja", "東京の歴史", "東京|の|歴史"),
        ("zh", "北京2008年 Beijing", "北|京|2008|年|Beijing"),
        ("th", "ไทย 2008", "ไ|ท|ย|2008"),
        ("xx", "Mr. Smith", "Mr.|Smith"),
    ],
)
def test_words_by_language(lang, text, expected):
    assert words(text, lang) == tuple(expected.split("|"))


def test_f1_and_exact_match_take_the_best_gold():
    assert values("Oulu!", "Turku", "Oulu")["em"] == 1.0
    found = values("Oulu Turku", "Vaasa", "Oulu")
    assert (found["f1"], found["em"]) == (pytest.approx(2 / 3), 0.0)
    found = values("Suomi Oulu", "Oulu Suomi")
    assert (found["f1"], found["em"]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("prediction", "gold", "lang"),
    [
        ("oulu", "OULU", "fi"),
        ("１９９８年", "1998年", "ja"),
        ("St. Petersburg", "St Petersburg", "ru"),
        ("5,300", "5300", "te"),
        ("«Мир»", "мир", "ru"),
    ],
)
def test_case_width_and_punctuation_do_not_count(prediction, gold, lang):
    found = values(prediction, gold, lang=lang)
    assert (found["f1"], found["em"]) == (1.0, 1.0)


def test_counters_and_articles_count():
    found = values("1998年", "1998", lang="ja")
    assert (found["f1"], found["em"]) == (pytest.approx(2 / 3), 0.0)
    assert values("the Oulu", "Oulu")["em"] == 0.0


def test_only_punctuation_stays():
    assert values("!", "!") == PERFECT
    assert values("?", "!") == NOTHING


def test_bleu_is_over_words_as_written():
    # of two words one is right; no pair is, for which smoothing puts half a match
    assert values("oulu Oulu", "Oulu Oulu")["bleu"] == pytest.approx((1 / 2 * 1 / 2) ** 0.5)
    assert values("a b c d", "a b c d e")["bleu"] == pytest.approx(0.7788007830714049)
    # a b c stand in the first gold only, c d e in the second only
    assert values("a b c d e", "a b c d x", "x b c d e")["bleu"] == 1.0
    assert values("東京の歴史", "東京 の 歴史", lang="ja")["bleu"] == 1.0
    assert values("东京", "东西", lang="zh")["bleu"] == pytest.approx(1 / 2)


def test_unanswered_scores_zero_and_blanks_do_no_harm():
    assert values(None, "Oulu") == NOTHING
    for lang in ("fi", "ja", "th"):
        for blank in ("", " ", "\n\u3000"):
            assert values(blank, "Oulu", lang=lang) == NOTHING
            assert values("Oulu", blank, lang=lang) == NOTHING
            assert values("Oulu", blank, "Oulu", lang=lang) == PERFECT
            assert values(blank, blank, lang=lang)["bleu"] == 0.0


def test_macro_is_over_the_languages_present():
    rows = [Reference("a", "fi", ("x",)), Reference("b", "sv", ("x",)), Reference("c", "sv", "y")]
    report = find_task("xor-full").evaluate(rows, {"a": "x", "b": "x"}, scorer="strict")
    assert report.macro == {"f1": 75.0, "em": 75.0, "bleu": 75.0}
    assert report.signature == strict_signature()


def test_signature_does_not_depend_on_what_was_scored():
    before = strict_signature()
    values("a", "b", "c", "d")
    assert strict_signature() == before
    fields = dict(part.split(":", 1) for part in before.split("|"))
    assert (fields["nrefs"], fields["eff"], fields["tok"]) == ("var", "yes", "none")
    assert {"case", "smooth", "version", "words"} <= set(fields)


LANGS = ("ar", "bn", "fi", "ja", "ko", "ru", "te", "th", "zh", "xx")
texts = st.text() | st.text("aÉ1 .,!'年か人กน้์")
languages = st.sampled_from(LANGS)


@settings(deadline=None)
@given(texts.filter(str.strip), st.lists(texts, max_size=2), languages)
def test_a_gold_scores_100(text, others, lang):
    assert values(text, *others, text, lang=lang) == PERFECT


@settings(deadline=None)
@given(texts, st.lists(texts, min_size=1, max_size=3), languages)
def test_scores_are_in_order(prediction, golds, lang):
    found = values(prediction, *golds, lang=lang)
    assert 0.0 <= found["em"] <= found["f1"] <= 1.0
    assert 0.0 <= found["bleu"] <= 1.0
    assert found == values(prediction, *golds[::-1], lang=lang)


@settings(deadline=None)
@given(st.lists(st.tuples(texts, texts, languages), min_size=1, max_size=4), st.randoms())
def test_the_order_of_questions_does_not_matter(rows, random):
    references = [Reference(str(n), lang, (gold,)) for n, (_, gold, lang) in enumerate(rows)]
    predictions = {str(n): text for n, (text, _, _) in enumerate(rows)}
    report = find_task("xor-full").evaluate(references, predictions, scorer="strict")
    random.shuffle(references)
    assert find_task("xor-full").evaluate(references, predictions, scorer="strict") == report


words_of_ascii = st.from_regex(r"[A-Za-z0-9]+", fullmatch=True) | st.sampled_from(["Oulu", "oulu"])


@settings(deadline=None)
@given(words_of_ascii, st.lists(words_of_ascii, min_size=1, max_size=3), languages)
def test_plain_words_score_as_they_do_officially(prediction, golds, lang):
    found = values(prediction, *golds, lang=lang)
    expected = score_xor_full([Reference("q", lang, tuple(golds))], {"q": prediction})[0].values
    assert (found["f1"], found["em"]) == (expected["f1"], expected["em"])
