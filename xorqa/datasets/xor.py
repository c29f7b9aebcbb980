"""`xor-tydi`: XOR-Full's development questions as published (Asai et al. 2021), no passages.

Users supply the passages, those of full Wikipedias of 2019-02-01. Questions that are also in
XOR-Retrieve were answered in English, the others in the question's language.
"""

from pathlib import Path

from ..core.lang import ENGLISH
from ..core.types import AnsweredIn, Example, Gold, Question
from ..io.squad_xor import read_xor
from .catalog import DatasetEntry, local_file
from .dataset import TARGET, Dataset

FULL, IN_ENGLISH = "xor_dev_full_v1_1.jsonl", "xor_dev_retrieve_eng_span_v1_1.jsonl"


def load_xor_tydi(folder: Path) -> Dataset:
    """Load the questions in the file's order; the passages with answers are not known.

    Raises:
        DataError: if a file is missing or has another layout.
    """
    base = folder / "xor-tydi"
    in_english = {row.qid: row.answers for row in read_xor(local_file(base, IN_ENGLISH))}
    examples = []
    for row in read_xor(local_file(base, FULL)):
        golds = [Gold(text, ENGLISH) for text in in_english.get(row.qid, ())]
        golds += [Gold(text, row.lang) for text in row.answers]
        answered_in: AnsweredIn = ENGLISH if row.qid in in_english else TARGET
        question = Question(row.qid, row.question, row.lang)
        examples.append(Example(question, tuple(golds), answered_in=answered_in))
    return Dataset("xor-tydi", tuple(examples), {})


XOR_TYDI = DatasetEntry(
    about="XOR-Full's dev questions as published; passages are yours: run --corpus",
    license="CC BY-SA 4.0; its repository MIT",
    use="evaluation only",
    citation="Asai et al. 2021",
    questions={"ar": 363, "bn": 221, "fi": 312, "ja": 197, "ko": 192, "ru": 272, "te": 179},
    load=load_xor_tydi,
    sources=("xor-tydi",),
    needs={"xor-tydi": (IN_ENGLISH, FULL)},
)
