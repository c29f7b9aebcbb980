"""The settings of query distillation, from a TOML file."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ....core.errors import ConfigError
from ....models.encoder import encoder_settings
from ..bitext.translations import TranslationSource
from ..common.finetuning import FinetuningRecipe
from ..common.limits import limited
from ..common.loop import Schedule
from ..common.recipe import Recipe


@dataclass(frozen=True, slots=True)
class QueryEncoderRecipe(FinetuningRecipe):
    """Everything that determines the trained weights; the teacher is the base.

    `settle` more steps, over the first batches again, compute with the weights in 4 bits as the
    file has them.
    """

    table: ClassVar[str] = "query_encoder"
    files: ClassVar[tuple[str, ...]] = ("exclude", "passages", "lexicon")

    sources: tuple[TranslationSource, ...]
    passages: tuple[str, ...] = ()  # SQuAD-style files of the English passages to rank
    max_passages: int = limited(0, 0)  # ranked at most, sampled at random; 0: all
    lexicon: tuple[str, ...] = ()
    steps: int = limited(1000, 1)
    settle: int = limited(0, 0)
    batch_size: int = limited(96, 2)
    max_question_tokens: int = limited(64, 1)
    english: float = limited(0.1, 0, 1)  # share of texts replaced by their translations
    code_switched: float = limited(0.5, 0, 1)  # share of those that are code-switched
    cosine_weight: float = limited(20.0, 0)
    temperature: float = 0.02  # of the distributions over the passages
    held_out: float = limited(0.01, 0, 1)  # share of English texts never trained on, by hash
    validation: int = limited(600, 0)  # held-out pairs
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=5e-5))

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        Recipe.__post_init__(self)
        if not self.temperature > 0:
            raise ConfigError(
                f"[query_encoder] temperature must be above 0, not {self.temperature}"
            )

    def describe(self) -> dict[str, Any]:
        """The recipe as plain values, with the encoder's settings and the side that is trained."""
        teacher = encoder_settings(self.base)
        options: dict[str, Any] = {
            "side": "query",
            "pooling": teacher.pooling,
            "normalize": teacher.normalize,
            "query_prefix": teacher.prefix("query"),
            "passage_prefix": teacher.prefix("passage"),
        }
        table = Recipe.describe(self) | options
        if not self.settle:
            del table["settle"]  # older training folders lack it
        return table
