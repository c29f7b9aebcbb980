from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError
from xorqa.io.predictions import read_passages
from xorqa.io.squad_xor import read_xor
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks.xor_retrieve import score_xor_retrieve, score_xor_retrieve_strict

GOLDEN = Path(__file__).parents[3].parent / "shared" / "golden"


@pytest.fixture(autouse=True, scope="module")
def _packages():
    pytest.importorskip("nltk")
    pytest.importorskip("punkt")


def hit(passages, *answers, k=(2, 5), scorer=score_xor_retrieve_strict):
    """The values of one question, or None where it is not counted."""
    scores = scorer([Reference("q", "fi", answers)], {"q": passages}, k=k)
    return scores[0].values if scores else None


def both(passages, *answers):
    """R@2kt of the official and of the strict scorer."""
    scorers = score_xor_retrieve, score_xor_retrieve_strict
    return [hit(passages, *answers, scorer=scorer)["R@2kt"] for scorer in scorers]


def test_the_budget_is_counted_in_tokens_across_passages():
    assert hit(["w " * 1000, "w " * 999 + "Oulu"], "Oulu") == {"R@2kt": 1.0, "R@5kt": 1.0}
    assert hit(["w " * 1000, "w " * 1000 + "Oulu"], "Oulu") == {"R@2kt": 0.0, "R@5kt": 1.0}
    assert hit(["w," * 999, "ab cd"], "ab cd", k=(3, 2)) == {"R@2kt": 1.0, "R@3kt": 1.0}
    assert hit(["w," * 999 + "w", "ab cd"], "ab cd", k=[2]) == {"R@2kt": 0.0}


def test_questions_that_were_not_predicted_are_misses():
    two = [Reference("a", "fi", ("Oulu",)), Reference("b", "te", ("Oulu",))]
    found = score_xor_retrieve_strict(two, {"a": ["Oulu"], "elsewhere": ["Oulu"]}, k=[2])
    assert [row.values for row in found] == [{"R@2kt": 1.0}, {"R@2kt": 0.0}]
    assert len(score_xor_retrieve(two, {"a": ["Oulu"]})) == 1


def test_yes_and_no_are_no_answers():
    assert hit(["yes no"], "yes", "no") is None
    assert hit(["yes"], "yes", "Oulu", k=[2]) == {"R@2kt": 0.0}
    assert hit(["yes."], "Yes", k=[2]) == {"R@2kt": 1.0}


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("Sir Isaac NEWTON wrote it", "Isaac Newton"),
        ("It was Newton's idea", "Newton's"),
        ("It was Newton’s idea", "Newton's"),
        ("the 'Newton' and the \"Apple\"", '"Apple"'),
        ("He can't read", "can't"),
        ("from 570–495 BCE on", "570-495 BCE"),
        ("at 100\u00a0°C", "(100 °C"),
        ("The ﬁrst Ｗｏｒｄ", "first word"),
        ("in Paris (France)", "Paris, France"),
    ],
)
def test_case_width_and_punctuation_hide_no_answer(passage, answer):
    assert both([passage], answer) == [0.0, 1.0]


@pytest.mark.parametrize(
    ("passages", "answer"),
    [
        (["a party"], "art"),
        (["in 1998"], "19"),
        (["some 1,294 birds and 3.5 litres"], "1"),
        (["some 1,294 birds and 3.5 litres"], "5"),
        (["Indian"], "India"),
        (["born in New", "York"], "New York"),
    ],
)
def test_an_answer_is_whole_words_of_one_passage(passages, answer):
    assert both(passages, answer) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("Newton's idea", "Newton"),
        ("some 1,294 birds", "1,294"),
        ("in 1998, 19 of them", "19"),
        ("a 14-yard line", "14"),
        ("Really?", "?"),
    ],
)
def test_answers_that_both_scorers_find(passage, answer):
    assert both([passage], answer) == [1.0, 1.0]


def test_a_gold_of_punctuation_is_searched_verbatim():
    assert both(["Really"], "?") == [0.0, 0.0]


@pytest.mark.parametrize("k", [(), (0,), (2, -1)])
def test_bad_budgets(k):
    with pytest.raises(ConfigError, match="k must be thousands of tokens"):
        hit(["Oulu"], "Oulu", k=k)


texts = st.lists(st.text("Oulu. '\"(9\n´,", max_size=30), max_size=6)
answers = st.text("Oulu.9' ?", min_size=1, max_size=3)


@settings(deadline=None)
@given(texts, texts, answers)
def test_a_larger_budget_or_more_passages_never_lower_recall(first, more, answer):
    filler = ["w " * 990]
    before = hit(filler + first, answer, k=(1, 2))
    after = hit(filler + first + more, answer, k=(1, 2))
    assert before["R@1kt"] <= before["R@2kt"]
    assert all(before[name] <= after[name] for name in before)


@settings(deadline=None)
@given(st.lists(st.text().map(lambda text: f"{text}1"), min_size=1))
def test_a_gold_finds_itself(golds):
    references = [Reference(str(i), "fi", (gold,)) for i, gold in enumerate(golds)]
    found = score_xor_retrieve_strict(
        references, {row.qid: ["", *row.answers] for row in references}
    )
    assert all(row.values == {"R@2kt": 1.0, "R@5kt": 1.0} for row in found)


@settings(deadline=None)
@given(st.lists(st.text("ab c,.'", max_size=9), max_size=3), st.text("abc", min_size=1, max_size=4))
def test_lower_case_words_found_by_strict_are_found_by_official(passages, answer):
    found = both(passages, answer)
    assert found[1] <= found[0]


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs ../shared/golden")
def test_on_predictions_of_a_real_system():
    rows = read_xor(GOLDEN / "xor_retrieve.data.jsonl")
    references = [Reference(row.qid, row.lang, row.answers) for row in rows][15:30]
    ranked = read_passages(GOLDEN / "xor_retrieve.pred.json").by_qid
    strict = score_xor_retrieve_strict(references, ranked)
    counted = {row.qid for row in score_xor_retrieve(references, ranked)}
    missing = {row.qid for row in strict} - counted
    assert missing and missing.isdisjoint(ranked)
    assert counted <= {row.qid for row in strict}
    assert all(row.values["R@2kt"] <= row.values["R@5kt"] for row in strict)


def test_a_gold_of_nothing_is_found_nowhere():
    [found] = score_xor_retrieve_strict(
        [Reference("q", "fi", (" ",))], {"q": ["Oulu is a city ."]}, k=(2,)
    )
    assert found.values == {"R@2kt": 0.0}
