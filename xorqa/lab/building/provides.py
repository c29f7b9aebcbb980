"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "build": Command(
        "xorqa.lab.building.commands.app:app",
        "Build data sets for evaluation.",
        "Data",
        needs=("lareqa",),
    ),
    "data check": Command(
        "xorqa.lab.building.commands.own_data:check",
        "Check a data set of your own: ids, gold passages, spans, duplicates and languages.",
    ),
    "data export": Command(
        "xorqa.lab.building.commands.own_data:export",
        "Write a data set in the layout of XOR QA, SQuAD or TREC, or as a folder of your own.",
    ),
}
BUILDERS = {"tydiqa-goldp": "xorqa.lab.building.goldp:build_goldp"}
DATASETS = {
    "xquad-mixed": "xorqa.lab.building.mixed:XQUAD_MIXED",
    "tydi-train": "xorqa.lab.building.tydi_questions:TYDI_TRAIN",
    "tydi-dev": "xorqa.lab.building.tydi_questions:TYDI_DEV",
    "te-mixed": "xorqa.lab.building.mixed:TE_MIXED",
}
