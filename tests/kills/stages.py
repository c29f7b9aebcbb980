"""Stages that are quick enough to be killed often."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.retrieval.dense import Dense


class TinyDense(Dense):
    """Dense retrieval with the tiny checkpoint that the environment names."""

    def __init__(self, *, corpus: Corpus | None = None, folder: Path | None = None) -> None:
        tiny = os.environ["XORQA_TEST_TINY"]
        super().__init__(tiny, dtype="float32", corpus=corpus, folder=folder)


class Shouting(BaseTranslator):
    """Says questions aloud."""

    version = 1

    def fingerprint(self) -> str:
        return "loud"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        return [Query(question, question.text.upper(), to) for question in questions]
