"""The settings of a bi-encoder's training, from a TOML file."""

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Literal

from ....core.errors import ConfigError
from ....core.validation import Count, CountOrZero, NonNegative, Positive, Range
from ....models.adapters import open_adapter
from ....models.checkpoints import resolve
from ....models.encoder_settings import EncoderSettings
from ....models.transforms import SIDES
from ..common.finetuning import Finetuning, FinetuningRecipe, Method
from ..common.loop import Schedule
from ..common.recipe import Recipe, SquadSource


@dataclass(frozen=True, slots=True)
class BiencoderSource(SquadSource):
    """SQuAD-style files, mixed with other sources by weight.

    Questions with the same id in its files are one question in several languages. Files may also
    be DPR's (`io.dpr_json`), whose passages are English: with hard negatives, in units of 100
    words whatever the recipe's `unit` is. `lang` is then the language of questions that have none.
    """

    lang: str | None = None  # for files whose names do not contain a language


@dataclass(frozen=True, slots=True)
class BiencoderRecipe(FinetuningRecipe):
    """Everything that determines the trained weights.

    The passage tower of two begins at `passage_start` on `passage_base`, by default as the other.

    `translations` and `parallel` are pair files (`bitext.corpus`).
    """

    table: ClassVar[str] = "biencoder"
    files: ClassVar[tuple[str, ...]] = ("exclude", "translations", "parallel")
    methods: ClassVar[tuple[Method, ...]] = ("lora", "full", "all")
    added_later: ClassVar[tuple[str, ...]] = (
        "context",
        "exclude_positive",
        "mono_steps",
        "passage_base",
        "passage_start",
        "ranker",
    )
    adapters: ClassVar[tuple[str, ...]] = ("start", "passage_start")

    sources: tuple[BiencoderSource, ...]
    translations: tuple[str, ...] = ()  # adds translations to the questions of the sources
    towers: Literal[1, 2] = 1  # 2: one for questions, one for passages (DPR)
    pooling: Literal["cls", "mean"] = "mean"
    normalize: bool = True  # False: inner products instead of cosines
    query_prefix: str | None = None  # default: E5's for E5 models, else none
    passage_prefix: str | None = None
    # of answers; passages, and units of exactly 100 words, begin with a title
    unit: Literal["passage", "sentence", "words"] = "sentence"
    context: bool = False  # sentences are encoded with their paragraph, as `lareqa --context`
    sampler: Literal["en-en", "x-x", "x-x-mono", "x-y", "x-y-different", "any"] = "x-x"
    mono_steps: bool = False  # x-x-mono: all batches of an accumulated step in one language
    steps: Count = 2000
    batch_size: Annotated[int, Range(2)] = 64
    max_question_tokens: Count = 64
    max_passage_tokens: Count = 192
    # hard negatives: mined by a retriever, of a paragraph that a ranker ranks high, or the file's
    negatives: tuple[Literal["bm25", "encoder", "ranker", "file"], ...] = ()
    ranker: str | None = None  # of the negatives "ranker"; default: the bundled one
    passage_base: str | None = None
    passage_start: str | None = None
    scale: Positive = 33.0  # factor of similarities; the initial one if it is learned
    learn_scale: bool = True
    both_ways: bool = True  # also rank questions for each answer
    exclude_positive: bool = False  # the loss as LAReQA prints it
    margin: NonNegative = 0.0  # subtracted from the similarity of matches
    parallel: tuple[str, ...] = ()  # pair files for translation ranking
    parallel_weight: NonNegative = 1.0
    parallel_batch: Annotated[int, Range(2)] = 64
    validation: CountOrZero = 200  # held-out questions per source
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=5e-4))

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        FinetuningRecipe.__post_init__(self)
        if self.towers == 1 and (self.passage_base or self.passage_start):
            raise ConfigError("passage_base and passage_start need towers = 2")
        if self.mono_steps and self.sampler != "x-x-mono":
            raise ConfigError(
                f"[{self.table}] mono_steps = true gives a step one language; it needs "
                f'sampler = "x-x-mono", not "{self.sampler}"'
            )
        if self.context and (self.unit != "sentence" or self.negatives):
            raise ConfigError(
                f"[{self.table}] context = true gives each answer sentence its paragraph; it needs "
                'unit = "sentence" and no negatives'
            )

    def passage_tower(self, how: Finetuning) -> tuple[str, Finetuning]:
        """The base of the passage tower, and how it is trained: its own start or the other's."""
        start = self.passage_start or (None if self.passage_base else how.start)
        return self.passage_base or self.base, replace(how, start=start)

    def identity(self) -> dict[str, Any]:
        """As that of any recipe, with hashes of a passage tower's own base and start."""
        base, start = self.passage_base, self.passage_start
        hashes = {"passage_base_sha": resolve(base).sha} if base else {}
        hashes |= {"passage_start_sha": open_adapter(start).sha} if start else {}
        return FinetuningRecipe.identity(self) | hashes

    @property
    def prefixes(self) -> dict[str, str]:
        """The prefixes of a "query" and a "passage", as in the trained encoder."""
        given = {f"{side}_prefix": getattr(self, f"{side}_prefix") for side in SIDES}
        return {side: EncoderSettings(self.base, **given).prefix(side) for side in SIDES}

    def describe(self) -> dict[str, Any]:
        """The recipe as plain values, with the prefixes in use."""
        prefixes = {f"{side}_prefix": prefix for side, prefix in self.prefixes.items()}
        # Folders from before have another meaning of "x-y", and must not be taken for this one.
        pairs = {"pairs": "all"} if self.sampler == "x-y" else {}
        return Recipe.describe(self) | prefixes | pairs
