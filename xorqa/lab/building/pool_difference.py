"""How a pool differs from another one of the same paragraphs, by language; published counts."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ..lareqa.pool import Pool

PUBLISHED = {
    "XQuAD-R": {
        "ar": (1190, 1222), "de": (1190, 1276), "el": (1190, 1234), "en": (1190, 1180),
        "es": (1190, 1215), "hi": (1190, 1244), "ru": (1190, 1219), "th": (1190, 852),
        "tr": (1190, 1167), "vi": (1190, 1209), "zh": (1190, 1196),
    },
    "MLQA-R": {
        "ar": (517, 2545), "de": (512, 2362), "en": (1148, 6264), "es": (500, 1787),
        "hi": (507, 2426), "vi": (511, 2828), "zh": (504, 2322),
    },
}  # fmt: skip
"""Questions and candidates by language, as LAReQA's authors publish them (Roy et al. 2020)."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One language of two pools.

    `shared` is the number of candidates in both, with the same paragraph and text; `moved` the
    number of questions whose target sentences differ, among those in both.
    """

    candidates: int
    other: int
    shared: int
    moved: int

    @property
    def equal(self) -> bool:
        """Whether the pools have the same candidates and targets."""
        return self.candidates == self.other == self.shared and not self.moved


def pool_differences(pool: Pool, other: Pool) -> dict[str, Difference]:
    """Compare the candidates and targets of two pools in each language that both have."""
    ours, theirs = _by_lang(pool), _by_lang(other)
    targets, others = _targets(pool), _targets(other)
    moved = Counter(
        lang for (lang, qid), texts in targets.items() if others.get((lang, qid), texts) != texts
    )
    return {
        lang: Difference(
            ours[lang].total(),
            theirs[lang].total(),
            (ours[lang] & theirs[lang]).total(),
            moved[lang],
        )
        for lang in sorted({*ours} & {*theirs})
    }


def published_counts(pool: Pool) -> tuple[str, Mapping[str, tuple[int, int]]] | None:
    """The data set whose numbers of questions the pool has in all of its languages, if any."""
    counts = pool.counts()
    for name, published in PUBLISHED.items():
        if all(
            published.get(lang, (0, 0))[0] == questions for lang, (questions, _) in counts.items()
        ):
            return name, published
    return None


def _by_lang(pool: Pool) -> dict[str, Counter[tuple[str, str]]]:
    """The candidates of each language, as paragraph and text."""
    rows: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for row in pool.sentences:
        rows[row.lang][row.context, row.text] += 1
    return rows


def _targets(pool: Pool) -> dict[tuple[str, str], Counter[str]]:
    """The texts of each question's target sentences in its own language, by language and qid."""
    texts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in pool.sentences:
        for qid in row.answers:
            texts[row.lang, qid][row.text] += 1
    return texts
