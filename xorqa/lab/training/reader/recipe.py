"""The settings of a reader's training, from a TOML file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from ....core.errors import ConfigError
from ....core.validation import SETTINGS, Count, CountOrZero, NonNegative, Positive, Range, Share
from ....models.adapters import open_adapter
from ....reading.glosses import gloss_identity
from ..bitext.translations import TranslationSource
from ..common.finetuning import FinetuningRecipe
from ..common.loop import Schedule
from ..common.recipe import DataSettings, Recipe, SquadSource

RetrieverSetting = str | Mapping[str, Any]
"""A retriever's name, or its table as in a pipeline."""


@dataclass(frozen=True, slots=True)
class ReaderSource(SquadSource):
    """SQuAD-style files, mixed with other sources by weight."""

    code_switched: Share = 0.0  # share of its questions, which must be English


@dataclass(frozen=True, slots=True)
class Distillation(DataSettings):
    """Questions beside their English translations, and a teacher that reads the English ones.

    The student reads the question itself in the same passage, and learns the teacher's
    distributions of starts, ends and relevance. An English question is read in the paragraphs of
    `passages` that contain it, then in those that `retriever` ranks first.
    """

    table: ClassVar[str] = "reader.distillation"
    files: ClassVar[tuple[str, ...]] = ("passages",)
    adapters: ClassVar[tuple[str, ...]] = ("teacher",)

    sources: tuple[TranslationSource, ...]
    passages: tuple[str, ...]  # SQuAD-style files in English
    teacher: str = "reader-multi"  # a reader of the recipe's base
    retriever: RetrieverSetting = "dense"
    depth: Count = 3  # passages of a question, the one of rank r drawn with weight 1/r
    windows: Count = 70_000  # to train on, beside those of the recipe's questions
    max_tokens: Annotated[int, Range(32)] = 160  # of a window
    english: Share = 0.05  # share of questions replaced by their translations
    code_switched: Share = 1.0  # share of those, and of English sources
    code_switched_langs: tuple[str, ...] = ()  # of the lexicon; default: all
    weight: NonNegative = 1.0  # of a window, where a gold window has 1
    temperature: Positive = 2.0  # of all distributions
    held_out: Share = 0.05  # share of questions and of articles, by hash
    validation: CountOrZero = 600  # held-out questions; those without an answer are dropped


@dataclass(frozen=True, slots=True)
class DistilledRecipe(FinetuningRecipe):
    """A recipe that may learn from a teacher, beside its sources."""

    added_later: ClassVar[tuple[str, ...]] = ("distillation",)

    distillation: Distillation | None = None

    def identity(self) -> dict[str, Any]:
        """The description with hashes of the data, the base, the starting point and the teacher."""
        identity = Recipe.identity(self)
        if self.distillation:
            identity["teacher_sha"] = open_adapter(self.distillation.teacher, task="reader").sha
        return identity


@dataclass(frozen=True, slots=True)
class ReaderRecipe(DistilledRecipe):
    """Everything that decides the trained weights.

    `miner` mines hard negatives. Most `negatives` are passages of the question's article. `settle`
    more steps, over the first batches again, compute with the weights in 4 bits as the file has
    them.
    """

    table: ClassVar[str] = "reader"
    files: ClassVar[tuple[str, ...]] = (
        "exclude",
        "lexicon",
        "unanswerable",
        "validation_files",
    )
    added_later: ClassVar[tuple[str, ...]] = (
        "distillation",
        "gloss_dropout",
        "glosses",
        "settle",
        "unanswerable",
        "validation_files",
    )

    sources: tuple[ReaderSource, ...]
    unanswerable: tuple[str, ...] = ()  # SQuAD-style; all questions without an answer, once each
    lexicon: tuple[str, ...] = ()  # word translations; code switching needs them
    glosses: CountOrZero = 0  # translations of a word that a question is given with
    gloss_dropout: Share = 0.0  # of these, while training
    questions: Count = 24_000  # sampled in total; a source with fewer repeats some
    negatives: Share = 0.5  # random passages without the answer per question
    hard_negatives: NonNegative = 0.0  # top-ranked passages without the answer per question
    miner: RetrieverSetting = "bm25"
    validation: CountOrZero = 0  # held-out questions per source, to validate and calibrate
    validation_files: tuple[str, ...] = ()  # SQuAD-style; instead of held-out articles
    batch_size: Count = 16
    max_tokens: int = 256
    settle: CountOrZero = 0
    dropout: Annotated[float, Range(0, 0.9)] = 0.0
    relevance_weight: float = 0.5
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=7e-4))

    def identity(self) -> dict[str, Any]:
        """The identity of any recipe with a teacher, and of the glosses."""
        identity = DistilledRecipe.identity(self)
        return identity | {"glosses": gloss_identity()} if self.glosses else identity

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        FinetuningRecipe.__post_init__(self)
        if self.gloss_dropout and not self.glosses:
            raise ConfigError("[reader] gloss_dropout is of glosses; set their number")
        SETTINGS.check(RetrieverSetting, self.miner, where="[reader] miner")
        if self.validation_files and not self.validation:
            raise ConfigError("[reader] validation must be 1 or more to use validation_files")
        if self.distillation and self.distillation.validation and not self.validation:
            raise ConfigError("[reader] validation must be 1 or more where distillation has one")
