"""The base of all recipes: data sources, located files, limits of settings, and a description."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self, cast

from ....core.config import find_toml, named_toml, read_toml, set_value
from ....core.errors import ConfigError
from ....core.extensions import LAB
from ....core.named import renamed
from ....core.validation import SETTINGS, CountOrZero
from ....io.files import data_dir, digest, sha256
from ....models.adapters import open_adapter
from ....models.checkpoints import DEFAULT, resolve
from .limits import check_limits, limited

RECIPES = named_toml(LAB.glob("*/recipes/*.toml"))
"""The bundled recipes of all folders of the lab, by name."""
OLD_SETTINGS = {"development": "validation", "switched": "code_switched"}
"""Old names of settings, still accepted in recipes."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The base of all recipes: `table` names the TOML table, `files` the settings with files."""

    table: ClassVar[str]
    files: ClassVar[tuple[str, ...]] = ("exclude",)  # besides the sources

    sources: tuple[Any, ...]
    _: KW_ONLY
    exclude: tuple[str, ...] = ()  # files of texts never trained on (`common.decontamination`)
    base: str = DEFAULT
    seed: CountOrZero = 1
    dtype: str = "auto"

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        check_limits(self, f"[{self.table}]")

    @classmethod
    def load(
        cls,
        config: str | Path,
        changes: Sequence[str] = (),
        overrides: Mapping[str, Any] | None = None,
    ) -> Self:
        """The recipe in a TOML file, or a bundled one by its name, with its files `located`.

        `changes` set single values, such as `schedule.learning_rate=1e-4`; `overrides` are the
        same as a nested table.

        Raises:
            ConfigError: listing the bundled recipes, or the valid settings.
        """
        path = find_toml(config, RECIPES, kind="recipe")
        table = read_toml(path).get(cls.table)
        if not isinstance(table, dict):
            raise ConfigError(f"{path} has no table [{cls.table}]")
        _merge(table, overrides or {})
        for change in changes:
            set_value(table, change)
        where = f"{path} [{cls.table}]"
        table = _with_new_names(table, where)
        if isinstance(table.get("sources"), list):
            table["sources"] = [_with_new_names(source, where) for source in table["sources"]]
        return SETTINGS.fill(cls, table, where=where).in_folder(path.parent)

    def in_folder(self, folder: Path) -> Self:
        """The recipe with its files `located` in `folder`."""
        resolved: Any = {key: located(getattr(self, key), folder) for key in self.files}
        sources = (replace(one, files=located(one.files, folder)) for one in self.sources)
        return replace(self, sources=tuple(sources), **resolved)

    @property
    def start_adapter(self) -> str | None:
        """The adapter that training starts from, None for the base."""
        return cast("str | None", getattr(self, "start", None))

    def patterns(self) -> list[str]:
        """Every data file of the recipe, as paths that may contain `*`."""
        groups = [source.files for source in self.sources]
        groups += [getattr(self, name) for name in self.files]
        return [file for group in groups for file in group]

    def describe(self) -> dict[str, Any]:
        """The recipe as plain values, the same on every machine."""
        table = asdict(self) | {name: short_names(getattr(self, name)) for name in self.files}
        table["sources"] = [asdict(one) | {"files": short_names(one.files)} for one in self.sources]
        if self.start_adapter:
            table["start"] = Path(self.start_adapter).name
        return table

    def identity(self) -> dict[str, Any]:
        """The description with hashes of the data, the base and the starting point.

        A training folder belongs to one identity.
        """
        start = open_adapter(self.start_adapter).sha if self.start_adapter else None
        data = digest([sha256(path) for path in matching(self.patterns())])
        hashes = {"base_sha": resolve(self.base).sha, "data": data, "start_sha": start}
        return self.describe() | hashes


@dataclass(frozen=True, slots=True)
class SquadSource:
    """SQuAD-style JSON files of one language, mixed with other sources by weight."""

    files: tuple[str, ...]
    weight: float = limited(1.0, 0)  # of the questions sampled; a smaller source repeats questions
    held_out: float = limited(0.05, 0, 1)  # share of articles never trained on, by title hash
    first_offsets: bool = False  # offsets mark the answer's first occurrence only, as in SQuAD
    license: str = ""  # of the data, for the card

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        check_limits(self, "source")

    @property
    def paths(self) -> list[Path]:
        """The files, with patterns expanded."""
        return matching(self.files)


def _merge(table: dict[str, Any], overrides: Mapping[str, Any]) -> None:
    for key, value in overrides.items():
        if isinstance(value, Mapping) and isinstance(table.get(key), dict):
            _merge(table[key], value)
        else:
            table[key] = value


def _with_new_names(table: Any, where: str) -> Any:
    if not isinstance(table, dict):
        return table
    return {renamed(OLD_SETTINGS, key, where=where): value for key, value in table.items()}


def matching(files: Iterable[str]) -> list[Path]:
    """Files as paths; a pattern such as `train/*.json` becomes its matches, sorted."""
    return [
        path for name in map(Path, files) for path in sorted(name.parent.glob(name.name)) or [name]
    ]


def located(files: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Resolve the file names of a recipe in `folder`.

    Names that start with `.`, `/` or `~` are paths relative to the folder; others, such as
    `squad/train-v1.1.json` or `jaquad/train/*.json`, are in the data folder.
    """
    return tuple(
        str((folder / Path(file).expanduser()).resolve())
        if file.startswith((".", "/", "~"))
        else str(data_dir() / file)
        for file in files
    )


def short_names(files: Iterable[str]) -> list[str]:
    """Files in the data folder relative to it, others by their base names."""
    return [
        path.relative_to(data_dir()).as_posix() if path.is_relative_to(data_dir()) else path.name
        for path in map(Path, files)
    ]
