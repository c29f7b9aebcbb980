"""The F1 of a question-answering model in training, read as `reading.released` reads it later."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from statistics import fmean as mean
from typing import Any

from ....core.errors import ConfigError
from ....io.squad_xor import SquadQuestion
from ....metrics.answers import best
from ....metrics.tasks.squad import f1
from ....models.checkpoints import Checkpoint
from ....models.question_answering import QuestionAnsweringModel
from ....reading.pairs import PairSettings, QuestionPassage
from ....reading.released import ReleasedReader
from ..common.recipe import SquadSource
from ..reader.samples import read_sources, usable_questions
from .recipe import QaModelRecipe

LONGEST = 30  # tokens of a span


def validation_questions(recipe: QaModelRecipe) -> list[SquadQuestion]:
    """The questions of the validation files whose answer is at its offset.

    Raises:
        ConfigError: if there are files, and no such question in them.
    """
    source = SquadSource(recipe.validation_files, held_out=1.0)
    by_source = read_sources([source], frozenset())
    questions = list(chain(*(usable_questions(of, source, held_out=True) for of in by_source)))
    if recipe.validation_files and not questions:
        raise ConfigError("[qa_model] validation_files have no question with its answer in place")
    return questions


class ReaderInTraining(ReleasedReader):
    """A reader around a model in memory; nothing is remembered between validations."""

    def __init__(self, model: Any, tokenizer: Any, base: Checkpoint, recipe: QaModelRecipe) -> None:
        super().__init__(
            PairSettings(
                base.name,
                recipe.max_tokens,
                longest=LONGEST,
                dtype=recipe.dtype,
                stride=recipe.stride,
                no_answer=recipe.negatives > 0,
            )
        )
        self.network = model
        self.model = _InMemory(model, tokenizer, base, recipe)

    def f1(self, questions: Sequence[SquadQuestion]) -> float:
        """The mean of SQuAD v1.1's F1, in percent."""
        self.network.eval()
        self._readings.clear()
        readings = self.read([QuestionPassage(q.question, q.context) for q in questions])
        self.network.train()
        spans = (reading.best for reading in readings)
        texts = (
            q.context[s.start : s.end] if s else "" for q, s in zip(questions, spans, strict=True)
        )
        return 100 * mean(
            best(f1, text, q.answers) for text, q in zip(texts, questions, strict=True)
        )


class _InMemory(QuestionAnsweringModel):
    """A model that is not loaded from a folder."""

    def __init__(
        self, network: Any, tokenizer: Any, base: Checkpoint, recipe: QaModelRecipe
    ) -> None:
        self.dtype, self.checkpoint, self.is_dpr = recipe.dtype, base, False
        self._model, self.tokenizer = network, tokenizer
