"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "plan": Command(
        "xorqa.lab.planning.commands.plan:plan",
        "Predict the cost of an index before building it.",
        "This machine",
        needs=("bench", "mining", "psq"),
    ),
}
