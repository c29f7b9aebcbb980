"""A byte-level BPE vocabulary: no text is out of vocabulary, and each digit is its own piece."""

from collections.abc import Iterable
from typing import Any

PAD, END = 0, 1
STYLES = ("<lower>", "<Cased>", "<lower?>", "<Cased?>")
SPECIAL = ("<pad>", "</s>", *STYLES)
QUESTION = SPECIAL.index("<Cased?>")


def learn_vocabulary(texts: Iterable[str], *, size: int) -> Any:
    """Train a cased BPE `tokenizers.Tokenizer` of at most `size` pieces."""
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


def style_token(text: str) -> int:
    """The control token for a text's style: mixed case or not, question mark or not.

    Some training corpora are lower-cased (or all in capitals), others lack punctuation. The
    control token lets the model learn from all of them and choose the style at decoding time.
    """
    case = "<lower" if text in {text.lower(), text.upper()} else "<Cased"
    return SPECIAL.index(case + ("?>" if text.endswith("?") else ">"))
