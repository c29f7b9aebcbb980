"""`xor-tydi`: XOR-Full's development questions as published (Asai et al. 2021), no passages.

Its collections are whole Wikipedias of 2019-02-01, which users bring. The questions that
XOR-Retrieve asks too were answered in English, the others in the question's language.
"""

from __future__ import annotations

from pathlib import Path

from ..core.types import AnsweredIn, Example, Gold, Question
from ..io.squad_xor import read_xor
from .dataset import Dataset
from .fetch import held
from .subsets import ENGLISH, TARGET

FULL, IN_ENGLISH = "xor_dev_full_v1_1.jsonl", "xor_dev_retrieve_eng_span_v1_1.jsonl"


def load_xor_tydi(folder: Path) -> Dataset:
    """The questions in the file's order; where passages hold the answers is not known.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    base = folder / "xor-tydi"
    in_english = {row.qid: row.answers for row in read_xor(held(base, IN_ENGLISH))}
    examples = []
    for row in read_xor(held(base, FULL)):
        golds = [Gold(text, "en") for text in in_english.get(row.qid, ())]
        golds += [Gold(text, row.lang) for text in row.answers]
        where: AnsweredIn = ENGLISH if row.qid in in_english else TARGET
        question = Question(row.qid, row.question, row.lang)
        examples.append(Example(question, tuple(golds), answered_in=where))
    return Dataset("xor-tydi", tuple(examples), {})
