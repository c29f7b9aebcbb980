"""The script of a text, and its language among a few, or all of ISO 639-1 that py3langid knows.

py3langid scores character n-grams. Its probabilities are too low; `SHARPNESS` corrects them. It was
fitted on sentences of 56 languages from the training pairs, never on a test set.
"""

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import Notice
from ..lang import ISO_639_1, LANGUAGES, language
from .language_marks import (
    LIKELY,
    by_letters,
    function_words,
    is_sentence,
    without_quotes,
    words_of,
)
from .patterns import compiled

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
_WITH_KANJI = _SCRIPTS | {"Jpan": f"{_SCRIPTS['Jpan']}|{_SCRIPTS['Hans']}"}


def script_share(text: str, script: str) -> float:
    """The share of a text's letters that belong to a script; Japanese includes kanji."""
    letters = sum(map(str.isalpha, text))
    if script in _WITH_KANJI:
        in_script = re.findall(_WITH_KANJI[script], text)
    else:
        in_script = compiled(rf"\p{{Script={script}}}").findall(text)
    return sum(map(str.isalpha, in_script)) / letters if letters else 0.0


def main_script(text: str) -> str | None:
    """The script of a text among those of `LANGUAGES`; None if most letters are in none of them.

    Kana make Han characters Japanese. Latin letters count as a tenth of others, because questions
    of every script contain Latin names, unless they are the sentence, and the others its names:
    "Who is 李小龙?".
    """
    known = sum(len(re.findall(pattern, text)) for pattern in _SCRIPTS.values())
    if 2 * known < sum(map(str.isalpha, text)):
        return None
    counts = _letter_counts(text)
    script = max(counts, key=lambda name: counts[name])
    return script if counts[script] else None


def _letter_counts(text: str) -> dict[str, float]:
    """The letters of each script, weighed: see `main_script`."""
    counts = {script: float(len(re.findall(p, text))) for script, p in _SCRIPTS.items()}
    if counts["Jpan"]:
        counts["Jpan"] += counts.pop("Hans")
    words = {script: found for script in counts if (found := _words_in(text, script))}
    latin, others = words.get("Latn", []), {**words}
    others.pop("Latn", None)
    if not latin or not others:
        return counts
    rival = max(others, key=lambda script: counts[script])
    first = text.find(latin[0]) < text.find(others[rival][0])
    counts[rival if is_sentence(latin, others[rival], rival, first=first) else "Latn"] /= 10
    return counts


def nearest_language(text: str, among: Iterable[str]) -> str:
    """The likeliest of a few languages: by script, and within a script by character n-grams.

    A text in none of their scripts counts as English, or as the alphabetically first of `among`
    where English is not among them.

    Raises:
        ConfigError: if `among` names an unknown language.
    """
    scripts = {code: language(code).script for code in sorted(among)}
    counts = _letter_counts(text)
    if "Hans" not in scripts.values():  # no Chinese among them
        counts["Jpan"] += counts.pop("Hans", 0.0)
    script = max(counts, key=lambda name: counts[name])
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

    Only words in the text's script count. A text without letters is in a language of its digits'
    script, else in English, with probability 0. Languages that py3langid does not know are
    recognised by their letters, with a probability below `UNSURE`.
    """
    if not any(map(str.isalpha, text)):
        return Detected(nearest_language(text, LANGUAGES), 0.0)
    text = without_quotes(text)
    script = main_script(text)
    if indicated := by_letters(text, script):
        return Detected(*indicated)
    words = _words_in(text, script)
    ranked = _ranked(" ".join(words) or text, script)
    hits = function_words(words)
    detected = _weighed(ranked, hits)
    if script is None and script_share(text, language(detected.lang).script) < 0.5:
        return Detected(detected.lang, 0.0)
    if sum(map(len, words)) < _LONG:
        return _checked(detected, hits, words)
    return detected


def _checked(detected: Detected, hits: Mapping[str, int], words: Sequence[str]) -> Detected:
    """A short text, which is certain if its first word fits its language, and so does a further
    function word or, if it is no name, a letter beyond ASCII: romanised texts have none.
    """
    own = hits.get(detected.lang, 0)
    romanised = max((code for code in hits if "_" in code), key=lambda code: hits[code], default="")
    others = max((count for code, count in hits.items() if "_" not in code), default=0)
    if hits.get(romanised, 0) > max(1, others):
        return Detected(romanised.rstrip("_"), LIKELY)
    opens = {code for code in function_words(words[:1]) if "_" not in code}
    fits = detected.lang not in _TWINS and (not opens or detected.lang in opens)
    marked = len(words) > _NAME and not all(map(str.isascii, words))
    is_shared = language(detected.lang).script in _SHARED
    if fits and (not is_shared or marked or own >= max(1, hits.get(romanised, 0))):
        return detected
    return Detected(detected.lang, min(detected.probability, LIKELY))


def _words_in(text: str, script: str | None) -> list[str]:
    """The words that have letters of the script; kanji and kana are one."""
    if script is None:
        return words_of(text)
    return [word for word in words_of(text) if re.search(_WITH_KANJI[script], word)]


def _ranked(text: str, script: str | None) -> dict[str, float]:
    """The probability of each language in the script, by py3langid."""
    possible = _SHARED if script in _SHARED else {script}
    scores: dict[str, float] = {}
    for label, score in prepare_detection().result().rank(text):
        code = _MEMBERS.get(label, label)
        if code in ISO_639_1 and (script is None or language(code).script in possible):
            scores[code] = scores.get(code, 0.0) + score
    return scores


_RARE = 0.05  # the weight of languages with few texts, for which short ones are mistaken
_FEW_TEXTS = {
    *("an", "br", "fo", "gd", "ht", "jv", "la", "lb", "lg", "ln", "mg", "nn", "oc", "om", "qu"),
    *("rw", "se", "sn", "so", "st", "vo", "wa", "xh", "yo", "zu", "ba", "ug", "sa", "dz"),
}
_PER_WORD = 5.0  # the weight of each function word of a language
_TWINS = {"xh", "zu"}  # which share most words of a question
_NAME = 2  # words of a name at most
_MOST_WORDS = 6  # function words of a language that count
_LONG = 80  # letters, from which a text needs no function word to be certain


def _weighed(scores: Mapping[str, float], hits: Mapping[str, int]) -> Detected:
    powers = {
        code: score**SHARPNESS
        * (_RARE if code in _FEW_TEXTS else 1.0)
        * _PER_WORD ** min(_MOST_WORDS, hits.get(code, 0))
        for code, score in scores.items()
    }
    best = max(powers, key=lambda code: powers[code])
    total = sum(powers.values())
    probability = powers[best] / total if total else 0.0
    return Detected(best, probability)


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
def prepare_detection() -> Future[Any]:
    """Load py3langid's tables in a thread: the half second that unpacking takes needs no lock."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    loader = ThreadPoolExecutor(1)
    return loader.submit(LanguageIdentifier.from_model_file, MODEL_FILE, norm_probs=True)
