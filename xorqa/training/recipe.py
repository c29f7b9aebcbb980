"""What decides a reader: the recipe, from a TOML file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from ..config import find_toml, read_toml, settings
from ..errors import ConfigError
from ..files import data_dir
from ..models.checkpoints import DEFAULT
from .loop import Schedule

RECIPES = Path(__file__).parents[1] / "configs" / "train"


@dataclass(frozen=True, slots=True)
class ReaderRecipe:
    """Everything that decides what comes out. `files` are SQuAD-style JSON."""

    files: tuple[str, ...]
    base: str = DEFAULT
    questions: int = 24_000
    negatives: float = 0.5  # passages without the answer, per question
    held_out: float = 0.05  # share of articles never trained on, by title hash
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
        for name, least, most in (("negatives", 0, 1), ("held_out", 0, 1), ("questions", 1, None),
                                  ("batch_size", 1, None), ("rank", 1, None)):  # fmt: skip
            value = getattr(self, name)
            if value < least or (most is not None and value > most):
                limits = f"from {least} to {most}" if most is not None else f"{least} or more"
                raise ConfigError(f"[reader] {name} must be {limits}, not {value}")


def load_recipe(config: str | Path) -> ReaderRecipe:
    """Read `[reader]` from a TOML file, or one of the package's recipes by its name.

    Data files that begin with `.`, `/` or `~` are paths (from the recipe's folder on);
    others, such as `squad/train-v1.1.json`, are fetched data.

    Raises:
        ConfigError: listing the recipes, or the settings there are.
    """
    path = find_toml(config, RECIPES, kind="recipe")
    table = read_toml(path).get("reader")
    if not isinstance(table, dict):
        raise ConfigError(f"{path} has no table [reader]")
    recipe = settings(ReaderRecipe, table, where=f"{path} [reader]")
    return replace(recipe, files=tuple(str(_located(file, path.parent)) for file in recipe.files))


def _located(file: str, folder: Path) -> Path:
    if file.startswith((".", "/", "~")):
        return (folder / Path(file).expanduser()).resolve()
    return data_dir() / file
