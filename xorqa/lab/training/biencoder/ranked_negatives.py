"""Hard negatives as XOR QA drew them: from one of the paragraphs that a ranker ranks first.

Asai et al. 2021, C.2: a random one of the five that were shown to annotators, cut into units of
100 words, and of these a random one. Paragraphs with a gold answer are left out, as in the files
that the authors released.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from ....core.progress import Log, quantity
from ....core.types import Hit, Passage
from ....datasets.corpus import Corpus
from ....io.files import read_jsonl, write_jsonl
from ....ranking.cross_encoder import CrossEncoder
from ....retrieval.bm25 import Bm25
from .hard_negatives import CHUNK, DEPTH, HardNegatives, Key, contains_gold, query_of
from .pairs import Item, Paragraph, units
from .samplers import Pick

SHOWN = 5  # paragraphs of the ranker


def mine_ranked_negatives(
    items: Sequence[Item],
    batches: Iterable[Sequence[Pick]],
    ranker: CrossEncoder,
    *,
    unit: str,
    seed: int,
    folder: Path,
    report: Log,
) -> HardNegatives:
    """A negative for each question in `batches`; stored in `folder`, where they are found again."""
    path = folder / "ranker.jsonl"
    if not path.is_file():
        keys = sorted({(pick.item, pick.answer) for batch in batches for pick in batch})
        paragraphs = [*dict.fromkeys(p for item in items for p in item.paragraphs.values())]
        report(f"ranker: {quantity(len(keys), 'question')}, {len(paragraphs)} paragraphs")
        rows = _rows(items, keys, paragraphs, ranker, unit=unit, seed=seed, folder=folder)
        write_jsonl(path, rows)
    return {(row["item"], row["lang"]): (row["text"],) for _, row in read_jsonl(path)}


def _rows(
    items: Sequence[Item],
    keys: Sequence[Key],
    paragraphs: Sequence[Paragraph],
    ranker: CrossEncoder,
    *,
    unit: str,
    seed: int,
    folder: Path,
) -> Iterator[dict[str, object]]:
    passages = [Passage(str(at), p.text, p.title, p.lang) for at, p in enumerate(paragraphs)]
    retriever = Bm25(corpus=Corpus("paragraphs", passages), folder=folder / "paragraphs")
    retriever.build()
    for start in range(0, len(keys), CHUNK):
        chunk = keys[start : start + CHUNK]
        queries = [query_of(items[item], lang) for item, lang in chunk]
        rankings = ranker.rank(queries, retriever.retrieve(queries, k=DEPTH))
        for (item, lang), hits in zip(chunk, rankings, strict=True):
            shown = [hit for hit in hits[:SHOWN] if _is_negative(items[item], lang, hit)]
            if shown:
                random = Random(f"{seed}:ranker:{item}:{lang}")
                paragraph = paragraphs[int(random.choice(shown).passage.docid)]
                text = random.choice(units(paragraph, unit))
                yield {"item": item, "lang": lang, "text": text}


def _is_negative(item: Item, lang: str, hit: Hit) -> bool:
    return hit.passage.lang == lang and not contains_gold(item, lang, hit.passage.text)
