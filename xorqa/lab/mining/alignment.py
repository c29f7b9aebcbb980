"""Sentences that are parallel in several languages, joined through a pivot language.

Lewis et al. 2020 (MLQA) mine them through English and keep those in at least four languages.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace

from .pairs import MinedPair


@dataclass(frozen=True, slots=True)
class Aligned:
    """A sentence of the pivot language with its translations: texts and ids by language.

    `score` is the lowest score of its pairs.
    """

    score: float
    texts: Mapping[str, str]
    ids: Mapping[str, str]


def align(pairs: Mapping[str, Sequence[MinedPair]], *, pivot: str, least: int = 2) -> list[Aligned]:
    """Join the pairs of each language with the pivot, the pair's source.

    Of several pairs of a sentence in one language, the best counts. Keeps the sentences in at least
    `least` languages, the pivot included, those in most languages first, then by score.
    """
    best: dict[str, dict[str, MinedPair]] = {}
    for lang, of_lang in pairs.items():
        for pair in of_lang:
            by_lang = best.setdefault(pair.source_id, {})
            if lang not in by_lang or pair.score > by_lang[lang].score:
                by_lang[lang] = pair
    rows = [_aligned(by_lang, pivot) for by_lang in best.values() if len(by_lang) + 1 >= least]
    return sorted(rows, key=lambda row: (-len(row.texts), -row.score, row.ids[pivot]))


def counts(rows: Sequence[Aligned]) -> dict[int, int]:
    """The number of sentences by their number of languages, the most languages first."""
    return dict(sorted(Counter(len(row.texts) for row in rows).items(), reverse=True))


def language_counts(rows: Sequence[Aligned]) -> dict[int, dict[str, int]]:
    """The sentences of each language, by their number of languages (Table 10)."""
    by_number: dict[int, Counter[str]] = {number: Counter() for number in counts(rows)}
    for row in rows:
        by_number[len(row.texts)].update(row.texts.keys())
    return {number: dict(of_number) for number, of_number in by_number.items()}


def incremental(rows: Sequence[Aligned], langs: Sequence[str]) -> dict[str, int]:
    """How many sentences are in the pivot, the language and all languages before it (Table 1)."""
    numbers = {}
    for lang in langs:
        rows = [row for row in rows if lang in row.texts]
        numbers[lang] = len(rows)
    return numbers


def evenly(
    rows: Sequence[Aligned], number: int, *, langs: int, pivot: str, seed: int = 1
) -> list[Aligned]:
    """Sample sentences in exactly `langs` languages, evenly (Lewis et al. 2020, section 2.1).

    Each combination of languages is drawn from in turn, as long as it lasts, and from the
    paragraphs that were drawn from least: those of the pivot's ids, DOCID#NUMBER.
    """
    pools: dict[tuple[str, ...], list[tuple[int, int, Aligned]]] = {}
    order = random.Random(seed).sample(range(len(rows)), len(rows))
    for place, row in zip(order, rows, strict=True):
        if len(row.texts) == langs:
            pools.setdefault(tuple(sorted(row.texts)), []).append((0, place, row))
    for pool in pools.values():
        heapify(pool)
    drawn: Counter[str] = Counter()
    sample: list[Aligned] = []
    while len(sample) < number and any(pools.values()):
        for pool in filter(None, pools.values()):
            # a count in the heap may be out of date, since other combinations draw as well
            while pool[0][0] < (now := drawn[_paragraph(pool[0][2], pivot)]):
                heapreplace(pool, (now, *pool[0][1:]))
            row = heappop(pool)[2]
            drawn[_paragraph(row, pivot)] += 1
            sample.append(row)
    return sample[:number]


def _paragraph(row: Aligned, pivot: str) -> str:
    return row.ids[pivot].rpartition("#")[0] or row.ids[pivot]


def _aligned(by_lang: Mapping[str, MinedPair], pivot: str) -> Aligned:
    first = next(iter(by_lang.values()))
    texts, ids = {pivot: first.source}, {pivot: first.source_id}
    for lang, pair in by_lang.items():
        texts[lang], ids[lang] = pair.target, pair.target_id
    return Aligned(min(pair.score for pair in by_lang.values()), texts, ids)
