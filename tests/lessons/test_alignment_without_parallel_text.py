"""Lesson A1: its world, and the verdicts on typical answers."""

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
    ("check", "answer", "hint"),
    [
        (1, lambda scores, k: recall(scores, k) / 100, "is a percentage"),
        (
            1,
            lambda scores, k: 100 * np.mean((scores > scores.diagonal()[:, None]).sum(1) < k),
            "ties",
        ),
        (1, lambda scores, k: 100.0, "row i is right".capitalize()),
        (2, lambda texts, back, at: back_rank(texts, back.T, at), "are the rows of `back`"),
        (2, lambda texts, back, at: back_rank(texts.T, back, at), "row `at` of `texts`"),
        (2, lambda texts, back, at: back_rank(texts, back, at) - 1, "begin with 1"),
        (
            2,
            lambda texts, back, at: (
                1 + (back[texts[at].argmax()] > back[texts[at].argmax()][at]).sum()
            ),
            "count ties against the query",
        ),
        (2, lambda texts, back, at: 99, "take that row of `back`"),
        (5, lambda x, y: float(np.mean(x) * np.mean(y)), "subtract the means"),
    ],
)
def test_wrong_functions_get_a_hint(check, answer, hint):
    verdict = getattr(lesson, f"check_{check}")(answer)
    assert not verdict and hint in verdict.reason


def test_right_functions():
    assert lesson.check_1(recall) and lesson.check_2(back_rank)
    assert lesson.check_5(lambda x, y: np.corrcoef(x, y)[0, 1])


@pytest.mark.parametrize(
    ("answer", "hint"),
    [(5 / 48, "is a percentage"), (500 / 96, "only half of them"), (50, "How many English")],
)
def test_chance(answer, hint):
    verdict = lesson.check_3(answer)
    assert not verdict and hint in verdict.reason
    assert lesson.check_3(500 / 48)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [(100, "Is it in the sample?"), (12.5, "That is chance"), (50, "The shape counts more")],
)
def test_colours_of_the_encoder_that_knows_everything(answer, hint):
    verdict = lesson.check_4(answer)
    assert not verdict and hint in verdict.reason
    assert lesson.check_4(0)
