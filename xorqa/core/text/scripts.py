"""The script of a text, and which of a few languages it is in."""

import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any

from ..lang import language

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
