"""Lesson A1: its world, and the verdicts on typical answers."""

from itertools import combinations

import numpy as np
import pytest
from lessons import alignment_without_parallel_text as lesson
from lessons.alignment_shapes import SHAPES
from lessons.alignment_world import images, picture

from xorqa.lab.backretrieval.measures import back_ranks


def test_every_thing_has_its_own_names_and_two_drawings():
    things = lesson.things()
    for lang in ("en", "fi"):
        assert len({thing.name(lang) for thing in things}) == len(things) == 96
    assert things[0].name("fi") == "punainen ympyrä"
    drawings = {picture(at, artist).tobytes() for at in range(96) for artist in (0, 1)}
    assert len(drawings) == 192


def test_outlines_fit_their_square():
    for name, (_, outline) in SHAPES.items():
        assert np.abs(outline()).max() <= 1.05, name


def test_the_other_artists_drawing_is_near_by_outline_and_not_by_colour():
    shares = {}
    for kind in ("outlines", "colours"):
        first, second = (
            rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in images(kind)
        )
        shapes = [thing.shape for thing in lesson.things()]
        nearest = (first @ second.T).argmax(axis=1)
        shares[kind] = np.mean([shapes[at] == shapes[own] for own, at in enumerate(nearest)])
    assert shares["outlines"] > 0.9
    assert shares["colours"] < 0.5


def test_a_way_has_no_thing_twice_and_its_ranks_are_those_of_the_measure():
    way = lesson.way_back("letters", "outlines")
    assert len(set(way.english)) == len(set(way.finnish)) == 48
    assert not set(way.english) & set(way.finnish)
    stream = np.random.default_rng(3)
    texts, back = stream.random((2, 9, 9)).astype("f4")
    ranks = back_ranks(lambda r, c: texts[r, c], lambda r, c: back[r, c], 9)
    assert ranks.tolist() == [lesson.back_rank_of(texts, back, at) for at in range(9)]


def test_an_encoder_that_knows_nouns_perfectly_is_shown_as_such():
    chance = {"shape": 100 / 12, "colour": 100 / 8}
    expected = {
        "nothing": chance,
        "shapes": chance | {"shape": 100},
        "colours": chance | {"colour": 100},
        "both": {"shape": 100, "colour": 100},
        "both, shapes twice": {"shape": 100, "colour": 100},
    }
    assert expected.keys() == lesson.BUILT.keys()
    for name, shares in expected.items():
        assert lesson.shared_of_all(name) == pytest.approx(shares), name


def test_without_the_right_answer_perfect_knowledge_of_colours_shows_as_none():
    assert lesson.shared_without_own("both, shapes twice") == {"shape": 100, "colour": 0}
    both = lesson.shared_without_own("both")
    assert sum(both.values()) == pytest.approx(100), "they compete for one place"
    nothing = lesson.shared_without_own("nothing")
    assert nothing == pytest.approx({"shape": 700 / 95, "colour": 1100 / 95}, abs=0.2)


def test_letters_share_neither_shape_nor_colour_more_often_than_chance():
    for shares in (lesson.shared_without_own("letters"), lesson.shared_of_all("letters")):
        assert shares["shape"] < 9 and shares["colour"] < 13


def recall(scores, k):
    return 100 * np.mean((scores >= scores.diagonal()[:, None]).sum(axis=1) <= k)


