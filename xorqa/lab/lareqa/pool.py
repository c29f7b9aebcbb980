"""LAReQA's pool: questions, and candidate sentences in many languages (section 3).

A sentence in any language is a target of a question if it contains the question's answer; all
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
    """A question; it has the same qid in all languages.

    `article` is the number of the article, from 0, which is the same in all languages.
    `translated_to` is the language of a text that was translated from `lang`, else empty.
    """

    qid: str
    lang: str
    text: str
    article: int
    translated_to: str = ""

    @property
    def text_lang(self) -> str:
        """The language that the text is in."""
        return self.translated_to or self.lang


@dataclass(frozen=True, slots=True)
class PoolSentence:
    """A candidate: one sentence and its paragraph.

    `answers` are the qids of the questions whose answer the sentence contains; `translated_to`
    is as for a question.
    """

    lang: str
    text: str
    context: str
    answers: frozenset[str]
    article: int
    translated_to: str = ""

    @property
    def text_lang(self) -> str:
        """The language that the text is in."""
        return self.translated_to or self.lang


@dataclass(frozen=True, slots=True)
class Pool:
    """Questions, and the candidate sentences of all languages."""

    name: str
    questions: tuple[PoolQuestion, ...]
    sentences: tuple[PoolSentence, ...]

    @property
    def langs(self) -> tuple[str, ...]:
        """The languages of questions and sentences, sorted."""
        langs = {row.lang for row in self.questions} | {row.lang for row in self.sentences}
        return tuple(sorted(langs))

    def positives(self) -> list[NDArray[np.int64]]:
        """The indices of each question's targets in all languages, ascending."""
        targets = defaultdict(list)
        for index, sentence in enumerate(self.sentences):
            for qid in sentence.answers:
                targets[qid].append(index)
        return [np.array(targets.get(row.qid, ()), dtype=np.int64) for row in self.questions]

    def subset(self, keep: Callable[[int], bool]) -> Pool:
        """The questions and sentences of the articles whose number `keep` accepts."""
        return Pool(
            self.name,
            tuple(row for row in self.questions if keep(row.article)),
            tuple(row for row in self.sentences if keep(row.article)),
        )

    def counts(self) -> dict[str, tuple[int, int]]:
        """The numbers of questions and sentences by language, as the paper lists them."""
        questions = Counter(row.lang for row in self.questions)
        sentences = Counter(row.lang for row in self.sentences)
        return {lang: (questions[lang], sentences[lang]) for lang in self.langs}
