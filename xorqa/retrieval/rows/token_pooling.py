"""Fewer token vectors per passage: similar ones become their mean."""

import numpy as np
from numpy.typing import NDArray

from ...models.towers import units

Floats = NDArray[np.float32]


def pooled(rows: Floats, factor: float) -> Floats:
    """The unit means of clusters of a passage's token vectors (tokens, dimensions).

    About one vector remains of `factor`, and clusters are in the order of their first tokens.
    Hierarchical clustering by Ward's criterion is the best of the ways that Clavié, Chaffin and
    Adams 2024 compare ("Reducing the Footprint of Multi-Vector Retrieval").
    """
    count = max(1, round(len(rows) / factor))
    if count >= len(rows):
        return rows
    from scipy.cluster.hierarchy import fcluster, linkage

    labels = fcluster(linkage(units(rows), "ward"), count, "maxclust")
    _, firsts, clusters = np.unique(labels, return_index=True, return_inverse=True)
    sums = np.zeros((len(firsts), rows.shape[1]), np.float32)
    np.add.at(sums, clusters, rows)
    return units(sums[np.argsort(firsts)])
