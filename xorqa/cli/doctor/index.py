"""Check that an index matches its corpus, encoder and analyzers."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from ...core.errors import DataError, IndexMismatchError, one_of
from ...core.lang import ISO_639_1
from ...core.progress import quantity
from ...core.types import Passage
from ...datasets.corpus import Corpus
from ...models.encoder import EncoderSettings
from ...retrieval import manifest
from ...retrieval.update import is_superseded
from .dense import check_dense_index
from .findings import Finding, run_check
from .lexical import check_lexical_index

SEED = 2026
DENSE = ("dense", "dpr", "mdpr")
LEXICAL = ("bm25", "psq", "lucene")


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
    if stored["kind"] in DENSE:
        yield from check_dense_index(folder, stored, corpus, passages, encoder)
    elif corpus is not None and stored.get("corpus_sha") == corpus.sha:
        yield from check_lexical_index(folder, stored, corpus, passages)


def _manifest(folder: Path, stored: dict[str, Any]) -> str:
    """Read the manifest into `stored`."""
    if (folder / "shards").is_dir() and not manifest.exists(folder):
        raise DataError("its build was not finished; run the same xorqa index command to resume")
    table = manifest.DEFAULTS | manifest.read(folder)
    kind, count = table.get("kind"), table.get("passages")
    if kind not in DENSE + LEXICAL:
        raise DataError(f"cannot check an index of kind '{kind}'; valid: {one_of(DENSE + LEXICAL)}")
    if not isinstance(count, int) or not isinstance(table.get("corpus_sha"), str):
        raise DataError("it does not identify its corpus; rebuild it with xorqa index --rebuild")
    stored.update(table)
    faiss_kind = f" ({table['index']})" if kind in DENSE else ""
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
