"""The base of all recipes: data sources, located files, limits of settings, and a description."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self, cast

from ....core.config import find_toml, named_toml, read_toml, set_value
from ....core.errors import ConfigError
from ....core.extensions import LAB
from ....core.named import renamed
from ....core.validation import SETTINGS, CountOrZero, NonNegative, Share
from ....io.files import digest, sha256
from ....models.adapters import open_adapter
from ....models.checkpoints import DEFAULT, resolve
from ....models.device import Dtype
from .loop import described_schedule
from .training_data import located, matching, short_names

RECIPES = named_toml(LAB.glob("*/recipes/*.toml"))
"""The bundled recipes of all folders of the lab, by name."""
OLD_SETTINGS = {"development": "validation", "switched": "code_switched"}
"""Old names of settings, still accepted in recipes."""


@dataclass(frozen=True, slots=True)
class Source:
    """Files of training data, as names that may contain `*`."""

    files: tuple[str, ...]

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        SETTINGS.check_numbers(self, where="source")

    @property
    def paths(self) -> list[Path]:
        """The files, with patterns expanded."""
        return matching(self.files)


@dataclass(frozen=True, slots=True)
class SquadSource(Source):
    """SQuAD-style JSON files of one language, mixed with other sources by weight."""

    weight: NonNegative = 1.0  # of the questions sampled; a smaller source repeats questions
    held_out: Share = 0.05  # share of articles never trained on, by title hash
    first_offsets: bool = False  # offsets mark the answer's first occurrence only, as in SQuAD
    license: str = ""  # of the data, for the card


@dataclass(frozen=True, slots=True)
class DataSettings:
    """A recipe's table with data files: those of its sources, and of the settings `files`.

    `adapters` names the settings that are an adapter. The settings `added_later` are described only
    if they are set, because older training folders lack them.
    """

    table: ClassVar[str]
    files: ClassVar[tuple[str, ...]] = ()
    adapters: ClassVar[tuple[str, ...]] = ()
    added_later: ClassVar[tuple[str, ...]] = ()

    sources: tuple[Any, ...]

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        SETTINGS.check_numbers(self, where=f"[{self.table}]")

    @classmethod
    def load(
        cls,
        config: str | Path,
        changes: Sequence[str] = (),
        overrides: Mapping[str, Any] | None = None,
    ) -> Self:
        """The settings in a TOML file, or of a bundled one by its name, with their files `located`.

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
        """The settings with their files `located` in `folder`."""
        resolved: Any = {name: located(getattr(self, name), folder) for name in self.files}
        resolved |= {name: inner.in_folder(folder) for name, inner in self._inner().items()}
        sources = (replace(source, files=located(source.files, folder)) for source in self.sources)
        return replace(self, sources=tuple(sources), **resolved)

    def patterns(self) -> list[str]:
        """Every data file, as paths that may contain `*`."""
        groups = [source.files for source in self.sources]
        groups += [getattr(self, name) for name in self.files]
        groups += [inner.patterns() for inner in self._inner().values()]
        return [file for group in groups for file in group]

    def describe(self) -> dict[str, Any]:
        """The settings as plain values, the same on every machine."""
        table = asdict(self) | {name: short_names(getattr(self, name)) for name in self.files}
        table["sources"] = [
            asdict(source) | {"files": short_names(source.files)} for source in self.sources
        ]
        for name in self.adapters:
            table[name] = table[name] and Path(table[name]).name
        if "schedule" in table:
            table["schedule"] = described_schedule(table["schedule"])
        tables = {name: inner.describe() for name, inner in self._inner().items()}
        unset = {name for name in self.added_later if not table[name]}
        return {name: table[name] for name in table if name not in unset | tables.keys()} | tables

    def _inner(self) -> dict[str, "DataSettings"]:
        """The tables within this one that have data files too."""
        values = {setting.name: getattr(self, setting.name) for setting in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, DataSettings)}


@dataclass(frozen=True, slots=True)
class Recipe(DataSettings):
    """The base of all recipes: `table` names the TOML table."""

    files: ClassVar[tuple[str, ...]] = ("exclude",)

    _: KW_ONLY
    exclude: tuple[str, ...] = ()  # files of texts never trained on (`common.training_data`)
    base: str = DEFAULT
    seed: CountOrZero = 1
    dtype: Dtype = "auto"

    @property
    def start_adapter(self) -> str | None:
        """The adapter that training starts from, None for the base."""
        return cast("str | None", getattr(self, "start", None))

    def identity(self) -> dict[str, Any]:
        """The description with hashes of the data, the base and the starting point.

        A training folder belongs to one identity.
        """
        start = open_adapter(self.start_adapter).sha if self.start_adapter else None
        data = digest([sha256(path) for path in matching(self.patterns())])
        hashes = {"base_sha": resolve(self.base).sha, "data": data, "start_sha": start}
        return self.describe() | hashes


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
