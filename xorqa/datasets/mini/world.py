"""The bundled world: a small encyclopedia in eight languages, written for xorqa.

Half of each language's questions are answered only by English passages (`answered_in` "en"),
half only by passages in the question's own language (`answered_in` "target"). Licence: CC0.
"""

from functools import cache
from pathlib import Path
from typing import Any

from ...core.lang import XOR_LANGUAGES
from ...core.types import Example, Gold, Question, Span
from ...io.files import read_jsonl
from ..catalog import DatasetEntry
from ..corpus import Corpus, read_corpus
from ..dataset import Dataset

FOLDER = Path(__file__).parent


@cache
def load() -> Dataset:
    """Load the bundled world: questions in 7 languages, corpora in 8."""
    corpora = {
        lang: Corpus(f"mini.{lang}", read_corpus(FOLDER / f"passages.{lang}.jsonl", lang=lang))
        for lang in ("en", *XOR_LANGUAGES)
    }
    examples = tuple(
        _example(row, lang, corpora)
        for lang in XOR_LANGUAGES
        for _, row in read_jsonl(FOLDER / f"questions.{lang}.jsonl")
    )
    return Dataset("mini", examples, corpora)


def _example(row: dict[str, Any], lang: str, corpora: dict[str, Corpus]) -> Example:
    where, docid = row["where"], row["docid"]
    text = corpora[where][docid].text
    start = text.index(row["span"])
    place = Span(start, start + len(row["span"]))
    golds = [
        Gold(answer, code, *((docid, place) if code == where and number == 0 else ()))
        for code, key in (("en", "answers_en"), (lang, "answers"))
        for number, answer in enumerate(row[key])
    ]
    return Example(
        Question(row["qid"], row["question"], lang),
        tuple(golds),
        row["question_en"],
        "en" if where == "en" else "target",
    )


MINI = DatasetEntry(
    about="the bundled world: 8 languages, 7 x 24 questions",
    license="CC0 1.0",
    use="demonstrations, lessons, tests",
    questions=dict.fromkeys(XOR_LANGUAGES, 24),
    passages={"en": 327, "ar": 58, "bn": 56, "fi": 50, "ja": 51, "ko": 50, "ru": 54, "te": 50},
    load=lambda _: load(),
)
