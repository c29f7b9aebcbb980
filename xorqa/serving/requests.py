"""Check requests against the server's limits, and turn them into the records of the stages."""

from collections.abc import Iterable, Sequence

from ..core.lang import ISO_639_1, unknown_language
from ..core.text.detection import detect_language
from ..core.types import Passage
from ..metrics.report import Reference
from .limits import Limits
from .problems import Problem
from .schemas import Ask, GivenPassage, Item


def asked_texts(request: Ask, limits: Limits) -> list[str]:
    """The questions of a request: one, or a batch.

    Raises:
        Problem: 422 or 413.
    """
    if (request.question is None) == (request.questions is None):
        raise Problem(422, "needs either 'question' or 'questions'")
    if request.question is not None:
        return [checked_question(request.question, limits)]
    texts = request.questions or []
    if not 1 <= len(texts) <= limits.batch:
        raise Problem(422, f"'questions' must have 1 to {limits.batch} questions")
    return [checked_question(text, limits) for text in texts]


def checked_question(text: str, limits: Limits) -> str:
    """A question that is neither empty nor too long."""
    if not text.strip():
        raise Problem(422, "the question is empty")
    if len(text) > limits.question:
        raise Problem(
            413, f"a question has at most {limits.question:,} characters, not {len(text):,}"
        )
    return text


def checked_lang(lang: str | None, text: str) -> str:
    """The language of a request, or the one detected in its text."""
    if lang is not None and lang not in ISO_639_1:
        raise Problem(422, unknown_language(lang))
    return lang or detect_language(text)


def passages(given: Sequence[GivenPassage | str], limits: Limits) -> list[Passage]:
    """The passages of a request."""
    if not 1 <= len(given) <= limits.batch:
        raise Problem(422, f"'passages' must have 1 to {limits.batch} passages")
    return [_passage(each, at, limits) for at, each in enumerate(given, 1)]


def references(items: Sequence[Item], limits: Limits) -> tuple[list[Reference], dict[str, str]]:
    """The gold answers and the predictions of a request, with the positions as ids."""
    if len(items) > limits.items:
        raise Problem(422, f"'items' must have at most {limits.items:,} items")
    _check_lengths((text for item in items for text in (item.prediction, *item.answers)), limits)
    golds = [
        Reference(str(at), checked_lang(item.lang, ""), tuple(item.answers))
        for at, item in enumerate(items)
    ]
    return golds, {str(at): item.prediction for at, item in enumerate(items)}


def _passage(given: GivenPassage | str, at: int, limits: Limits) -> Passage:
    row = GivenPassage(text=given) if isinstance(given, str) else given
    if not row.text.strip():
        raise Problem(422, f"passage {at} is empty")
    _check_lengths((row.text, row.title, row.docid or ""), limits)
    return Passage(row.docid or str(at), row.text, row.title, checked_lang(row.lang, row.text))


def _check_lengths(texts: Iterable[str], limits: Limits) -> None:
    if any(len(text) > limits.passage for text in texts):
        raise Problem(413, f"a text has at most {limits.passage:,} characters")
