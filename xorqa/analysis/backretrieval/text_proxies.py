"""Predictors of XLR from texts alone, for users without images; higher is better aligned.

PROBE: the share of held-out texts whose language a linear probe does not recognise. MUTUAL: the
share of source texts that are the nearest neighbour of their nearest neighbour. GAIN: what
subtracting each language's mean vector adds to that share, negated.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..lareqa.geometry import probe_accuracy
from .measures import ALL, Floats, blocks, cosine

PROXIES = ("PROBE", "MUTUAL", "GAIN")


def text_proxies(
    source: Floats, target: Floats, ids: tuple[Sequence[str], Sequence[str]]
) -> dict[str, float]:
    """The proxies of an encoder's vectors.

    Args:
        ids: those of the source texts and of the target texts; the probe holds out ids.
    """
    langs = ["source"] * len(source) + ["target"] * len(target)
    accuracy = probe_accuracy(np.concatenate([source, target]), langs, [*ids[0], *ids[1]])
    mutual = mutual_share(source, target)
    centred = mutual_share(source - source.mean(axis=0), target - target.mean(axis=0))
    return {"PROBE": 1 - (accuracy or 0.0), "MUTUAL": mutual, "GAIN": mutual - centred}


def mutual_share(source: Floats, target: Floats) -> float:
    """The share of source texts that are nearest to the target text nearest to them, by cosine."""
    forth, back = _nearest(source, target), _nearest(target, source)
    return float((back[forth] == np.arange(len(source))).mean())


def _nearest(rows: Floats, columns: Floats) -> np.ndarray:
    similarity = cosine(rows, columns)
    return np.concatenate([similarity(block, ALL).argmax(axis=1) for block in blocks(len(rows))])
