"""`xorqa translate import`: published translations for the translator `recorded`."""

from itertools import chain
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.show import print_line
from ....core.errors import DataError
from ....core.progress import quantity
from ....io.files import local_or_fetched
from ..bitext.layouts import add_published, published

HUMAN = "human"
PARALLEL = "??-en/??.txt"  # below a folder, such as XOR-TyDi's question-translations
ENGLISH_FILE = "en.txt"


def import_translations(
    paths: Annotated[
        list[Path],
        Argument(
            metavar="PATH...",
            help="A folder with ar-en/ar.txt and ar-en/en.txt, ..., or files, or xor-tydi.",
        ),
    ],
    out: Annotated[Path, Option(help="JSONL; translations already in it are not repeated.")],
    provider: Annotated[str, Option(help="The source of the translations.")] = HUMAN,
) -> None:
    """Record published translations into English for the translator `recorded`.

    XOR-TyDi publishes the human translations of its training questions; those of its development
    and test questions are not published.

    Example: xorqa translate import xor-tydi --out human.jsonl
    """
    files = list(chain.from_iterable(map(_files, paths)))
    pairs = chain.from_iterable(map(published, files))
    new = add_published(out, pairs, provider=provider)
    print_line(
        f"{quantity(new, 'new translation')} by {provider} (files read: {len(files)}): {out}"
    )


def _files(path: Path) -> list[Path]:
    """The files to read: those of a folder or a fetched publication, or the path itself.

    Raises:
        DataError: for a folder without such files.
    """
    folder = local_or_fetched(path)
    if not folder.is_dir():
        return [folder]
    files = [file for file in sorted(folder.rglob(PARALLEL)) if file.name != ENGLISH_FILE]
    if not files:
        raise DataError(f"{path} has no translations; expected files such as ar-en/ar.txt")
    return files
