"""Explain why the official and the strict scorer of answers disagree.

Each possible cause has a change to the texts that removes its effect: when full-width letters
become ordinary ones, for example, no scorer can distinguish them. Causes are tested, not guessed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import regex

from ..core.text.mecab import wakati
from ..core.text.normalize import fold
from .articles import ARTICLES
from .report import Reference
from .strict.text import CHARACTERS, PUNCTUATION
from .task import Scorer, Values

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
