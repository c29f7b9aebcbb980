"""The settings of a ranker's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ....core.errors import ConfigError
from ..common.limits import limited
from ..common.loop import Schedule
from ..common.recipe import Recipe
from ..reader.recipe import DistilledRecipe, ReaderSource, check_miner


@dataclass(frozen=True, slots=True)
class RankerRecipe(DistilledRecipe):
    """Everything that decides the trained weights.

    Training starts from a reader: its relevance becomes the ranker's score. `miner` is the
    retriever that mines hard negatives: its name, or its table as in a pipeline. `code_switched`
    of a source is a share of its questions; passages stay as they are. An English question with
    `translations` (pair files) is asked in a random one of its languages; the miner searches for
    the English question, or with `mine_translations` for the translation, also in the paragraphs
    of `passages` (SQuAD-style files). With a `distillation`, its teacher ranks `depth` passages for
    each of its questions (`windows` is their number).

    Rounding the result to 4 bits costs more than a point of MRR, so `settle` more steps, over the
    first batches again, compute with the rounded weights.
    """

    table: ClassVar[str] = "ranker"
    files: ClassVar[tuple[str, ...]] = ("exclude", "lexicon", "translations", "passages")

    sources: tuple[ReaderSource, ...]
    start: str | None = "reader-questions"
    translations: tuple[str, ...] = ()
    mine_translations: bool = False  # needs a miner that searches across languages
    passages: tuple[str, ...] = ()
    lexicon: tuple[str, ...] = ()  # word translations; code switching needs them
    questions: int = limited(4_000, 1)  # sampled in total; a source with fewer repeats some
    hard_negatives: int = limited(5, 0)  # top-ranked passages without the answer per question
    same_article: int = limited(2, 0)  # random passages of the article without the answer
    miner: Any = "bm25"
    validation: int = limited(100, 0)  # held-out questions per source
    batch_size: int = limited(4, 1)  # questions
    max_tokens: int = limited(224, 16)  # of a question and a passage
    settle: int = limited(0, 0)  # steps at the end with the weights as the file has them
    dropout: float = limited(0.0, 0, 0.9)
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=3e-5))

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        Recipe.__post_init__(self)
        check_miner(self.table, self.miner)
        if not self.hard_negatives + self.same_article:
            raise ConfigError("[ranker] needs hard_negatives or same_article of 1 or more")
