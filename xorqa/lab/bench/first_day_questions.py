"""The passages and questions of `xorqa bench first-day`, from training sets at hand.

The passages are paragraphs of TyDi GoldP's training set in English and Korean and of JaQuAD. The
questions are from articles that no bundled model was fitted to: those that the reader's training
held out, and of these the half that the confidence model was measured on; for JaQuAD the fifth
that recipes exclude. The encoder's authors trained on Mr. TyDi, which has the same Wikipedias.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import DataError
from ...core.types import Passage
from ...datasets.tydi import HELD_OUT
from ...io.squad_xor import SquadQuestion, title_hash
from ...metrics.tasks.squad import normalize
from .mixed_pool import training_rows

SEED = 1
READER_HELD_OUT = {"en": 0.05, "ja": HELD_OUT, "ko": 0.05}
MEASURED = 0.5  # the half of the articles that `xorqa train confidence` measures on


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question; if it is `answerable`, the corpus has its paragraph, else no passage with one
    of its `answers`."""

    text: str
    lang: str
    answers: tuple[str, ...]
    answerable: bool


def first_day(
    folder: Path, *, passages: int, questions: int
) -> tuple[list[Passage], list[LabelledQuestion]]:
    """About `passages` passages, and `questions` answerable and as many unanswerable questions.

    `folder` holds the fetched data sets.

    Raises:
        DataError: if a data set is missing, or too small for so many passages and questions.
    """
    rows = training_rows(folder)
    pool: list[Passage] = []
    answerable: list[LabelledQuestion] = []
    others: dict[str, list[SquadQuestion]] = {}
    shares = {
        lang: questions // len(rows) + (number < questions % len(rows))
        for number, lang in enumerate(sorted(rows))
    }
    for lang, share in shares.items():
        rng = random.Random(f"{SEED}:{lang}")
        held_out = _one_per_paragraph(lang, rows[lang], rng)
        chosen, others[lang] = held_out[:share], held_out[share:]
        pool += _passages(lang, rows[lang], chosen, passages // len(rows), rng)
        answerable += [_asked(row, lang, True) for row in chosen]
    everything = "\n".join(normalize(passage.text) for passage in pool)
    without = [
        _asked(row, lang, False)
        for lang, share in shares.items()
        for row in _unanswerable(others[lang], everything)[:share]
    ]
    if len(answerable) < questions or len(without) < questions:
        raise DataError(
            f"{len(answerable)} answerable and {len(without)} unanswerable questions for "
            f"{passages} passages, not {questions} each; ask fewer questions"
        )
    return pool, [*answerable, *without]


def _one_per_paragraph(
    lang: str, rows: Sequence[SquadQuestion], rng: random.Random
) -> list[SquadQuestion]:
    """A held-out question per paragraph, in random order."""
    held_out = [row for row in rows if row.answers and _is_held_out(row, lang)]
    rng.shuffle(held_out)
    return list({row.context: row for row in held_out}.values())


def _passages(
    lang: str,
    rows: Sequence[SquadQuestion],
    chosen: Sequence[SquadQuestion],
    count: int,
    rng: random.Random,
) -> list[Passage]:
    """The paragraphs of the chosen questions and of articles that are not held out."""
    titles = {row.context: row.title for row in rows if not _is_held_out(row, lang)}
    sample = rng.sample(sorted(titles), min(max(0, count - len(chosen)), len(titles)))
    titles |= {row.context: row.title for row in chosen}
    texts = sorted({row.context for row in chosen}.union(sample))
    rng.shuffle(texts)
    return [
        Passage(f"{lang}-{number:05d}", text, titles[text].replace("_", " "), lang)
        for number, text in enumerate(texts, 1)
    ]


def _asked(row: SquadQuestion, lang: str, answerable: bool) -> LabelledQuestion:
    return LabelledQuestion(row.question.strip(), lang, row.answers, answerable)


def _unanswerable(rows: Sequence[SquadQuestion], everything: str) -> list[SquadQuestion]:
    """The questions none of whose answers is in the normalised text of all passages."""
    answers = ((row, list(map(normalize, row.answers))) for row in rows)
    return [row for row, texts in answers if all(text and text not in everything for text in texts)]


def _is_held_out(row: SquadQuestion, lang: str) -> bool:
    if title_hash(row.title or row.context) >= READER_HELD_OUT[lang]:
        return False
    return title_hash(f"measured {row.title or row.question}") < MEASURED
