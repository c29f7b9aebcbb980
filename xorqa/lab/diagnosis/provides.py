"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "diagnose": Command(
        "xorqa.lab.diagnosis.commands.diagnose:diagnose",
        "Split results by features of the questions.",
        "Experiment",
        needs=("mlqa",),
    ),
}
