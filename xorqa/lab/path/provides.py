"""What this folder adds to xorqa."""

from collections.abc import Mapping

from ...core.extensions import Command

COMMANDS: Mapping[str, Command] = {}
STAGES = {"ranker.path": "xorqa.lab.path.ranker:PathRanker"}
