"""Examples of the way back: a query, the text it retrieves, and the images that return."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .evaluate import Sides, stream_of
from .measures import ALL, back_ranks, cosine
from .sampling import Sampler

SHOWN = 5
"""Images that return, in an example."""


@dataclass(frozen=True, slots=True)
class Example:
    """A query and what it retrieves, by index.

    Attributes:
        query: the source text.
        retrieved: the target text nearest to it.
        rank: the rank of the query's own image, from 1.
        returned: the source texts whose images are most similar to that of `retrieved`.
    """

    query: int
    retrieved: int
    rank: int
    returned: tuple[int, ...]


def find_examples(
    texts: Sides, images: Sides, sampler: Sampler, *, k: int, count: int = 3
) -> list[Example]:
    """The first `count` queries of seed 0 whose image is among the k, and as many others."""
    sample = sampler.draw_non_matching(stream_of(0))
    similarity = cosine(texts[0][sample.source], texts[1][sample.target])
    back = cosine(images[1][sample.target], images[0][sample.source])
    ranks = back_ranks(similarity, back, len(sample))
    chosen = [*np.flatnonzero(ranks <= k)[:count], *np.flatnonzero(ranks > k)[:count]]
    examples = []
    for query in map(int, chosen):
        nearest = int(similarity(slice(query, query + 1), ALL)[0].argmax())
        scores = back(slice(nearest, nearest + 1), ALL)[0]
        returned = np.argsort(-scores, kind="stable")[:SHOWN]
        examples.append(
            Example(
                int(sample.source[query]),
                int(sample.target[nearest]),
                int(ranks[query]),
                tuple(sample.source[returned].tolist()),
            )
        )
    return examples
