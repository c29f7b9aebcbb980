"""Reader of TyDi QA's primary tasks (Clark et al. 2020): questions about whole articles.

Here, unlike in the gold passages, are the questions that their article does not answer, from which
XOR QA was made (Asai et al. 2021, section 2.1).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..core.lang import LANGUAGES
from .files import read_jsonl
from .strict_json import as_id, as_text

_CODES = {settings.name.lower(): code for code, settings in LANGUAGES.items()}


@dataclass(frozen=True, slots=True)
class TydiQuestion:
    """A question, and whether an annotator chose a passage of its article as the answer.

    `answers` are the distinct minimal answers: spans of the article, or "yes" and "no".
    """

    qid: str
    question: str
    lang: str
    title: str
    has_passage: bool
    answers: tuple[str, ...]


def read_tydi_primary(path: Path) -> Iterator[TydiQuestion]:
    """Read the questions of a `.jsonl` or `.jsonl.gz` file, in file order.

    Raises:
        DataError: naming the line with another layout.
    """
    for number, row in read_jsonl(path):
        try:
            yield _question(row)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(
                f"{path}, line {number}: not TyDi QA's primary task ({error!r:.80})"
            ) from error


def _question(row: Mapping[str, Any]) -> TydiQuestion:
    article = as_text(row["document_plaintext"]).encode()
    annotations = row["annotations"]
    chosen = [annotation["passage_answer"]["candidate_index"] for annotation in annotations]
    answers = (_answer(annotation, article) for annotation in annotations)
    language = as_text(row["language"])
    return TydiQuestion(
        qid=as_id(row["example_id"]),
        question=as_text(row["question_text"]),
        lang=_CODES.get(language, language),
        title=as_text(row.get("document_title", "")),
        has_passage=any(int(index) >= 0 for index in chosen),
        answers=tuple(dict.fromkeys(text for text in answers if text)),
    )


def _answer(annotation: Mapping[str, Any], article: bytes) -> str:
    """The minimal answer of an annotation, or "". Offsets are bytes of the article."""
    closed = as_text(annotation["yes_no_answer"]).lower()
    if closed in ("yes", "no"):
        return closed
    span = annotation["minimal_answer"]
    start, end = int(span["plaintext_start_byte"]), int(span["plaintext_end_byte"])
    return article[start:end].decode() if 0 <= start < end else ""
