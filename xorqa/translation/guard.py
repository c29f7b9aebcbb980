"""What may be wrong with a translation, told question by question while the run goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..core.lang import LANGUAGES, language
from ..core.types import Query, Question, TranslationFailure
from ..text.scripts import detect_language, script_share

LONGER, MORE = 5, 100
"""An output may have `LONGER` times its input's characters and `MORE`; of the translations of
XQuAD's 1,190 questions between English and 11 languages none has twice its input and 100."""

SHARE = 0.25
"""The least share of letters in the script of the language: names are often left in another.
Of 1,190 questions each that XQuAD has in six other scripts 5 have less, all Greek."""

_REFUSAL = re.compile(
    r"(i['’]?m sorry|i am sorry|sorry|i apologi[sz]e|unfortunately)?\W*(but )?"
    r"(as an ai\b|i (cannot|can['’]?t|can not|won['’]?t|am (not able|unable) to|['’]?m unable to) "
    r"(assist|help|translate|comply|provide|fulfil|answer|do that|process))",
    re.IGNORECASE,
)


Report = Callable[[TranslationFailure], None]


def unheard(failure: TranslationFailure) -> None:
    """Where nobody asks for failures: their queries are in their questions' languages."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A translation, or a problem."""

    text: str
    problem: str = ""


def check(question: Question, text: str, *, to: str) -> Attempt:
    """A model's output on one line, or what shows that it is no translation into `to`.

    Raises:
        ConfigError: if `to` is an unknown language.
    """
    text = " ".join(text.split())
    problem = _problem(question, text, to)
    return Attempt("", problem) if problem else Attempt(text)


def guarded(
    questions: Sequence[Question],
    translate: Callable[[list[Question]], Sequence[Attempt]],
    *,
    to: str,
    failed: Report,
) -> list[Query]:
    """One query a question. Those in `to` stay as they are, and equal questions go once.

    What could not be translated is reported to `failed`, and stays in its own language.
    """
    foreign = {(q.text, q.lang): q for q in questions if q.lang != to}
    attempts = translate(list(foreign.values())) if foreign else []
    made = dict(zip(foreign, attempts, strict=True))
    queries = []
    for question in questions:
        attempt = made.get((question.text, question.lang), Attempt(question.text))
        if attempt.problem:
            failed(TranslationFailure(question, attempt.problem))
            queries.append(Query(question, question.text, question.lang))
        else:
            queries.append(Query(question, attempt.text, to))
    return queries


def _problem(question: Question, text: str, to: str) -> str:
    if not text:
        return "the output is empty"
    if len(text) > LONGER * len(question.text) + MORE:
        return f"the output has {len(text)} characters, the question {len(question.text)}"
    if _REFUSAL.match(text):
        return f"the output is a refusal: {text!r:.80}"
    if any(map(str.isalpha, text)) and not _is_in(text, to, question.lang):
        return f"the output is not in '{to}': {text!r:.80}"
    return ""


def _is_in(text: str, to: str, lang: str) -> bool:
    """Whether there is enough of the script of `to`, and it is more like `to` than `lang`."""
    if script_share(text, language(to).script) < SHARE:
        return False
    return lang not in LANGUAGES or detect_language(text, among=(lang, to)) == to
