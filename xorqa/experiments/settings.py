"""An experiment: routes, the stages they share, and the TOML file that describes them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ..core.config import find_toml, named_toml, read_toml, set_value
from ..core.errors import ConfigError, one_of
from ..core.extensions import LAB
from ..core.lang import ENGLISH
from ..core.named import check_name, renamed
from ..core.registry import StageField, described, live_stages, table_of
from ..core.stages import Chooser, Localiser, Ranker, Reader, Retriever, StageLike, Translator
from ..core.validation import SETTINGS, Count

TARGET, POOL = "target", "pool"
DEFAULT = "hybrid-late"  # the experiment that answers typed questions
DEFAULTS = {"ranker": "none", "reader": "span", "localiser": "chain", "chooser": "learned"}
NO_RANKER = {"use": "none"}
OPTIONAL = ("ranker", "reader")
"""The stages of an experiment that a route may override."""
GENERATE = "generate"
EXAMPLES = named_toml(
    [*Path(__file__).parents[1].glob("configs/*.toml"), *LAB.glob("*/configs/*.toml")]
)


@dataclass(frozen=True)
class Route:
    """A route from the question to passages, with its own stages and budgets.

    A stage is a name ("bm25"), a config table, or an object (`Bm25(k1=1.2)`, or one of your own
    class); the route holds its table. `corpus` is a key of the corpora, or "target" (the Wikipedia
    of the question's language), or "pool" (all corpora as one). `k` is the number of passages
    retrieved, `passages` the number read; each overrides the experiment's, and so do `ranker` and
    `reader`.
    """

    name: str
    retriever: StageField[Retriever] = StageField("retriever")
    translator: StageField[Translator] = StageField("translator", "none")
    corpus: str = ENGLISH
    k: Count | None = None
    passages: Count | None = None
    ranker: StageLike[Ranker] | None = None
    reader: StageLike[Reader] | None = None

    def __post_init__(self) -> None:
        SETTINGS.check_numbers(self, where=f"route '{self.name}'")
        corpus = renamed({"own": TARGET}, self.corpus, where="corpus")
        object.__setattr__(self, "corpus", corpus)
        for role in OPTIONAL:
            if (stage := getattr(self, role)) is not None:
                object.__setattr__(self, role, table_of(role, stage))


@dataclass(frozen=True)
class PipelineSettings:
    """An experiment: its routes, and the stages that they share."""

    routes: tuple[Route, ...]
    name: str = "experiment"
    k: Count = 100
    ranker: StageField[Ranker] = StageField("ranker", DEFAULTS["ranker"])
    reader: StageField[Reader] = StageField("reader", DEFAULTS["reader"])
    localiser: StageField[Localiser] = StageField("localiser", DEFAULTS["localiser"])
    chooser: StageField[Chooser] = StageField("chooser", DEFAULTS["chooser"])

    def __post_init__(self) -> None:
        SETTINGS.check_numbers(self, where=str(self.name))

    def ranker_of(self, route: Route) -> dict[str, Any]:
        """The config table of a route's ranker."""
        return dict(self.ranker) if route.ranker is None else table_of("ranker", route.ranker)

    def is_ranked(self, route: Route) -> bool:
        """Whether a route has a ranker other than `none`."""
        return self.ranker_of(route) != NO_RANKER

    @property
    def generates(self) -> bool:
        """Whether a route's reader is `generate`."""
        return any(self.reader_of(route)["use"] == GENERATE for route in self.routes)

    def reader_of(self, route: Route) -> dict[str, Any]:
        """The config table of a route's reader, with the number of passages that the route sets."""
        table = dict(self.reader) if route.reader is None else table_of("reader", route.reader)
        return table if route.passages is None else table | {"passages": route.passages}

    def to_json(self) -> dict[str, Any]:
        """The settings as written to `config.json`; stage objects as `module:Class`."""
        routes = [_fields(route) for route in self.routes]
        table: dict[str, Any] = described(_fields(self) | {"routes": routes})
        return table

    def live_fingerprints(self) -> list[str]:
        """The fingerprints of the stages that are objects, in order."""
        shared = self.reader, self.localiser, self.chooser, self.ranker
        by_route = [
            (route.retriever, route.translator, route.ranker, route.reader) for route in self.routes
        ]
        return [stage.fingerprint() for stage in live_stages([shared, by_route])]


def _fields(record: PipelineSettings | Route) -> dict[str, Any]:
    """The settings by name, without stages that are not set: runs keep their digest."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    unset = {role for role in OPTIONAL if values[role] is None}
    unset |= {"ranker"} if values["ranker"] == NO_RANKER else set()
    return {name: value for name, value in values.items() if name not in unset}


def load_settings(config: str | Path, *, changes: Sequence[str] = ()) -> PipelineSettings:
    """Load a config file, or a bundled example by its name.

    `changes` override single settings, such as `reader.passages=3`.

    Raises:
        ConfigError: for an unknown example or setting; the message lists the valid ones.
    """
    path = find_toml(config, EXAMPLES, kind="example config")
    table = {"name": path.stem, **read_toml(path)}
    for change in changes:
        set_value(table, change)
    for role, name in DEFAULTS.items():
        if isinstance(table.setdefault(role, {}), dict):
            table[role].setdefault("use", name)
    settings = SETTINGS.fill(PipelineSettings, table, where=str(path))
    check_name(settings.name, where=f"{path} name")
    for route in settings.routes:
        check_name(route.name, where=f"{path} routes name", spaces=False)
    return settings


def drawing(settings: PipelineSettings) -> str:
    """The routes of an experiment, a line each, which meet at the localiser and the chooser."""
    names = [f"{route.name}:" for route in settings.routes]
    stages = [
        [
            _label(route.translator),
            f"{_label(route.retriever)} over {route.corpus}, k={route.k or settings.k}",
            _label(settings.ranker_of(route)),
            _label(settings.reader_of(route)),
        ]
        for route in settings.routes
    ]
    # A stage called `none` changes nothing, so it is left out.
    lines = [" ─▶ ".join(label for label in labels if label != "none") for labels in stages]
    width, longest = max(map(len, names)), max(map(len, lines))
    last = len(lines) - 1
    ends = ["┐", *["┤"] * (last - 1), "┴"] if last else ["─"]
    drawn = [
        f"  {name:{width}} {line} {'─' * (longest - len(line) + 1)}{end}"
        for name, line, end in zip(names, lines, ends, strict=True)
    ]
    return "\n".join(drawn) + f"▶ {_label(settings.localiser)} ─▶ {_label(settings.chooser)}"


def _label(table: Mapping[str, Any]) -> str:
    """A stage as a call: its name, and the settings that differ from the defaults."""
    name = described(table["use"]).rpartition(":")[2]  # an object by its class alone
    values = [_setting(key, value) for key, value in table.items() if key != "use"]
    return f"{name}({', '.join(values)})" if values else str(name)


def _setting(key: str, value: Any) -> str:
    """A setting; stages in it, such as the parts of a hybrid retriever, stand without its name."""
    stages = value if isinstance(value, list | tuple) else [value]
    if all(isinstance(stage, Mapping) and "use" in stage for stage in stages):
        return ", ".join(map(_label, stages))
    return f"{key}={described(value)}"


def over_pool(settings: PipelineSettings, langs: Collection[str]) -> PipelineSettings:
    """The same experiment with one route, untranslated, over one corpus called "pool".

    Retriever, ranker and reader are those of the route over English passages if the pool's `langs`
    are English only, else of the route over passages in the question's language; without such a
    route, of the first.
    """
    corpus = ENGLISH if set(langs) == {ENGLISH} else TARGET
    like = next((route for route in settings.routes if route.corpus == corpus), settings.routes[0])
    route = Route("pool", like.retriever, corpus=POOL, ranker=like.ranker, reader=like.reader)
    return replace(settings, routes=(route,))


def only_routes(settings: PipelineSettings, names: Sequence[str]) -> PipelineSettings:
    """The same experiment with only the routes `names`, which are added to its name.

    Raises:
        ConfigError: if one of `names` is no route; the message lists the routes.
    """
    valid = [route.name for route in settings.routes]
    for name in names:
        if name not in valid:
            raise ConfigError(f"{settings.name} has no route '{name}'; valid: {one_of(valid)}")
    routes = tuple(route for route in settings.routes if route.name in names)
    name = "-".join([settings.name, *(route.name for route in routes)])
    return replace(settings, routes=routes, name=name)
