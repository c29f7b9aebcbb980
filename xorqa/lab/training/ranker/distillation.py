"""Passage lists for questions without gold answers: a teacher ranks for their English translations.

The teacher, a reader, judges passages for the English question; the ranker learns to distribute
its scores likewise for the question in another language (Hinton et al. 2015, section 2).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....core.progress import Log, silent
from ....models.device import Dtype
from ....reading.pairs import QuestionPassage
from ..bitext.lexicon import Lexicon
from ..bitext.translations import LangText
from ..reader.distillation import sample_and_rank, teacher_readings
from ..reader.recipe import Distillation


@dataclass(frozen=True, slots=True)
class PassageList:
    """A question and passages with their titles, of which the first one answers best.

    `probabilities` are a teacher's; without them, the first passage has all of it.
    """

    question: str
    passages: tuple[str, ...]
    probabilities: tuple[float, ...] = ()


def distilled_lists(
    how: Distillation,
    out: Path,
    *,
    excluded: frozenset[str],
    lexicon: Lexicon,
    seed: int,
    dtype: Dtype,
    report: Log = silent,
) -> tuple[list[PassageList], list[PassageList]]:
    """Lists to train on, and held-out ones; the passage that the teacher prefers is first.

    A question without a passage that the teacher finds relevant is left out.
    """
    sampled = sample_and_rank(how, out, excluded, lexicon, seed, report=report)
    ranked = sampled.ranked
    pairs = [QuestionPassage(question, text) for question in ranked for text in ranked[question]]
    readings = teacher_readings(how, pairs, out, dtype, report)
    logits = {pair: reading.scores.relevance for pair, reading in readings.items()}
    titled = {passage.text: passage.titled for passage in sampled.paragraphs.corpus.passages}

    def lists(questions: Sequence[LangText]) -> list[PassageList]:
        passage_lists = []
        for _, question, english in questions:
            scores = {text: logits[QuestionPassage(english, text)] for text in ranked[english]}
            if len(scores) > 1 and max(scores.values()) > 0:
                passage_lists.append(_passage_list(question, scores, titled, how.temperature))
        return passage_lists

    return lists(sampled.trained), lists(sampled.held_out)


def _passage_list(
    question: str, scores: Mapping[str, float], titled: Mapping[str, str], temperature: float
) -> PassageList:
    """The passages in the teacher's order, with the softmax of its relevance logits."""
    texts = sorted(scores, key=lambda text: -scores[text])
    best = scores[texts[0]]
    powers = [math.exp((scores[text] - best) / temperature) for text in texts]
    probabilities = tuple(power / sum(powers) for power in powers)
    return PassageList(question, tuple(titled[text] for text in texts), probabilities)
