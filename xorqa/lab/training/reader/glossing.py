"""Questions with their glosses, as the reader in training is given them."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from ....io.squad_xor import SquadQuestion
from ....reading.glosses import glosses, with_glosses
from ....reading.pairs import QuestionPassage
from ..common.training_data import stream

Gloss = Callable[[str, str], str]
"""What a reader is given for a question, of that question and its passage."""


def glosser(most: int, *, dropout: float, seed: int) -> Gloss:
    """Add up to `most` glosses per word, a share of which is dropped: the table, which was
    made of training questions, has fewer for others. Without glosses, a question stays as it is.
    """

    def gloss(question: str, passage: str) -> str:
        if not most:
            return question
        rng = stream(seed, "glosses", question, passage)
        found = glosses(question, passage, most)
        kept = [one for one in found if rng.random() >= dropout]
        return with_glosses(question, kept)

    return gloss


def glossed_questions(questions: Iterable[SquadQuestion], gloss: Gloss) -> list[SquadQuestion]:
    """The questions with glosses."""
    return [replace(one, question=gloss(one.question, one.context)) for one in questions]


def glossed_pairs(pairs: Iterable[QuestionPassage], gloss: Gloss) -> list[QuestionPassage]:
    """The pairs, whose questions have glosses."""
    return [pair._replace(question=gloss(pair.question, pair.passage)) for pair in pairs]
