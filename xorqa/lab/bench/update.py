"""The measurements of `xorqa bench update`: update indexes, and compare them with rebuilt ones."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np

from ...core.errors import ConfigError
from ...core.progress import Progress, TaskProgress, silent, timed
from ...core.registry import build
from ...core.types import Hit, Passage, Query
from ...datasets.catalog import load_dataset
from ...datasets.corpus import Corpus, apply_changes
from ...io.files import index_folder, indexes_dir
from ...models.encoder import Encoder
from ...models.towers import Text
from ...retrieval import manifest
from ...retrieval.dense import INDEX, Dense
from ...retrieval.manifest import folder_of
from ...retrieval.update import update_indexes
from ...retrieval.vectors.build import DEPTH, build_index, exact_search, recall
from ...retrieval.vectors.kinds import EXACT, open_index, row_positions, row_vectors
from ...retrieval.vectors.shards import Floats
from ...tables.grid import MISSING, Grid
from .synthetic import in_chunks

QUESTIONS = 500
SEED = 2026
CHUNK = 2048  # vectors
LEXICAL = ("bm25", "lucene")
HEADER = (
    *("index", "update s", "rebuild s", "share"),
    *("same hits", "score diff.", "recall", "rebuilt"),
)


class Remembering:
    """An encoder that encodes each passage once, so that the kinds of index can share vectors."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.vectors: dict[Text, Floats] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)

    @property
    def for_passages(self) -> "Remembering":
        """The encoder of passages."""
        return self

    def passages(
        self, texts: Sequence[Text], langs: Sequence[str], *, progress: Progress = silent
    ) -> Floats:
        """The vectors (texts, dimensions)."""
        new = [index for index, text in enumerate(texts) if text not in self.vectors]
        if new:
            batch = [texts[index] for index in new]
            vectors = self._encoder.passages(
                batch, [langs[index] for index in new], progress=progress
            )
            self.vectors.update(zip(batch, vectors, strict=True))
        return np.stack([self.vectors[text] for text in texts])


def measure(
    data: str,
    kinds: Sequence[str],
    *,
    added: int,
    replaced: int,
    deleted: int,
    progress: TaskProgress,
) -> dict[str, Any]:
    """Update the indexes of a data set's English passages, and build those of the new passages.

    Replaced passages lose their last sentence or word, and added ones are the first halves of
    others. Only these are encoded, twice: for the update, and in another order for the rebuild,
    which takes all other vectors from the data set's index.
    """
    dataset = load_dataset(data)
    old = dataset.corpora["en"]
    new = _changed(old, added, replaced, deleted)
    folder = index_folder(folder_of(old, indexes_dir()), {"use": "dense"})
    source = Dense(corpus=old, folder=folder)
    source.build(progress=partial(progress, old.name))
    fresh = [passage for passage in new if old.get(passage.docid) != passage]
    encoder = Remembering(source.encoder)
    report = partial(progress, "changed passages")
    encode_s, _ = timed(partial(_encode, encoder, fresh, report))
    again = _encode(source.encoder, fresh[::-1], partial(progress, "encoded again"))[::-1]
    old_vectors = _stored(source)
    rebuilt = _aligned(new, old, old_vectors, dict(zip(fresh, again, strict=True)))
    queries = [Query(e.question, e.question.text, e.question.lang) for e in dataset.examples]
    queries = Random(SEED).sample(queries, min(QUESTIONS, len(queries)))
    questions = source.encoder.queries([q.text for q in queries], [q.lang for q in queries])
    rate = len(fresh) / encode_s
    rows = [
        _dense_row(kind, (old, new), (old_vectors, rebuilt), encoder, questions)
        for kind in dict.fromkeys((EXACT, *kinds))
    ]
    for row in rows:
        row["update_s"] += encode_s
        row["rebuild_s"] += len(new) / rate
    rows += [_lexical_row(use, old, new, queries) for use in LEXICAL]
    return {
        "data": data,
        "passages": len(old),
        "added": added,
        "replaced": replaced,
        "deleted": deleted,
        "questions": len(queries),
        "encode_s": encode_s,
        "per_s": rate,
        "rows": [{**row, "share": row["update_s"] / row["rebuild_s"]} for row in rows],
    }


def grid(figures: Mapping[str, Any]) -> Grid:
    """The figures as a table with a row per index."""
    changes = (f"{figures[name]} {name}" for name in ("added", "replaced", "deleted"))
    cells = "{kind}|{update_s:.1f}|{rebuild_s:.0f}|{share:.1%}|{same:.1%}|{difference:.1g}"
    return Grid(
        f"{figures['cpu']}, {figures['passages']:,} passages of {figures['data']}: "
        f"{', '.join(changes)}",
        HEADER,
        (
            tuple(
                (*cells.format_map(row).split("|"), _share(row["recall"]), _share(row["rebuilt"]))
                for row in figures["rows"]
            ),
        ),
        f"{figures['questions']} questions, first {DEPTH}; the changed passages were encoded in "
        f"{figures['encode_s']:.0f} s ({figures['per_s']:.1f} passages/s), and the rebuild of a "
        "dense kind is its measured filling, and all passages at that rate. Same hits: the share "
        f"that the rebuilt index has too; recall: recall@{DEPTH}, updated and rebuilt. Lexical "
        "indexes are indexed again whole.",
    )


