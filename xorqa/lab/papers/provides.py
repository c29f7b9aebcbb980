"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "paper": Command(
        "xorqa.lab.papers.commands.paper:paper",
        "Print a paper's experiments and tables, beside your runs.",
        "Score",
        needs=("diagnosis", "mlqa"),
    ),
}
STAGES = {"localiser.translate": "xorqa.lab.papers.translated_answers:TranslatedAnswers"}
