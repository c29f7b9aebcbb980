"""The texts of the bundled world, and small tokenizers of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from xorqa.core.types import Passage
from xorqa.datasets.mini import load as load_mini

SPECIAL = {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>", "mask": "<mask>"}
WORD_PIECE_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
MOST_WORDS = 1200


def passages(*langs: str, each: int | None = None) -> list[Passage]:
    """The first passages of languages of the bundled world, by default all of all languages."""
    corpora = load_mini().corpora
    return [one for lang in langs or corpora for one in corpora[lang].passages[:each]]


@cache
def world_texts() -> tuple[str, ...]:
    """Texts of all languages of the bundled world."""
    questions = (example.question.text for example in load_mini().examples)
    return (*(passage.text for passage in passages()), *questions)


@cache
def words(*, lower: bool = False) -> tuple[str, ...]:
    """The frequent words of all languages, with the punctuation that follows them."""
    text = " ".join(world_texts())
    counts = Counter((text.lower() if lower else text).split()).most_common(MOST_WORDS)
    return tuple(word for word, count in counts if count > 2)


@cache
def characters() -> tuple[str, ...]:
    """The characters of all languages."""
    return tuple(sorted({*"".join("".join(world_texts()).split())}))


def word_pieces(*extra: str, lower: bool = False) -> dict[str, int]:
    """A vocabulary of BERT: its special tokens and `extra` ones, characters and frequent words."""
    letters = [one.lower() for one in characters()] if lower else characters()
    inner = (f"##{letter}" for letter in letters)
    names = dict.fromkeys([*WORD_PIECE_SPECIAL, *extra, *letters, *inner, *words(lower=lower)])
    return {name: number for number, name in enumerate(names)}


def unigram_pieces(*special: str) -> list[tuple[str, float]]:
    """A vocabulary of XLM-R or T5: the special tokens, characters and frequent words."""
    pieces = dict.fromkeys(["▁", *characters(), *(f"▁{word}" for word in words())])
    return [(token, 0.0) for token in special] + [(piece, -9.0) for piece in pieces]


def unigram(special: Sequence[str], pieces: Sequence[str] = ()) -> Any:
    """A trained tokenizer without post-processor, with `pieces` added to its vocabulary."""
    from tokenizers import Tokenizer

    table = json.loads(_trained(tuple(special)))
    known = {piece for piece, _ in table["model"]["vocab"]}
    table["model"]["vocab"] += [[piece, -6.0] for piece in pieces if piece not in known]
    return Tokenizer.from_str(json.dumps(table))


@cache
def _trained(special: tuple[str, ...]) -> str:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=5000, special_tokens=[*special], unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(world_texts(), trainer)
    return str(tokenizer.to_str())


def save_unigram(folder: Path, *, longest: int = 512) -> int:
    """A tokenizer like XLM-R's; returns the size of its vocabulary."""
    from tokenizers import processors
    from transformers import PreTrainedTokenizerFast

    backend = unigram([*SPECIAL.values()])
    numbered = [(token, backend.token_to_id(token)) for token in ("<s>", "</s>")]
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=numbered
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        model_max_length=longest,
        sep_token="</s>",
        cls_token="<s>",
        **{f"{name}_token": token for name, token in SPECIAL.items()},
    )
    tokenizer.save_pretrained(folder)
    return len(tokenizer)


def save_word_pieces(folder: Path, *extra: str, longest: int = 512, lower: bool = False) -> int:
    """A tokenizer like BERT's; returns the size of its vocabulary."""
    from transformers import BertTokenizerFast

    vocab = word_pieces(*extra, lower=lower)
    BertTokenizerFast(vocab, do_lower_case=lower, model_max_length=longest).save_pretrained(folder)
    return len(vocab)
