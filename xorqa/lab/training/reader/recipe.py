"""The settings of a reader's training, from a TOML file."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from ....core.errors import ConfigError
from ....models.adapters import open_adapter
from ..bitext.translations import TranslationSource
from ..common.finetuning import FinetuningRecipe
from ..common.limits import check_limits, limited
from ..common.loop import Schedule
from ..common.recipe import Recipe, SquadSource, located, short_names


@dataclass(frozen=True, slots=True)
class ReaderSource(SquadSource):
    """SQuAD-style files, mixed with other sources by weight."""

    code_switched: float = limited(0.0, 0, 1)  # share of its questions, which must be English


@dataclass(frozen=True, slots=True)
class Distillation:
    """Questions beside their English translations, and a teacher that reads the English ones.

    The student reads the question itself in the same passage, and learns the teacher's
    distributions of starts, ends and relevance. An English question is read in the paragraphs of
    `passages` that contain it, then in those that `retriever` ranks first.
    """

    sources: tuple[TranslationSource, ...]
    passages: tuple[str, ...]  # SQuAD-style files in English
    teacher: str = "reader-multi"  # a reader of the recipe's base
    retriever: Any = "dense"  # its name, or its table as in a pipeline
    depth: int = limited(3, 1)  # passages of a question, the one of rank r drawn with weight 1/r
    windows: int = limited(70_000, 1)  # to train on, beside those of the recipe's questions
    max_tokens: int = limited(160, 32)  # of a window
    english: float = limited(0.05, 0, 1)  # share of questions replaced by their translations
    code_switched: float = limited(1.0, 0, 1)  # share of those, and of English sources
    code_switched_langs: tuple[str, ...] = ()  # of the lexicon; default: all
    weight: float = limited(1.0, 0)  # of a window, where a gold window has 1
    temperature: float = 2.0  # of all distributions
    held_out: float = limited(0.05, 0, 1)  # share of questions and of articles, by hash
    validation: int = limited(600, 0)  # held-out questions; those without an answer are dropped

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        check_limits(self, "[reader.distillation]")
        if not self.temperature > 0:
            raise ConfigError(
                f"[reader.distillation] temperature must be above 0, not {self.temperature}"
            )

    def in_folder(self, folder: Path) -> Self:
        """The settings with their files `located` in `folder`."""
        sources = (replace(one, files=located(one.files, folder)) for one in self.sources)
        return replace(self, sources=tuple(sources), passages=located(self.passages, folder))

    def describe(self) -> dict[str, Any]:
        """The settings as plain values, the same on every machine."""
        sources = [asdict(one) | {"files": short_names(one.files)} for one in self.sources]
        short = {"passages": short_names(self.passages), "teacher": Path(self.teacher).name}
        return asdict(self) | short | {"sources": sources}


def check_miner(table: str, miner: object) -> None:
    """Check a setting that names a retriever. Raises ConfigError."""
    if not isinstance(miner, str | Mapping):
        raise ConfigError(f"[{table}] miner must be a retriever's name or its table, not {miner!r}")


@dataclass(frozen=True, slots=True)
class DistilledRecipe(FinetuningRecipe):
    """A recipe that may learn from a teacher, beside its sources."""

    distillation: Distillation | None = None

    def in_folder(self, folder: Path) -> Self:
        """The recipe with its files `located` in `folder`."""
        recipe = Recipe.in_folder(self, folder)
        distillation = self.distillation and self.distillation.in_folder(folder)
        return replace(recipe, distillation=distillation)

    def patterns(self) -> list[str]:
        """Every data file of the recipe, as paths that may contain `*`."""
        groups = [one.files for one in self.distillation.sources] if self.distillation else []
        passages = self.distillation.passages if self.distillation else ()
        return [*Recipe.patterns(self), *(file for group in groups for file in group), *passages]

    def describe(self) -> dict[str, Any]:
        """The recipe as plain values, the same on every machine."""
        table = Recipe.describe(self)
        del table["distillation"]  # absent without one: older training folders lack it
        return table | ({"distillation": self.distillation.describe()} if self.distillation else {})

    def identity(self) -> dict[str, Any]:
        """The description with hashes of the data, the base, the starting point and the teacher."""
        identity = Recipe.identity(self)
        if self.distillation:
            identity["teacher_sha"] = open_adapter(self.distillation.teacher, task="reader").sha
        return identity


@dataclass(frozen=True, slots=True)
class ReaderRecipe(DistilledRecipe):
    """Everything that decides the trained weights.

    `miner` is the retriever that mines hard negatives: its name, or its table as in a pipeline.
    Most `negatives` are passages of the question's article. `settle` more steps, over the first
    batches again, compute with the weights in 4 bits as the file has them.
    """

    table: ClassVar[str] = "reader"
    files: ClassVar[tuple[str, ...]] = ("exclude", "lexicon")

    sources: tuple[ReaderSource, ...]
    lexicon: tuple[str, ...] = ()  # word translations; code switching needs them
    questions: int = limited(24_000, 1)  # sampled in total; a source with fewer repeats some
    negatives: float = limited(0.5, 0, 1)  # random passages without the answer per question
    hard_negatives: float = limited(0.0, 0)  # top-ranked passages without the answer per question
    miner: Any = "bm25"
    validation: int = limited(0, 0)  # held-out questions per source, to validate and calibrate
    batch_size: int = limited(16, 1)
    max_tokens: int = 256
    settle: int = limited(0, 0)
    dropout: float = limited(0.0, 0, 0.9)
    relevance_weight: float = 0.5
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=7e-4))

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        Recipe.__post_init__(self)
        check_miner(self.table, self.miner)
        if self.distillation and self.distillation.validation and not self.validation:
            raise ConfigError("[reader] validation must be 1 or more where distillation has one")

    def describe(self) -> dict[str, Any]:
        """The recipe as plain values, the same on every machine."""
        table = DistilledRecipe.describe(self)
        if not self.settle:
            del table["settle"]  # older training folders lack it
        return table
