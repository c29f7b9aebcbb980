"""Hard negatives: what a retriever takes for the answer, mined once before training."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from ...core.progress import Log
from ...core.types import Hit, Passage, Query, Question
from ...datasets.corpus import Corpus
from ...io.files import read_jsonl, write_jsonl
from ...retrieval.bm25 import Bm25
from ...retrieval.dense import Dense
from .pairs import Item, units
from .recipe import BiencoderRecipe
from .samplers import Pick

DEPTH = 20  # hits that are looked through for one that does not answer
CHUNK = 2048  # questions searched between two reports

Asked = tuple[int, str]
"""An item's position and the language its answer is searched in."""

Negatives = Mapping[Asked, Sequence[str]]
"""Texts that do not answer, at most one from each who mined."""


def mine(
    items: Sequence[Item],
    batches: Iterable[Sequence[Pick]],
    recipe: BiencoderRecipe,
    folder: Path,
    *,
    report: Log,
) -> Negatives:
    """The hard negatives of all questions in `batches`, from their own files' units.

    For each the first hit in the answer's language that holds no gold answer; none where
    the first 20 hits have none such. The results (until then the index, as far as it is) are
    kept in `folder`, so a killed training does not mine again what is done.
    """
    asked = sorted({(pick.item, pick.answer) for batch in batches for pick in batch})
    found: dict[Asked, list[str]] = {one: [] for one in asked}
    corpus = None
    for name in recipe.negatives:
        path = folder / f"{name}.jsonl"
        if not path.is_file():
            corpus = corpus or _corpus(items, recipe.unit)
            report(f"{name}: mining negatives for {len(asked)} questions in {len(corpus)} texts")
            retriever = _retriever(name, corpus, recipe, folder)
            retriever.build(progress=lambda done, of: report(f"indexed {done}/{of}"))
            write_jsonl(path, _rows(items, asked, retriever, report))
            shutil.rmtree(folder / name)  # the index may be larger than all the rest
        for _, row in read_jsonl(path):
            found[row["item"], row["lang"]].append(row["text"])
    return found


def _rows(
    items: Sequence[Item],
    asked: Sequence[Asked],
    retriever: Bm25 | Dense,
    report: Log,
) -> Iterable[dict[str, object]]:
    queries = iter(asked)
    done = 0
    while chunk := list(islice(queries, CHUNK)):
        hits = retriever.retrieve([_query(items[at], lang) for at, lang in chunk], k=DEPTH)
        for (at, lang), some in zip(chunk, hits, strict=True):
            text = hardest(items[at], lang, some)
            if text is not None:
                yield {"item": at, "lang": lang, "text": text}
        done += len(chunk)
        report(f"mined {done}/{len(asked)}")


def hardest(item: Item, lang: str, hits: Iterable[Hit]) -> str | None:
    """The first hit in a language that neither is the item's answer nor holds a gold answer."""
    golds = [gold.casefold() for gold in item.golds[lang]]
    for hit in hits:
        text = hit.passage.text
        lowered = text.casefold()
        if hit.passage.lang == lang and not any(gold in lowered for gold in golds):
            return text
    return None


def _query(item: Item, lang: str) -> Query:
    """The item's question in a language; in its first, where it is not asked in that one."""
    asked_in = lang if lang in item.questions else next(iter(item.questions))
    question = Question("", item.questions[asked_in], asked_in)
    return Query(question, question.text, lang)


def _corpus(items: Sequence[Item], unit: str) -> Corpus:
    paragraphs = dict.fromkeys(one for item in items for one in item.paragraphs.values())
    texts = dict.fromkeys((text, one.lang) for one in paragraphs for text in units(one, unit))
    return Corpus(
        "units", [Passage(f"{at:08d}", text, lang=lang) for at, (text, lang) in enumerate(texts)]
    )


def _retriever(name: str, corpus: Corpus, recipe: BiencoderRecipe, folder: Path) -> Bm25 | Dense:
    """BM25, or the encoder as it is before training."""
    if name == "bm25":
        return Bm25(corpus=corpus, folder=folder / "bm25")
    return Dense(
        corpus=corpus,
        folder=folder / "encoder",
        encoder=recipe.base,
        pooling=recipe.pooling,
        query_prefix=recipe.query_prefix,
        passage_prefix=recipe.passage_prefix,
        normalize=recipe.normalize,
        max_tokens=recipe.max_passage_tokens,
        dtype=recipe.dtype,
        adapter=recipe.start,
    )
