"""What translation models call languages: FLORES-200 (NLLB), M2M-100 and OPUS-MT codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..core.errors import ConfigError
from ..core.types import Question
from .guard import Attempt, check

FLORES = {
    "ar": "arb_Arab", "bn": "ben_Beng", "de": "deu_Latn", "el": "ell_Grek", "en": "eng_Latn",
    "es": "spa_Latn", "fa": "pes_Arab", "fi": "fin_Latn", "fr": "fra_Latn", "he": "heb_Hebr",
    "hi": "hin_Deva", "id": "ind_Latn", "it": "ita_Latn", "ja": "jpn_Jpan", "ko": "kor_Hang",
    "nl": "nld_Latn", "pt": "por_Latn", "ro": "ron_Latn", "ru": "rus_Cyrl", "sv": "swe_Latn",
    "sw": "swh_Latn", "ta": "tam_Taml", "te": "tel_Telu", "th": "tha_Thai", "tr": "tur_Latn",
    "uk": "ukr_Cyrl", "ur": "urd_Arab", "vi": "vie_Latn", "zh": "zho_Hans",
}  # fmt: skip
"""ISO 639-1 to the codes of FLORES-200 (NLLB Team 2022, table 1)."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Tokens a model wants to see: first in its source, and first in its output; "" for none."""

    source: str = ""
    target: str = ""


def marks(lang: str, to: str, knows: Callable[[str], bool]) -> Marks | None:
    """The marks for a translation from `lang` into `to`; None if the model has no `lang`.

    `knows` says whether a token is in the model's vocabulary. NLLB and M2M-100 name both
    languages, OPUS-MT models into several languages the target (before the source), and
    those of one pair none.

    Raises:
        ConfigError: if a model of many languages has no `to`.
    """
    target = _first(to, knows)
    if not target:
        if _first("en", knows):
            raise ConfigError(f"[translator] the model does not translate into '{to}'")
        return Marks()
    if target.startswith(">>"):
        return Marks(source=target)
    source = _first(lang, knows)
    return Marks(source, target) if source else None


def _first(lang: str, knows: Callable[[str], bool]) -> str:
    flores = FLORES.get(lang, "")
    forms = (flores, f"__{lang}__", f">>{flores[:3]}<<", f">>{lang}<<") if flores else ()
    return next(filter(knows, forms), "")


def attempts(
    questions: Sequence[Question],
    generate: Callable[[Sequence[tuple[str, str]], str], Sequence[str]],
    *,
    to: str,
    knows: Callable[[str], bool],
    name: str,
) -> list[Attempt]:
    """What a model called `name` makes of questions, checked.

    `generate` gets the marks and texts of those in languages the model has, and the target's
    mark.
    """
    made = [Attempt("", f"{name} has no language '{question.lang}'") for question in questions]
    found = {
        at: mark
        for at, question in enumerate(questions)
        if (mark := marks(question.lang, to, knows)) is not None
    }
    sources = [(mark.source, questions[at].text) for at, mark in found.items()]
    target = next((mark.target for mark in found.values()), "")
    for at, text in zip(found, generate(sources, target), strict=True):
        made[at] = check(questions[at], text, to=to)
    return made
