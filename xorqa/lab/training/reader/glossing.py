"""Questions with their glosses, as the reader in training is given them."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from ....io.squad_xor import SquadQuestion
from ....reading.glosses import glosses, with_glosses
from ....reading.pairs import QuestionPassage
from ..common.training_data import stream
from .recipe import ReaderRecipe

Gloss = Callable[[str, str], str]
"""What a reader is given for a question, of that question and its passage."""


def glosser(recipe: ReaderRecipe) -> Gloss:
    """Add a recipe's glosses, some of which are dropped: the table, which was made of training
    questions, has fewer for others. Without glosses, a question stays as it is.
    """

    def gloss(question: str, passage: str) -> str:
        if not recipe.glosses:
            return question
        rng = stream(recipe.seed, "glosses", question, passage)
        found = glosses(question, passage, recipe.glosses)
        kept = [one for one in found if rng.random() >= recipe.gloss_dropout]
        return with_glosses(question, kept)

    return gloss


def glossed_questions(questions: Iterable[SquadQuestion], gloss: Gloss) -> list[SquadQuestion]:
    """The questions with glosses."""
    return [replace(one, question=gloss(one.question, one.context)) for one in questions]


def glossed_pairs(pairs: Iterable[QuestionPassage], gloss: Gloss) -> list[QuestionPassage]:
    """The pairs, whose questions have glosses."""
    return [pair._replace(question=gloss(pair.question, pair.passage)) for pair in pairs]
