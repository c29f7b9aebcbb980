"""Whether an index, a corpus, an encoder and analyzers belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from ..core.errors import DataError, IndexMismatchError, one_of
from ..core.lang import LANGUAGES
from ..core.types import Passage
from ..datasets.corpus import Corpus
from ..models.encoder import EncoderSettings
from ..retrieval import manifest
from .dense import examine_vectors
from .findings import Finding, look
from .lexical import examine_search

SEED = 2026
DENSE = ("dense", "dpr", "mdpr")
LEXICAL = ("bm25", "lucene")


def examine(
    folder: Path,
    corpora: Sequence[Corpus],
    *,
    encoder: EncoderSettings | None = None,
    sample: int = 32,
) -> Iterator[Finding]:
    """The findings on one index; nothing is built or written.

    `corpora` are those it may belong to. `encoder` is what it was built with, if its manifest
    cannot say: an index with an adapter or a transform. `sample` passages are encoded, or
    searched for, again.
    """
    found: dict[str, Any] = {}
    yield _look(folder, "manifest", lambda: _manifest(folder, found))
    if not found:
        return
    corpus = _nearest(found, corpora)
    if corpus is None:
        yield Finding(
            str(folder),
            "corpus",
            "missing",
            "no corpus to compare with; name it: --data NAME --lang CODE or --corpus FILE.jsonl",
        )
    else:
        yield _look(folder, "corpus", lambda: _same_corpus(found, corpus))
        yield _look(folder, "languages", lambda: _languages(corpus))
    chosen = _sample(corpus, sample)
    if found["kind"] in DENSE:
        yield from examine_vectors(folder, found, corpus, chosen, encoder)
    elif corpus is not None and found.get("corpus_sha") == corpus.sha:
        yield from examine_search(folder, found, corpus, chosen)


def _look(folder: Path, check: str, work: Callable[[], str]) -> Finding:
    return look(str(folder), check, work)


def _manifest(folder: Path, found: dict[str, Any]) -> str:
    """Read the manifest into `found`."""
    if (folder / "shards").is_dir() and not manifest.exists(folder):
        raise DataError("its build was not finished; the same command (xorqa index) goes on")
    table = manifest.DEFAULTS | manifest.read(folder)
    kind, count = table.get("kind"), table.get("passages")
    if kind not in DENSE + LEXICAL:
        raise DataError(
            f"no index of kind '{kind}' can be examined; there are: {one_of(DENSE + LEXICAL)}"
        )
    if not isinstance(count, int) or not isinstance(table.get("corpus_sha"), str):
        raise DataError("it does not say which passages are indexed (xorqa index --rebuild)")
    found.update(table)
    which = f" ({table['index']})" if kind in DENSE else ""
    return f"{kind}{which} of {count} passages of {table.get('corpus')}"


def _nearest(found: Mapping[str, Any], corpora: Sequence[Corpus]) -> Corpus | None:
    """The corpus with the manifest's hash, else its name, else the only one."""
    for corpus in corpora:
        if corpus.sha == found["corpus_sha"]:
            return corpus
    for corpus in corpora:
        if corpus.name == found.get("corpus"):
            return corpus
    return corpora[0] if len(corpora) == 1 else None


def _same_corpus(found: Mapping[str, Any], corpus: Corpus) -> str:
    if found["passages"] != len(corpus):
        raise IndexMismatchError(
            f"the index has {found['passages']} passages, corpus {corpus.name} {len(corpus)}: "
            "another corpus, or passages came or went; build it again (xorqa index --rebuild)"
        )
    if found["corpus_sha"] != corpus.sha:
        raise IndexMismatchError(
            f"the index is of passages with hash {found['corpus_sha']}, corpus {corpus.name} has "
            f"{corpus.sha}: as many, but another text, title, docid, language or order; build it "
            "again (xorqa index --rebuild)"
        )
    return f"{len(corpus)} passages of {corpus.name}, hash {corpus.sha}"


def _languages(corpus: Corpus) -> str:
    unknown = [code for code in corpus.languages if code not in LANGUAGES]
    if unknown:
        some = next(passage.docid for passage in corpus if passage.lang in unknown)
        raise DataError(
            f"passages are in languages xorqa does not know: {', '.join(unknown)} (as passage "
            f"'{some}'); there are: {one_of(LANGUAGES)}"
        )
    return f"all known: {', '.join(corpus.languages)}"


def _sample(corpus: Corpus | None, size: int) -> list[tuple[int, Passage]]:
    """Some passages and their positions in the corpus."""
    if corpus is None:
        return []
    order = Random(SEED).sample(range(len(corpus)), min(size, len(corpus)))
    return [(at, corpus.passages[at]) for at in sorted(order)]
