"""What this folder adds to xorqa."""

from ...core.extensions import Command

_AT = "xorqa.lab.mlqa.commands"
COMMANDS = {
    "read": Command(f"{_AT}.reader:read", "Predict answers for a SQuAD-style file.", "Data"),
    "mlqa": Command(
        f"{_AT}.mlqa:mlqa", "Evaluate a reader across languages: XLT and G-XLT.", "Score"
    ),
    "eval reader": Command(f"{_AT}.reader:reader", "Score a reader, given the passages."),
    "translate test": Command(
        f"{_AT}.reader:translate_test",
        "Read English translations, and project the answers into the contexts.",
    ),
}
