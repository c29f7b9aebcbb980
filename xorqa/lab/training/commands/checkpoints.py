"""`xorqa models convert`: checkpoints of other code as models."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.show import console
from ..dpr_checkpoint import convert_dpr


def convert(
    file: Annotated[Path, Argument(help="A checkpoint of the DPR code: dpr_biencoder_best.cpt.")],
    out: Annotated[Path, Option(help="The folder for the models question/ and passage/.")],
    base: Annotated[
        str | None,
        Option(help="The model it started from; default: the one that the checkpoint names."),
    ] = None,
) -> None:
    """Convert a checkpoint of the DPR code, such as XOR QA's, to a question and a passage tower.

    Only tensors and plain values are loaded. Use them with the retriever `dpr` or `mdpr`:
    --set routes.eng.retriever.question_tower=./towers/question, and passage_tower likewise.

    Example: xorqa models convert dpr_biencoder_best.cpt --out towers
    """
    for name, folder in convert_dpr(file, out, base=base).items():
        console.print(f"{name}_tower: {folder}", soft_wrap=True)
