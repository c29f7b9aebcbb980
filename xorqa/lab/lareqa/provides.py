"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "lareqa": Command(
        "xorqa.lab.lareqa.commands.lareqa:lareqa",
        "Evaluate an encoder across languages, and its bias: LAReQA.",
        "Score",
    ),
}
