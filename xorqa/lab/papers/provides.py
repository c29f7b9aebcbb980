"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "paper": Command(
        "xorqa.lab.papers.commands.paper:paper",
        "List a paper's experiments, and print its tables beside your runs.",
        "Score",
    ),
}
