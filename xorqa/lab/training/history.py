"""Recipes in several stages: training runs that continue earlier ones, and averages of them.

`[[stages]]` of a recipe's file lists them in order; the last one makes the finished file. A stage
trains the table of this file, or of another `recipe`, with changed settings, or averages earlier
stages. `[[inputs]]` lists the required files, each with the command that makes it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.config import find_toml, read_toml
from ...core.errors import ConfigError, DataError, one_of
from ...core.validation import SETTINGS, CountOrZero
from ...models.adapters import open_adapter
from ...tables.grid import Grid
from .common.kind import TRAINING_KINDS, find_kind
from .common.recipe import RECIPES, Recipe
from .common.training_data import located, matching, short_names
from .common.weight_files import PASSAGE_TOWER


@dataclass(frozen=True, slots=True)
class TrainingStage:
    """A training run, or the mean of the stages in `average`.

    A training run starts from the stage `start`, or else from the start of its recipe.
    """

    name: str
    recipe: str | None = None  # the recipe to train; default: this file's table
    start: str | None = None
    seed: CountOrZero | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)  # of the table's settings
    average: tuple[str, ...] = ()

    @property
    def needs(self) -> tuple[str, ...]:
        """The earlier stages it uses."""
        return (*self.average, self.start) if self.start else self.average


@dataclass(frozen=True, slots=True)
class InputFiles:
    """Data files that are made before training, and the command that makes them."""

    files: tuple[str, ...]
    command: str


@dataclass(frozen=True, slots=True)
class TrainingHistory:
    """All stages of a recipe file; `kind` is the table that it trains."""

    config: str
    kind: str
    stages: tuple[TrainingStage, ...] = ()
    inputs: tuple[InputFiles, ...] = ()

    def __post_init__(self) -> None:
        """Check that names are unique and that stages use earlier ones. Raises ConfigError."""
        earlier: list[str] = []
        for stage in self.stages:
            where = f"{self.config} stage '{stage.name}'"
            if stage.name in earlier:
                raise ConfigError(f"{where} occurs twice; rename one")
            for name in stage.needs:
                if name not in earlier:
                    raise ConfigError(
                        f"{where} uses '{name}', which is not an earlier stage; "
                        f"valid: {one_of(earlier)}"
                    )
            if stage.average and (stage.start or stage.seed is not None or stage.recipe):
                raise ConfigError(f"{where} is an average: remove start, seed and recipe")
            if stage.average and not find_kind(self.kind).average:
                raise ConfigError(f"{where}: there is no average of a {self.kind}; remove it")
            earlier.append(stage.name)

    @property
    def runs(self) -> tuple[TrainingStage, ...]:
        """The stages, or the only one of a recipe that lists none."""
        return self.stages or (TrainingStage("all"),)

    def until(self, name: str | None) -> tuple[TrainingStage, ...]:
        """The stages that stage `name` depends on, and itself; default: the last one.

        Raises:
            ConfigError: listing the stages.
        """
        by_name = {stage.name: stage for stage in self.stages}
        if name is not None and name not in by_name:
            raise ConfigError(f"{self.config} has no stage '{name}'; valid: {one_of(by_name)}")
        needed = [name or self.stages[-1].name]
        for stage_name in needed:  # grows while it is read
            needed += by_name[stage_name].needs
        return tuple(stage for stage in self.stages if stage.name in needed)

    def settings_of(
        self, stage: TrainingStage, outputs: Mapping[str, Path] | None = None
    ) -> Recipe:
        """The recipe of a stage; its `start` is a stage's name, or its file if in `outputs`."""
        overrides = dict(stage.changes)
        if stage.seed is not None:
            overrides["seed"] = stage.seed
        if stage.average:
            overrides["start"] = None
        elif stage.start:
            start = (outputs or {}).get(stage.start, stage.start)
            overrides["start"] = str(start)
            if isinstance(start, Path) and (other := start.with_name(PASSAGE_TOWER)).is_file():
                overrides["passage_start"] = str(other)
        config = stage.recipe or self.config
        if stage.recipe and stage.recipe.endswith(".toml"):
            config = str(Path(self.config).parent / stage.recipe)
        return find_kind(self.kind).recipe.load(config, overrides=overrides)

    def input_files(self) -> list[Path]:
        """Every file that the stages read.

        Raises:
            DataError: as `check_inputs`.
            WeightsError: likewise.
        """
        self.check_inputs(self.runs)
        return [
            path for stage in self.runs for path in matching(self.settings_of(stage).patterns())
        ]

    def check_inputs(self, stages: Sequence[TrainingStage]) -> None:
        """Check that every file that the stages read exists.

        Raises:
            DataError: naming the missing files, and the commands that make them.
            WeightsError: if the adapter that the first stage starts from is missing.
        """
        missing = [
            f"{file} ({command})" if command else file
            for file, state, command in self._input_rows(stages)
            if state == "missing"
        ]
        if missing:
            raise DataError(f"{self.config}: missing input files: {'; '.join(missing)}")
        for stage in stages:
            start = self.settings_of(stage).start_adapter
            if start and not stage.start:
                open_adapter(start)

    def _input_rows(self, stages: Iterable[TrainingStage]) -> tuple[tuple[str, str, str], ...]:
        """Each file that the stages read, "exists" or "missing", and the command that makes it."""
        folder = Path(self.config).parent
        commands = {
            file: source.command for source in self.inputs for file in located(source.files, folder)
        }
        read = dict.fromkeys(f for stage in stages for f in self.settings_of(stage).patterns())
        exists = {file: all(path.is_file() for path in matching([file])) for file in read}
        return tuple(
            (
                short_names([file])[0],
                "exists" if exists[file] else "missing",
                commands.get(file, ""),
            )
            for file in read
        )

    def describe(self) -> Grid:
        """The stages as a table."""
        rows = tuple(
            (
                stage.name,
                self._source(stage),
                "" if stage.seed is None else str(stage.seed),
                ", ".join(f"{name} = {value!r}" for name, value in stage.changes.items()),
            )
            for stage in self.runs
        )
        return Grid("stages", ("stage", "from", "seed", "changes"), (rows,), labels=4)

    def _source(self, stage: TrainingStage) -> str:
        """The weights that a stage starts from or averages."""
        if stage.average:
            return f"mean of {', '.join(stage.average)}"
        recipe = self.settings_of(stage)
        source = recipe.start_adapter or recipe.base
        return f"{source} (recipe {stage.recipe})" if stage.recipe else source

    def describe_inputs(self) -> Grid:
        """The files that the stages read, as a table."""
        rows = self._input_rows(self.runs)
        return Grid("inputs", ("file", "state", "command"), (rows,), labels=3)


def kind_of_recipe(config: str | Path) -> str:
    """The kind of training that a recipe's file is for, by its table.

    Raises:
        ConfigError: if it has none of a kind with stages, or several.
    """
    path = find_toml(config, RECIPES, kind="recipe")
    with_stages = [name for name in TRAINING_KINDS if find_kind(name).has_stages]
    kinds = [name for name in with_stages if name in read_toml(path)]
    if len(kinds) != 1:
        raise ConfigError(f"{path} needs exactly one of the tables {one_of(with_stages)}")
    return kinds[0]


def read_history(config: str | Path, kind: str) -> TrainingHistory:
    """The stages of a recipe's file, none if it has a single stage; `kind` is its table.

    Raises:
        ConfigError: listing the bundled recipes, or naming the stage that cannot be used.
    """
    path = find_toml(config, RECIPES, kind="recipe")
    file = read_toml(path)
    table: dict[str, Any] = {key: file[key] for key in ("stages", "inputs") if key in file}
    if "stages" in table and not find_kind(kind).has_stages:
        raise ConfigError(f"{path}: a {kind} is trained in one stage; remove [[stages]]")
    table |= {"config": str(path), "kind": kind}
    return SETTINGS.fill(TrainingHistory, table, where=str(path))
