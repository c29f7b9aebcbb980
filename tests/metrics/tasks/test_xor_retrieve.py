import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError, DataError
from xorqa.io.predictions import read_passages
from xorqa.io.squad_xor import read_xor
from xorqa.metrics.registry import find_task
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks import xor_retrieve
from xorqa.metrics.tasks.xor_retrieve import XOR_RETRIEVE, scored_passages

GOLDEN = Path(__file__).parents[3].parent / "shared" / "golden"


@pytest.fixture(autouse=True, scope="module")
def _packages():
    pytest.importorskip("nltk")
    pytest.importorskip("punkt")


def hit(ctxs, *answers, k=(2, 5)):
    """The values of one question, or None where it is not counted."""
    scores = xor_retrieve.score_xor_retrieve([Reference("q", "fi", answers)], {"q": ctxs}, k=k)
    return scores[0].values if scores else None


def test_the_budget_is_counted_in_tokens_across_passages():
    assert hit(["w " * 1000, "w " * 999 + "Oulu"], "Oulu") == {"R@2kt": 1.0, "R@5kt": 1.0}
    assert hit(["w " * 1000, "w " * 1000 + "Oulu"], "Oulu") == {"R@2kt": 0.0, "R@5kt": 1.0}
    assert hit(["w " * 2000, "Oulu"], "Oulu", k=(3, 2)) == {"R@2kt": 0.0, "R@3kt": 1.0}
    assert hit(["w," * 3000], "Oulu", k=[1]) == {"R@1kt": 0.0}


def test_answers_are_found_as_written_in_the_joined_tokens():
    passages = ["He was born in the city", "", "of Oulu. Smith's"]
    assert hit(passages, "city of Oulu", k=[2]) == {"R@2kt": 1.0}
    assert hit(passages, "Oul", k=[2]) == {"R@2kt": 1.0}
    assert hit(passages, "oulu", k=[2]) == {"R@2kt": 0.0}
    assert hit(passages, "Smith's", k=[2]) == {"R@2kt": 0.0}
    assert hit(passages, "x", "Smith", k=[2]) == {"R@2kt": 1.0}


def test_what_is_not_counted():
    assert hit(["yes no"], "yes", "no") is None
    assert hit(["yes"], "yes", "Oulu", k=[2]) == {"R@2kt": 0.0}
    assert hit(["Yes"], "Yes", k=[2]) == {"R@2kt": 1.0}
    assert hit([], "Oulu", k=[2]) == {"R@2kt": 0.0}
    two = [Reference("a", "fi", ("Oulu",)), Reference("b", "te", ("Oulu",))]
    report = find_task("xor-retrieve").evaluate(two, {"a": ["Oulu"], "elsewhere": ["Oulu"]})
    assert report.n == {"fi": 1}
    assert report.macro == {"R@2kt": 100.0, "R@5kt": 100.0}
    with pytest.raises(DataError, match="no question can be scored"):
        find_task("xor-retrieve").evaluate(two, {"c": ["Oulu"]})


@pytest.mark.parametrize("k", [(), (0,), (2, -1)])
def test_bad_budgets(k):
    with pytest.raises(ConfigError, match="k must be thousands of tokens"):
        hit(["Oulu"], "Oulu", k=k)


def test_a_passage_is_tokenized_once(monkeypatch):
    seen = []
    monkeypatch.setattr(xor_retrieve, "nltk_words", lambda text: seen.append(text) or text.split())
    references = [Reference(str(number), "fi", ("w",)) for number in range(9)]
    xor_retrieve.score_xor_retrieve(
        references, {str(number): ["one w", "two"] for number in range(9)}
    )
    assert sorted(seen) == ["one w", "two"]


texts = st.lists(st.text("Oulu. '\"(9\n", max_size=30), max_size=6)


@settings(deadline=None)
@given(texts, texts, st.text("Oulu.9", min_size=1, max_size=3))
def test_more_passages_never_lower_recall(first, more, answer):
    filler = ["w " * 995]
    before = hit(filler + first, answer, k=(1, 2))
    after = hit(filler + first + more, answer, k=(1, 2))
    assert before["R@1kt"] <= before["R@2kt"]
    assert all(before[name] <= after[name] for name in before)


@settings(deadline=None)
@given(st.lists(st.text("abc", min_size=1, max_size=5), min_size=1), st.randoms())
def test_golds_as_passages_score_100_in_any_order(answers, random):
    rows = [Reference(str(i), "fi" if i % 2 else "ja", (a,)) for i, a in enumerate(answers)]
    predictions = {row.qid: list(row.answers) for row in rows}
    report = find_task("xor-retrieve").evaluate(rows, predictions)
    assert report.macro == {"R@2kt": 100.0, "R@5kt": 100.0}
    random.shuffle(rows)
    assert find_task("xor-retrieve").evaluate(rows, predictions) == report


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="needs ../shared/golden")
def test_equals_the_official_script():
    expected = json.loads((GOLDEN / "expected.json").read_text())
    references = [
        Reference(row.qid, row.lang, row.answers)
        for row in read_xor(GOLDEN / "xor_retrieve.data.jsonl")
    ]
    predictions = read_passages(GOLDEN / "xor_retrieve.pred.json").by_qid
    report = find_task("xor-retrieve").evaluate(references, predictions)
    for name in ("R@2kt", "R@5kt"):
        wanted = expected[f"xor_retrieve {name}"]
        assert report.n == wanted["count"]
        assert report.macro[name] == pytest.approx(wanted["macro"], abs=1e-12)
        found = {lang: values[name] for lang, values in report.per_lang.items()}
        assert found == pytest.approx(wanted["per_lang"], abs=1e-12)


PIECES = ("Oulu ", "w " * 300, "don't. " * 200, "", " ", "a-b, c;" * 300, "w " * 1799 + "Oulu")


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=9))
def test_scores_are_those_of_all_passages(passages: Sequence[str]) -> None:
    references = [Reference("q", "fi", ("Oulu",))]
    kept = scored_passages(passages)
    assert kept == tuple(passages[: len(kept)])
    for scorer in XOR_RETRIEVE.scorers:
        scores = [
            XOR_RETRIEVE.score(references, {"q": texts}, scorer=scorer)
            for texts in (passages, kept)
        ]
        assert scores[0] == scores[1]
        assert list(scores[0][0].values) == ["R@2kt", "R@5kt"]


@pytest.mark.parametrize(("tokens", "count"), [(2500, 2), (2499, 3), (5000, 1), (1000, 5)])
def test_the_passage_that_reaches_the_budget_is_the_last(tokens: int, count: int) -> None:
    assert len(scored_passages(["w " * tokens] * 9)) == count
