"""Word alignment by a translator's cross-attention (Lewis et al. 2020, section 4, Equation 1).

The paper does not say which heads and layers: the mean of all is taken, of the position that
predicts a token of the translation. The weight between two words is the sum over their tokens, so
that sums over spans are the paper's.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from ...core.errors import ConfigError
from ...core.types import Span
from ...io.files import digest
from ...models.batches import by_length, pad
from ...models.device import autocast, pick_device
from ...translation.seq2seq import STEP, Seq2SeqTranslator
from ..common.spans import overlapping
from .alignment import Links, SegmentedText

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNKNOWN = "\N{REPLACEMENT CHARACTER}"

_MARKS = ("▁", "</w>", "@@")


@dataclass(frozen=True, slots=True)
class CrossAttention:
    """How a translation attends to its source: `weights` is (target tokens, source tokens).

    Tokens are strings of the vocabulary, "" for special ones. A row has the weights with which
    its token is predicted, the mean of all heads and layers; it sums to 1.
    """

    source: Sequence[str]
    target: Sequence[str]
    weights: NDArray[np.float32]


class AttentionAligner:
    """Aligns the words of texts in `lang` with those of given translations into `to`."""

    version = 1

    def __init__(self, translator: Seq2SeqTranslator, *, lang: str, to: str) -> None:
        self.translator, self.lang, self.to = translator, lang, to

    def fingerprint(self) -> str:
        """A hash of the translator and the languages."""
        return digest("attention", self.translator.fingerprint(), self.lang, self.to)

    def links(self, pairs: Sequence[tuple[SegmentedText, SegmentedText]]) -> list[Links]:
        """The attention between the words of each pair of a text and its translation, in order."""
        if not pairs:
            return []
        texts = [(source.text, target.text) for source, target in pairs]
        attention = cross_attention(self.translator, texts, lang=self.lang, to=self.to)
        return [word_weights(*pair, row) for pair, row in zip(pairs, attention, strict=True)]


def cross_attention(
    translator: Seq2SeqTranslator, pairs: Sequence[tuple[str, str]], *, lang: str, to: str
) -> list[CrossAttention]:
    """The attention of each given translation to its text, in (text, translation).

    Both are cut at `longest` tokens, which is reported once.

    Raises:
        ConfigError: if the model does not translate from `lang` into `to`, or has another
            vocabulary for its outputs.
    """
    if getattr(translator.tokenizer, "separate_vocabs", False):
        raise ConfigError(
            f"[translator] {translator.name} has a vocabulary for each side, of which the "
            "attention cannot be read; align by an encoder"
        )
    names = translator.naming.tokens(lang, to)
    first = [translator.token_id(names.target)] if names.target else []
    sources = [translator.source_ids(names.source, text) for text, _ in pairs]
    targets = [[*first, *_target_ids(translator, text)] for _, text in pairs]
    rows: list[Any] = [None] * len(pairs)
    lengths = [len(a) + len(b) for a, b in zip(sources, targets, strict=True)]
    for batch in by_length(lengths, budget=translator.batch_tokens):
        weights = _attention(translator, [sources[i] for i in batch], [targets[i] for i in batch])
        for index, padded in zip(batch, weights, strict=True):
            source, target = sources[index], targets[index]
            values = padded[: len(target), : len(source)]
            rows[index] = CrossAttention(
                _names(translator, source), _names(translator, target), values
            )
    return rows


def _target_ids(translator: Seq2SeqTranslator, text: str) -> list[int]:
    tokenizer = translator.tokenizer
    ids = tokenizer(text_target=text, add_special_tokens=False)["input_ids"]
    if len(ids) > translator.longest:
        translator.report_cut()
    return [*map(int, ids[: translator.longest]), int(tokenizer.eos_token_id)]


def _names(translator: Seq2SeqTranslator, ids: Sequence[int]) -> list[str]:
    """The strings of tokens, "" for special ones but the unknown."""
    special = {*translator.tokenizer.all_special_ids} - {translator.tokenizer.unk_token_id}
    tokens = translator.tokenizer.convert_ids_to_tokens(list(ids))
    return ["" if i in special else str(token) for i, token in zip(ids, tokens, strict=True)]


def _attention(
    translator: Seq2SeqTranslator,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
) -> NDArray[np.float32]:
    import torch

    device, model = pick_device(translator.device), translator.model
    value = translator.tokenizer.pad_token_id
    ids, mask = pad(sources, value=value, step=STEP, device=device)
    labels, _ = pad(targets, value=value, step=STEP, device=device)
    with (
        torch.inference_mode(),
        autocast(translator.dtype, device, weights=model.dtype),
        eager(model),
    ):
        outputs = model(input_ids=ids, attention_mask=mask, labels=labels, output_attentions=True)
    layers = torch.stack([layer.float().mean(1) for layer in outputs.cross_attentions])
    return layers.mean(0).cpu().numpy()


@contextmanager
def eager(model: Any) -> Iterator[None]:
    """Within the block the model computes attention in the way that returns its weights."""
    before = model.config._attn_implementation
    model.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.set_attn_implementation(before)


def word_weights(source: SegmentedText, target: SegmentedText, attention: CrossAttention) -> Links:
    """Token weights, summed by words; a token counts for each word that it overlaps."""
    columns = _words(source, attention.source)
    weights: defaultdict[tuple[int, int], float] = defaultdict(float)
    for row, targets in zip(attention.weights, _words(target, attention.target), strict=True):
        for value, sources in zip(row if targets else (), columns, strict=False):
            for i in sources:
                for j in targets:
                    weights[i, j] += float(value)
    return dict(weights)


def token_spans(tokens: Sequence[str], text: str) -> list[Span | None]:
    """Where tokens of a vocabulary stand in the text, whose tokenizer keeps no offsets.

    Characters are compared without case, blanks and differences of compatibility; unknown tokens
    cover what is left between the others. None for tokens that are not of the text.
    """
    of_tokens = [(char, at) for at, token in enumerate(tokens) for char in _characters(token)]
    of_text = [(char, at) for at, raw in enumerate(text) for char in _folded(raw)]
    a, b = ([char for char, _ in chars] for chars in (of_tokens, of_text))
    spans: list[Span | None] = [None] * len(tokens)
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag not in ("equal", "replace"):
            continue
        for i in range(i1, i2):
            first, last = (j1 + i - i1, j1 + i - i1) if tag == "equal" else (j1, j2 - 1)
            token, start, end = of_tokens[i][1], of_text[first][1], of_text[last][1] + 1
            known = spans[token] or Span(start, end)
            spans[token] = Span(min(known.start, start), max(known.end, end))
    return spans


def _words(side: SegmentedText, tokens: Sequence[str]) -> list[list[int]]:
    """The words that each token overlaps."""
    spans = token_spans(tokens, side.text)
    return [overlapping(side.words, span) if span else [] for span in spans]


def _characters(token: str) -> Iterator[str]:
    if token in ("<unk>", "[UNK]"):
        return iter(UNKNOWN)
    for mark in _MARKS:
        token = token.replace(mark, "")
    return _folded(token)


def _folded(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return (char for char in folded if not char.isspace())
