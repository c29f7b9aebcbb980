"""`xorqa train pack` and `train all`: several recipes, such as those for an accelerator."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import Output, Wait, with_groups
from ....cli.show import console, waiting_if
from ....core.progress import disk_size, quantity
from ..common.time_limit import UNLIMITED, TimeLimit
from ..packed_inputs import input_files, pack_inputs, unpack_inputs
from ..several import read_histories, train_in_turn, validation_grid, validation_results
from .recipes import recipe_names

Configs = Annotated[
    list[str],
    Argument(help="Names or files of recipes with their stages.", autocompletion=recipe_names),
]


def pack(
    configs: Configs,
    out: Annotated[Path, Option(help="The .tar.xz to write.")],
    limit: Annotated[float, Option(min=0, help="The most it may have, in MB.")] = 64,
) -> None:
    """Pack the input files of recipes, to train them on another machine.

    Example: xorqa train pack encoder-large reader-large ranker-large --out inputs.tar.xz
    """
    files = input_files(read_histories(configs).values())
    size = disk_size(sum(path.stat().st_size for path in files))
    packed = disk_size(pack_inputs(files, out, limit=limit))
    console.print(f"{quantity(len(files), 'file')}, {size}, packed {packed}: {out}", soft_wrap=True)


@with_groups
def train_all(
    configs: Configs,
    out: Annotated[Path, Option(help="Folder with a subfolder for each recipe.")],
    output: Output,
    inputs: Annotated[
        Path | None, Option(help="Packed inputs to write to the data folder first.")
    ] = None,
    minutes: Annotated[
        float | None, Option(min=0, help="Time for all; a training that reaches its share ends.")
    ] = None,
    wait: Wait = False,
) -> None:
    """Train recipes one after the other, and compare their validation scores.

    Example: xorqa train all encoder-large reader-large --out training/large --minutes 25
    """
    limit = UNLIMITED if minutes is None else TimeLimit.of(minutes)
    with waiting_if(wait):
        if inputs is not None:
            count = unpack_inputs(inputs)
            output.aside(f"{quantity(count, 'input file')} of {inputs}")
        histories = read_histories(configs)
        paths = train_in_turn(histories, out, limit=limit, report=output.aside)
    results = validation_results(histories, out)
    output.print_grid(validation_grid(results))
    output.write_json(results)
    for path in (path for files in paths.values() for path in files):
        output.aside(f"adapter: {path}")
