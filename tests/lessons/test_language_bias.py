"""The checks of lesson 5 accept right answers and reject the usual mistakes; its tools."""

import numpy as np
import pytest
from lessons import language_bias as lesson
from lessons import language_bias_results as results

from xorqa.metrics.ranking import average_precision


def from_ahead(ahead):
    """By the metric that looks at a ranking: right and wrong sentences in their order."""
    ranking, wrong = [], 0
    for count in sorted(ahead):
        ranking += [False] * (count - wrong) + [True]
        wrong = count
    return average_precision(np.array(ranking), len(ahead))


def precision(ahead, *, order=sorted, first=1, weigh=lambda n: n):
    ranks = [n + wrong for n, wrong in enumerate(order(ahead), start=first)]
    return sum(weigh(n) / rank for n, rank in enumerate(ranks, start=1)) / len(ranks)


def test_average_precision_by_hand():
    assert lesson.check_1(precision)
    assert lesson.check_1(from_ahead)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda ahead: precision(ahead, order=list), "Sort first"),
        (lambda ahead: precision(ahead, weigh=lambda n: 1), "With no wrong sentence ahead"),
        (lambda ahead: sum(1 / (1 + n) for n in ahead) / len(ahead), "the same wrong one ahead"),
        (lambda ahead: precision(ahead, first=2), "With no wrong sentence ahead"),
        (lambda ahead: 100 * precision(ahead), "it is 1.000, and yours is 100.000"),
        (lambda ahead: sum(n / a for n, a in enumerate(ahead, 1)), "raises ZeroDivisionError"),
        (lambda ahead: ..., "Replace the `...`"),
    ],
)
def test_average_precision_with_a_mistake(answer, hint):
    verdict = lesson.check_1(answer)
    assert not verdict and hint in repr(verdict)


def share(scores, spoken, lang, count, *, sign=-1):
    return float(np.mean(spoken[np.argsort(sign * scores)[:count]] == lang))


def test_the_own_language_among_the_nearest(monkeypatch):
    figures = {"bm25": np.full((8, 8), 58.4), "as it comes": np.full((8, 8), 28.1)}
    monkeypatch.setattr(results, "languages_of_nearest", lambda name, count: figures[name])
    verdict = lesson.check_2(share)
    assert verdict and "58 % are in the question's language, with" in verdict.reason


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda *given: share(*given, sign=1), "The highest are nearest"),
        (lambda scores, spoken, lang, n: np.mean(spoken[:n] == lang), "not sorted yet"),
        (lambda *given: 100 * share(*given), "not a percentage"),
        (lambda *given: given[3] * share(*given), "Divide by how many"),
        (
            lambda *given: given[3] * share(*given) / np.sum(given[1] == given[2]),
            "not by all sentences",
        ),
        (lambda *given: ..., "Replace the `...`"),
    ],
)
def test_the_own_language_with_a_mistake(answer, hint):
    verdict = lesson.check_2(answer)
    assert not verdict and hint in repr(verdict)


def units(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def in_place(rows):
    rows -= rows.mean(axis=0)
    return units(rows)


def test_centring_by_hand():
    assert lesson.check_3(lambda rows: units(rows - rows.mean(axis=0)))
    assert lesson.check_3(lambda rows: units(rows - rows.mean(axis=0)).tolist())


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda rows: rows - rows.mean(axis=0), "to length 1 again"),
        (lambda rows: units(rows - rows.mean(axis=1, keepdims=True)), "Which axis has the mean"),
        (lambda rows: units(rows - rows.mean()), "a vector, not one number"),
        (units, "Subtract the mean vector"),
        (in_place, "changes the vectors that it is given"),
        (lambda rows: rows.mean(axis=0), "the shape stays"),
        (lambda rows: rows - rows.mean(axis=1), "raises ValueError"),
        (lambda rows: ..., "Replace the `...`"),
    ],
)
def test_centring_with_a_mistake(answer, hint):
    verdict = lesson.check_3(answer)
    assert not verdict and hint in repr(verdict)


