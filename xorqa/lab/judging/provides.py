"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "eval judge": Command(
        "xorqa.lab.judging.commands.judge:judge", "Let a language model judge answers."
    ),
}
