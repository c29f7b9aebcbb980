"""A small subword vocabulary: bytes below, so that nothing is unknown; digits stand alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

PAD, END = 0, 1
FORMS = ("<lower>", "<Cased>", "<lower?>", "<Cased?>")
SPECIAL = ("<pad>", "</s>", *FORMS)
QUESTION = SPECIAL.index("<Cased?>")


def learn_vocabulary(texts: Iterable[str], *, size: int) -> Any:
    """A `tokenizers.Tokenizer` of `size` pieces at most: byte pairs within words, case kept."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Prepend(" ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=2,
        special_tokens=list(SPECIAL),
        show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def form_of(text: str) -> int:
    """The piece that says how a text is written: mixed case or one alone, a question mark or not.

    Some sources are in lower case throughout (or all in capitals), some have no punctuation.
    Told the form, a model learns from all of them and writes as it is asked to.
    """
    case = "<lower" if text in {text.lower(), text.upper()} else "<Cased"
    return SPECIAL.index(case + ("?>" if text.endswith("?") else ">"))
