import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.lang import LANGUAGES
from xorqa.core.text.normalize import fold
from xorqa.metrics.answers import (
    ARTICLES,
    CHARACTERS,
    best,
    normalize,
    score_answers,
    score_english_answers,
    token_f1,
    tokens,
)
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks import squad


@pytest.fixture(autouse=True, scope="module")
def _packages():
    for name in ("MeCab", "unidic_lite"):
        pytest.importorskip(name)


@pytest.mark.parametrize(
    ("lang", "text", "normal"),
    [
        ("en", "  The Ｂeatles’ “An  Album”!", "beatles album"),
        ("en", string.punctuation + "x", "x"),
        ("de", "Die Straße des STRASSE", "strasse strasse"),
        ("es", "la Ciudad de los Ángeles", "ciudad de ángeles"),
        ("vi", "Những cái tên của a\u0300", "tên à"),
        ("fi", "The Oulu", "the oulu"),
        ("hi", "नई दिल्ली।", "नई दिल्ली"),
        ("ar", "الكتاب، والكتاب الال؟", "كتاب والكتاب ال"),
        ("ja", "第２次「大戦」、ｶﾞ", "第2次大戦ガ"),
        ("xx", "The Die", "the die"),
        ("fi", "alkali\u00adlasi", "alkalilasi"),
        ("te", "సాఫ్ట్\u200cవేర్", "సాఫ్ట్వేర్"),
    ],
)
def test_differences_that_do_not_count(lang, text, normal):
    assert normalize(text, lang) == normal


@pytest.mark.parametrize(
    ("lang", "text", "normal"),
    [
        ("en", "The", "the"),
        ("en", "“The A”", "the a"),
        ("ar", "ال", "ال"),
        ("en", "… ?", "... ?"),
        ("ja", "「」", "「」"),
        ("en", " \t", ""),
    ],
)
def test_answers_that_would_be_empty_are_kept(lang, text, normal):
    assert normalize(text, lang) == normal


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        ("en", "New York-based 東京", ["new", "yorkbased", "東京"]),
        ("ko", "서울 특별시", ["서울", "특별시"]),
        ("ja", "東京の歴史", ["東京", "の", "歴史"]),
        ("zh", "北京 Beijing 2008年", ["北", "京", "beijing", "2008", "年"]),
        ("th", "ไทย Thai 1", ["ไ", "ท", "ย", "thai", "1"]),
        ("xx", "ab cd", ["ab", "cd"]),
    ],
)
def test_tokens(lang, text, found):
    assert tokens(text, lang) == found


def test_every_language_without_spaces_has_its_tokens():
    assert {code for code, row in LANGUAGES.items() if not row.spaced} == {"ja", *CHARACTERS}


written = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
langs = st.sampled_from([*LANGUAGES, "xx"])


@settings(deadline=None)
@given(written, langs)
def test_only_white_space_has_no_tokens_and_no_token_has_white_space(text, lang):
    found = tokens(text, lang)
    assert bool(found) == bool(fold(text).strip())  # invisible characters are none
    assert all(token and not any(map(str.isspace, token)) for token in found)
    assert "".join(found) == normalize(text, lang).replace(" ", "")


@given(written)
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("predicted", "gold", "f1"),
    [
        ("a b", "a b", 1.0),
        ("b a", "a b", 1.0),  # order does not count
        ("a b c", "a", 0.5),
        ("a a", "a b", 0.5),  # a token counts as often as both have it
        ("a b", "c", 0.0),
        ("", "a", 0.0),
        ("a", "", 0.0),
        ("", "", 0.0),
    ],
)
def test_f1_of_bags_of_tokens(predicted, gold, f1):
    assert token_f1(predicted.split(), gold.split()) == pytest.approx(f1)


bags = st.lists(st.sampled_from("abcd"))


@given(bags, bags)
def test_f1_is_symmetric_and_at_most_1(one, other):
    assert token_f1(one, other) == pytest.approx(token_f1(other, one))
    assert 0 <= token_f1(one, other) <= 1
    assert token_f1(one, one) == bool(one)


