"""Sentences that are parallel in several languages, joined through a pivot language.

Lewis et al. 2020 (MLQA) mine them through English and keep those in at least four languages.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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


def _aligned(by_lang: Mapping[str, MinedPair], pivot: str) -> Aligned:
    first = next(iter(by_lang.values()))
    texts, ids = {pivot: first.source}, {pivot: first.source_id}
    for lang, pair in by_lang.items():
        texts[lang], ids[lang] = pair.target, pair.target_id
    return Aligned(min(pair.score for pair in by_lang.values()), texts, ids)
