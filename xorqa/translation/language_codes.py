"""How translation models name languages: by codes in their vocabularies, by a prefix, or not.

OPUS-MT models with several targets and MADLAD-400 name the target before the source; NLLB-200,
M2M-100 and mBART name the source's language and begin their output with the target's; T5 models
take a sentence such as "translate English to German: "; a model of one pair names none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from ..core.errors import ConfigError, one_of
from ..core.lang import ISO_639_1, LANGUAGES
from ..core.progress import announce

FORMS = {
    "opus": re.compile(r">>(\w+)<<"),
    "madlad": re.compile(r"<2(\w+)>"),
    "m2m": re.compile(r"__([a-z]{2,3})__"),
    "nllb": re.compile(r"([a-z]{3}_[A-Z][a-z]{3})"),
    "mbart": re.compile(r"([a-z]{2,3}_[A-Z]{2})"),
}
"""The tokens that stand for a language, by family of models."""

BEFORE_SOURCE = ("opus", "madlad")
"""The families whose target language is a token before the source."""

_MOST_LISTED = 30
_SCRIPTS = {"Kore": ("Kore", "Hang")}
_ALIASES = {"ayr": "ay", "fuv": "ff", "pbt": "ps", "quy": "qu", "nob": "no", "nb": "no"}
_ALIASES |= {"twi": "tw", "tw": "tw"}
"""What Babel's aliases lack or merge: codes of individual languages of a macrolanguage."""


@dataclass(frozen=True, slots=True)
class LanguageTokens:
    """What names the languages of a translation, "" for nothing.

    `source` is the source's code or the text before it, `target` the first token of the output.
    """

    source: str = ""
    target: str = ""


class Naming(Protocol):
    """How a model names the languages of a translation."""

    def check_target(self, to: str) -> None:
        """Raise ConfigError if the model does not translate into `to`."""

    def tokens(self, lang: str, to: str) -> LanguageTokens:
        """What names the languages. Raises ConfigError if the model lacks one of them."""


class Codes:
    """A model whose vocabulary has a token per language.

    `chosen` are the user's codes by language (`{"zh": "zho_Hant"}`); `only` is the token of the
    only target of a model whose outputs always begin with it.

    Raises:
        ConfigError: for a chosen code that the vocabulary lacks.
    """

    def __init__(
        self, model: str, form: str, tokens: Iterable[str], chosen: Mapping[str, str], only: str
    ) -> None:
        self.model, self.form, self.only = model, form, only
        self._codes = {_code(form, token): token for token in tokens}
        self._announced: set[str] = set()
        self._chosen = {lang: self._own(lang, code) for lang, code in chosen.items()}

    @property
    def languages(self) -> set[str]:
        """The languages with a code of two letters that the model has."""
        known = {_canonical(code.partition("_")[0]) for code in self._codes}
        return {lang for lang in ISO_639_1 if _canonical(lang) in known}

    def check_target(self, to: str) -> None:
        """Raise ConfigError if the model does not translate into `to`."""
        token = self._token(to)
        if self.only and token != self.only:
            raise ConfigError(
                f"[translator] {self.model} translates into {self.only} only, not into '{to}'"
            )

    def tokens(self, lang: str, to: str) -> LanguageTokens:
        """What names the languages. Raises ConfigError if the model lacks one of them."""
        self.check_target(to)
        if self.form == "opus":  # its list of languages is that of the targets
            return LanguageTokens(source=self._token(to))
        source = self._token(lang)
        if self.form == "madlad":
            return LanguageTokens(source=self._token(to))
        return LanguageTokens(source, "" if self.only else self._token(to))

    def _own(self, lang: str, code: str) -> str:
        if code in self._codes.values():
            return code
        if code not in self._codes:
            near = one_of(c for c in self._codes if c[:2] == code[:2]) or one_of(self._codes)
            raise ConfigError(
                f"[translator] codes: {self.model} has no code '{code}' for '{lang}'; it has {near}"
            )
        return self._codes[code]

    def _token(self, lang: str) -> str:
        if lang in self._chosen:
            return self._chosen[lang]
        fitting = sorted(
            (code for code in self._codes if _fits(code, lang)), key=lambda code: "_" not in code
        )
        if not fitting:
            raise ConfigError(
                f"[translator] {self.model} has no language '{lang}'; {self._listed()}"
            )
        exact = LANGUAGES[lang].flores if lang in LANGUAGES else ""
        code = exact if self.form == "nllb" and exact in fitting else fitting[0]
        if code != exact and len(fitting) > 1 and lang not in self._announced:
            self._announced.add(lang)
            others = one_of(other for other in fitting if other != code)
            announce(f"{self.model}: '{lang}' is its code {code} (set codes for {others})")
        return self._codes[code]

    def _listed(self) -> str:
        known = self.languages
        if len(known) > _MOST_LISTED:
            return f"it has {len(known)} other languages"
        return f"it has {one_of(known)}"


