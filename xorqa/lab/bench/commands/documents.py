"""`xorqa bench documents`: how much of the text of documents is in their passages."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from ....cli.options import Output, with_groups
from ....cli.show import progress
from ....tables.grid import Grid
from ..documents import LEAST, Survey, survey


@with_groups
def documents(
    folder: Annotated[Path, Argument(help="A folder of text, Markdown, HTML, CSV, PDF and DOCX.")],
    output: Output,
    least: Annotated[
        float, Option(min=0, max=1, help="Fail if less of a format's text in a script is read.")
    ] = LEAST,
    rare: Annotated[
        int, Option(min=0, help="Scripts with fewer characters in a format do not count.")
    ] = 1_000,
) -> None:
    """Compare the characters of documents with those of their passages, by format and script.

    Only letters and digits are counted. What is skipped, such as navigation, is listed by kind, and
    files of which less is read are named. The exit status is 1 if less than --least is read.

    Example: xorqa bench documents /usr/share/doc --json documents.json
    """
    with progress() as report:
        surveys, errors = survey(folder, progress=partial(report, "documents"))
    output.write_json(
        {"formats": {name: _json(each) for name, each in surveys.items()}} | {"errors": errors}
    )
    groups = tuple(_rows(name, each) for name, each in sorted(surveys.items()) if each.text)
    header = ("format", "script", "files", "characters", "in passages", "skipped", "read, %")
    notes = [f"{name}: not read: {each.kinds}" for name, each in surveys.items() if each.kinds]
    caption = "Read: the share of the characters that are not in skipped elements."
    output.print_grid(Grid("Documents and their passages", header, groups, caption, labels=2))
    short = [
        f"{name}: {share:.1%} read"
        for each in surveys.values()
        for name, share in sorted(each.short.items(), key=lambda pair: pair[1])
    ]
    for line in [*notes, *short, *(f"error: {error}" for error in errors.values())]:
        output.aside(line)
    checked = (
        each.share(script)
        for each in surveys.values()
        for script, count in each.text.items()
        if count >= rare
    )
    if any(share < least for share in checked):
        raise typer.Exit(1)


def _rows(name: str, each: Survey) -> tuple[tuple[str, ...], ...]:
    scripts = [script for script, _ in each.text.most_common()]
    return tuple(
        (
            name,
            script or "all",
            str(each.files) if not script else "",
            *(
                f"{counts[script] if script else counts.total():,}"
                for counts in (each.text, each.read, each.skipped)
            ),
            f"{100 * each.share(script):.2f}",
        )
        for script in ["", *scripts]
    )


def _json(each: Survey) -> dict[str, object]:
    return {
        "files": each.files,
        "characters": dict(each.text),
        "read": dict(each.read),
        "skipped": dict(each.skipped),
        "kinds": dict(each.kinds),
        "files_below_99": each.short,
    }
