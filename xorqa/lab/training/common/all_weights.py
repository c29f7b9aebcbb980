"""Write an encoder whose weights were all trained: a checkpoint of transformers, with its card.

An adapter names the base that it changes; a checkpoint has all weights in float32, the tokenizer
and the base's configuration, and is used like any other model: `--encoder ./training/x-y/encoder`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ....io.files import atomic_dir, write_json
from ....models.checkpoints import Checkpoint
from ....models.prompts import CONFIG
from ....models.towers import CARD


def write_checkpoint(
    folder: Path, model: Any, *, base: Checkpoint, prompts: Mapping[str, str], card: dict[str, Any]
) -> None:
    """Write a trained encoder to a folder, which is replaced; `prompts` are by side.

    The card is in the folder, where `models.towers.family_of` reads the pooling, and beside it.
    """
    import transformers

    with atomic_dir(folder) as temporary:
        model.save_pretrained(temporary)
        tokenizer = transformers.AutoTokenizer.from_pretrained(base.path, trust_remote_code=False)
        tokenizer.save_pretrained(temporary)
        named = {"query": prompts["query"], "document": prompts["passage"]}
        write_json(temporary / CONFIG, {"prompts": named})
        write_json(temporary / CARD, {"task": "encoder", "base": base.name, **card})
    write_json(folder.with_name("card.json"), card)
