"""The settings of a confidence model's training, from a TOML file."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ....core.validation import Count, CountOrZero, Share
from ....io.files import digest, sha256
from ..common.recipe import DataSettings, Source
from ..common.training_data import matching, short_names


@dataclass(frozen=True, slots=True)
class ConfidenceSource(Source):
    """Questions of SQuAD-style files with their paragraphs, or of XOR QA's files without.

    `articles` are those that the reader's training held out (a share `held_out`, by title hash),
    or the other ones, if the held-out ones are for evaluation. `code_switched` is the share of
    the questions that are asked again with words of other languages.
    """

    lang: str = "en"  # of questions and paragraphs; XOR QA's files name each question's
    questions: Count = 100
    paragraphs: Count = 2000  # of the shared corpus, those of the questions first
    articles: Literal["held-out", "trained"] = "held-out"
    held_out: Share = 0.05
    code_switched: Share = 0.0


@dataclass(frozen=True, slots=True)
class ConfidenceRecipe(DataSettings):
    """Everything that decides the trained weights.

    `configs` names the experiments whose retrievers, reader and chooser answer the questions. Each
    question has a corpus of one of the `sizes`; 0 is the whole corpus.
    """

    table: ClassVar[str] = "confidence"
    files: ClassVar[tuple[str, ...]] = ("lexicon", "exclude")
    adapters: ClassVar[tuple[str, ...]] = ("reader",)

    sources: tuple[ConfidenceSource, ...]
    configs: tuple[str, ...] = ("dense",)
    reader: str = "reader-questions"
    sizes: tuple[CountOrZero, ...] = (0,)
    lexicon: tuple[str, ...] = ()  # word translations, for code switching
    exclude: tuple[str, ...] = ()  # files of questions that are never used
    seed: CountOrZero = 1

    def inputs(self) -> dict[str, str]:
        """The input files, with their state: "exists" or "missing"."""
        states = {}
        for pattern in self.patterns():
            exists = all(path.is_file() for path in matching([pattern]))
            states[short_names([pattern])[0]] = "exists" if exists else "missing"
        return states

    def describe(self) -> dict[str, Any]:
        """The recipe as plain values, the same on every machine, with a hash of the data."""
        data = digest([sha256(path) for path in matching(self.patterns())])
        lists = {"configs": list(self.configs), "sizes": list(self.sizes)}
        return DataSettings.describe(self) | lists | {"data": data}
