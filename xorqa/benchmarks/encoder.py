"""What `xorqa bench encode` measures: the encoder beside sentence-transformers."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from ..core.lazy import require
from ..datasets.mini import load
from ..models.checkpoints import resolve
from ..models.device import pick_device, pick_dtype
from ..models.encoder import Encoder

Encode = Callable[[Sequence[str]], object]


def measure(texts: int, rounds: int) -> dict[str, Any]:
    """Seconds to encode passages with xorqa and with the peer, alternating; medians of rounds."""
    passages = [passage.text for corpus in load().corpora.values() for passage in corpus]
    passages = (passages * (texts // len(passages) + 1))[:texts]
    encoders: dict[str, Encode] = {"xorqa": Encoder().passages, "peer": _sentence_transformers()}
    seconds: dict[str, list[float]] = {name: [] for name in encoders}
    for encode in encoders.values():
        encode(passages[:32])  # untimed: loads the weights
    for _ in range(rounds):
        for name, encode in encoders.items():
            started = time.perf_counter()
            encode(passages)
            seconds[name].append(time.perf_counter() - started)
    ratios = [peer / ours for ours, peer in zip(*seconds.values(), strict=True)]
    return {
        "dtype": str(pick_dtype("auto", pick_device())).removeprefix("torch."),
        "texts": texts,
        "xorqa_s": statistics.median(seconds["xorqa"]),
        "sentence_transformers_s": statistics.median(seconds["peer"]),
        "ratio": statistics.median(ratios),
    }


def _sentence_transformers() -> Encode:
    """sentence-transformers with the same weights and its defaults, mean pooling among them."""
    library = require("sentence_transformers", extra="dev")
    import_module("transformers").logging.set_verbosity_error()
    model = library.SentenceTransformer(str(resolve().path))
    return lambda texts: model.encode([f"passage: {text}" for text in texts])
