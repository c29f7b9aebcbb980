"""Update a corpus in a cluster: in copies of its indexes, only changed documents are written."""

from functools import partial

from ...core.progress import Progress
from . import bulk, indexes
from .msearch import valid_unicode
from .store import Store

UPDATED = {"updated": True}
"""In the manifest of a copy, which no build takes for one of its own that was killed."""


def update_store(earlier: Store, later: Store, progress: Progress) -> int:
    """Make the later corpus live; returns how many of its documents were written.

    The earlier indexes stay live until the new ones are complete, and are then deleted in the same
    step. The rows of unchanged documents stay as they are; they only order equal scores.

    Raises:
        IndexMismatchError: if the earlier indexes have other passages or settings.
        ClusterError: if the cluster cannot be used.
        DataError: if the new indexes do not hold the corpus.
    """
    with later.cluster.readable_errors():
        client = later.cluster.client
        stored = earlier.stored()
        live = {str(index.meta["lang"]): index for index in stored if index.live}
        if live and all(index.meta["corpus_sha"] == later.corpus.sha for index in live.values()):
            return 0
        earlier.check(stored)
        names: dict[str, str] = {}
        written = 0
        for lang, meta in later.manifests_with(stored).items():
            names[later.alias(lang)] = name = (
                indexes.clone(client, live[lang].name, later.alias(lang), {**meta, **UPDATED})
                if lang in live
                else later.create(lang, {**meta, **UPDATED})
            )
            rows = _changed_rows(earlier, later, lang)
            gone = _gone(earlier, later, lang) if lang in live else []
            report = partial(_report, progress, written, len(later.corpus))
            bulk.change(later.cluster, name, rows, gone, later.documents, report)
            written += len(rows)
        same_names = earlier.base == later.base
        old = {index.name for index in stored} if same_names else set()
        indexes.switch_aliases(client, names, delete=old)
    later.check_size()
    return written


def _changed_rows(earlier: Store, later: Store, lang: str) -> list[int]:
    """The rows of a language's passages that are new or changed."""
    return [
        row
        for row in later.rows[lang]
        if earlier.corpus.get((passage := later.ordered[row]).docid) != passage
    ]


def _gone(earlier: Store, later: Store, lang: str) -> list[str]:
    """The ids of a language's documents that were deleted, or now have another language."""
    kept = {later.ordered[row].docid for row in later.rows[lang]}
    gone = (earlier.ordered[row].docid for row in earlier.rows[lang])
    return [valid_unicode(docid) for docid in gone if docid not in kept]


def _report(progress: Progress, before: int, total: int, written: int) -> None:
    progress(before + written, total)
