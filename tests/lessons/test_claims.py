"""Claims of lessons: silent while they hold; otherwise the sentence and the figures."""

import pytest
from lessons import ClaimError, claim


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
