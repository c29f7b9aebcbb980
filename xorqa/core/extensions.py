"""What the folders of `xorqa.lab`, and other installed packages, add to the road.

A folder of the lab lists its additions in its module `provides`, one table a group: `COMMANDS`,
`STAGES`, ... Another package lists them as entry points of the group `xorqa.commands`,
`xorqa.stages`, ... Both name objects as `package.module:name`, so that listing them imports
nothing; a name of the road's own cannot be replaced.
"""

import importlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

LAB = Path(__file__).parents[1] / "lab"
OTHER_PACKAGES = "Other packages"


class Command(NamedTuple):
    """A command before its module is imported; its name may begin with its group: `eval judge`.

    `path` is `package.module:name`; `needs` names the other folders of the lab that it imports,
    without which it is not there.
    """

    path: str
    summary: str
    panel: str = ""
    needs: tuple[str, ...] = ()


@cache
def folders() -> tuple[str, ...]:
    """The folders of the lab that are there."""
    return tuple(sorted(path.parent.name for path in LAB.glob("*/provides.py")))


@cache
def extensions(group: str) -> dict[str, Any]:
    """What is added to a group (`commands`, `stages`, `tasks`, `datasets`, ...), by name.

    Values are `module:name`, or a `Command` in the group of commands.
    """
    added: dict[str, Any] = {}
    for folder in folders():
        module = importlib.import_module(f"xorqa.lab.{folder}.provides")
        added |= getattr(module, group.upper(), {})
    if group == "commands":
        added = {name: entry for name, entry in added.items() if {*entry.needs} <= {*folders()}}
    for point in entry_points(group=f"xorqa.{group}"):
        entry: Any = point.value
        if group == "commands":
            package = point.dist.name if point.dist else "another package"
            entry = Command(point.value, f"Provided by {package}.", OTHER_PACKAGES)
        added.setdefault(point.name, entry)
    return added


def extended(group: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """A table of the road, with what is added to it; names of the road stay its own."""
    added = extensions(group)
    return {**own, **{name: value for name, value in added.items() if name not in own}}
