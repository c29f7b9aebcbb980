"""The settings of a ranker's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from ....core.errors import ConfigError
from ....core.validation import SETTINGS, Count, CountOrZero, Range
from ..common.finetuning import FinetuningRecipe
from ..common.loop import Schedule
from ..reader.recipe import DistilledRecipe, ReaderSource, RetrieverSetting


@dataclass(frozen=True, slots=True)
class RankerRecipe(DistilledRecipe):
    """Everything that decides the trained weights.

    Training starts from a reader: its relevance becomes the ranker's score. `miner` mines hard
    negatives. `code_switched` of a source is a share of its questions; passages stay as they are.
    An English question with `translations` (pair files) is put in a random one of its languages;
    the miner searches for the English question, or with `mine_translations` for the translation,
    also in the paragraphs of `passages` (SQuAD-style files). Random negatives come from these, too.
    With a `distillation`, its teacher ranks `depth` passages for each of its questions (`windows`
    is their number).

    Rounding the result to 4 bits costs more than a point of MRR, so `settle` more steps, over the
    first batches again, compute with the rounded weights.
    """

    table: ClassVar[str] = "ranker"
    files: ClassVar[tuple[str, ...]] = ("exclude", "lexicon", "translations", "passages")
    added_later: ClassVar[tuple[str, ...]] = (*DistilledRecipe.added_later, "random_negatives")

    sources: tuple[ReaderSource, ...]
    start: str | None = "reader-questions"
    translations: tuple[str, ...] = ()
    mine_translations: bool = False  # needs a miner that searches across languages
    passages: tuple[str, ...] = ()
    lexicon: tuple[str, ...] = ()  # word translations; code switching needs them
    questions: Count = 4_000  # sampled in total; a source with fewer repeats some
    hard_negatives: CountOrZero = 5  # top-ranked passages without the answer per question
    same_article: CountOrZero = 2  # random passages of the article without the answer
    random_negatives: CountOrZero = 0  # likewise of the ten articles that the miner finds first
    miner: RetrieverSetting = "bm25"
    validation: CountOrZero = 100  # held-out questions per source
    batch_size: Count = 4  # questions
    max_tokens: Annotated[int, Range(16)] = 224  # of a question and a passage
    settle: CountOrZero = 0  # steps at the end with the weights as the file has them
    dropout: Annotated[float, Range(0, 0.9)] = 0.0
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=3e-5))

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        FinetuningRecipe.__post_init__(self)
        SETTINGS.check(RetrieverSetting, self.miner, where="[ranker] miner")
        if not self.hard_negatives + self.same_article + self.random_negatives:
            raise ConfigError(
                "[ranker] needs hard_negatives, same_article or random_negatives of 1 or more"
            )
