"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "submission": Command(
        "xorqa.lab.leaderboard.commands.submission:app",
        "Check a prediction file before submission.",
        "Score",
    ),
    "leaderboard": Command(
        "xorqa.lab.leaderboard.commands.leaderboard:app",
        "Rank systems in a static site.",
        "Score",
        needs=("checklist", "diagnosis", "mlqa", "papers"),
    ),
}
