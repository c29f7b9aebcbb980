"""Small tokenizers, trained on the bundled world."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from xorqa.datasets.mini import load as load_mini

SPECIAL = {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>", "mask": "<mask>"}


@cache
def world_texts() -> tuple[str, ...]:
    """Texts of all languages of the bundled world."""
    world = load_mini()
    passages = [passage.text for corpus in world.corpora.values() for passage in corpus]
    return (*passages, *(example.question.text for example in world.examples))


@cache
def _unigram() -> Any:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from tokenizers.trainers import UnigramTrainer

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = UnigramTrainer(
        vocab_size=5000,
        special_tokens=[*SPECIAL.values()],
        unk_token=SPECIAL["unk"],
        show_progress=False,
    )
    tokenizer.train_from_iterator(world_texts(), trainer)
    numbered = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=numbered
    )
    return tokenizer


def save_unigram(folder: Path, *, longest: int = 512) -> int:
    """A tokenizer like XLM-R's; returns the size of its vocabulary."""
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=_unigram(),
        model_max_length=longest,
        sep_token="</s>",
        cls_token="<s>",
        **{f"{name}_token": token for name, token in SPECIAL.items()},
    )
    tokenizer.save_pretrained(folder)
    return len(tokenizer)
