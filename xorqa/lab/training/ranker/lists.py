"""What a ranker learns from: a question and passages, the best one first."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PassageList:
    """A question and passages with their titles, of which the first one answers best.

    `probabilities` are a teacher's; without them, the first passage has all of it.
    """

    question: str
    passages: tuple[str, ...]
    probabilities: tuple[float, ...] = ()
