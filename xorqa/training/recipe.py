"""What decides a reader: the recipe, from a TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..config import find_toml, read_toml, settings
from ..errors import ConfigError, one_of
from ..files import data_dir
from ..models.checkpoints import DEFAULT
from .loop import Schedule

RECIPES = Path(__file__).parents[1] / "configs" / "train"
METHODS = ("lora", "full")


@dataclass(frozen=True, slots=True)
class Source:
    """SQuAD-style JSON files, of one language, that are mixed with others by weight."""

    files: tuple[str, ...]
    weight: float = 1.0  # of the questions drawn; a source with fewer gives some of them again
    held_out: float = 0.05  # share of articles never trained on, by title hash
    first_offsets: bool = False  # offsets are the answer's first place, right or not, as in SQuAD
    license: str = ""  # of the data, for the card

    def __post_init__(self) -> None:
        """Refuse what no training could use. Raises ConfigError."""
        _within("source held_out", self.held_out, 0, 1)
        _within("source weight", self.weight, 0)

    @property
    def paths(self) -> list[Path]:
        """The files; a name such as `train/*.json` stands for all it matches, sorted."""
        named = map(Path, self.files)
        return [path for name in named for path in sorted(name.parent.glob(name.name)) or [name]]


@dataclass(frozen=True, slots=True)
class ReaderRecipe:
    """Everything that decides what comes out.

    `method` is "lora" (low-rank pairs on all linear layers) or "full" (all of the layers, the
    embeddings left as they are). `miner` is the retriever that finds the hard negatives: its
    name, or its table as a pipeline has it.
    """

    sources: tuple[Source, ...]
    base: str = DEFAULT
    method: str = "lora"
    start: str | None = None  # an adapter to go on from, shipped or a file
    frozen_layers: int = 0  # the lowest, which stay as they are at the start
    questions: int = 24_000  # drawn in all, some again where there are fewer
    negatives: float = 0.5  # passages without the answer, mostly of the same article, per question
    hard_negatives: float = 0.0  # best-ranked passages without the answer, per question
    miner: Any = "bm25"
    development: int = 0  # held-out questions of each source, for validation and calibration
    batch_size: int = 16
    max_tokens: int = 256
    rank: int = 32
    alpha: int = 64
    relevance_weight: float = 0.5
    seed: int = 1
    dtype: str = "auto"
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=7e-4))

    def __post_init__(self) -> None:
        """Refuse what no training could use. Raises ConfigError."""
        if self.method not in METHODS:
            raise ConfigError(
                f"[reader] no method is called '{self.method}'; there are: {one_of(METHODS)}"
            )
        if not isinstance(self.miner, str | Mapping):
            raise ConfigError(f"[reader] miner must be a retriever's name or its table, "
                              f"not {self.miner!r}")  # fmt: skip
        _within("negatives", self.negatives, 0, 1)
        for name in ("hard_negatives", "frozen_layers", "development"):
            _within(name, getattr(self, name), 0)
        for name in ("questions", "batch_size", "rank"):
            _within(name, getattr(self, name), 1)
        _within("schedule accumulate", self.schedule.accumulate, 1)


def load_recipe(config: str | Path) -> ReaderRecipe:
    """Read `[reader]` from a TOML file, or one of the package's recipes by its name.

    Data files that begin with `.`, `/` or `~` are paths (from the recipe's folder on);
    others, such as `squad/train-v1.1.json` or `jaquad/train/*.json`, are fetched data.

    Raises:
        ConfigError: listing the recipes, or the settings there are.
    """
    path = find_toml(config, RECIPES, kind="recipe")
    table = read_toml(path).get("reader")
    if not isinstance(table, dict):
        raise ConfigError(f"{path} has no table [reader]")
    recipe = settings(ReaderRecipe, table, where=f"{path} [reader]")
    return replace(
        recipe, sources=tuple(_located(source, path.parent) for source in recipe.sources)
    )


def described(recipe: ReaderRecipe) -> dict[str, Any]:
    """The recipe as plain values, the same wherever the data folder stands."""
    sources = [asdict(source) | {"files": file_names(source)} for source in recipe.sources]
    start = recipe.start and Path(recipe.start).name
    return asdict(recipe) | {"sources": sources, "start": start}


def file_names(source: Source) -> list[str]:
    """Fetched files as a recipe names them, others by their names alone."""
    paths = map(Path, source.files)
    return [
        path.relative_to(data_dir()).as_posix() if path.is_relative_to(data_dir()) else path.name
        for path in paths
    ]


def _located(source: Source, folder: Path) -> Source:
    files = (
        (folder / Path(file).expanduser()).resolve()
        if file.startswith((".", "/", "~"))
        else data_dir() / file
        for file in source.files
    )
    return replace(source, files=tuple(map(str, files)))


def _within(name: str, value: float, least: float, most: float | None = None) -> None:
    if value < least or (most is not None and value > most):
        limits = f"from {least} to {most}" if most is not None else f"{least} or more"
        raise ConfigError(f"[reader] {name} must be {limits}, not {value}")
