"""Options that several commands share, alone or as a group, and what a shell completes in them.

A group is a dataclass whose fields are options; `with_groups` gives them to a command.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Option

from ..core.lang import code_of
from ..io.files import write_json
from ..metrics.significance import MAX_SAMPLES
from ..tables.grid import Grid
from .show import console, errors, print_grid, print_grids, print_line


def configs(incomplete: str) -> list[str]:
    """Example configs."""
    from ..experiments.settings import EXAMPLES

    return _beginning(incomplete, EXAMPLES)


def datasets(incomplete: str) -> list[str]:
    """Data sets."""
    from ..datasets.catalog import CATALOG

    return _beginning(incomplete, CATALOG)


def publications(incomplete: str) -> list[str]:
    """Publications that `xorqa data fetch` fetches."""
    from ..datasets.catalog import PUBLICATIONS

    return _beginning(incomplete, PUBLICATIONS)


def models(incomplete: str) -> list[str]:
    """The base model and its adapters."""
    from ..models.adapters import shipped
    from ..models.checkpoints import DEFAULT

    return _beginning(incomplete, [DEFAULT, *shipped()])


def readers(incomplete: str) -> list[str]:
    """Shipped readers."""
    return [name for name in models(incomplete) if name.startswith("reader-")]


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


AsJson = Annotated[bool, Option("--json", help="Print the results as JSON.")]
JsonFile = Annotated[Path | None, Option("--json", help="Also write unrounded results as JSON.")]
Format = Annotated[
    Literal["terminal", "markdown", "latex", "csv", "html"], Option(help="The format of tables.")
]
Wide = Annotated[bool, Option("--wide", help="Print full tables, even if wider than the terminal.")]
Config = Annotated[
    str, Option(help="An example config (dense) or a TOML file.", autocompletion=configs)
]
Changes = Annotated[
    list[str] | None,
    Option("--set", help="Change a setting: reader.passages=3, routes.eng.k=50; repeatable."),
]
SearchedData = Annotated[
    str,
    Option(
        help="The data set whose passages to search: mini, xquad-open.", autocompletion=datasets
    ),
]
Indexes = Annotated[Path | None, Option(help="The folder of indexes; default: one for all.")]
Langs = Annotated[
    list[str] | None, Option("--lang", help="Only these languages: fi,ko; default all.")
]
Reader = Annotated[
    str,
    Option(
        help="A shipped adapter, its file, or a question-answering model by hub name or ./folder.",
        autocompletion=readers,
    ),
]
Sample = Annotated[int | None, Option(min=1, help="Maximum questions per language, sampled by id.")]
Samples = Annotated[int, Option(min=1, max=MAX_SAMPLES, help="Resamples of each test.")]
Seed = Annotated[int, Option(min=0, help="The random seed of the resampling.")]
Trust = Annotated[bool, Option("--trust", help="Allow a run folder to import your own stages.")]
Wait = Annotated[
    bool, Option("--wait", help="Wait while another process writes the same folder or file.")
]

Verify = Annotated[bool, Option("--verify", help="Verify the checksums of existing indexes first.")]

FileLang = Annotated[
    str | None, Option("--lang", help="The files' language, if it is not in their names.")
]


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Replace a command's parameters that are groups by the options of the groups, at the end."""
    parameters = signature(command, eval_str=True).parameters.values()
    groups: dict[str, type] = {p.name: p.annotation for p in parameters if _is_group(p)}
    options = {name: _options(group) for name, group in groups.items()}

    @wraps(command)
    def call(**values: Any) -> None:
        for name, group in groups.items():
            chosen = {option.name: values.pop(option.name) for option in options[name]}
            values[name] = group(**chosen)
        command(**values)

    every = [p for p in parameters if not _is_group(p)] + [*chain.from_iterable(options.values())]
    by_name = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in every]
    call.__signature__ = Signature(by_name)  # type: ignore[attr-defined]
    return call


def _is_group(parameter: Parameter) -> bool:
    return is_dataclass(parameter.annotation)


def _options(group: type) -> list[Parameter]:
    """The fields of a group as parameters, before those of the group it inherits from."""
    names = [name for each in group.__mro__ for name in vars(each).get("__annotations__", ())]
    return [signature(group).parameters[name] for name in names]


@dataclass(frozen=True, slots=True)
class Tables:
    """How a command prints its tables."""

    format: Format = "terminal"
    wide: Wide = False

    def print_grid(self, grid: Grid, *, light: bool = False) -> None:
        """Print a table; `light` leaves out title and frame."""
        print_grid(grid, self.format, wide=self.wide, light=light)

    def print_grids(self, grids: Sequence[Grid]) -> None:
        """Print tables with an empty line after each."""
        print_grids(grids, self.format, wide=self.wide)

    def aside(self, line: str) -> None:
        """Print a remark; on standard error if tables may be redirected to a file."""
        print_line(line, console if self.format == "terminal" else errors)


@dataclass(frozen=True, slots=True)
class Output(Tables):
    """How a command prints its tables, and the file for their unrounded values."""

    json_file: JsonFile = None

    def write_json(self, values: Any) -> None:
        """Write values to the JSON file, if one is named."""
        if self.json_file:
            write_json(self.json_file, values)


@dataclass(frozen=True, slots=True)
class ScoringOutput(Output):
    """The scorers and the files of a command that scores questions."""

    scorer: Annotated[
        str | None,
        Option(
            help="official (the published script, the default), strict (the paper), both, or "
            "my_package:scorer."
        ),
    ] = None
    per_question: Annotated[
        Path | None, Option(help="Write every question's scores, for `xorqa compare`.")
    ] = None


def split_langs(values: Sequence[str] | None) -> list[str] | None:
    """The languages of `--lang fi,ko` or `--lang fi --lang ko`, None without any."""
    tags = [tag.strip() for value in values or () for tag in value.split(",")]
    codes = [code_of(tag) or tag for tag in tags]
    return list(dict.fromkeys(codes)) or None
