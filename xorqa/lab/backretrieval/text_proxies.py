"""Predictors of XLR from texts alone, for users without images; higher is better aligned.

PROBE: the share of held-out texts whose language a linear probe does not recognise. MUTUAL: the
share of source texts that are the nearest neighbour of their nearest neighbour. GAIN: what
subtracting each language's mean vector adds to that share, negated.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..lareqa.geometry import probe_accuracy
from .evaluate import Sides, stream_of
from .measures import ALL, Floats, blocks, cosine
from .sampling import Sampler

PROXIES = ("PROBE", "MUTUAL", "GAIN")


def text_proxies(
    sides: Sides, ids: tuple[Sequence[str], Sequence[str]], sampler: Sampler, *, seeds: int
) -> dict[str, float]:
    """The proxies of an encoder, on the non-matching samples on which BkR is measured.

    PROBE is that of the first sample, the others are means over the samples.

    Args:
        sides: vectors of all source texts and of all target texts.
        ids: their ids.
    """
    samples = [sampler.draw_non_matching(stream_of(seed)) for seed in range(seeds)]
    pairs = [(sides[0][sample.source], sides[1][sample.target]) for sample in samples]
    mutual = np.mean([mutual_share(*pair) for pair in pairs])
    centred = np.mean(
        [mutual_share(*(rows - rows.mean(axis=0) for rows in pair)) for pair in pairs]
    )
    names = [
        *(ids[0][index] for index in samples[0].source),
        *(ids[1][index] for index in samples[0].target),
    ]
    langs = ["source"] * len(samples[0]) + ["target"] * len(samples[0])
    accuracy = probe_accuracy(np.concatenate(pairs[0]), langs, names)
    return {
        "PROBE": 1 - (accuracy or 0.0),
        "MUTUAL": float(mutual),
        "GAIN": float(mutual - centred),
    }


def mutual_share(source: Floats, target: Floats) -> float:
    """The share of source texts that are nearest to the target text nearest to them, by cosine."""
    forth, back = _nearest(source, target), _nearest(target, source)
    return float((back[forth] == np.arange(len(source))).mean())


def _nearest(rows: Floats, columns: Floats) -> NDArray[np.int64]:
    similarity = cosine(rows, columns)
    return np.concatenate([similarity(block, ALL).argmax(axis=1) for block in blocks(len(rows))])
