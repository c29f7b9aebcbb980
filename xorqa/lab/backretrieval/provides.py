"""What this folder adds to xorqa."""

from ...core.extensions import Command

COMMANDS = {
    "backretrieval": Command(
        "xorqa.lab.backretrieval.commands.backretrieval:backretrieval",
        "Evaluate encoders without translations: Backretrieval.",
        "Score",
        needs=("lareqa", "training"),
    ),
    "blind-trial": Command(
        "xorqa.lab.backretrieval.commands.blind_trial:app",
        "Let a person score what unnamed encoders retrieve.",
        "Score",
        needs=("lareqa", "training", "building"),
    ),
}
TRAINING = {
    "document_head": "xorqa.lab.backretrieval.kinds:DOCUMENT_HEAD",
    "image_encoder": "xorqa.lab.backretrieval.kinds:IMAGE_ENCODER",
}
BUILDERS = {"emoji": "xorqa.lab.backretrieval.captions.emoji:build_emoji"}
