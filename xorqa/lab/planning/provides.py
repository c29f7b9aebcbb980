"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "plan": Command(
        "xorqa.lab.planning.commands.plan:plan",
        "Predict the cost of an index or a training.",
        "This machine",
        needs=("bench", "mining", "training"),
    ),
}
