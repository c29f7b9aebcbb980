"""Options that several commands share, and the names that a shell completes in them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from typer import Option

from ..metrics.significance import MAX_SAMPLES


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
Indexes = Annotated[Path | None, Option(help="The folder of indexes; default: one for all.")]
Langs = Annotated[
    list[str] | None, Option("--lang", help="Only these languages: fi,ko; default all.")
]
Reader = Annotated[str, Option(help="A shipped adapter or a file.", autocompletion=readers)]
Sample = Annotated[int | None, Option(min=1, help="Maximum questions per language, sampled by id.")]
Samples = Annotated[int, Option(min=1, max=MAX_SAMPLES, help="Resamples of each test.")]
Seed = Annotated[int, Option(min=0, help="The random seed of the resampling.")]
Trust = Annotated[bool, Option("--trust", help="Allow a run folder to import your own stages.")]
Wait = Annotated[
    bool, Option("--wait", help="Wait while another process writes the same folder or file.")
]

VectorsFolder = Annotated[
    Path | None,
    Option("--vectors", help="The folder of vectors, which later runs reuse; default: the cache."),
]
Verify = Annotated[bool, Option("--verify", help="Verify the checksums of existing indexes first.")]

ScorerOption = Annotated[
    str | None,
    Option(
        "--scorer",
        help="official (the published script, the default), strict (the paper), both, or "
        "my_package:scorer.",
    ),
]
LangOption = Annotated[
    str | None, Option("--lang", help="The files' language, if it is not in their names.")
]
DiffOption = Annotated[
    bool,
    Option(
        "--diff",
        help="Show the questions on which the two scorers disagree: prediction, gold and passage.",
    ),
]
LimitOption = Annotated[
    int, Option("--limit", min=1, help="With --diff: questions per reason and language.")
]
QuestionsOption = Annotated[
    Path | None, Option(help="Write every question's scores, for `xorqa compare`.")
]


def split_langs(values: Sequence[str] | None) -> list[str] | None:
    """The languages of `--lang fi,ko` or `--lang fi --lang ko`, None without any."""
    codes = [code.strip() for value in values or () for code in value.split(",")]
    return list(dict.fromkeys(codes)) or None
