"""`tydi-train` and `tydi-dev`: TyDi QA's questions, to build a data set as XOR QA was built.

XOR QA translated questions without a passage answer in TyDi QA: 5,000 per language of its training
data, split into 4,500 and 500, and its development data as test (Asai et al. 2021, section 2.1).
"""

from functools import partial
from pathlib import Path

from ...core.types import Example, Gold, Question
from ...datasets.catalog import DatasetEntry
from ...datasets.dataset import TARGET, Dataset
from ...io.tydi_primary import read_tydi_primary

LANGUAGES = ("ar", "bn", "fi", "ja", "ko", "ru", "te")
SOURCE = "tydiqa"


def load_tydi_questions(split: str, folder: Path) -> Dataset:
    """Load the questions in XOR QA's languages, without their articles.

    `answered_in` is "target" if an annotator chose a passage of the article, else None.

    Raises:
        DataError: if the file has another layout.
    """
    examples = [
        Example(
            Question(row.qid, row.question, row.lang),
            tuple(Gold(text, row.lang) for text in row.answers),
            answered_in=TARGET if row.has_passage else None,
        )
        for row in read_tydi_primary(folder / SOURCE / _file(split))
        if row.lang in LANGUAGES
    ]
    return Dataset(f"tydi-{split}", tuple(examples), {})


def _file(split: str) -> str:
    return f"tydiqa-v1.0-{split}.jsonl.gz"


def _entry(split: str, use: str) -> DatasetEntry:
    return DatasetEntry(
        about=f"TyDi QA's {split} questions in 7 languages, answered by their article or not",
        license="Apache 2.0",
        use=use,
        citation="Clark et al. 2020",
        load=partial(load_tydi_questions, split),
        sources=(SOURCE,),
        needs={SOURCE: (_file(split),)},
    )


TYDI_TRAIN = _entry("train", "building training data")
TYDI_DEV = _entry("dev", "evaluation only")
