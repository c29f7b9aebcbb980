"""Detect the language of a text among those of ISO 639-1 that py3langid knows.

py3langid scores character n-grams. Its probabilities are too low; `SHARPNESS` corrects them. It was
fitted on sentences of 56 languages from the training pairs, never on a test set.
"""

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import Notice
from ..lang import ISO_639_1, LANGUAGES, language
from .scripts import main_script, nearest_language

SHARPNESS = 2.0
"""The exponent of py3langid's probabilities."""

UNSURE = 0.7
"""Below this probability a detected language is reported as uncertain."""

_MEMBERS = {"arz": "ar", "ary": "ar", "yue": "zh", "wuu": "zh"}  # counted as their macrolanguage
_SHARED = {"Latn", "Cyrl", "Arab"}  # one language may be written in two of these


@dataclass(frozen=True, slots=True)
class Detected:
    """A detected language and the probability that it is right."""

    lang: str
    probability: float

    def __str__(self) -> str:
        return f"{language(self.lang).name} ({self.probability:.0%})"


def detect(text: str) -> Detected:
    """The likeliest language of a text, with its probability.

    A text without letters is in a language of its digits' script, else in English, with
    probability 0.
    """
    if not any(map(str.isalpha, text)):
        return Detected(nearest_language(text, LANGUAGES), 0.0)
    script = main_script(text)
    possible = _SHARED if script in _SHARED else {script}
    scores: dict[str, float] = {}
    for label, score in _identifier().rank(text):
        code = _MEMBERS.get(label, label)
        if code in ISO_639_1 and (script is None or language(code).script in possible):
            scores[code] = scores.get(code, 0.0) + score
    powers = {code: score**SHARPNESS for code, score in scores.items()}
    best = max(powers, key=lambda code: powers[code])
    total = sum(powers.values())
    return Detected(best, powers[best] / total if total else 0.0)


def detect_language(text: str) -> str:
    """The likeliest language of a text (ISO 639-1)."""
    return detect(text).lang


def question_language(text: str) -> str:
    """The detected language of a question; a `Notice` is issued if it is uncertain."""
    detected = detect(text)
    if detected.probability < UNSURE:
        warnings.warn(
            f"the question's language is uncertain; assumed {detected}; name it with lang "
            f"(--lang {detected.lang})",
            Notice,
            stacklevel=2,
        )
    return detected.lang


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
