"""Collections behind an alias: loaded, resumed, checked, and switched to.

A collection is live if the alias points at it. Others with the same base name are being loaded, or
were left behind by a killed build, which the next one resumes.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...core.errors import DataError
from ...core.progress import Progress
from ...core.types import Passage
from ..elastic.client import valid_unicode
from .client import Database, without_flushing

BATCH = 64  # passages encoded and sent at a time
OF = "xorqa"  # the key of a collection's metadata: a hash of what it was built from

Vectors = Callable[[Sequence[Passage]], list[list[float]]]
"""Returns the vectors of passages."""


@dataclass(frozen=True, slots=True)
class StoredCollection:
    """A collection made by xorqa; `of` is the hash of what it was built from."""

    name: str
    live: bool
    of: str


def stored_collections(database: Database, base: str) -> list[StoredCollection]:
    """The collections made by xorqa with this base name, sorted by name."""
    client = database.client
    aliases = client.get_aliases().aliases
    live = {alias.collection_name for alias in aliases if alias.alias_name == base}
    ours = re.compile(re.escape(base) + "-[0-9a-f]{8}")
    names = sorted(one.name for one in client.get_collections().collections)
    found = []
    for name in filter(ours.fullmatch, names):
        metadata = client.get_collection(name).config.metadata or {}
        found.append(StoredCollection(name, name in live, str(metadata.get(OF, ""))))
    return found


def fill(
    database: Database,
    base: str,
    passages: Sequence[Passage],
    vectors: Vectors,
    *,
    of: str,
    dimensions: int,
    rebuild: bool,
    progress: Progress,
) -> None:
    """Make a collection of passages live, unless the live one is complete.

    A point's id is the number of its passage. `of` identifies the passages and their vectors: a
    collection with the same hash that a killed build left is completed.

    Raises:
        DatabaseError: if the database cannot be used, or has lost points.
    """
    with database.readable_errors():
        stored = stored_collections(database, base)
        live = next((one for one in stored if one.live), None)
        if live and live.of == of and not rebuild and count(database, base) == len(passages):
            return
        begun = [one.name for one in stored if one.of == of and not one.live]
        name = begun[0] if begun else create(database, base, of=of, dimensions=dimensions)
        without_flushing(database, name)
        load(database, name, passages, vectors, progress)
        if count(database, name) != len(passages):
            raise database.error(f"lost points of collection {name}; run again to load them")
        switch(database, base, name, live=live is not None)
        for one in stored:
            if one.name != name:
                database.client.delete_collection(one.name)


def create(database: Database, base: str, *, of: str, dimensions: int) -> str:
    """Create an empty collection, which is not live; returns its name."""
    from qdrant_client import models

    name = f"{base}-{uuid.uuid4().hex[:8]}"
    size = models.VectorParams(size=dimensions, distance=models.Distance.DOT)
    database.client.create_collection(name, vectors_config=size, metadata={OF: of})
    return name


def load(
    database: Database, name: str, passages: Sequence[Passage], vectors: Vectors, progress: Progress
) -> None:
    """Send the passages that a collection lacks, with their vectors."""
    from qdrant_client import models

    client = database.client
    is_resumed = count(database, name) > 0
    for start in range(0, len(passages), BATCH):
        rows = range(start, min(start + BATCH, len(passages)))
        present = client.retrieve(name, [*rows], with_payload=False) if is_resumed else ()
        missing = sorted({*rows} - {point.id for point in present})
        batch = [passages[row] for row in missing]
        points = [
            models.PointStruct(id=row, vector=vector, payload=_payload(passages[row]))
            for row, vector in zip(missing, vectors(batch) if batch else (), strict=True)
        ]
        if points:
            client.upsert(name, points, wait=True)
        progress(rows.stop, len(passages))


def _payload(passage: Passage) -> dict[str, str]:
    """The passage itself, for other programs that search the collection."""
    fields = ("docid", "title", "text", "lang")
    return {name: valid_unicode(getattr(passage, name)) for name in fields}


def switch(database: Database, base: str, name: str, *, live: bool) -> None:
    """Point the alias at a collection, in one atomic step."""
    from qdrant_client import models

    old = [models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=base))]
    new = models.CreateAlias(collection_name=name, alias_name=base)
    actions = [*(old if live else ()), models.CreateAliasOperation(create_alias=new)]
    database.client.update_collection_aliases(change_aliases_operations=actions)


def delete(database: Database, base: str) -> None:
    """Delete the collections with this base name, and their alias with them."""
    with database.readable_errors():
        for one in stored_collections(database, base):
            database.client.delete_collection(one.name)


def check(database: Database, base: str, *, of: str, points: int) -> None:
    """Check that the live collection is the one that was built.

    Raises:
        DataError: if there is none, or it is another one.
    """
    with database.readable_errors():
        live = [one for one in stored_collections(database, base) if one.live]
        stored = count(database, base) if live else 0
    problem = ""
    if not live:
        problem = f"has no collection {base}"
    elif live[0].of != of:
        problem = f"has a collection {base} of other passages, weights or settings"
    elif stored != points:
        problem = f"has {stored} points in collection {base}, not {points}"
    if problem:
        raise DataError(
            f"Qdrant at {database.address} {problem}; rebuild it with xorqa index --rebuild"
        )


def count(database: Database, name: str) -> int:
    """The number of points in a collection."""
    return int(database.client.count(name, exact=True).count)
