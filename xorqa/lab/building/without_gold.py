"""A data set with unanswerable questions: a share of its gold passages is removed."""

from dataclasses import replace

from ...core.errors import DataError
from ...core.types import Example, Gold
from ...datasets.corpus import Corpus
from ...datasets.dataset import NOWHERE, Dataset
from ...io.files import digest

Place = tuple[str, str]
"""The language and the docid of a passage."""


def without_gold(dataset: Dataset, share: float, *, seed: int = 0) -> Dataset:
    """Remove a share (0 to 1) of the gold passages, drawn by a hash of `seed` and their docids.

    Other passages with the text of a removed one are removed, too. A question whose every gold
    passage is gone has no answer: it loses its gold answers, and its `answered_in` is "nowhere".
    Questions whose gold passages are not known stay as they are. Whether another passage happens
    to answer a question is not checked.

    Raises:
        DataError: if no gold passage is in a corpus, or a corpus would be left empty.
    """
    golds = {place: None for example in dataset.examples for place in _places(example, dataset)}
    if not golds:
        raise DataError(f"data set {dataset.name} has no gold passages that could be removed")
    drawn = sorted(golds, key=lambda place: digest(seed, *place))[: round(share * len(golds))]
    texts = {dataset.corpora[lang][docid].text for lang, docid in drawn}
    gone = {(lang, docid) for lang, docid in golds if dataset.corpora[lang][docid].text in texts}
    corpora = {
        lang: Corpus(corpus.name, (p for p in corpus if p.text not in texts))
        for lang, corpus in dataset.corpora.items()
    }
    examples = tuple(_without(example, dataset, gone) for example in dataset.examples)
    name = f"{dataset.name}-without-gold-{share:g}-{seed}".replace(":", ".")  # runs keep its data
    return replace(dataset, name=name, examples=examples, corpora=corpora)


def _places(example: Example, dataset: Dataset) -> list[Place]:
    """The gold passages of a question that are in a corpus."""
    return [
        (gold.lang, gold.docid)
        for gold in example.golds
        if gold.docid and (corpus := dataset.corpora.get(gold.lang)) and corpus.get(gold.docid)
    ]


def _without(example: Example, dataset: Dataset, gone: set[Place]) -> Example:
    places = set(_places(example, dataset))
    if places and places <= gone:
        return replace(example, golds=(), answered_in=NOWHERE)
    golds = (
        Gold(gold.text, gold.lang) if (gold.lang, gold.docid) in gone else gold
        for gold in example.golds
    )
    return replace(example, golds=tuple(golds))
