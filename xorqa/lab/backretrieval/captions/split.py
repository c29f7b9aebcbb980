"""Hold out texts by id: the same ids in all languages, in training and in evaluation."""

from __future__ import annotations

import hashlib


def is_held_out(id: str, share: float) -> bool:
    """Whether an id belongs to the held-out share, by its hash.

    A smaller share is a part of a larger one.
    """
    return int(hashlib.sha256(id.encode()).hexdigest()[:8], 16) / 2**32 < share
