"""Checks of translations. Failures are reported, and their questions stay untranslated."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..core.lang import LANGUAGES, language
from ..core.stages import BaseTranslator, Configured
from ..core.text.detection import nearest_language, script_share
from ..core.types import Query, Question, TranslationFailure

MAX_RATIO, EXTRA_CHARACTERS = 5, 100
"""An output may have at most `MAX_RATIO` times its input's characters plus `EXTRA_CHARACTERS`.

No translation of XQuAD's 1,190 questions between English and 11 languages exceeds twice its input
plus 100."""

MIN_SCRIPT_SHARE = 0.25
"""The least share of letters in the script of the language; names often stay in another script.

Of XQuAD's 1,190 questions in each of six other scripts, 5 have less, all of them Greek."""

_REFUSAL = re.compile(
    r"(i['’]?m sorry|i am sorry|sorry|i apologi[sz]e|unfortunately)?\W*(but )?"
    r"(as an ai\b|i (cannot|can['’]?t|can not|won['’]?t|am (not able|unable) to|['’]?m unable to) "
    r"(assist|help|translate|comply|provide|fulfil|answer|do that|process))",
    re.IGNORECASE,
)

OnFailure = Callable[[TranslationFailure], None]


def ignore_failure(failure: TranslationFailure) -> None:
    """The default: a failure only shows in the query's language, which is the question's."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A translation, or a problem."""

    text: str
    problem: str = ""


def check_translation(question: Question, text: str, *, to: str) -> Attempt:
    """A model's output on one line, or the reason why it is not a translation into `to`.

    Raises:
        ConfigError: if `to` is an unknown language.
    """
    text = " ".join(text.split())
    if not text:
        problem = "the output is empty"
    elif len(text) > MAX_RATIO * len(question.text) + EXTRA_CHARACTERS:
        problem = f"the output has {len(text)} characters, the question {len(question.text)}"
    elif _REFUSAL.match(text):
        problem = f"the output is a refusal: {text!r:.80}"
    elif any(map(str.isalpha, text)) and not _is_in_language(text, to, question.lang):
        problem = f"the output is not in '{to}': {text!r:.80}"
    else:
        return Attempt(text)
    return Attempt("", problem)


def _is_in_language(text: str, to: str, lang: str) -> bool:
    """Whether the text is in the script of `to`, and more likely in `to` than in `lang`."""
    if script_share(text, language(to).script) < MIN_SCRIPT_SHARE:
        return False
    return lang not in LANGUAGES or nearest_language(text, (lang, to)) == to


class CheckedTranslator(Configured, BaseTranslator, ABC):
    """A translator whose outputs may be unusable; failures are reported to `failed`."""

    failed: OnFailure

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query per question; those that fail stay in their own language.

        Questions in `to` are not translated, equal questions are translated once.

        Raises:
            XorqaError: as `try_translate` of the class does.
        """
        others = {(q.text, q.lang): q for q in questions if q.lang != to}
        attempts = self.try_translate(list(others.values()), to=to) if others else []
        by_question = dict(zip(others, attempts, strict=True))
        queries = []
        for question in questions:
            attempt = by_question.get((question.text, question.lang), Attempt(question.text))
            if attempt.problem:
                self.failed(TranslationFailure(question, attempt.problem))
                queries.append(Query(question, question.text, question.lang))
            else:
                queries.append(Query(question, attempt.text, to))
        return queries

    @abstractmethod
    def try_translate(self, questions: Sequence[Question], *, to: str) -> list[Attempt]:
        """A translation into `to`, or a problem, for each question in another language."""
