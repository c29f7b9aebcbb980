"""Check that an index matches its corpus, encoder and analyzers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ...core.errors import DataError, IndexMismatchError, one_of
from ...core.lang import ISO_639_1
from ...core.progress import quantity
from ...core.registry import STAGES, build, find
from ...core.types import Passage, Query, Question
from ...datasets.corpus import Corpus
from ...models.encoder import Encoder, EncoderSettings
from ...retrieval import manifest
from ...retrieval.dense import Dense
from ...retrieval.lexical import LexicalRetriever
from ...retrieval.update import is_superseded
from ...retrieval.vectors.kinds import open_index, row_positions, row_vectors
from .findings import Finding, run_check

SEED = 2026
MIN_COSINES = {"flat": 0.999, "ivf-pq": 0.9}
MIN_COSINE_8_BIT = 0.995  # for the other kinds, with 8 bits per dimension
MIN_SHARE = 0.8  # of sampled passages that a search for their text must rank first


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
    stored: dict[str, Any] = {}
    yield run_check(str(folder), "manifest", lambda: _manifest(folder, stored))
    if not stored:
        return
    sums = run_check(str(folder), "sums", lambda: manifest.verify(folder))
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
        yield run_check(str(folder), "corpus", lambda: _corpus(stored, corpus))
        yield run_check(str(folder), "languages", lambda: _languages(corpus))
    passages = _sample(corpus, sample)
    retriever = find("retriever", stored["kind"])
    if issubclass(retriever, Dense):
        yield from _check_dense(folder, stored, retriever, corpus, passages, encoder)
    elif issubclass(retriever, LexicalRetriever) and corpus and corpus.sha == stored["corpus_sha"]:
        yield from _check_lexical(folder, stored, corpus, passages)


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
    for corpus in corpora:
        if corpus.sha == stored["corpus_sha"]:
            return corpus
    for corpus in corpora:
        if corpus.name == stored.get("corpus"):
            return corpus
    return corpora[0] if len(corpora) == 1 else None


def _corpus(stored: Mapping[str, Any], corpus: Corpus) -> str:
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


def _sample(corpus: Corpus | None, size: int) -> list[tuple[int, Passage]]:
    """A random sample of passages with their positions in the corpus."""
    if corpus is None:
        return []
    positions = Random(SEED).sample(range(len(corpus)), min(size, len(corpus)))
    return [(position, corpus.passages[position]) for position in sorted(positions)]


def _check_dense(
    folder: Path,
    stored: Mapping[str, Any],
    retriever: type[Dense],
    corpus: Corpus | None,
    sample: Sequence[tuple[int, Passage]],
    settings: EncoderSettings | None,
) -> Iterator[Finding]:
    """Check a dense index's file, its encoder, and the vectors of sampled passages.

    Vectors are also compared if the corpus differs but has as many passages, to report which
    passages changed.
    """
    opened: list[Any] = []
    encoders: list[Encoder] = []
    subject = str(folder)
    yield run_check(subject, "file", lambda: _file(folder, stored, opened))
    yield run_check(subject, "encoder", lambda: _encoder(stored, settings, encoders))
    if opened and encoders and corpus is not None and len(corpus) == stored["passages"]:
        work = partial(_vectors, opened[0], encoders[0], str(stored["index"]), retriever, sample)
        yield run_check(subject, "vectors", work)


def _file(folder: Path, stored: Mapping[str, Any], opened: list[Any]) -> str:
    """Check that each passage has a vector; append the index to `opened`."""
    path = folder / "index.faiss"
    index = open_index(path, passages=stored["passages"])
    if not np.array_equal(np.sort(row_positions(index)), np.arange(index.ntotal)):
        raise DataError(
            f"{path} has some passages twice and lacks others; "
            "rebuild it with xorqa index --rebuild"
        )
    opened.append(index)
    return f"{quantity(index.ntotal, 'vector')} of {index.d} dimensions, one per passage"


def _settings(stored: Mapping[str, Any]) -> EncoderSettings:
    """The encoder settings in a manifest, which omits adapters and transforms."""
    options = {option.name for option in fields(EncoderSettings)} - {"model"}
    settings = {key: value for key, value in stored.get("settings", {}).items() if key in options}
    return EncoderSettings(str(stored.get("encoder")), **settings)


def _encoder(
    stored: Mapping[str, Any], settings: EncoderSettings | None, encoders: list[Encoder]
) -> str:
    """Check that the encoder is the index's; append it to `encoders`."""
    encoder = Encoder(settings or _settings(stored))
    fingerprint = encoder.fingerprint()
    name = encoder.settings.adapter or encoder.settings.model
    if fingerprint != stored.get("weights"):
        raise IndexMismatchError(
            f"the index was built with an encoder of fingerprint {stored.get('weights')}, "
            f"'{name}' has {fingerprint}: other weights or settings; if it was built with an "
            "adapter or a transform, pass --encoder or --transform; otherwise rebuild it"
        )
    encoders.append(encoder)
    return f"{name}, fingerprint {fingerprint}"


def _vectors(
    index: Any,
    encoder: Encoder,
    kind: str,
    retriever: type[Dense],
    sample: Sequence[tuple[int, Passage]],
) -> str:
    """Compare the stored vectors of sampled passages with newly encoded ones."""
    passages, docids = [p for _, p in sample], [p.docid for _, p in sample]
    texts = [retriever.text_of(passage, encoder.settings) for passage in passages]
    encoded = encoder.passages(texts, [passage.lang for passage in passages])
    min_cosine = MIN_COSINES.get(kind, MIN_COSINE_8_BIT)
    row_of = np.argsort(row_positions(index))
    stored = row_vectors(index, row_of[np.array([position for position, _ in sample])])
    if stored.shape != encoded.shape:
        raise IndexMismatchError(
            f"the index has {stored.shape[1]} dimensions, the encoder {encoded.shape[1]}"
        )
    norms = np.linalg.norm(stored, axis=1) * np.linalg.norm(encoded, axis=1)
    cosines = (stored * encoded).sum(axis=1) / np.maximum(norms, 1e-12)
    changed = [docid for docid, cos in zip(docids, cosines, strict=True) if not cos >= min_cosine]
    if changed:
        raise IndexMismatchError(
            f"{len(changed)} of {len(docids)} passages, such as '{changed[0]}', have another "
            f"vector when encoded again (minimum cosine {cosines.min():.4f} < {min_cosine}); "
            "rebuild it with xorqa index --rebuild"
        )
    return f"{quantity(len(docids), 'passage')} encoded again: cosine {cosines.min():.4f} or more"


def _check_lexical(
    folder: Path, stored: Mapping[str, Any], corpus: Corpus, sample: Sequence[tuple[int, Passage]]
) -> Iterator[Finding]:
    """Check a lexical index whose corpus matches: its analyzers, and searches for the sample."""
    subject, passages = str(folder), [passage for _, passage in sample]
    opened: list[LexicalRetriever] = []
    yield run_check(subject, "analyzers", lambda: _analyzers(folder, stored, corpus, opened))
    if opened:
        yield run_check(subject, "search", lambda: _search(opened[0], passages))


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


def _search(retriever: LexicalRetriever, passages: Sequence[Passage]) -> str:
    """Search for passages by their own texts; a passage with the same text counts too."""
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
