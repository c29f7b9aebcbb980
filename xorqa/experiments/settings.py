"""What an experiment is: routes, the stages they share, and the TOML file that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..core.config import find_toml, read_toml, set_value
from ..core.deprecation import renamed
from ..core.errors import ConfigError, one_of
from ..core.validation import SETTINGS

TARGET, ENGLISH, POOL = "target", "en", "pool"
DEFAULTS = {"reader": "span", "localiser": "cldr", "chooser": "learned"}
EXAMPLES = Path(__file__).parents[1] / "configs"


@dataclass(frozen=True, slots=True)
class RouteSettings:
    """One way to passages, with a budget of its own where it has one.

    `corpus` is a key of the corpora, or "target" (the question's W_i), or "pool" (all corpora as
    one). `passages` is how many the reader reads; it takes the place of the reader's setting.
    """

    name: str
    retriever: dict[str, Any]
    translator: dict[str, Any] = field(default_factory=lambda: {"use": "none"})
    corpus: str = ENGLISH
    k: int | None = None
    passages: int | None = None

    def __post_init__(self) -> None:
        corpus = renamed({"own": TARGET}, self.corpus, where="corpus")
        object.__setattr__(self, "corpus", corpus)


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """A whole experiment: routes that differ, and the stages they share."""

    routes: tuple[RouteSettings, ...]
    name: str = "experiment"
    k: int = 100
    reader: dict[str, Any] = field(default_factory=lambda: {"use": DEFAULTS["reader"]})
    localiser: dict[str, Any] = field(default_factory=lambda: {"use": DEFAULTS["localiser"]})
    chooser: dict[str, Any] = field(default_factory=lambda: {"use": DEFAULTS["chooser"]})

    def reader_of(self, route: RouteSettings) -> dict[str, Any]:
        """The reader's table on a route."""
        return self.reader | ({} if route.passages is None else {"passages": route.passages})


def load_settings(config: str | Path, *, changes: Sequence[str] = ()) -> PipelineSettings:
    """A config file, or one of the package's examples by its name.

    `changes` are single settings on top of it, such as `reader.passages=3`.

    Raises:
        ConfigError: listing the examples, or the settings there are.
    """
    path = find_toml(config, EXAMPLES, kind="example config")
    table = {"name": path.stem, **read_toml(path)}
    for change in changes:
        set_value(table, change)
    for role, name in DEFAULTS.items():
        if isinstance(table.setdefault(role, {}), dict):
            table[role].setdefault("use", name)
    return SETTINGS.fill(PipelineSettings, table, where=str(path))


def over_pool(given: PipelineSettings) -> PipelineSettings:
    """The same experiment with one route, untranslated, over one corpus called "pool"."""
    route = RouteSettings("pool", given.routes[0].retriever, corpus=POOL)
    return replace(given, routes=(route,))


def only_routes(given: PipelineSettings, names: Sequence[str]) -> PipelineSettings:
    """The same experiment with some of its routes, told in its name: W_eng only, W_i only.

    Raises:
        ConfigError: listing the routes, if one of `names` is none.
    """
    known = {route.name: route for route in given.routes}
    for name in names:
        if name not in known:
            raise ConfigError(f"{given.name} has no route '{name}'; there are: {one_of(known)}")
    kept = tuple(route for route in given.routes if route.name in names)
    return replace(given, routes=kept, name="-".join([given.name, *(r.name for r in kept)]))
