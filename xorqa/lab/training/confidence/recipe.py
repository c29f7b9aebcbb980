"""The settings of a confidence model's training, from a TOML file."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, Self

from ....core.config import find_toml, read_toml, set_value
from ....core.errors import ConfigError
from ....core.validation import SETTINGS, Count, CountOrZero, Share
from ....io.files import digest, sha256
from ..common.recipe import RECIPES
from ..common.training_data import located, matching, short_names

TABLE = "confidence"


@dataclass(frozen=True, slots=True)
class ConfidenceSource:
    """Questions of SQuAD-style files with their paragraphs, or of XOR QA's files without.

    `articles` are those that the reader's training held out (a share `held_out`, by title hash),
    or the other ones, if the held-out ones are for evaluation. `code_switched` is the share of
    the questions that are asked again with words of other languages.
    """

    files: tuple[str, ...]
    lang: str = "en"  # of questions and paragraphs; XOR QA's files name each question's
    questions: Count = 100
    paragraphs: Count = 2000  # of the shared corpus, those of the questions first
    articles: Literal["held-out", "trained"] = "held-out"
    held_out: Share = 0.05
    code_switched: Share = 0.0

    @property
    def paths(self) -> list[Path]:
        """The files, with patterns expanded."""
        return matching(self.files)


@dataclass(frozen=True, slots=True)
class ConfidenceRecipe:
    """Everything that decides the trained weights.

    `config` names the experiment whose retrievers, reader and chooser answer the questions.
    Each question has a corpus of one of the `sizes`; 0 is the whole corpus.
    """

    sources: tuple[ConfidenceSource, ...]
    config: str = "dense"
    reader: str = "reader-questions"
    sizes: tuple[CountOrZero, ...] = (0,)
    lexicon: tuple[str, ...] = ()  # word translations, for code switching
    exclude: tuple[str, ...] = ()  # files of questions that are never used
    seed: CountOrZero = 1

    @classmethod
    def load(cls, config: str | Path, changes: Sequence[str] = ()) -> Self:
        """The recipe in a TOML file, or a bundled one by its name, with its files `located`.

        `changes` set single values, such as `reader=my/reader.safetensors`.

        Raises:
            ConfigError: listing the bundled recipes, or the valid settings.
        """
        path = find_toml(config, RECIPES, kind="recipe")
        table = read_toml(path).get(TABLE)
        if not isinstance(table, dict):
            raise ConfigError(f"{path} has no table [{TABLE}]")
        for change in changes:
            set_value(table, change)
        recipe = SETTINGS.fill(cls, table, where=f"{path} [{TABLE}]")
        return replace(
            recipe,
            sources=tuple(
                replace(one, files=located(one.files, path.parent)) for one in recipe.sources
            ),
            lexicon=located(recipe.lexicon, path.parent),
            exclude=located(recipe.exclude, path.parent),
        )

    @property
    def patterns(self) -> list[str]:
        """Every data file of the recipe, as paths that may contain `*`."""
        groups = [*(one.files for one in self.sources), self.lexicon, self.exclude]
        return [file for group in groups for file in group]

    def inputs(self) -> dict[str, str]:
        """The input files, with their state: "exists" or "missing"."""
        states = {}
        for pattern in self.patterns:
            exists = all(path.is_file() for path in matching([pattern]))
            states[short_names([pattern])[0]] = "exists" if exists else "missing"
        return states

    def describe(self) -> dict[str, Any]:
        """The recipe as plain values, the same on every machine, with a hash of the data."""
        data = digest([sha256(path) for path in matching(self.patterns)])
        sources = [asdict(one) | {"files": short_names(one.files)} for one in self.sources]
        return asdict(self) | {
            "sources": sources,
            "sizes": list(self.sizes),
            "reader": Path(self.reader).name,
            "lexicon": short_names(self.lexicon),
            "exclude": short_names(self.exclude),
            "data": data,
        }
