"""The corpora that the routes of a pipeline search, and a check of the routes."""

from collections.abc import Mapping, Sequence

from ..core.errors import ConfigError, one_of
from ..core.named import check_name
from ..datasets.corpus import Corpus, pool_of
from ..retrieval import recorded
from .settings import ENGLISH, POOL, TARGET, Route


def searched_corpora(
    corpora: Mapping[str, Corpus], routes: Sequence[Route]
) -> Mapping[str, Corpus]:
    """The corpora, with the texts that routes replay and, if a route searches it, the pool.

    Corpora that are given are not replaced.
    """
    for route in routes:
        if route.corpus in (TARGET, ENGLISH) and route.corpus not in corpora:
            texts = recorded.corpora_of(route.retriever, english=route.corpus == ENGLISH)
            corpora = {**texts, **corpora}
    if POOL in corpora or all(route.corpus != POOL for route in routes):
        return corpora
    return {**corpora, POOL: pool_of(corpora)}


def check_routes(routes: Sequence[Route], corpora: Mapping[str, Corpus]) -> None:
    """Check the names of the routes, and that each has a corpus. Raises ConfigError."""
    names = [route.name for route in routes]
    if len(set(names)) < len(names):
        raise ConfigError(f"routes need different names, not {', '.join(names)}")
    for route in routes:
        check_name(route.name, where="a route's name", spaces=False)
        if route.corpus not in {TARGET, *corpora}:
            raise ConfigError(
                f"route '{route.name}' has no corpus '{route.corpus}'; "
                f"valid: {one_of({TARGET, POOL, *corpora})}"
            )
