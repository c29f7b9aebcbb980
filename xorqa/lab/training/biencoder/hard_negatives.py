"""Hard negatives: wrong texts that a retriever ranks high, mined once before training."""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from ....core.progress import Log, quantity
from ....core.types import Hit, Passage, Query, Question
from ....datasets.corpus import Corpus
from ....io.files import read_jsonl, write_jsonl
from ....retrieval.bm25 import Bm25
from ....retrieval.dense import Dense
from .pairs import Item, units
from .samplers import Pick

DEPTH = 20  # hits inspected per question
CHUNK = 2048  # questions searched between two reports

Miners = Mapping[str, Callable[..., Bm25 | Dense]]
"""Retrievers by name, each built from `corpus` and `folder`."""

Key = tuple[int, str]
"""An item's position and the language of its answer."""

HardNegatives = Mapping[Key, Sequence[str]]
"""Texts that do not answer, at most one from each miner."""


def mine_hard_negatives(
    items: Sequence[Item],
    batches: Iterable[Sequence[Pick]],
    miners: Miners,
    *,
    unit: str,
    folder: Path,
    report: Log,
) -> HardNegatives:
    """The hard negatives of all questions in `batches`, from the units of the items' paragraphs.

    Each is the first hit in the answer's language that contains no gold answer, if there is one
    among the first `DEPTH` hits. The results, and until then the partial index, are stored in
    `folder`, so a killed training run resumes there.
    """
    if not miners:
        return {}
    keys = sorted({(pick.item, pick.answer) for batch in batches for pick in batch})
    negatives: dict[Key, list[str]] = {key: [] for key in keys}
    corpus = None
    for name, make_retriever in miners.items():
        path = folder / f"{name}.jsonl"
        if not path.is_file():
            corpus = corpus or _corpus(items, unit)
            report(
                f"{name}: mining negatives for {quantity(len(keys), 'question')} "
                f"in {quantity(len(corpus), 'text')}"
            )
            retriever = make_retriever(corpus=corpus, folder=folder / name)
            retriever.build(progress=lambda done, total: report(f"indexed {done}/{total}"))
            write_jsonl(path, _rows(items, keys, retriever, report))
            shutil.rmtree(folder / name)  # an index may be larger than all other files
        for _, row in read_jsonl(path):
            negatives[row["item"], row["lang"]].append(row["text"])
    return negatives


def _rows(
    items: Sequence[Item], keys: Sequence[Key], retriever: Bm25 | Dense, report: Log
) -> Iterable[dict[str, object]]:
    for start in range(0, len(keys), CHUNK):
        chunk = keys[start : start + CHUNK]
        results = retriever.retrieve([query_of(items[item], lang) for item, lang in chunk], k=DEPTH)
        for (item, lang), hits in zip(chunk, results, strict=True):
            text = hardest_negative(items[item], lang, hits)
            if text is not None:
                yield {"item": item, "lang": lang, "text": text}
        report(f"mined {start + len(chunk)}/{len(keys)}")


def hardest_negative(item: Item, lang: str, hits: Iterable[Hit]) -> str | None:
    """The first hit in language `lang` whose text contains no gold answer."""
    for hit in hits:
        text = hit.passage.text
        if hit.passage.lang == lang and not contains_gold(item, lang, text):
            return text
    return None


def contains_gold(item: Item, lang: str, text: str) -> bool:
    """Whether a text contains a gold answer of the item, whatever the case."""
    lowered = text.casefold()
    return any(gold.casefold() in lowered for gold in item.golds[lang])


def query_of(item: Item, lang: str) -> Query:
    """The item's question in a language, or else in its first language."""
    question_lang = lang if lang in item.questions else next(iter(item.questions))
    question = Question("", item.questions[question_lang], question_lang)
    return Query(question, question.text, lang)


def _corpus(items: Sequence[Item], unit: str) -> Corpus:
    paragraphs = dict.fromkeys(p for item in items for p in item.paragraphs.values())
    texts = dict.fromkeys((text, p.lang) for p in paragraphs for text in units(p, unit))
    return Corpus(
        "units",
        [Passage(f"{number:08d}", text, lang=lang) for number, (text, lang) in enumerate(texts)],
    )
