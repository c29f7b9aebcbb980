"""Inputs of DPR's readers: `[CLS] question [SEP] title [SEP] passage`, as `DPRReaderTokenizer`.

Spans are of the passage, as in the authors' code; `decode_best_spans` of transformers may also
return words of the title.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.types import Span
from .features import Window
from .pairs import Pair, TitledPassage


def dpr_windows(
    tokenizer: Any, pairs: Sequence[Pair], *, max_tokens: int
) -> tuple[list[Window], set[str]]:
    """One window per pair, cut to `max_tokens` tokens, and the passages that are cut."""
    titles = [pair.title if isinstance(pair, TitledPassage) else "" for pair in pairs]
    heads = tokenizer([pair.question for pair in pairs], titles)["input_ids"]
    passages = tokenizer(
        [pair.passage for pair in pairs], add_special_tokens=False, return_offsets_mapping=True
    )
    windows, cut = [], set()
    rows = zip(pairs, heads, passages["input_ids"], passages["offset_mapping"], strict=True)
    for number, (pair, head, ids, characters) in enumerate(rows):
        whole = [*head, *ids]
        offsets = np.array([(0, 0)] * len(head) + characters, np.int32)[:max_tokens]
        context = Span(min(len(head), max_tokens), min(len(whole), max_tokens))
        windows.append(Window(number, whole[:max_tokens], offsets, context))
        if len(whole) > max_tokens:
            cut.add(pair.passage)
    return windows, cut
