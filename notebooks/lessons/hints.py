"""The hint on a wrong answer: that of the first mistake which explains it."""

from __future__ import annotations

from .grading import Verdict, wrong


def hint(*mistakes: tuple[object, str], otherwise: str) -> Verdict:
    """The verdict on a wrong answer.

    `mistakes` are pairs: whether this mistake explains the answer, and what to say about it.
    """
    return wrong(next((text for explains, text in mistakes if explains), otherwise))