class TaskPrefixes:
    """A T5 model whose configuration has a prefix for each pair of languages.

    `prefixes` are those by the name of their task, such as "translation_en_to_de".
    """

    def __init__(self, model: str, prefixes: Mapping[str, str]) -> None:
        self.model, self.prefixes = model, dict(prefixes)

    def check_target(self, to: str) -> None:
        """Raise ConfigError if the model does not translate into `to`."""
        if not any(task.endswith(f"_to_{to}") for task in self.prefixes):
            raise self._lack("into", to)

    def tokens(self, lang: str, to: str) -> LanguageTokens:
        """What names the languages. Raises ConfigError if the model lacks the pair."""
        self.check_target(to)
        task = f"translation_{lang}_to_{to}"
        if task not in self.prefixes:
            raise self._lack("from", lang)
        return LanguageTokens(source=self.prefixes[task])

    def _lack(self, side: str, lang: str) -> ConfigError:
        return ConfigError(
            f"[translator] {self.model} does not translate {side} '{lang}'; its tasks: "
            f"{one_of(self.prefixes)}"
        )


class Prefix:
    """A model with a prefix of the user's, in which {source} and {target} are English names.

    Raises:
        ConfigError: if the prefix has other braces.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._filled("en", "en")

    def check_target(self, to: str) -> None:
        """Accept any language."""

    def tokens(self, lang: str, to: str) -> LanguageTokens:
        """The prefix before the source."""
        return LanguageTokens(source=self._filled(lang, to))

    def _filled(self, lang: str, to: str) -> str:
        names = {code: ISO_639_1[code].name if code in ISO_639_1 else code for code in (lang, to)}
        try:
            return self.prefix.format(source=names[lang], target=names[to])
        except (KeyError, IndexError, ValueError) as error:
            raise ConfigError(
                "[translator] prefix may have {source} and {target}, and no other braces"
            ) from error


class OnePair:
    """A model that names no languages, with its own as far as it declares them ("" if not)."""

    def __init__(self, model: str, source: str, target: str) -> None:
        self.model = model
        self.source, self.target = (_declared(code) for code in (source, target))

    def lacks_code(self, codes: Codes) -> bool:
        """Whether the declared target is none of a vocabulary's codes, which then mean nothing."""
        return bool(self.target) and self.target not in map(_canonical, codes.languages)

    def check_target(self, to: str) -> None:
        """Raise ConfigError if the model does not translate into `to`."""
        if self.target and self.target != _canonical(to):
            raise ConfigError(
                f"[translator] {self.model} translates into '{self.target}', not into '{to}'"
            )

    def tokens(self, lang: str, to: str) -> LanguageTokens:
        """Nothing. Raises ConfigError if the model lacks one of the languages."""
        self.check_target(to)
        if self.source and self.source != _canonical(lang):
            raise ConfigError(
                f"[translator] {self.model} translates from '{self.source}', not from '{lang}'"
            )
        return LanguageTokens()


def family(vocabulary: Iterable[str], forms: Iterable[str] = tuple(FORMS)) -> tuple[str, list[str]]:
    """The family of models that a vocabulary has most language tokens of, and these tokens.

    The family is "" if there are none.
    """
    vocabulary = list(vocabulary)
    found = {
        form: [token for token in vocabulary if FORMS[form].fullmatch(token)] for form in forms
    }
    form = max(found, key=lambda name: len(found[name]), default="")
    return (form, found[form]) if form and found[form] else ("", [])


def pair_in_name(name: str) -> tuple[str, str]:
    """The source and target in the name of an OPUS-MT repository; "" if it has none."""
    match = re.fullmatch(r"(?:.*/)?opus-mt(?:-tc-big|-tc-base)?-(\w+)-(\w+)", name)
    return (match[1], match[2]) if match else ("", "")


def _code(form: str, token: str) -> str:
    match = FORMS[form].fullmatch(token)
    return match[1] if match else token


def _fits(code: str, lang: str) -> bool:
    """Whether a model's code stands for a language in the script that it is usually written in."""
    base, _, rest = code.partition("_")
    if _canonical(base) != _canonical(lang):
        return False
    usual = ISO_639_1[lang].script if lang in ISO_639_1 else ""
    return len(rest) != 4 or rest in _SCRIPTS.get(usual, (usual,))


def _declared(code: str) -> str:
    """A declared language; "" for a group of languages, such as "mul" or "ROMANCE"."""
    canonical = _canonical(code)
    return canonical if canonical in ISO_639_1 else ""


@cache
def _canonical(code: str) -> str:
    """One code for all that stand for a language: "kor", "ko"; "nob", "no"; "cmn", "zho", "zh"."""
    from babel.core import get_global

    aliases = get_global("language_aliases")
    for _ in range(3):
        code = str(_ALIASES.get(code) or aliases.get(code, code)).partition("_")[0]
    return code
