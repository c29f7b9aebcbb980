"""Check that an index matches its corpus, encoder and analyzers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal

import numpy as np

from ..core.errors import (
    ConfigError,
    DataError,
    IndexMismatchError,
    MissingExtraError,
    XorqaError,
    one_of,
)
from ..core.lang import ISO_639_1
from ..core.progress import quantity
from ..core.registry import STAGES, build, find
from ..core.types import Passage, Query, Question
from ..datasets.corpus import Corpus
from ..io.files import indexes_dir
from ..models.encoder import Encoder
from ..models.encoder_settings import EncoderSettings
from ..retrieval import manifest
from ..retrieval.dense import Dense
from ..retrieval.elastic.retriever import Elastic
from ..retrieval.existing.base import ExistingIndex
from ..retrieval.lexical import LexicalRetriever
from ..retrieval.over_corpus import retriever_over
from ..retrieval.rows.retriever import RowIndex
from ..retrieval.update import is_superseded
from ..retrieval.vectors.encoding import compare_vectors
from ..retrieval.vectors.kinds import open_index, row_positions, row_vectors

SEED = 2026
MIN_COSINES = {"flat": 0.999, "ivf-pq": 0.9}
MIN_COSINE_8_BIT = 0.995  # for the other kinds, with 8 bits per dimension
MIN_SHARE = 0.8  # of sampled passages that a search for their text must rank first


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check; `note` is one line: what was checked, or what to do."""

    subject: str
    check: str
    state: Literal["ok", "missing", "broken"]
    note: str


def run_check(subject: str, name: str, check: Callable[[], str]) -> Finding:
    """Run a check, which returns a note; any exception becomes a finding.

    A missing package gives "missing", other exceptions give "broken"; Ctrl-C is not caught.
    """
    try:
        return Finding(subject, name, "ok", check())
    except Exception as error:  # a check must report any failure
        missing = isinstance(error, MissingExtraError)
        label = "" if isinstance(error, XorqaError) else f"{type(error).__name__}: "
        note = label + " ".join(str(error).split())
        return Finding(subject, name, "missing" if missing else "broken", note)


def check_index(
    folder: Path,
    corpora: Sequence[Corpus],
    *,
    encoder: EncoderSettings | None = None,
    sample: int = 32,
) -> Iterator[Finding]:
    """Check one index; nothing is built or written.

    `corpora` are the candidates for its corpus. `encoder` is required for an index built with an
    adapter or a transform, which its manifest does not name. `sample` passages are encoded, or
    searched for, again.
    """
    checked = partial(run_check, str(folder))
    stored: dict[str, Any] = {}
    yield checked("manifest", lambda: _manifest(folder, stored))
    if not stored:
        return
    sums = checked("sums", lambda: manifest.verify(folder))
    yield sums
    if sums.state != "ok":  # opening a damaged index can end the process
        return
    corpus = _matching_corpus(stored, corpora)
    if corpus is None:
        note = "no corpus to compare with; pass --data NAME --lang CODE or --corpus FILE.jsonl"
        yield Finding(str(folder), "corpus", "missing", note)
    elif corpus.sha != stored["corpus_sha"] and is_superseded(folder.parent):
        note = "of passages before an update; only processes that opened it still use it"
        yield Finding(str(folder), "corpus", "ok", note)
        return
    else:
        yield checked("corpus", lambda: _corpus(stored, corpus))
        yield checked("languages", lambda: _languages(corpus))
    retriever = find("retriever", stored["kind"])
    if issubclass(retriever, Dense):
        dense = _DenseIndex(folder, stored, retriever)
        yield checked("file", dense.open_file)
        yield checked("encoder", lambda: dense.open_encoder(encoder))
        # Also of another corpus with as many passages, to report which of them changed.
        if (
            dense.vectors is not None
            and dense.encoder is not None
            and corpus is not None
            and len(corpus) == stored["passages"]
        ):
            work = partial(dense.compare, dense.encoder, _sample(corpus, sample))
            yield checked("vectors", work)
    elif issubclass(retriever, LexicalRetriever) and corpus and corpus.sha == stored["corpus_sha"]:
        opened: list[LexicalRetriever] = []
        yield checked("analyzers", lambda: _analyzers(folder, stored, corpus, opened))
        if opened:
            yield checked("search", lambda: _search(opened[0], _sample(corpus, sample)))
    elif issubclass(retriever, RowIndex) and corpus and corpus.sha == stored["corpus_sha"]:
        yield checked("rows", lambda: _rows(folder, stored, corpus, _sample(corpus, sample)))
    elif corpus and corpus.sha == stored["corpus_sha"] and manifest.BUILT_BY in stored:
        table = {**stored[manifest.BUILT_BY], "use": stored["kind"]}
        built = build("retriever", table, corpus=corpus, folder=folder)
        for check, work in built.health([*_sample(corpus, sample).values()]).items():
            yield checked(check, work)


