"""What this folder adds to xorqa."""

from ...core.extensions import Command

_AT = "xorqa.lab.mining.commands"
COMMANDS = {
    "mine": Command(f"{_AT}.mine:mine", "Mine sentence pairs from two collections.", "Data"),
    "eval tatoeba": Command(
        f"{_AT}.retrieval_tasks:tatoeba", "Score an encoder on Tatoeba's sentences."
    ),
    "eval xsim": Command(
        f"{_AT}.retrieval_tasks:xsim", "Score an encoder by its margin-based errors: xsim."
    ),
    "eval mewsli-x-retrieval": Command(
        f"{_AT}.mewsli_x:mewsli_x", "Retrieve Mewsli-X's entities by an encoder, or score files."
    ),
    "eval bucc": Command(f"{_AT}.bucc:bucc", "Score mined pairs against BUCC's gold."),
}
TASKS = {"mewsli-x": "xorqa.lab.mining.mewsli_x:MEWSLI_X"}
