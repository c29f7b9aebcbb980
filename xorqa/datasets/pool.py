"""What LAReQA searches: questions and candidate sentences of many languages (section 3).

A sentence in any language is a target of a question if it holds the question's answer; all
other sentences of all languages are negatives (Roy et al. 2020).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PoolQuestion:
    """A question; the same question has the same qid in all languages.

    `article` is one number for the same article of all languages, counted from 0.
    """

    qid: str
    lang: str
    text: str
    article: int


@dataclass(frozen=True, slots=True)
class PoolSentence:
    """A candidate: one sentence and the paragraph it is from.

    `answers` names the questions (qids) whose answer the sentence holds.
    """

    lang: str
    text: str
    context: str
    answers: frozenset[str]
    article: int


@dataclass(frozen=True, slots=True)
class Pool:
    """Questions, and the candidate sentences of all languages that they search."""

    name: str
    questions: tuple[PoolQuestion, ...]
    sentences: tuple[PoolSentence, ...]

    @property
    def langs(self) -> tuple[str, ...]:
        """The languages of questions and sentences, sorted."""
        asked = {row.lang for row in self.questions}
        return tuple(sorted(asked | {row.lang for row in self.sentences}))

    def positives(self) -> list[NDArray[np.int64]]:
        """For every question the indices of its targets in all languages, ascending."""
        found = defaultdict(list)
        for at, sentence in enumerate(self.sentences):
            for qid in sentence.answers:
                found[qid].append(at)
        return [np.array(found.get(row.qid, ()), dtype=np.int64) for row in self.questions]

    def part(self, keep: Callable[[int], bool]) -> Pool:
        """The questions and sentences of the articles whose number `keep` accepts."""
        return Pool(
            self.name,
            tuple(row for row in self.questions if keep(row.article)),
            tuple(row for row in self.sentences if keep(row.article)),
        )

    def counts(self) -> dict[str, tuple[int, int]]:
        """Questions and sentences by language: the paper's Table 1."""
        asked = Counter(row.lang for row in self.questions)
        there = Counter(row.lang for row in self.sentences)
        return {lang: (asked[lang], there[lang]) for lang in self.langs}
