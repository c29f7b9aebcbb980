"""FAISS indexes with docids, as `pyserini.encode` and DPR write them."""

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import DataError
from ...core.progress import quantity
from ...core.types import Hit, Passage, Query, SearchText, best_first
from ...datasets.corpus import Corpus
from ...io.files import digest
from ..over_corpus import search_nonempty
from ..vectors.encoding import VectorField
from .base import ExistingIndex, file_identity, refuse_unless
from .fields import MIN_COSINE, PROBES, check_dimensions, compare_stored
from .prebuilt import index_place

PYSERINI = ("index", "docid")
MIN_COSINE_PQ = 0.7  # of a vector rebuilt from a short code
DPR = ("index.dpr", "index_meta.dpr")


class Opened(NamedTuple):
    """An open FAISS index with the docid of each row."""

    index: Any
    docids: list[str]

    @property
    def by_distance(self) -> bool:
        """Whether the best vectors are the nearest, not those with the highest inner product."""
        import faiss

        return bool(self.index.metric_type == faiss.METRIC_L2)


class FaissIndex(ExistingIndex):
    """Searches a FAISS index of passages that another program encoded, with a given encoder.

    `index` is a folder with the files `index` and `docid` (a docid per line), as `pyserini.encode`
    writes them, or with `index.dpr` and `index_meta.dpr`, as DPR does, or the name of a prebuilt
    index of Pyserini. Its passages come from the corpus, by docid. `encoder` is a name, or a table
    of `EncoderSettings`; `text` selects what is encoded: "question" or "query" (its translation).

    An index does not name its encoder. Three passages are encoded again when it is opened, and a
    `Notice` is issued if their vectors differ.

    Example:
        >>> from xorqa import Corpus, FaissIndex, Passage, Query, Question
        >>> texts = {"Nile": "The Nile is in Africa.", "Rhine": "The Rhine is in Europe."}
        >>> corpus = Corpus("rivers", [Passage(name, text) for name, text in texts.items()])
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> retriever = FaissIndex("wiki-faiss", "e5-small-q4", corpus=corpus)
        >>> [hits] = retriever.retrieve([query], k=1)
        >>> hits[0].passage.docid
        'Nile'
    """

    use = "faiss-index"
    version = 1

    def __init__(
        self,
        index: str,
        encoder: str | Mapping[str, Any],
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        text: SearchText = "question",
    ) -> None:
        super().__init__(corpus, folder)
        self.name = index
        self.place = f"FAISS index {index}"
        self.field = VectorField(encoder, text=text)

    def fingerprint(self) -> str:
        """A hash of the corpus, the files, the encoder and what is encoded."""
        files = [file_identity(path) for path in _files(index_place(self.name))]
        field = self.field.for_manifest, self.field.text, *self.field.precision
        return digest(self.use, self.corpus.sha, files, *field)

    def open_index(self) -> Opened:
        """The index in memory-mapped files, and its docids.

        Raises:
            DataError: if it cannot be read, or its docids are not one per vector.
            IndexMismatchError: if the encoder's vectors have other dimensions.
        """
        opened = _open(index_place(self.name))
        check_dimensions(self.field, opened.index.d, self.place)
        rows = range(len(opened.docids))
        probes = rows[:: max(1, len(rows) // PROBES)][:PROBES]
        self.note_other_vectors(lambda: self._compare(opened, probes))
        return opened

    def _compare(self, opened: Opened, rows: Sequence[int]) -> str:
        passages = [self.passage(opened.docids[row]) for row in rows]
        vectors = _vectors(opened.index, rows)
        short = "PQ" in type(opened.index).__name__  # codes, from which vectors are rebuilt roughly
        least = MIN_COSINE_PQ if short else MIN_COSINE
        stored = [*zip(passages, vectors, strict=False)]
        return compare_stored(self.field, stored, min_cosine=least)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages that the index ranks first, equal scores by docid.

        A score is the index's inner product, or its distance with a minus sign.

        Raises:
            DataError: if the corpus lacks a passage.
        """
        return search_nonempty(queries, self.field.text, k, partial(self._search, k=k))

    def _search(self, queries: Sequence[Query], k: int) -> Iterator[list[Hit]]:
        opened: Opened = self.index
        vectors = np.array(self.field.encode_queries(queries), np.float32)
        rankings = zip(*opened.index.search(vectors, min(k, len(opened.docids))), strict=True)
        sign = -1 if opened.by_distance else 1
        for scores, rows in rankings:
            yield best_first(
                Hit(self.passage(opened.docids[row]), sign * float(score))
                for score, row in zip(scores, rows, strict=True)
                if row >= 0  # -1 if the lists searched hold fewer than k
            )

    def health(self, sample: Sequence[Passage]) -> dict[str, Callable[[], str]]:
        """Checks for `xorqa doctor`: the files, the passages, the encoder and a search."""
        return {
            "index": self.describe,
            "passages": lambda: self.check_passages(self.index.docids),
            "vectors": partial(self._check_vectors, sample),
            "search": partial(self.search_sample, sample),
        }

    def describe(self) -> str:
        """The type of the index, its size and its dimensions."""
        index = self.index.index
        return f"{type(index).__name__}, {quantity(index.ntotal, 'vector')}, {index.d} dimensions"

    def _check_vectors(self, sample: Sequence[Passage]) -> str:
        rows = {docid: row for row, docid in enumerate(self.index.docids)}
        return self._compare(self.index, [rows[p.docid] for p in sample if p.docid in rows])


def _files(folder: Path) -> list[Path]:
    """The files of the index and of its docids."""
    names = DPR if (folder / DPR[0]).is_file() else PYSERINI
    meaning = "the docids of its rows; pyserini.encode and DPR write both files"
    refuse_unless(folder, {names[0]: "the index", names[1]: meaning}, what="FAISS index")
    return [folder / name for name in names]


def _open(folder: Path) -> Opened:
    import faiss

    path, docids_path = _files(folder)
    try:
        index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
    except RuntimeError as error:
        raise DataError(f"{path} is not a FAISS index, or is damaged") from error
    docids = _pickled(docids_path) if docids_path.name == DPR[1] else _lines(docids_path)
    if len(docids) != index.ntotal:
        raise DataError(f"{docids_path} has {len(docids)} docids for {index.ntotal} vectors")
    return Opened(index, docids)


def _lines(path: Path) -> list[str]:
    """The docids of a file with one per line, as Pyserini reads them."""
    try:
        with path.open(encoding="utf-8") as stream:
            return [line.rstrip() for line in stream]
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not a text file of docids") from error


class _PlainUnpickler(pickle.Unpickler):
    """Reads lists, strings and numbers, and runs no code of the file."""

    def find_class(self, module_name: str, global_name: str) -> Any:
        raise pickle.UnpicklingError(f"it names {module_name}.{global_name}")


def _pickled(path: Path) -> list[str]:
    """The docids of DPR's file: a pickled list."""
    try:
        with path.open("rb") as stream:
            docids = _PlainUnpickler(stream).load()
    except (pickle.UnpicklingError, EOFError, AttributeError, IndexError, ValueError) as error:
        raise DataError(f"{path} is not a list of docids, as DPR writes it ({error})") from error
    if not isinstance(docids, list):
        raise DataError(f"{path} is not a list of docids, as DPR writes it")
    return [str(docid) for docid in docids]


def _vectors(index: Any, rows: Sequence[int]) -> list[list[float]]:
    """The vectors that an index stores; none if its kind does not return them."""
    try:
        return [index.reconstruct(row).tolist() for row in rows]
    except RuntimeError:
        return []
