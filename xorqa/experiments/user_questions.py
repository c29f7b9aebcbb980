"""Questions from users: a check of their text; the language and translator of typed ones."""

import warnings
from collections.abc import Sequence

from ..core.errors import InputError, Notice
from ..core.lang import language, limits
from ..core.registry import build
from ..core.stages import Translator
from ..core.text.detection import question_language
from ..core.types import Question
from .settings import ENGLISH

TYPED_QID = "asked"


def check_text(question: Question) -> None:
    """Reject a question that is empty or not Unicode. Raises InputError."""
    name = question.qid or "(unnamed)"
    if not question.text.strip():
        raise InputError(f"question {name} is empty; type one")
    try:
        question.text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"question {name} is not Unicode text: {error.reason}") from error


def typed_question(text: str, lang: str | None) -> Question:
    """The question, in `lang` or the detected language, with a `Notice` if that lacks a stage."""
    code = language(lang).code if lang else question_language(text)
    if lacks := limits(code):
        warnings.warn(lacks, Notice, stacklevel=2)
    return Question(TYPED_QID, text, code)


def are_typed(questions: Sequence[Question]) -> bool:
    """Whether all questions, at least one, are typed."""
    return {question.qid for question in questions} == {TYPED_QID}


class HumanReplacement:
    """The translators that replace `human` for typed questions, each built on first use."""

    def __init__(self) -> None:
        self._built: dict[str, Translator] = {}

    def translator(self, route: str, questions: Sequence[Question], *, to: str) -> Translator:
        """`bundled` for a route over English, otherwise `none`.

        A `Notice` is issued if a question is not in the language `to`.
        """
        name, manner = "none", "the original question"
        if to == ENGLISH:
            name, manner = "bundled", "the bundled translator"
        if any(question.lang != to for question in questions):
            warnings.warn(
                f"route {route}: a typed question has no human translation; searched with {manner}",
                Notice,
                stacklevel=2,
            )
        if name not in self._built:
            self._built[name] = build("translator", {"use": name})
        return self._built[name]
