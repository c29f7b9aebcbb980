"""What recipes have in common: files mixed by weight, where they are, and limits of settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from ...core.config import find_toml, read_toml, set_value
from ...core.errors import ConfigError
from ...core.validation import SETTINGS
from ...io.files import data_dir, digest, sha256
from ...models.adapters import open_adapter

RECIPES = Path(__file__).parents[2] / "configs" / "train"

Recipe = TypeVar("Recipe")


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
        within("source held_out", self.held_out, 0, 1)
        within("source weight", self.weight, 0)

    @property
    def paths(self) -> list[Path]:
        """The files that there are."""
        return matching(self.files)


def read_recipe(
    config: str | Path,
    name: str,
    cls: type[Recipe],
    *,
    files: Iterable[str] = ("exclude",),
    changes: Sequence[str] = (),
) -> Recipe:
    """The table `name` of a TOML file, or of one of the package's recipes by its name.

    `changes` are single settings on top of it, such as `schedule.learning_rate=1e-4`.
    The files of its sources and those of the settings `files` come with where they are.

    Raises:
        ConfigError: listing the recipes, or the settings there are.
    """
    path = find_toml(config, RECIPES, kind="recipe")
    table = read_toml(path).get(name)
    if not isinstance(table, dict):
        raise ConfigError(f"{path} has no table [{name}]")
    for change in changes:
        set_value(table, change)
    recipe: Any = SETTINGS.fill(cls, table, where=f"{path} [{name}]")
    found = {key: located(getattr(recipe, key), path.parent) for key in files}
    found["sources"] = tuple(
        replace(one, files=located(one.files, path.parent)) for one in recipe.sources
    )
    return cast("Recipe", replace(recipe, **found))


def matching(files: Iterable[str]) -> list[Path]:
    """Files as paths; a name such as `train/*.json` stands for all it matches, sorted."""
    return [
        path for name in map(Path, files) for path in sorted(name.parent.glob(name.name)) or [name]
    ]


def content(recipe: Any, *settings: str) -> dict[str, str | None]:
    """Hashes of what a recipe's files and start hold, by which its folder knows them again.

    `settings` are those with files besides its sources.
    """
    files = [path for source in recipe.sources for path in source.paths]
    files += [path for name in settings for path in matching(getattr(recipe, name))]
    start = open_adapter(recipe.start).sha if recipe.start else None
    return {"data": digest([sha256(path) for path in files]), "start_sha": start}


def described(recipe: Any, *files: str) -> dict[str, Any]:
    """A recipe as plain values, the same wherever the data folder stands.

    `files` are settings with files besides its sources.
    """
    table = asdict(recipe) | {name: names(getattr(recipe, name)) for name in files}
    table["sources"] = [asdict(one) | {"files": names(one.files)} for one in recipe.sources]
    if table.get("start"):
        table["start"] = Path(table["start"]).name
    return table


def located(files: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Files of a recipe in `folder`, with where they are.

    Those that begin with `.`, `/` or `~` are paths, from the folder on; others, such as
    `squad/train-v1.1.json` or `jaquad/train/*.json`, are fetched data.
    """
    return tuple(
        str((folder / Path(file).expanduser()).resolve())
        if file.startswith((".", "/", "~"))
        else str(data_dir() / file)
        for file in files
    )


def names(files: Iterable[str]) -> list[str]:
    """Fetched files as a recipe names them, others by their names alone."""
    return [
        path.relative_to(data_dir()).as_posix() if path.is_relative_to(data_dir()) else path.name
        for path in map(Path, files)
    ]


def within(name: str, value: float, least: float, most: float | None = None) -> None:
    """Refuse a setting that is out of bounds. Raises ConfigError."""
    if value < least or (most is not None and value > most):
        limits = f"from {least} to {most}" if most is not None else f"{least} or more"
        raise ConfigError(f"{name} must be {limits}, not {value}")
