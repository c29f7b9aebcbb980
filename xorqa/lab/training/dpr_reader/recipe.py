"""The settings of a DPR reader's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from ....core.validation import Count, Positive, Range
from ..common.loop import Schedule
from ..common.recipe import Recipe, Source


@dataclass(frozen=True, slots=True)
class DprReaderRecipe(Recipe):
    """Everything that decides the trained weights, all of which are trained.

    The files of `sources` are questions with retrieved passages (`retrieved.read_retrieved`).
    """

    table: ClassVar[str] = "dpr_reader"

    sources: tuple[Source, ...]
    negatives: Count = 24  # passages without the answer beside the one with it
    max_tokens: Annotated[int, Range(32)] = 350  # of question, title and passage
    max_answers: Count = 10  # occurrences of an answer in a passage
    epochs: Positive = 20.0
    batch_size: Count = 1  # questions
    schedule: Schedule = field(
        default_factory=lambda: Schedule(learning_rate=1e-5, warmup=0.0, weight_decay=0.0)
    )
