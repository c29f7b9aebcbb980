"""Claims of lessons: silent while they hold; otherwise the sentence and the figures."""

import numpy as np
import pytest
from lessons import ClaimError, claim, mean_interval


def test_a_claim_that_holds_is_silent(capsys):
    claim("one question got worse", ["mini-ko-01"], questions=1)
    assert capsys.readouterr() == ("", "")


def test_a_claim_that_does_not_hold_shows_its_values():
    with pytest.raises(ClaimError) as caught:
        claim("reading loses most", False, reading=3, localising=5)
    assert str(caught.value) == "no longer true: reading loses most (reading = 3, localising = 5)"


def test_a_claim_without_values():
    with pytest.raises(ClaimError, match=r"^no longer true: it rains$"):
        claim("it rains", [])


def test_a_figure_must_be_one_that_its_words_allow():
    claim("reading loses nearly a quarter", 0.23)
    with pytest.raises(ClaimError, match=r"nearly a quarter \(figure = 0\.26, from = 0\.2, to"):
        claim("reading loses nearly a quarter", 0.26)
    claim("most of it", np.float64(0.7))
    with pytest.raises(ClaimError, match="one phrase of the table per figure"):
        claim("it rains", 0.3)
    with pytest.raises(ClaimError, match="one phrase of the table per figure"):
        claim("half of them, or a third of them", 0.5)


def test_better_and_worse_need_an_interval_without_0():
    claim("`dense` is worse", (-17.1, -5.1))
    claim("one part is much better", (3, 9))
    claim("the difference could be chance", (-6.0, 0.0))
    for words, interval in (
        ("`dense` is worse", (-17.1, 0.1)),
        ("`dense` is worse", (5.1, 17.1)),
        ("one part is much better", (-1, 9)),
        ("the difference could be chance", (1, 9)),
    ):
        with pytest.raises(ClaimError, match="no longer true"):
            claim(words, interval)


def test_the_interval_of_a_mean():
    low, high = mean_interval([0, 0, 1, 1] * 25)
    assert low == pytest.approx(0.4, abs=0.02) and high == pytest.approx(0.6, abs=0.02)
    assert mean_interval([3.0] * 5) == (3, 3)
