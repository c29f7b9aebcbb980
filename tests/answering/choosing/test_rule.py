"""Which answer is chosen."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.candidates import candidate
from xorqa.answering.choosing.rule import RuleChooser
from xorqa.core.errors import ConfigError
from xorqa.core.registry import build
from xorqa.core.types import Answer, Question
from xorqa.models.adapters import no_answer_threshold


def answer(text, score, found="en", lang=None):
    source = candidate(text, found, span_score=score)
    return Answer(text, lang or found, score, "span", source)


def chosen(prefer, answers, lang="fi"):
    [best] = RuleChooser(prefer=prefer).choose([Question("q", "?", lang)], [answers])
    return best


def test_the_best_score_wins_over_all_routes():
    answers = [answer("a", -2.0, "fi"), answer("b", -1.0, "en"), answer("c", -3.0, "sv")]
    assert chosen("score", answers).text == "b"


def test_the_question_language_comes_first():
    answers = [answer("a", -9.0, "fi"), answer("b", -1.0, "en"), answer("c", -4.0, "fi")]
    assert chosen("target", answers).text == "c"


def test_without_it_english_comes_before_the_rest():
    answers = [answer("a", -1.0, "sv"), answer("b", -5.0, "en"), answer("c", -3.0, "en")]
    assert chosen("target", answers).text == "c"
    assert chosen("target", answers[:1]).text == "a"


def test_an_english_find_said_in_the_question_language_is_still_an_english_find():
    answers = [answer("1896", -1.0, "en", lang="fi"), answer("vuosi", -2.0, "fi")]
    assert chosen("target", answers).text == "vuosi"


def test_an_answer_without_source_counts_by_its_own_language():
    answers = [answer("a", -1.0), Answer("b", "fi", -2.0, "translated")]
    assert chosen("target", answers).text == "b"


def read(text, lang, p, score=-1.0):
    """An answer from a passage that answers with probability `p`."""
    source = candidate(text, lang, passage_score=math.log(p))
    return Answer(text, lang, score, "span", source)


@pytest.mark.parametrize(
    ("p", "threshold", "wanted"),
    [(0.4, None, "oma"), (0.4, 0.3, "oma"), (0.4, 0.5, "found"), (1.0, 1.0, "oma")],
)
def test_below_the_threshold_no_answer_is_found_and_english_is_next(p, threshold, wanted):
    answers = [read("oma", "fi", p), read("found", "en", 0.1, score=-9.0)]
    rule = RuleChooser(prefer="target", no_answer=threshold)
    [best] = rule.choose([Question("q", "?", "fi")], [answers])
    assert best.text == wanted


def test_an_answer_above_the_threshold_wins_over_a_better_score_below_it():
    answers = [read("unsure", "fi", 0.2, score=-1.0), read("sure", "fi", 0.8, score=-2.0)]
    rule = RuleChooser(prefer="target", no_answer=0.5)
    assert rule.choose([Question("q", "?", "fi")], [answers])[0].text == "sure"


def test_without_english_answers_those_below_the_threshold_remain():
    answers = [read("a", "sv", 0.9, score=-3.0), read("b", "fi", 0.1, score=-1.0)]
    rule = RuleChooser(prefer="target", no_answer=0.5)
    assert rule.choose([Question("q", "?", "fi")], [answers])[0].text == "b"


def test_an_english_question_has_its_own_language_first_and_second():
    answers = [read("a", "en", 0.1, score=-1.0), read("b", "en", 0.9, score=-3.0)]
    rule = RuleChooser(prefer="target", no_answer=0.5)
    assert rule.choose([Question("q", "?", "en")], [answers])[0].text == "b"


@pytest.mark.parametrize("reader", ["reader-multi", "reader-questions"])
def test_the_threshold_of_a_shipped_reader(reader):
    threshold = no_answer_threshold(reader)
    assert 0 < threshold < 1
    rule = build("chooser", {"use": "rule", "prefer": "target", "no_answer": reader})
    same = RuleChooser(prefer="target", no_answer=threshold)
    assert rule.fingerprint() == same.fingerprint() != RuleChooser(prefer="target").fingerprint()
    for p, wanted in ((threshold - 0.01, "b"), (threshold + 0.001, "a")):
        answers = [read("a", "fi", p), read("b", "en", 0.5)]
        assert rule.choose([Question("q", "?", "fi")], [answers])[0].text == wanted


@pytest.mark.parametrize("settings", [{"no_answer": 1.5}, {"no_answer": -0.1}, {"no_answer": True}])
def test_a_threshold_is_a_probability(settings):
    with pytest.raises(ConfigError, match="no_answer"):
        build("chooser", {"use": "rule", "prefer": "target", **settings})


def test_the_best_score_has_no_threshold():
    with pytest.raises(ConfigError, match='no_answer needs prefer = "target"'):
        RuleChooser(no_answer=0.5)


@pytest.mark.parametrize("prefer", ["score", "target"])
def test_ties_go_to_the_earlier(prefer):
    assert chosen(prefer, [answer("a", -1.0), answer("b", -1.0)]).text == "a"


@pytest.mark.parametrize("prefer", ["score", "target"])
def test_no_candidates_give_an_empty_answer(prefer):
    assert chosen(prefer, [], "te") == Answer("", "te", -math.inf, method="none", source=None)


@pytest.mark.parametrize("prefer", ["score", "target"])
def test_one_answer_a_question_in_order(prefer):
    questions = [Question(str(i), "?", "fi") for i in range(3)]
    rows = [[answer("a", -1.0)], [], [answer("b", -2.0)]]
    best = RuleChooser(prefer=prefer).choose(questions, rows)
    assert [a.text for a in best] == ["a", "", "b"]
    assert RuleChooser(prefer=prefer).choose([], []) == []


def test_another_preference_is_refused_with_the_valid_ones():
    with pytest.raises(ConfigError, match=r"'best'; valid: score, target"):
        build("chooser", {"use": "rule", "prefer": "best"})


def test_fingerprints_differ_by_setting():
    prints = {RuleChooser(prefer=prefer).fingerprint() for prefer in ("score", "target")}
    assert len(prints) == 2
    assert RuleChooser().fingerprint() in prints


@given(st.lists(st.tuples(st.floats(-9, 0), st.sampled_from(["fi", "en", "sv"])), min_size=1))
def test_the_choice_is_one_of_the_answers_and_none_of_its_language_is_better(given_ones):
    answers = [answer("a", score, found) for score, found in given_ones]
    for prefer in ("score", "target"):
        best = chosen(prefer, answers)
        rivals = [a for a in answers if prefer == "score" or a.lang == best.lang]
        assert best in answers
        assert best.score == max(a.score for a in rivals)