def test_best_is_over_the_golds_and_0_without_any():
    lengths = {"a": 0.2, "b": 0.7}
    assert best(lambda _, gold: lengths[gold], "x", ["a", "b"]) == 0.7
    assert best(lambda _, gold: lengths[gold], "x", []) == 0.0
    assert best(lambda prediction, gold: float(prediction == gold), "a", ["b", "a"]) == 1.0


def values(prediction, *answers, lang="en", scorer=score_answers):
    predictions = {} if prediction is None else {"q": prediction}
    return dict(scorer([Reference("q", lang, answers)], predictions)[0].values)


def test_best_gold_in_the_questions_language():
    assert values("die Oulu.", "Turku", "Oulu", lang="de") == {"f1": 1.0, "em": 1.0}
    assert values("the Oulu.", "Oulu", lang="fi") == {"f1": pytest.approx(2 / 3), "em": 0.0}
    assert values("東京の歴史", "東京の文化", lang="ja")["f1"] == pytest.approx(2 / 3)
    assert values("北京市", "北京", lang="zh")["f1"] == pytest.approx(4 / 5)
    assert values("Turku", "Oulu") == {"f1": 0.0, "em": 0.0}


def test_words_in_another_order_are_not_an_exact_match():
    assert values("Finland Oulu", "Oulu Finland") == {"f1": 1.0, "em": 0.0}


def test_english_answers_to_questions_in_other_languages():
    references = [Reference("q", "ja", ("The Beatles",))]
    assert score_english_answers(references, {"q": "beatles"}) != score_answers(
        references, {"q": "beatles"}
    )
    assert [row.lang for row in score_english_answers(references, {})] == ["ja"]
    assert values("beatles", "The Beatles", lang="ja", scorer=score_english_answers)["em"] == 1.0


def test_unanswered_counts_as_zero():
    assert values(None, "Oulu") == {"f1": 0.0, "em": 0.0}
    assert values("", "Oulu") == {"f1": 0.0, "em": 0.0}


def test_an_answer_of_articles_or_punctuation_matches_itself_only():
    for answer in ("The", "A", "?", "..."):
        assert values(answer, answer) == {"f1": 1.0, "em": 1.0}
        assert values("", answer) == {"f1": 0.0, "em": 0.0}
    assert values("A", "The") == values("?", "!") == {"f1": 0.0, "em": 0.0}


@settings(deadline=None)
@given(st.lists(st.tuples(langs, written), min_size=1), st.randoms())
def test_golds_score_one_whatever_the_order_of_predictions(rows, random):
    references = [Reference(str(i), lang, (text,)) for i, (lang, text) in enumerate(rows)]
    predictions = [(row.qid, row.answers[0]) for row in references]
    random.shuffle(predictions)
    for found in (
        score_answers(references, dict(predictions)),
        score_english_answers(references, {**dict(predictions)}),
    ):
        assert [row.qid for row in found] == [row.qid for row in references]
        assert all(row.values == {"f1": 1.0, "em": 1.0} for row in found)


similar = st.text("aé1 .の東", max_size=6)


@settings(deadline=None)
@given(langs, similar, st.lists(similar, min_size=1), similar)
def test_scores_lie_between_0_and_1_and_a_further_gold_never_lowers_them(lang, text, golds, more):
    before, after = values(text, *golds, lang=lang), values(text, *golds, more, lang=lang)
    assert all(before[name] <= after[name] for name in before)
    assert 0 <= before["em"] <= before["f1"] <= 1


listed = {article for some in ARTICLES.values() for article in some}
spaced = st.sampled_from([code for code, row in LANGUAGES.items() if row.spaced])
ascii_text = st.text(string.ascii_letters + string.digits + string.punctuation, max_size=6)
words = (ascii_text | st.text("abAB1-'.", max_size=4)).map(lambda text: f"x{text}")
phrases = st.lists(words, min_size=1, max_size=3).map(" ".join)


@given(spaced, phrases, st.lists(phrases, min_size=1, max_size=3))
def test_plain_ascii_answers_score_as_officially(lang, prediction, golds):
    assert not listed & {*squad.normalize(" ".join([prediction, *golds])).split()}
    references, predictions = [Reference("q", lang, tuple(golds))], {"q": prediction}
    assert score_answers(references, predictions) == squad.score_squad(references, predictions)
    assert score_english_answers(references, predictions) == squad.score_squad(
        references, predictions
    )
