"""Sentence pairs as tokens: vocabularies, sources with their hints, and targets."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ....core.errors import ConfigError
from ....core.lang import ENGLISH
from ....io.files import write_text
from ....models.source_encoding import (
    END,
    SPECIAL,
    STYLES,
    EncodedSource,
    Gloss,
    control_token,
    encode_sources,
    language_token,
    style_of,
)
from ....models.translator import moses_words
from ..common.training_data import Pair

TARGET, SOURCE = "target", "source"
"""Names of the vocabularies in a translator's file."""
UNKNOWN = "<unk>"
_WORDS = r" ?[\p{L}\p{M}]+| ?[^\s\p{L}\p{M}\p{N}]+"
"""GPT-2's pattern splits words at the vowel signs of Indic scripts; this one does not."""
WORD_END = "</w>"
UNSPACED = ("ja", "th", "zh")

Pieces = Literal["bpe", "sentencepiece", "moses-bpe"]
MOSES: Pieces = "moses-bpe"


@dataclass(frozen=True, slots=True)
class TokenizedPairs:
    """The distinct sources, and one target per pair; `rows` has the position of its source."""

    sources: Sequence[EncodedSource]
    rows: Sequence[int]
    targets: Sequence[Sequence[int]]

    @property
    def lengths(self) -> list[tuple[int, int]]:
        """Tokens of each pair: of the target as the decoder's input, and of the source."""
        return [
            (len(target) - 1, len(self.sources[row].ids))
            for target, row in zip(self.targets, self.rows, strict=True)
        ]


def tokenize_pairs(
    pairs: Sequence[Pair],
    source: Any,
    target: Any,
    *,
    longest: int,
    hints: bool,
    glosses: Callable[[str, str], list[Gloss]] | None = None,
) -> TokenizedPairs:
    """Encode pairs with the tokenizers of both sides; `glosses` has those of a text and language.

    A target starts with its control token: of its style, and of its language unless English.
    """
    rows = {text: row for row, text in enumerate(dict.fromkeys(pair[:2] for pair in pairs))}
    texts = [text for _, text in rows]
    found = [glosses(text, lang) for lang, text in rows] if glosses else []
    encoded = target.encode_batch([pair[3] for pair in pairs])
    return TokenizedPairs(
        encode_sources(texts, source, target, max_tokens=longest, hints=hints, glosses=found),
        [rows[pair[:2]] for pair in pairs],
        [
            [_start(target, pair), *tokens.ids, END]
            for pair, tokens in zip(pairs, encoded, strict=True)
        ],
    )


def _start(target: Any, pair: Pair) -> int:
    lang, text = pair[2:]
    return style_token(text) if lang == ENGLISH else language_token(target, lang, text)


def style_token(text: str) -> int:
    """The control token for a text's style: mixed case or not, question mark or not.

    Some training corpora are lower-cased (or all in capitals), others lack punctuation. The
    control token lets the model learn from all of them and choose the style at decoding time.
    Text in a script without case counts as mixed case.
    """
    return SPECIAL.index(style_of(text))


def vocabularies(
    pairs: Sequence[Pair],
    out: Path,
    *,
    target: int,
    source: int | None,
    langs: Sequence[str] = (),
    pieces: Pieces | None = None,
) -> dict[str, Any]:
    """The target vocabulary, and one for a new encoder if `source` is a size.

    They are learned from the pairs once and stay in `out`; `langs` are the target languages if
    the source is English.
    """
    from tokenizers import Tokenizer

    tokenizers = {}
    for name, side, size, to in ((TARGET, 3, target, langs), (SOURCE, 1, source, ())):
        path = out / f"{name}.json"
        if size is not None:
            if not path.is_file():
                learn = _LEARN[pieces or "bpe"]
                learned = learn((pair[side] for pair in pairs), size=size, langs=to)
                write_text(path, learned.to_str())
            tokenizers[name] = Tokenizer.from_file(str(path))
    return tokenizers


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
        special_tokens=_special_tokens(langs),
        show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def learn_unigrams(texts: Iterable[str], *, size: int, langs: Sequence[str] = ()) -> Any:
    """Train a cased unigram model of at most `size` pieces on NFKC text, as SentencePiece does."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=size,
        special_tokens=[*_special_tokens(langs), UNKNOWN],
        unk_token=UNKNOWN,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def learn_bpe_of_words(texts: Iterable[str], *, size: int, langs: Sequence[str] = ()) -> Any:
    """Train a cased BPE of at most `size` pieces within words, as Sennrich et al. 2016 do."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN, end_of_word_suffix=WORD_END))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoders.BPEDecoder(suffix=WORD_END)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=2,
        special_tokens=[*_special_tokens(langs), UNKNOWN],
        end_of_word_suffix=WORD_END,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


_LEARN: dict[Pieces, Callable[..., Any]] = {
    "bpe": learn_vocabulary,
    "sentencepiece": learn_unigrams,
    MOSES: learn_bpe_of_words,
}


def split_by_moses(pairs: Sequence[Pair]) -> tuple[list[Pair], tuple[str, str]]:
    """The pairs in Moses's words, with their source and target language.

    Raises:
        ConfigError: for pairs of several directions, or a language without spaces.
    """
    [direction, *others] = directions = sorted({(pair[0], pair[2]) for pair in pairs})
    if others or set(direction) & set(UNSPACED):
        raise ConfigError(
            f'[translator] pieces = "{MOSES}" is for one direction of languages with spaces, not '
            f"{', '.join(map('-'.join, directions))}; set pieces=sentencepiece, or the langs of "
            "sources"
        )
    source, target = direction
    split = [
        (source, moses_words(text, source), target, moses_words(translation, target))
        for _, text, _, translation in pairs
    ]
    return split, direction


def _special_tokens(langs: Sequence[str]) -> list[str]:
    """The control tokens, of each target language where there are several."""
    return [*SPECIAL, *(control_token(style, lang) for lang in langs for style in STYLES)]
