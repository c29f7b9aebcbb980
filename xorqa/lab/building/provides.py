"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "build": Command(
        "xorqa.lab.building.commands.app:app",
        "Build data sets for evaluation.",
        "Data",
        needs=("lareqa",),
    ),
}
