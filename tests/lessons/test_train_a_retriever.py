"""Lesson 13: its data and its encoder, and verdicts on typical answers."""

import numpy as np
import pytest
import torch
from lessons import train_a_retriever as lesson

from xorqa.lab.training.multilingual_questions.questions import english_questions


def by(name, every=5):
    def held_out(rows):
        chosen = sorted({row[name] for row in rows})[::every]
        return [row[name] in chosen for row in rows]

    return held_out


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (by("paragraph"), "Right."),
        (by("question"), "Not yet. Questions are whole, but"),
        (by("lang", every=3), "Not yet. You hold out languages"),
        (lambda rows: [at % 5 == 0 for at in range(len(rows))], "Not yet. 36 questions are on"),
        (by("paragraph", every=2), "Not yet. About a fifth should be held out, not 50%"),
        (lambda rows: [False] * len(rows), "Not yet. About a fifth should be held out, not 0%"),
        (lambda rows: [True], "Not yet. One truth value per row"),
    ],
)
def test_a_split(answer, text):
    assert repr(lesson.check_1(answer)).startswith(text)


def loss(cells, same, temperature, axis=1):
    powers = np.where(same, 0, np.exp(cells / temperature))
    return -np.log(np.diag(powers) / powers.sum(axis=axis)[: len(cells)])


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda cells, same, t: loss(cells, same, t).mean(), "Right."),
        (lambda cells, same, t: -loss(cells, same, t).mean(), "Not yet. The sign"),
        (lambda cells, same, t: loss(cells, same, 1).mean(), "Not yet. Where does the temperature"),
        (lambda cells, same, t: loss(cells, same, 1 / t).mean(), "Not yet. Divide by the"),
        (lambda cells, same, t: loss(cells, same, t, axis=0).mean(), "Not yet. Your softmax runs"),
        (lambda cells, same, t: loss(cells, same, t).sum(), "Not yet. This is the sum"),
        (lambda cells, same, t: loss(cells, cells > 9, t).mean(), "Not yet. Row 0 is punished"),
        (
            lambda cells, same, t: loss(np.where(same, 0, cells), cells > 9, t).mean(),
            "Not yet. A repeated text with similarity 0",
        ),
        (
            lambda cells, same, t: loss(cells[:, : len(cells)], False, t).mean(),
            "Not yet. You use the first n columns only",
        ),
        (loss, "Not yet. The loss of a batch is one number"),
        (lambda cells, same, t: np.diag(cells).mean(), "Not yet. Per row: the softmax"),
    ],
)
def test_the_loss(answer, text):
    assert repr(lesson.check_2(answer)).startswith(text)


@pytest.mark.parametrize(
    ("warm", "cold", "text"),
    [
        (5.047, 0.0115, "Right."),
        (5.05, 0.012, "Right."),
        (0.0064, 0.99, "Not yet. This is the probability"),
        (7.28, 0.0166, "Not yet. These are bits"),
        (-5.047, -0.0115, "Not yet. The sign"),
        (5.041, -4.459, "Not yet. The sign"),
        (5.041, 0, "Not yet. The right text is itself among"),
        (5.545, 5.545, "Not yet. The temperature divides"),
        (0, 0.0115, "Not yet. A loss of 0 needs probability 1"),
        (0.474, 0.00005, "Not yet. This is a batch of two"),
        (5.047, 0.25, "Not yet. Temperature 1 is right"),
        (3, 1, "Not yet. The right text has the power"),
    ],
)
def test_what_the_temperature_is_for(warm, cold, text):
    assert repr(lesson.check_3({1: warm, 0.05: cold})).startswith(text)


def mined(cells, count):
    masked = cells.copy()
    np.fill_diagonal(masked, -np.inf)
    return np.argsort(-masked, axis=1)[:, :count]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (mined, "Right."),
        (lambda cells, count: np.argsort(-cells, axis=1)[:, :count], "Not yet. The right text"),
        (
            lambda cells, count: np.argsort(-cells, axis=1)[:, 1 : count + 1],
            "Not yet. The right text itself",
        ),
        (
            lambda cells, count: np.argsort(cells + 9 * np.eye(6), axis=1)[:, :count],
            "Not yet. These are the *least* similar",
        ),
        (lambda cells, count: mined(cells.T, count), "Not yet. You sort down the columns"),
        (lambda cells, count: np.sort(-cells, axis=1)[:, :count], "Not yet. Return positions"),
        (lambda cells, count: mined(cells, 6), "Not yet. 1 for each of 6 questions"),
    ],
)
def test_hard_negatives(answer, text):
    assert repr(lesson.check_4(answer)).startswith(text)


def test_the_split_is_the_bundled_one():
    train, validation = lesson.positions("train"), lesson.positions("validation")
    written = english_questions()
    assert (len(train), len(validation)) == (3384, 240)
    paragraphs = [{written[at].paragraph for at in part} for part in (train, validation)]
    assert not paragraphs[0] & paragraphs[1]


def test_a_text_is_the_mean_of_its_subwords():
    table = torch.tensor([[3.0, 0.0], [0.0, 3.0], [4.0, 0.0]])
    vectors = lesson.encode(table, torch.tensor([0, 2, 0, 1]), torch.tensor([0, 2]))
    assert torch.allclose(vectors, torch.tensor([[1.0, 0.0], [2**-0.5, 2**-0.5]]))


def test_ranks_and_their_shares():
    scores = np.array([[0.3, 0.9, 0.1], [0.2, 0.1, 0.4]])
    assert lesson._ranks(scores, np.array([1, 1])).tolist() == [1, 3]
    found = {"fi": np.array([1, 2]), "ko": np.array([1, 1])}
    assert lesson.first(found, ["fi", "ko"]) == 75
    assert lesson.first(found, ["fi"]) == 50


def test_a_gain_over_seeds_draws_source_questions():
    n = len(lesson.positions("validation"))
    wrong, right = ({lang: np.full(n, rank) for lang in lesson.LANGS} for rank in (2, 1))
    both = lesson.gain_over_seeds([wrong, wrong], [right, wrong])
    assert (both.mean, both.n) == (50, n)
    assert lesson.gain(wrong, right).mean == 100


def test_what_shown_subwords_gain():
    """Language 0 gains by them, language 1 does not; over both, their mix counts as well."""
    stream = np.random.default_rng(0)
    shown = np.array([stream.random(200) < 0.8, stream.random(200) < 0.2])
    right = np.array([shown[0], np.ones(200, bool)])
    within = lesson.shown_gain(right, shown, by_language=True)
    assert within.mean == 50 and (within.low, within.high) == (50, 50)
    over = lesson.shown_gain(right, shown)
    share = 100 * (1 - right[~shown].mean())
    assert over.mean == pytest.approx(share) and over.low < share < over.high and over.n == 200


def test_the_pictures_are_drawn():
    pytest.importorskip("matplotlib")
    found = dict.fromkeys(lesson.LANGS, np.array([1, 2]))
    points = lesson.draw_languages({"before": found, "trained": found})
    assert len(points.axes[0].lines) == 2
    curve = lesson.draw_loss([1, 2], [5.5, 3.0], {0: 25.0, 2: 40.0})
    assert [axes.get_ylabel() for axes in curve.axes] == ["loss", "right one first, %"]
