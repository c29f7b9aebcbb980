"""The one order of ranked results: the best score first, equal scores by docid."""

from collections.abc import Iterable

from .types import Hit


def rank_key(score: float, docid: str) -> tuple[float, str]:
    """The key that sorts results into their ranks."""
    return -score, docid


def best_first(hits: Iterable[Hit]) -> list[Hit]:
    """Hits in the order of their ranks."""
    return sorted(hits, key=lambda hit: rank_key(hit.score, hit.passage.docid))
