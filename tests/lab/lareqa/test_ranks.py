from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.lab.lareqa.pool import Pool, PoolQuestion, PoolSentence
from xorqa.lab.lareqa.ranks import target_ranks

SENTENCE = PoolSentence("en", ".", ".", frozenset({"0"}), 0)
QUESTION = PoolQuestion("0", "en", "?", 0)


@given(seed=st.integers(0, 10**6))
def test_negatives_ahead_of_every_target_are_those_a_sort_puts_there(seed):
    rng = np.random.default_rng(seed)
    questions = tuple(PoolQuestion(qid, lang, "?", 0) for qid in "012" for lang in ("de", "en"))
    sentences = tuple(
        PoolSentence(str(lang), ".", ".", frozenset(rng.choice(list("012xyz"), 2)), 0)
        for lang in rng.choice(["de", "en", "th"], 15)
    )
    pool = Pool("random", questions, sentences)
    scores = rng.integers(4, size=(6, 15)).astype(np.float32)
    ranks = target_ranks(scores.__getitem__, pool)
    for row, (question, targets) in enumerate(zip(pool.questions, pool.positives(), strict=True)):
        order = sorted(range(len(pool.sentences)), key=lambda i: (-scores[row, i], i))
        for column, target in enumerate(targets):
            before = set(order[: order.index(target)]) - set(targets)
            same_lang = [i for i in before if pool.sentences[i].lang == question.lang]
            assert ranks.ahead[row, column] == len(before)
            assert ranks.ahead_same_lang[row, column] == len(same_lang)
            assert ranks.langs[ranks.target_langs[row, column]] == pool.sentences[target].lang
        assert np.isinf(ranks.ahead[row, len(targets) :]).all()
        assert np.isinf(ranks.ahead_same_lang[row, len(targets) :]).all()
        assert (ranks.target_langs[row, len(targets) :] == -1).all()


@pytest.mark.parametrize("values", [3, 10**6])
def test_languages_of_the_best_hundred_with_and_without_ties(values):
    rng = np.random.default_rng(values)
    langs = [str(lang) for lang in rng.choice(["de", "en", "fi"], 260)]
    sentences = tuple(PoolSentence(lang, ".", ".", frozenset({"0"}), 0) for lang in langs)
    scores = rng.integers(values, size=(1, 260)).astype(np.float32)
    ranks = target_ranks(scores.__getitem__, Pool("p", (QUESTION,), sentences))
    order = sorted(range(260), key=lambda i: (-scores[0, i], i))
    expected = Counter(langs[row] for row in order[:100])
    assert dict(zip(ranks.langs, ranks.top[0], strict=True)) == expected


def test_scores_are_computed_in_small_slices_that_cover_all_questions():
    pool = Pool("p", (QUESTION,) * 600, (SENTENCE, SENTENCE))
    slices: list[slice] = []

    def scores_of(rows):
        slices.append(rows)
        return np.zeros((rows.stop - rows.start, 2), dtype=np.float32)

    assert target_ranks(scores_of, pool).ahead.shape == (600, 2)
    assert [row for rows in slices for row in range(rows.start, rows.stop)] == list(range(600))
    assert max(rows.stop - rows.start for rows in slices) < 600


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.zeros((1, 3), np.float32), r"0 to 0 have the shape \(1, 3\); expected \(1, 2\)"),
        (np.array([[0, np.nan]], np.float32), "questions 0 to 0 contain NaN"),
    ],
)
def test_scores_that_cannot_be_ranked_are_refused(scores, message):
    with pytest.raises(DataError, match=message):
        target_ranks(scores.__getitem__, Pool("p", (QUESTION,), (SENTENCE, SENTENCE)))


def test_a_pool_without_questions_is_refused():
    with pytest.raises(DataError, match="pool 'p' has no questions"):
        target_ranks(lambda rows: np.zeros((0, 1), np.float32), Pool("p", (), (SENTENCE,)))
