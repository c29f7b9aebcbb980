"""Corpora that clients upload: parsed in bounded memory, indexed in a temporary folder."""

import io
import secrets
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from ..core.progress import silent
from ..datasets.corpora.layouts import pages_of
from ..datasets.corpus import Corpus, corpus_of
from ..experiments.pipeline import Pipeline
from ..experiments.settings import POOL, over_pool
from ..models.batches import small_batches
from .problems import Limits, Problem

FILES = {
    "application/jsonl": "upload.jsonl",
    "application/x-ndjson": "upload.jsonl",
    "text/plain": "text.txt",
}
"""By media type, the name that selects the reader and that errors and docids show."""

LINES = 10  # of text for each passage at most
SLICE = 128  # padded tokens encoded between two questions


def parse_upload(body: bytes, media_type: str, limits: Limits) -> Corpus:
    """The passages of a request's body: JSONL, or text to be split into passages.

    Raises:
        Problem: if there are too many passages, or one is too long.
        DataError: if the body cannot be read.
    """
    path = Path(FILES[media_type])
    most = limits.passages * (1 if path.suffix == ".jsonl" else LINES)
    if len(body.splitlines()) > most:
        raise Problem(413, f"at most {most:,} lines")
    if path.suffix != ".jsonl" and len(body.decode(errors="replace")) > limits.text:
        raise Problem(413, f"at most {limits.text:,} characters of text; upload it in parts")
    corpus = corpus_of(pages_of(io.BytesIO(body), path), path, name="upload")
    if len(corpus) > limits.passages:
        raise Problem(413, f"at most {limits.passages:,} passages, not {len(corpus):,}")
    for passage in corpus:
        if max(len(passage.docid), len(passage.title), len(passage.lang)) > limits.name:
            raise Problem(
                413,
                f"a docid or title, '{passage.docid:.40}', is longer than {limits.name:,} "
                "characters",
            )
        if len(passage.titled) > limits.passage:
            raise Problem(
                413, f"passage '{passage.docid:.40}' is longer than {limits.passage:,} characters"
            )
    return corpus


@dataclass(frozen=True, slots=True)
class Upload:
    """The pipelines over an uploaded corpus, and the folder of their indexes."""

    corpus: Corpus
    pipelines: Mapping[str, Pipeline]
    folder: Path


class Uploads:
    """The uploaded corpora by their random ids; only the worker's thread changes them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._by_id: dict[str, Upload] = {}
        self._root: Path | None = None

    def __len__(self) -> int:
        return len(self._by_id)

    def get(self, corpus_id: str) -> Upload:
        """The upload with an id.

        Raises:
            Problem: 404 if there is none, or it was removed.
        """
        if upload := self._by_id.get(corpus_id):
            return upload
        raise Problem(404, "no corpus has this id; it was never uploaded, or removed since")

    def add(
        self, corpus: Corpus, pipelines: Mapping[str, Pipeline], on_slice: Callable[[], None]
    ) -> str:
        """Index a corpus for each pipeline, and remove the oldest upload if there are too many.

        `on_slice` is called again and again; if it raises, nothing is left.
        """
        self._root = self._root or Path(mkdtemp(prefix="xorqa-upload-"))
        folder = Path(mkdtemp(dir=self._root))
        try:
            over = {
                name: _over(corpus, pipeline, folder, on_slice)
                for name, pipeline in pipelines.items()
            }
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        while len(self._by_id) >= self._most:
            self.remove(next(iter(self._by_id)))
        corpus_id = secrets.token_urlsafe(12)
        self._by_id[corpus_id] = Upload(corpus, over, folder)
        return corpus_id

    def remove(self, corpus_id: str) -> None:
        """Remove an upload and its indexes."""
        self.get(corpus_id)
        shutil.rmtree(self._by_id.pop(corpus_id).folder, ignore_errors=True)

    def clear(self) -> None:
        """Remove all, and what is being indexed."""
        self._by_id.clear()
        if self._root:
            shutil.rmtree(self._root, ignore_errors=True)


def _over(
    corpus: Corpus, pipeline: Pipeline, folder: Path, on_slice: Callable[[], None]
) -> Pipeline:
    """The pipeline's first retriever, and its reader, over the uploaded passages."""
    over = Pipeline.from_config(
        over_pool(pipeline.settings, corpus.languages),
        {POOL: corpus},
        indexes=folder,
        progress=silent,
    )
    for route in over.settings.routes:
        with small_batches(SLICE):
            over.retriever(route, POOL).build(progress=lambda done, total: on_slice())
    return over
