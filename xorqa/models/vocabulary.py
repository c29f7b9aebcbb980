"""A byte-level BPE vocabulary: no text is out of vocabulary, and each digit is its own piece."""

from collections.abc import Iterable, Sequence
from typing import Any

PAD, END = 0, 1
STYLES = ("<lower>", "<Cased>", "<lower?>", "<Cased?>")
SPECIAL = ("<pad>", "</s>", *STYLES)
QUESTION = SPECIAL.index("<Cased?>")
QUESTION_MARKS = ("?", "？", "؟")
_WORDS = r" ?[\p{L}\p{M}]+| ?[^\s\p{L}\p{M}\p{N}]+"
"""GPT-2's pattern splits words at the vowel signs of Indic scripts; this one does not."""


def learn_vocabulary(texts: Iterable[str], *, size: int, langs: Sequence[str] = ()) -> Any:
    """Train a cased BPE `tokenizers.Tokenizer` of at most `size` pieces.

    A vocabulary of several target languages has control tokens for each of the `langs`.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Prepend(" ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            *([pre_tokenizers.Split(Regex(_WORDS), "isolated")] if langs else []),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not langs),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=2,
        special_tokens=[*SPECIAL, *(_in(style, lang) for lang in langs for style in STYLES)],
        show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def style_token(text: str) -> int:
    """The control token for a text's style: mixed case or not, question mark or not.

    Some training corpora are lower-cased (or all in capitals), others lack punctuation. The
    control token lets the model learn from all of them and choose the style at decoding time.
    Text in a script without case counts as mixed case.
    """
    return SPECIAL.index(_style(text))


def language_token(tokenizer: Any, lang: str, text: str) -> int:
    """The control token for a target language of the vocabulary and a text's style."""
    return int(tokenizer.token_to_id(_in(_style(text), lang)))


def _style(text: str) -> str:
    lower, upper = text.lower(), text.upper()
    case = "<lower" if text in {lower, upper} and lower != upper else "<Cased"
    return case + ("?>" if text.endswith(QUESTION_MARKS) else ">")


def _in(style: str, lang: str) -> str:
    return f"{style[:-1]} {lang}>"