def _share(value: float | None) -> str:
    return MISSING if value is None else f"{value:.4f}"


def _changed(old: Corpus, added: int, replaced: int, deleted: int) -> Corpus:
    if added + replaced + deleted > len(old):
        raise ConfigError(f"{len(old)} passages are too few for so many changes")
    sample = Random(SEED).sample(old.passages, added + replaced + deleted)
    gone, cut, halved = sample[:deleted], sample[deleted : deleted + replaced], sample[-added:]
    changed = [Passage(p.docid, _without_end(p.text), p.title, p.lang) for p in cut]
    changed += [
        Passage(f"{p.docid}-half", p.text[: max(1, len(p.text) // 2)], p.title, p.lang)
        for p in halved[:added]
    ]
    return apply_changes(old, changed, [passage.docid for passage in gone])[0]


def _without_end(text: str) -> str:
    start = text.rstrip(". ").rpartition(". ")[0] or text.rpartition(" ")[0]
    return start or f"{text} {text}"


def _encode(encoder: Any, passages: Sequence[Passage], progress: Progress) -> Floats:
    texts, langs = [p.titled for p in passages], [p.lang for p in passages]
    vectors: Floats = encoder.passages(texts, langs, progress=progress)
    return vectors


def _stored(retriever: Dense) -> Floats:
    """The vectors of a flat index in the order of the corpus."""
    index = open_index(retriever.folder / INDEX, passages=len(retriever.corpus))
    return row_vectors(index, np.argsort(row_positions(index)))


def _aligned(
    new: Corpus, old: Corpus, old_vectors: Floats, fresh: Mapping[Passage, Floats]
) -> Floats:
    positions = {passage: row for row, passage in enumerate(old)}
    rows = [fresh[p] if p in fresh else old_vectors[positions[p]] for p in new]
    return np.stack(rows)


def _dense_row(
    kind: str,
    corpora: tuple[Corpus, Corpus],
    vectors: tuple[Floats, Floats],
    encoder: Remembering,
    questions: Floats,
) -> dict[str, Any]:
    """Update an index of a kind; `vectors` are those of the old and the new passages."""
    exact = exact_search(questions, in_chunks(vectors[1], CHUNK))
    with TemporaryDirectory() as root:
        earlier, later, rebuilt = (
            Dense(corpus=corpus, folder=Path(root, name), kind=kind)
            for name, corpus in zip(["old", "new", "rebuilt"], (*corpora, corpora[1]), strict=True)
        )
        for retriever in (earlier, later, rebuilt):
            retriever.encoder = cast(Encoder, encoder)
        _build(earlier, vectors[0])
        rebuild_s, _ = timed(partial(_build, rebuilt, vectors[1]))
        update_s, _ = timed(partial(later.update, earlier))
        searches = [
            open_index(retriever.folder / INDEX).search(questions, DEPTH)
            for retriever in (later, rebuilt)
        ]
    (scores, hits), (expected_scores, expected) = searches
    return {
        "kind": kind,
        "update_s": update_s,
        "rebuild_s": rebuild_s,
        "same": recall(hits, expected),
        "difference": float(np.abs(scores - expected_scores).max()),
        "recall": recall(hits, exact),
        "rebuilt": recall(expected, exact),
    }


def _build(retriever: Dense, vectors: Floats) -> None:
    """Build an index of given vectors, as `Dense.build` does after encoding."""
    order = np.random.default_rng(SEED).permutation(len(vectors))
    chunks = in_chunks(vectors[order], CHUNK)
    for chunk in chunks:
        chunk.positions[:] = order[chunk.positions]
    retriever.folder.mkdir()
    path = retriever.folder / INDEX
    with TemporaryDirectory() as folder:
        draft = Path(folder, "draft")
        measured = build_index(retriever.kind, chunks, retriever.pseudo_questions, path, draft)
    manifest.write(retriever.folder, retriever.index_manifest() | retriever.built_by | measured)


def _lexical_row(use: str, old: Corpus, new: Corpus, queries: Sequence[Query]) -> dict[str, Any]:
    with TemporaryDirectory() as root:
        built, again = Path(root, "updated"), Path(root, "rebuilt")
        table = {"use": use}
        build("retriever", table, corpus=old, folder=folder_of(old, built) / use).build()
        work = partial(update_indexes, old, new, built, tables=[table], progress=silent)
        update_s, _ = timed(work)
        rebuilt = build("retriever", table, corpus=new, folder=again / use)
        rebuild_s, _ = timed(rebuilt.build)
        updated = build("retriever", table, corpus=new, folder=folder_of(new, built) / use)
        hits, expected = (retriever.retrieve(queries, k=DEPTH) for retriever in (updated, rebuilt))
    return {
        "kind": use,
        "update_s": update_s,
        "rebuild_s": rebuild_s,
        "same": float(
            np.mean([_docids(a) == _docids(b) for a, b in zip(hits, expected, strict=True)])
        ),
        "difference": max(
            abs(a.score - b.score)
            for pair in zip(hits, expected, strict=True)
            for a, b in zip(*pair, strict=False)
        ),
        "recall": None,
        "rebuilt": None,
    }


def _docids(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.docid for hit in hits]