def one_removed(own, others):
    lists = [[own, *others[:at], *others[at + 1 :]] for at in range(len(others))]
    return from_ahead(others), np.mean([from_ahead(one) for one in lists])


def relative(own, others):
    same, rand = one_removed(own, others)
    return (rand - same) / rand


def first_removed(own, others):
    rand = from_ahead([own, *others[1:]])
    return (rand - from_ahead(others)) / rand


def of_all(own, others):
    same, rand = one_removed(own, others)
    return (rand - same) / from_ahead([own, *others])


def of_same(own, others):
    same, rand = one_removed(own, others)
    return (rand - same) / same


def test_the_relative_difference_by_hand():
    assert lesson.check_4(relative)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (first_removed, "remove each of the others once"),
        (of_all, "not by the mAP before anything"),
        (of_same, "not by -same"),
        (lambda own, others: -relative(own, others), "positive where removing"),
        (lambda own, others: 100 * relative(own, others), "not a percentage"),
        (lambda own, others: -np.subtract(*one_removed(own, others)), "Divide by -rand."),
        (lambda own, others: ..., "Replace the `...`"),
    ],
)
def test_the_relative_difference_with_a_mistake(answer, hint):
    verdict = lesson.check_4(answer)
    assert not verdict and hint in repr(verdict)


@pytest.fixture
def random_vectors(monkeypatch):
    """The encoder's vectors are random, so nothing is encoded."""
    pool, random = lesson.pool(), np.random.default_rng(7)
    vectors = results.Vectors(
        *(random.normal(size=(len(rows), 8)) for rows in (pool.questions, pool.sentences))
    )
    monkeypatch.setattr(results, "encode_pool", lambda *_, **__: vectors)
    cached = results.vectors, results.scores, results.languages_of_nearest
    for function in cached:
        function.cache_clear()
    yield vectors
    for function in cached:
        function.cache_clear()


def test_the_nearest_and_their_languages(random_vectors):
    assert np.allclose(lesson.scores(lesson.RAW), random_vectors.scores(slice(None)))
    best = lesson.nearest(lesson.RAW, 3, 192)
    assert (np.diff(lesson.scores(lesson.RAW)[3][best]) <= 0).all()
    assert lesson.right_among(lesson.RAW, 3, 192) == 8
    shares = lesson.languages_of_nearest(lesson.RAW, 192)
    assert shares == pytest.approx(np.full((8, 8), 12.5))
    centred = lesson.vectors(lesson.CENTRED).by_key(lesson.pool())
    assert np.linalg.norm(centred["fi", "query"], axis=1) == pytest.approx(np.ones(24))


def test_only_encoders_have_vectors(random_vectors):
    with pytest.raises(ValueError, match="no vectors of 'aligned by hand'; valid: as it comes"):
        lesson.scores("aligned by hand")


def test_halves_and_intervals_over_facts(random_vectors):
    for tested in (0, 1):
        before, after, gain = lesson.half(tested)
        assert gain.n == 12 and gain.mean == pytest.approx(after - before)
    assert lesson.over_facts(np.ones((192, 7))) == "100.0 [100.0, 100.0]"
    assert lesson.bias_left(lesson.RAW) == pytest.approx((1, 1, 1))


def test_a_question_beside_its_nearest(random_vectors):
    at = lesson.question_at("15", "ko")
    question = lesson.pool().questions[at]
    assert (question.qid, question.lang) == ("parallel-15", "ko")
    page = lesson.beside(at)
    assert question.text in page.html and page.html.count("<tr>") == 11
    assert len(page.plain.splitlines()[1].split()) == 10


def test_pictures(random_vectors):
    pytest.importorskip("matplotlib")
    assert len(lesson.draw_points(lesson.RAW, lesson.CENTRED).axes) == 2
    titles = [axes.get_title() for axes in lesson.draw_shares(lesson.RAW).axes]
    assert titles[0].startswith("as it comes: ") and titles[0].endswith(" % own")
    (axes,) = lesson.draw_pairs("bm25").axes
    assert len(axes.texts) == 64