def back_rank(texts, back, at):
    scores = back[texts[at].argmax()]
    return (scores >= scores[at]).sum()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (recall, "The rank is the number of names"),
        (lambda scores, k: recall(scores, k) / 100, "Almost: the answer is a percentage"),
        (
            lambda scores, k: 100 * np.mean((scores > scores.diagonal()[:, None]).sum(1) < k),
            "Another name is exactly as near",
        ),
        (lambda scores, k: recall(scores.T, k), "You search the columns"),
        (lambda scores, k: recall(scores, 1), "That counts the nearest name alone"),
        (lambda scores, k: 100 - recall(scores, k), "These are the rows whose own entry is *not*"),
        (lambda scores, k: 90.0, "Row i is right if its entry in column i"),
    ],
)
def test_recall(answer, text):
    verdict = lesson.check_1(answer)
    assert verdict.right == (answer is recall)
    assert text in repr(verdict), "Not yet"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (back_rank, "Two look-ups and no translation"),
        (lambda t, b, at: back_rank(t, b.T, at), "The Finnish pictures are the rows of `back`"),
        (lambda t, b, at: back_rank(t.T, b, at), "The query's similarities are row `at`"),
        (lambda t, b, at: back_rank(t, b, at) - 1, "Ranks begin with 1"),
        (
            lambda t, b, at: 1 + (b[t[at].argmax()] > b[t[at].argmax()][at]).sum(),
            "Another picture may be exactly as similar",
        ),
        (lambda t, b, at: 99, "Find the nearest Finnish name, take that row of `back`"),
    ],
)
def test_the_way_back(answer, text):
    verdict = lesson.check_2(answer)
    assert verdict.right == (answer is back_rank)
    assert text in repr(verdict), "Not yet"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ([500 / 48, 500 / 48, 0], "Right. 5 of 48 English pictures are returned"),
        ([10.4, 10.4, 0], "Right."),
        ([5 / 48, 5 / 48, 0], "Not yet. Almost: the answers are percentages"),
        ([5.2, 5.2, 0], "Not yet. 1: There are 96 things"),
        ([2.1, 2.1, 0], "Not yet. 1: Not only the first picture counts"),
        ([10, 10, 0], "Not yet. 1: 10 is rounded"),
        ([0, 0, 0], "Not yet. 1: How many English pictures"),
        ([10.4, 0, 0], "Not yet. 2: It returns the same 5 pictures to every query"),
        ([10.4, 2.1, 0], "Not yet. 2: One Finnish name leads to 5"),
        ([10.4, 100, 0], "Not yet. 2: Each query gets the same 5 pictures"),
        ([10.4, 10.4, 10.4], "Not yet. 3: So it would be if a coin decided"),
        ([10.4, 10.4, 100], "Not yet. 3: All other pictures are exactly as similar"),
        (10.4, "Not yet. This is not the kind of answer"),
    ],
)
def test_three_ways_to_know_nothing(answer, text):
    assert repr(lesson.check_3(answer)).startswith(text)


def test_the_bkr_of_ways_to_know_nothing_is_measured():
    texts, back = np.random.default_rng(5).random((2, 48, 48))
    texts[:, 7] = 2  # every query goes to one Finnish name
    ranks = [lesson.back_rank_of(texts, back, at) for at in range(48)]
    assert 100 * np.mean([rank <= lesson.K for rank in ranks]) == pytest.approx(500 / 48)
    assert lesson.back_rank_of(texts, np.ones((48, 48)), 0) == 48


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ([0, 100, 61], "Right. No name in the sample has both"),
        ([0, 100, 1100 / 18], "Right."),
        ([100, 100, 100], "Not yet. First: which Finnish name has the query's shape and colour"),
        ([12.5, 100, 61], "Not yet. First: that is chance"),
        ([50, 100, 61], "Not yet. First: the shape counts more"),
        ([0, 1, 0.61], "Not yet. Second: almost"),
        ([0, 0, 61], "Not yet. Second: now the colour counts more"),
        ([0, 50, 61], "Not yet. Second: are there names"),
        ([0, 100, 50], "Not yet. Third: a name of the same shape is as near"),
        ([0, 100, 60], "Not yet. Third: 12 of 20"),
        ([0, 100, 39], "Not yet. Third: that is the share of the same shape"),
        ([0, 100, 0], "Not yet. Third: how many other things"),
    ],
)
def test_colours_of_encoders_that_know_everything(answer, text):
    assert repr(lesson.check_4(answer)).startswith(text)


def test_the_third_encoder_is_as_its_names_are_counted():
    assert lesson.shared_without_own("both")["colour"] == pytest.approx(1100 / 18, abs=0.2)


def left(x, y, k):
    kept = [list(one) for one in combinations(range(len(x)), len(x) - k)]
    return [np.corrcoef(np.array(x)[one], np.array(y)[one])[0, 1] for one in kept]


def weakest(x, y, k):
    return min(left(x, y, k))


def without_the_best(x, y, k):
    kept = np.argsort(x)[: len(x) - k]
    return np.corrcoef(np.array(x)[kept], np.array(y)[kept])[0, 1]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (weakest, "Of the lesson's seven encoders"),
        (lambda x, y, k: max(left(x, y, k)), "This is the greatest"),
        (lambda x, y, k: np.mean(left(x, y, k)), "This is the mean over all choices"),
        (lambda x, y, k: weakest(x, y, 1), "You leave out one encoder"),
        (lambda x, y, k: weakest(x, y, 0), "That is the correlation of all seven"),
        (without_the_best, "Leaving out the best k is one choice"),
        (lambda x, y, k: weakest(x, y, len(x) - k), "You keep k encoders"),
        (lambda x, y, k: 0.5, "Try each choice of k encoders"),
    ],
)
def test_the_weakest_correlation(answer, text):
    verdict = lesson.check_5(answer)
    assert verdict.right == (answer is weakest)
    assert text in repr(verdict), "Not yet"
