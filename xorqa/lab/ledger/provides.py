"""What this folder adds to xorqa."""

from ...core.extensions import Command

_AT = "xorqa.lab.ledger.commands"
COMMANDS = {
    "report": Command(
        f"{_AT}.report:report",
        "Print XOR-Full's table of runs, choosers and oracles.",
        "Experiment",
    ),
    "ledger": Command(f"{_AT}.ledger:ledger", "Split the lost points by stage.", "Experiment"),
    "eval attribution": Command(
        f"{_AT}.attribution:attribution", "Score the citations of generated answers."
    ),
    "eval abstention": Command(
        f"{_AT}.abstention:abstention", "Score the confidence that decides whether to answer."
    ),
    "eval back-translation": Command(
        f"{_AT}.back_translation:back_translation",
        "Score the translation of answers into the question's language.",
    ),
    "eval translation": Command(
        f"{_AT}.translation:translation",
        "Score translations of questions with sacreBLEU.",
        needs=("training",),
    ),
}