def check_retriever(
    table: Mapping[str, Any], corpora: Sequence[Corpus], *, sample: int = 32
) -> Iterator[Finding]:
    """Check an index without a folder, in a cluster or of another program, over its corpus.

    Raises:
        ConfigError: without exactly one corpus, for an unknown retriever or setting, or for one
            whose index has a folder.
    """
    if len(corpora) != 1:
        raise ConfigError(
            "pass the passages that were indexed: --corpus FILE, or --data and --lang"
        )
    [corpus] = corpora
    retriever = retriever_over(corpus, table, manifest.folder_of(corpus, indexes_dir()))
    if not isinstance(retriever, ExistingIndex | Elastic):
        raise ConfigError(f"{table['use']} has a folder for its index; pass that folder instead")
    for check, work in retriever.health([*_sample(corpus, sample).values()]).items():
        yield run_check(str(table["use"]), check, work)


def _has_manifest(kind: str) -> bool:
    """Whether a kind is a registered retriever whose index has a manifest."""
    return kind in STAGES["retriever"] and getattr(find("retriever", kind), "use", "") == kind


def _manifest(folder: Path, stored: dict[str, Any]) -> str:
    """Read the manifest into `stored`."""
    if (folder / "shards").is_dir() and not manifest.exists(folder):
        raise DataError("its build was not finished; run the same xorqa index command to resume")
    table = manifest.DEFAULTS | manifest.read(folder)
    kind, count = str(table.get("kind")), table.get("passages")
    if not _has_manifest(kind):
        valid = one_of(filter(_has_manifest, STAGES["retriever"]))
        raise DataError(f"cannot check an index of kind '{kind}'; valid: {valid}")
    if not isinstance(count, int) or not isinstance(table.get("corpus_sha"), str):
        raise DataError("it does not identify its corpus; rebuild it with xorqa index --rebuild")
    stored.update(table)
    faiss_kind = f" ({table['index']})" if issubclass(find("retriever", kind), Dense) else ""
    return f"{kind}{faiss_kind} of {quantity(count, 'passage')} of {table.get('corpus')}"


def _matching_corpus(stored: Mapping[str, Any], corpora: Sequence[Corpus]) -> Corpus | None:
    """The corpus with the manifest's hash, else with its name, else the only one."""
    by_sha = [corpus for corpus in corpora if corpus.sha == stored["corpus_sha"]]
    by_name = [corpus for corpus in corpora if corpus.name == stored.get("corpus")]
    candidates = by_sha[:1] or by_name[:1] or corpora
    return candidates[0] if len(candidates) == 1 else None


def _corpus(stored: Mapping[str, Any], corpus: Corpus) -> str:
    read_by = stored.get(manifest.READER_VERSION, 0)  # 0 before version 4
    if stored["corpus_sha"] != corpus.sha and read_by < corpus.reader_version:
        raise IndexMismatchError(
            f"the index has passages that an older version of xorqa read from {corpus.name}; "
            "this one reads documents differently (see the changelog): rebuild it with "
            "xorqa index --rebuild"
        )
    if stored["passages"] != len(corpus):
        raise IndexMismatchError(
            f"the index has {stored['passages']} passages, corpus {corpus.name} has {len(corpus)}; "
            "pass its own corpus or rebuild it with xorqa index --rebuild"
        )
    if stored["corpus_sha"] != corpus.sha:
        raise IndexMismatchError(
            f"the index has passages with hash {stored['corpus_sha']}, corpus {corpus.name} has "
            f"{corpus.sha}: the same number, but a text, title, docid, language or the order "
            "differs; rebuild it with xorqa index --rebuild"
        )
    return f"{quantity(len(corpus), 'passage')} of {corpus.name}, hash {corpus.sha}"


def _languages(corpus: Corpus) -> str:
    unknown = [code for code in corpus.languages if code not in ISO_639_1]
    if unknown:
        example = next(passage.docid for passage in corpus if passage.lang in unknown)
        raise DataError(
            f"unknown languages: {', '.join(unknown)} (such as passage '{example}'); "
            f"valid: the {len(ISO_639_1)} codes of ISO 639-1"
        )
    return f"all known: {', '.join(corpus.languages)}"


def _sample(corpus: Corpus, size: int) -> dict[int, Passage]:
    """A random sample of passages by their position in the corpus."""
    positions = Random(SEED).sample(range(len(corpus)), min(size, len(corpus)))
    return {position: corpus.passages[position] for position in sorted(positions)}


