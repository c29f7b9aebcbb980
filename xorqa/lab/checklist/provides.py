"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "checklist": Command(
        "xorqa.lab.checklist.commands.app:app",
        "Run behavioural tests in many languages.",
        "Score",
    ),
}
