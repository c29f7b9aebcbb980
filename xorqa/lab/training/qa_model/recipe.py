"""The settings of a question-answering model's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from ....core.validation import Count, Positive, Range, Share
from ..common.loop import Schedule
from ..common.recipe import Recipe, SquadSource


@dataclass(frozen=True, slots=True)
class QaModelRecipe(Recipe):
    """Everything that decides the trained weights.

    All weights are trained, and the model is written as released ones are. A source's weight has no
    effect: each question is used once per epoch, with all windows of its passage, whose label is
    the first token where they lack the answer. With `validation_files` (SQuAD-style, never trained
    on), the weights are those with the best F1 there of every `schedule.validate_every` steps.
    """

    table: ClassVar[str] = "qa_model"
    files: ClassVar[tuple[str, ...]] = ("exclude", "validation_files")
    added_later: ClassVar[tuple[str, ...]] = ("validation_files",)

    sources: tuple[SquadSource, ...]
    lower_case: bool = False  # of questions and passages, by the tokenizer that is written
    negatives: Share = 0.0  # questions used again with another passage, mostly of the article
    epochs: Positive = 3.0
    batch_size: Count = 12
    max_tokens: Annotated[int, Range(32)] = 384
    stride: Count = 128  # tokens that neighbouring windows share
    max_question_tokens: Count = 64
    validation_files: tuple[str, ...] = ()
    schedule: Schedule = field(
        default_factory=lambda: Schedule(learning_rate=5e-5, warmup=0.0, weight_decay=0.0)
    )
