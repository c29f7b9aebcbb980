"""The settings of query distillation, from a TOML file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar

from ....core.errors import ConfigError
from ....core.validation import Count, CountOrZero, NonNegative, Positive, Range, Share
from ....models.adapters import open_adapter
from ....models.encoder_settings import encoder_settings
from ..bitext.translations import TranslationSource
from ..common.finetuning import FinetuningRecipe
from ..common.loop import Schedule
from ..common.recipe import Recipe


@dataclass(frozen=True, slots=True)
class LateDistillation:
    """Late interaction to distil as well, over passages stored as bits.

    The `teacher`, by default the recipe's start, is a query encoder by whose token vectors English
    questions rank the passages. `transform` has the means that all token vectors are compared
    without: by default the shipped ones of the teacher, or else means fitted to it.
    """

    teacher: str | None = None
    transform: str | None = None
    pool_factor: Annotated[float, Range(1, 100)] = 1.5
    weight: NonNegative = 1.0
    temperature: Positive = 0.25  # of the distributions over the candidates
    depth: Count = 100  # passages that the vectors rank first
    candidates: Annotated[int, Range(2)] = 24  # of them, drawn for each question with weight 1/rank


@dataclass(frozen=True, slots=True)
class QueryEncoderRecipe(FinetuningRecipe):
    """Everything that determines the trained weights; the teacher is the base.

    `settle` more steps, over the first batches again, compute with the weights in 4 bits as the
    file has them.
    """

    table: ClassVar[str] = "query_encoder"
    files: ClassVar[tuple[str, ...]] = ("exclude", "passages", "lexicon")
    added_later: ClassVar[tuple[str, ...]] = ("settle", "late_interaction")

    sources: tuple[TranslationSource, ...]
    passages: tuple[str, ...] = ()  # SQuAD-style files of the English passages to rank
    max_passages: CountOrZero = 0  # ranked at most, sampled at random; 0: all
    lexicon: tuple[str, ...] = ()
    steps: Count = 1000
    settle: CountOrZero = 0
    batch_size: Annotated[int, Range(2)] = 96
    max_question_tokens: Count = 64
    english: Share = 0.1  # share of texts replaced by their translations
    code_switched: Share = 0.5  # share of those that are code-switched
    cosine_weight: NonNegative = 20.0
    temperature: Positive = 0.02  # of the distributions over the passages
    late_interaction: LateDistillation | None = None
    held_out: Share = 0.01  # share of English texts never trained on, by hash
    validation: CountOrZero = 600  # held-out pairs
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=5e-5))

    def identity(self) -> dict[str, Any]:
        """The description with hashes of the data, the base, the starting point and the teacher."""
        identity = Recipe.identity(self)
        if self.late_interaction:
            identity["teacher_sha"] = open_adapter(self.teacher, task="encoder").sha
        return identity

    @property
    def teacher(self) -> str:
        """The query encoder that late interaction is distilled from. Raises ConfigError."""
        teacher = (self.late_interaction and self.late_interaction.teacher) or self.start
        if teacher is None:
            raise ConfigError("[query_encoder.late_interaction] needs a start or a teacher")
        return teacher

    def describe(self) -> dict[str, Any]:
        """The recipe as plain values, with the encoder's settings and the side that is trained."""
        teacher = encoder_settings(self.base)
        pooling, normalize = teacher.pooled(self.base)
        options: dict[str, Any] = {
            "side": "query",
            "pooling": pooling,
            "normalize": normalize,
            "query_prefix": teacher.prefix("query"),
            "passage_prefix": teacher.prefix("passage"),
        }
        description = Recipe.describe(self) | options
        if self.late_interaction:
            description["late_interaction"] |= {"teacher": Path(self.teacher).name}
        return description