@dataclass(slots=True)
class _DenseIndex:
    """A dense index, its encoder once that is known to be the right one, and their checks."""

    folder: Path
    stored: Mapping[str, Any]
    retriever: type[Dense]
    vectors: Any = None
    encoder: Encoder | None = None

    def open_file(self) -> str:
        """Check that each passage has a vector."""
        path = self.folder / "index.faiss"
        vectors = open_index(path, passages=self.stored["passages"])
        if not np.array_equal(np.sort(row_positions(vectors)), np.arange(vectors.ntotal)):
            raise DataError(
                f"{path} has some passages twice and lacks others; "
                "rebuild it with xorqa index --rebuild"
            )
        self.vectors = vectors
        return f"{quantity(vectors.ntotal, 'vector')} of {vectors.d} dimensions, one per passage"

    def open_encoder(self, settings: EncoderSettings | None) -> str:
        """Check that the encoder is the index's; manifests omit adapters and transforms."""
        if settings is None:
            known = {option.name for option in fields(EncoderSettings)} - {"model"}
            stored = self.stored.get("settings", {})
            options = {key: value for key, value in stored.items() if key in known}
            settings = EncoderSettings(str(self.stored.get("encoder")), **options)
        encoder = Encoder(settings)
        fingerprint = encoder.fingerprint()
        name = encoder.settings.adapter or encoder.settings.name
        weights = self.stored.get("weights")
        if fingerprint != weights:
            raise IndexMismatchError(
                f"the index was built with an encoder of fingerprint {weights}, "
                f"'{name}' has {fingerprint}: other weights or settings; if it was built with an "
                "adapter or a transform, pass --encoder or --transform; otherwise rebuild it"
            )
        self.encoder = encoder
        return f"{name}, fingerprint {fingerprint}"

    def compare(self, encoder: Encoder, sample: Mapping[int, Passage]) -> str:
        """Compare the stored vectors of sampled passages with newly encoded ones."""
        passages = list(sample.values())
        texts = [self.retriever.text_of(passage, encoder.settings) for passage in passages]
        encoded = encoder.passages(texts, [passage.lang for passage in passages])
        row_of = np.argsort(row_positions(self.vectors))
        stored = row_vectors(self.vectors, row_of[np.array(list(sample))])
        return compare_vectors(
            stored,
            encoded,
            [passage.docid for passage in passages],
            min_cosine=MIN_COSINES.get(str(self.stored["index"]), MIN_COSINE_8_BIT),
            remedy="rebuild it with xorqa index --rebuild",
        )


def _analyzers(
    folder: Path, stored: Mapping[str, Any], corpus: Corpus, opened: list[LexicalRetriever]
) -> str:
    """Compare the manifest with the current analyzers; append the retriever to `opened`."""
    bm25 = {key: stored[key] for key in ("k1", "b") if key in stored}
    table = {"use": stored["kind"], **bm25}
    retriever = build("retriever", table, corpus=corpus, folder=folder)
    retriever.build()  # only compares, because the index has a manifest
    opened.append(retriever)
    analyzers = stored.get("analyzers")
    if analyzers is None:
        settings = "".join(f", {name} = {value}" for name, value in bm25.items())
        return f"tokens of version {stored['tokens']}{settings}"
    return ", ".join(f"{lang}: {name}" for lang, name in sorted(analyzers.items()))


def _search(retriever: LexicalRetriever, sample: Mapping[int, Passage]) -> str:
    """Search for passages by their own texts; a passage with the same text counts too."""
    passages = list(sample.values())
    queries = [Query(Question(p.docid, p.text, p.lang), p.text, p.lang) for p in passages]
    rankings = retriever.retrieve(queries, k=1)
    missed = [
        passage.docid
        for passage, ranking in zip(passages, rankings, strict=True)
        if not ranking or ranking[0].passage.text != passage.text
    ]
    share = 1 - len(missed) / len(passages)
    note = f"{share:.0%} of {quantity(len(passages), 'passage')} rank first for their own text"
    if share < MIN_SHARE:
        raise DataError(f"{note}, unlike '{missed[0]}'; rebuild it with xorqa index --rebuild")
    return note


def _rows(
    folder: Path, stored: Mapping[str, Any], corpus: Corpus, sample: Mapping[int, Passage]
) -> str:
    """Compare the manifest with the model, and the rows of sampled passages with new ones."""
    retriever = build("retriever", stored[manifest.BUILT_BY], corpus=corpus, folder=folder)
    retriever.build()  # only compares, because the index has a manifest
    return str(retriever.check_sample(sample))
