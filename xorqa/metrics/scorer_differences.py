"""The questions on which a task's two scorers disagree, and the reasons.

Each possible cause has a change to the texts that removes its effect: when full-width letters
become ordinary ones, for example, no scorer can distinguish them. Causes are tested, not guessed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import regex

from ..core.errors import ConfigError
from ..core.text.normalize import fold
from ..core.text.words import wakati
from .answers import ARTICLES, CHARACTERS, PUNCTUATION
from .report import Reference
from .task import Scorer, Task, Values

Cause = tuple[str, Callable[[str], str]]
"""A description, and the change to prediction and gold answers that removes the effect."""


@dataclass(frozen=True, slots=True)
class AnswerExplainer:
    """Explains disagreements of two scorers of answers (`Task.explain`).

    Attributes:
        scorers: the official scorer, then the strict one.
        causes: a language to the possible causes of a disagreement, specific causes first.
    """

    scorers: Mapping[str, Scorer]
    causes: Callable[[str], Iterable[Cause]]

    def __call__(
        self,
        reference: Reference,
        prediction: str | None,
        official: Values | None,
        strict: Values | None,
    ) -> str:
        """A minimal set of causes that explains the difference, or else that the tokens differ."""
        if prediction is None:
            return "official also accepts a prediction whose id only ends in the question's id"

        def agree_without(causes: list[Cause]) -> bool:
            golds = tuple(_without(gold, causes) for gold in reference.answers)
            text = _without(prediction, causes)
            return agree(*self._score(replace(reference, answers=golds), text))

        causes = [*self._empty_answers(reference, prediction), *self.causes(reference.lang)]
        if not agree_without(causes):
            return "the scorers' tokens differ"
        for cause in reversed(causes):
            fewer = [other for other in causes if other is not cause]
            if agree_without(fewer):
                causes = fewer
        return "; ".join(description for description, _ in causes)

    def _empty_answers(self, reference: Reference, prediction: str) -> list[Cause]:
        """An answer that official normalises to nothing; adding a word removes the effect."""
        for name, texts in {"gold": reference.answers, "prediction": (prediction,)}.items():
            official, _ = self._score(replace(reference, answers=texts), "")
            if official["em"]:
                return [(f"the {name} normalises to nothing in official", lambda text: f"{text} 0")]
        return []

    def _score(self, reference: Reference, prediction: str) -> tuple[Values, Values]:
        official, strict = (
            score([reference], {reference.qid: prediction})[0].values
            for score in self.scorers.values()
        )
        return official, strict


def agree(official: Values | None, strict: Values | None) -> bool:
    """Whether two scorers give equal values, to 1e-9; None: the question is not counted.

    BLEU is not compared: over characters and over words it nearly always differs, which would
    hide the differences that matter.
    """
    if official is None or strict is None:
        return official is strict
    return not any(abs(official[name] - strict[name]) > 1e-9 for name in official if name != "bleu")


def squad_causes(lang: str) -> Iterator[Cause]:
    """The causes of disagreements between SQuAD's scorer and the strict one, for a language."""
    yield "official removes English articles", deleting(_articles("en"))
    if lang in ARTICLES and lang != "en":
        yield f"official keeps the articles of {lang}", deleting(_articles(lang))
    if lang == "ar":
        yield "official keeps ال", deleting("ال")
    yield from normalisation()
    yield from tokenisation(lang)


def normalisation() -> Iterator[Cause]:
    """The causes in normalisation that only the strict scorer does."""
    yield "Unicode punctuation", deleting(PUNCTUATION.pattern)
    yield "case, width or composition of characters", fold


def tokenisation(lang: str) -> Iterator[Cause]:
    """The causes in how the strict scorer tokenises languages written without spaces."""
    if lang == "ja":
        yield "strict splits Japanese into words", wakati
    elif lang in CHARACTERS:
        find = CHARACTERS[lang].findall
        yield "strict counts each character as a word", lambda text: " ".join(find(text))


def deleting(pattern: str, by: str = "") -> Callable[[str], str]:
    """A change that replaces all matches of a pattern, ignoring case, by `by`."""
    compiled = regex.compile(pattern, regex.IGNORECASE)
    return lambda text: str(compiled.sub(by, text))


def _articles(lang: str) -> str:
    return rf"\b({'|'.join(ARTICLES[lang])})\b"


def _without(text: str, causes: Iterable[Cause]) -> str:
    for _, change in causes:
        text = change(text)
    return text


@dataclass(frozen=True, slots=True)
class Difference:
    """A question on which the scorers disagree, and the reason.

    Attributes:
        official: the official scorer's values (0 to 1 by measure); None: not counted.
        strict: the strict scorer's values.
        prediction: None if there is none; for xor-retrieve the passages.
        answers: the gold answers.
        passages: those in which the answer may occur: the question's own or the retrieved ones.
    """

    qid: str
    lang: str
    official: Values | None
    strict: Values | None
    reason: str
    prediction: Any = None
    answers: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()

    def excerpt(self, around: int = 80) -> str:
        """The passage text around a gold answer, or else around the prediction; "" without either.

        `around` is the number of characters on each side.
        """
        predicted = (self.prediction,) if isinstance(self.prediction, str) else ()
        for text in filter(None, (*self.answers, *predicted)):
            pattern = re.compile(re.escape(text), re.IGNORECASE)
            for passage in self.passages:
                if match := pattern.search(passage):
                    return _excerpt(passage, match.start() - around, match.end() + around)
        return ""


def differences(
    task: Task,
    references: Sequence[Reference],
    predictions: Mapping[str, Any],
    *,
    retrieved: Mapping[str, Sequence[str]] | None = None,
    **options: Any,
) -> list[Difference]:
    """The questions that the official and the strict scorer of a task score differently.

    Args:
        task: a task with two scorers.
        references: the questions with their gold answers.
        predictions: qid to answer; for xor-retrieve qid to passages, best first.
        retrieved: qid to passages, if neither data nor predictions have them.
        options: keyword arguments of the scorers.

    Raises:
        ConfigError: if the task has only one scorer; and as `Task.score`.
        DataError: as `Task.score`.
    """
    if len(task.scorers) < 2:
        raise ConfigError(f"{task.name} has only one scorer, '{task.default_scorer}'")
    first, second = (
        {
            (row.lang, row.qid): row.values
            for row in task.score(references, predictions, scorer=scorer, **options)
        }
        for scorer in list(task.scorers)[:2]
    )
    disagreements = []
    for row in references:
        pair = first.get((row.lang, row.qid)), second.get((row.lang, row.qid))
        if not agree(*pair):
            prediction = predictions.get(row.qid)
            reason = task.explain(row, prediction, *pair) if task.explain else ""
            passages = _passages(row, prediction, retrieved or {})
            disagreements.append(
                Difference(row.qid, row.lang, *pair, reason, prediction, row.answers, passages)
            )
    return disagreements


def _passages(
    row: Reference, prediction: Any, retrieved: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    if row.context:
        return (row.context,)
    if prediction is not None and not isinstance(prediction, str):
        return tuple(prediction)
    return tuple(retrieved.get(row.qid, ()))


def _excerpt(text: str, start: int, end: int) -> str:
    """Part of a text on one line, with an ellipsis at each cut."""
    start, end = max(0, start), min(len(text), end)
    part = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{part}{' …' if end < len(text) else ''}"
