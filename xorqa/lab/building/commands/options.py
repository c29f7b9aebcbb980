"""Arguments and options that the commands of `xorqa build` share."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

Folder = Annotated[Path, Argument(help="The folder of the data set in construction.")]
Files = Annotated[
    list[Path],
    Argument(metavar="FILE...", help="Annotated tasks: .csv, .jsonl, or Label Studio's .json."),
]
TaskFile = Annotated[
    Path, Option(help="The tasks: .csv, .jsonl, or .json for Label Studio (with an .xml beside).")
]
ReportFile = Annotated[
    Path | None, Option(help="Rows with problems, as CSV; default FOLDER/report.csv.")
]
AnyLanguage = Annotated[
    bool, Option("--any-language", help="Accept questions detected to be in another language.")
]
