"""The scorer of XTREME-R's MultiCheckList, as its authors' code has it.

Ruder et al. 2021, appendix F.

Listed articles are replaced by a blank, case-sensitively, then blanks and a few marks are stripped
from both ends; what remains must be equal. Case, digits and inner blanks are kept.
"""

import re
from functools import cache

from ...core.errors import ConfigError
from .suite import Case

_WHOLE = {
    "de": "ein|eine|einen",
    "el": "Ο|ένα|μια",
    "en": "a|an|the|in|at",
    "es": "un|una|unos|unas|el|la|los|las",
    "eu": "bat",
    "fa": "یک",
    "fr": "un|une|le|la|en",
    "hu": "egy",
    "it": "un|una",
    "nl": "een",
    "pt": "um|uma",
    "tl": "Si",
    "tr": "bir",
    "vi": "một",
    "wo": "dafa",
    "yo": "kan",
}
"""Articles, and what the code treats as such, that are whole words."""
_BEGINNING = {
    "bn": "একটি|একজন",
    "hi": "एक",
    "ml": "ഒരു",
    "mr": "एक",
    "my": "တစ်ဦး",
    "pa": "ਇੱਕ|ਇਕ",
    "ta": "ஒரு",
}
"""Articles at the beginning of a word."""
_OTHER = {"af": "’n\\b", "ar": "ال"}
"""In Arabic anywhere, as in the code, whose other alternative never matches."""

_ENDS = ",. "
_MORE_ENDS = {"bn": "৷", "hi": "৷", "pa": "।", "pl": "„”", "ur": "\u200f"}


def equal(text: str, answer: str, lang: str) -> bool:
    """Whether a prediction is right."""
    return clean(text, lang) == clean(answer, lang)


def clean(text: str, lang: str) -> str:
    """A text as it is compared."""
    pattern = _articles(lang)
    without = pattern.sub(" ", text) if pattern else text
    return without.strip(_ENDS + _MORE_ENDS.get(lang, ""))


def check(case: Case) -> None:
    """Check that a case is one that the published scorer can score.

    Raises:
        ConfigError: for a case of another type than MFT, or across languages.
    """
    if case.type != "MFT" or case.context_lang not in ("", case.lang):
        raise ConfigError(
            f"case '{case.id}': the published scorer is for MFT cases in one language; use "
            "--scorer exact"
        )


@cache
def _articles(lang: str) -> re.Pattern[str] | None:
    if lang in _WHOLE:
        return re.compile(rf"\b({_WHOLE[lang]})\b")
    if lang in _BEGINNING:
        return re.compile(rf"\b({_BEGINNING[lang]})")
    return re.compile(_OTHER[lang]) if lang in _OTHER else None
