"""The script of a text, and its language among a few, or all of ISO 639-1 that py3langid knows.

py3langid scores character n-grams. Its probabilities are too low; `SHARPNESS` corrects them. It was
fitted on sentences of 56 languages from the training pairs, never on a test set.
"""

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from ..errors import Notice
from ..lang import ISO_639_1, LANGUAGES, language

SHARPNESS = 2.0
"""The exponent of py3langid's probabilities."""

UNSURE = 0.7
"""Below this probability a detected language is reported as uncertain."""

_MEMBERS = {"arz": "ar", "ary": "ar", "yue": "zh", "wuu": "zh"}  # counted as their macrolanguage
_SHARED = {"Latn", "Cyrl", "Arab"}  # one language may be written in two of these

_SCRIPTS = {  # the first script with most letters wins; Latin, Cyrillic and Arabic need more
    "Jpan": r"[\u3040-\u30ff\u31f0-\u31ff]",
    "Kore": r"[\uac00-\ud7af\u1100-\u11ff]",
    "Telu": r"[\u0c00-\u0c7f]",
    "Beng": r"[\u0980-\u09ff]",
    "Deva": r"[\u0900-\u097f]",
    "Taml": r"[\u0b80-\u0bff]",
    "Thai": r"[\u0e00-\u0e7f]",
    "Grek": r"[\u0370-\u03ff\u1f00-\u1fff]",
    "Hebr": r"[\u0590-\u05ff]",
    "Arab": r"[\u0600-\u06ff]",
    "Cyrl": r"[\u0400-\u04ff]",
    "Hans": r"[\u4e00-\u9fff]",
    "Latn": r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]",
}


def script_share(text: str, script: str) -> float:
    """The share of a text's letters that belong to a script; Japanese includes kanji."""
    letters = sum(char.isalpha() for char in text)
    if script not in _SCRIPTS:
        in_script = sum(map(str.isalpha, _letters(script).findall(text)))
        return in_script / letters if letters else 0.0
    pattern = _SCRIPTS[script]
    if script == "Jpan":
        pattern = f"{pattern}|{_SCRIPTS['Hans']}"
    in_script = sum(char.isalpha() for char in re.findall(pattern, text))
    return in_script / letters if letters else 0.0


@cache
def _letters(script: str) -> Any:
    """A pattern for the characters of a script (ISO 15924)."""
    return import_module("regex").compile(rf"\p{{Script={script}}}")


def main_script(text: str) -> str | None:
    """The script of a text among those of `LANGUAGES`; None if most letters are in none of them.

    Kana make Han characters Japanese. Ten Latin letters count as one of another script, because
    questions of every script contain Latin names.
    """
    counts = {s: len(re.findall(p, text)) for s, p in _SCRIPTS.items()}
    letters = sum(map(str.isalpha, text))
    if 2 * sum(counts.values()) < letters:
        return None
    if counts["Jpan"]:
        counts["Jpan"] += counts["Hans"]
    weights = {s: n / 10 if s == "Latn" else n for s, n in counts.items()}
    script = max(weights, key=lambda s: weights[s])
    return script if weights[script] else None


def nearest_language(text: str, among: Iterable[str]) -> str:
    """The likeliest of a few languages: by script, and within a script by character n-grams.

    A text in none of their scripts counts as English, or as the alphabetically first of `among`
    where English is not among them.

    Raises:
        ConfigError: if `among` names an unknown language.
    """
    scripts = {code: language(code).script for code in sorted(among)}
    counts = {s: float(len(re.findall(p, text))) for s, p in _SCRIPTS.items()}
    if counts["Jpan"] or "Hans" not in scripts.values():  # kana, or no Chinese among them
        counts["Jpan"] += counts["Hans"]
    counts["Latn"] /= 10  # questions of every script contain Latin names
    script = max(counts, key=lambda s: counts[s])
    rivals = [code for code in scripts if scripts[code] == script and counts[script]]
    if not rivals:
        return "en" if "en" in scripts else next(iter(scripts))
    if len(rivals) == 1:
        return rivals[0]
    from py3langid import rank

    return next((str(code) for code, _ in rank(text) if code in rivals), rivals[0])


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
