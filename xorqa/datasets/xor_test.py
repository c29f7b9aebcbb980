"""`xor-tydi-test`: XOR-Full's test questions as published (Asai et al. 2021), without answers.

A run writes predictions for the authors' leaderboard; there are no scores.
"""

from pathlib import Path

from ..core.types import Example, Question
from ..io.squad_xor import read_xor
from .catalog import DatasetEntry
from .dataset import Dataset

FULL = "xor_test_full_q_only_v1_1.jsonl"


def load_xor_test(folder: Path) -> Dataset:
    """Load the questions in the file's order.

    Raises:
        DataError: if the file has another layout.
    """
    rows = read_xor(folder / "xor-tydi-full" / FULL)
    examples = tuple(Example(Question(row.qid, row.question, row.lang), ()) for row in rows)
    return Dataset("xor-tydi-test", examples, {})


XOR_TEST = DatasetEntry(
    about="XOR-Full's test questions, without answers; passages are yours: run --corpus",
    license="CC BY-SA 4.0; its repository MIT",
    use="evaluation only",
    citation="Asai et al. 2021",
    load=load_xor_test,
    sources=("xor-tydi-full",),
    needs={"xor-tydi-full": (FULL,)},
)
