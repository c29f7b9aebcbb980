"""Checks of translations, and the tokens that name languages to NLLB, M2M-100 and OPUS-MT models.

Failures are reported, and their questions stay untranslated.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..core.errors import ConfigError
from ..core.lang import LANGUAGES, language
from ..core.stages import BaseTranslator, Configured
from ..core.text.detection import nearest_language, script_share
from ..core.types import Query, Question, TranslationFailure
from ..core.validation import Count

MAX_RATIO, EXTRA_CHARACTERS = 5, 100
"""An output may have at most `MAX_RATIO` times its input's characters plus `EXTRA_CHARACTERS`.

No translation of XQuAD's 1,190 questions between English and 11 languages exceeds twice its input
plus 100."""

MIN_SCRIPT_SHARE = 0.25
"""The least share of letters in the script of the language; names often stay in another script.

Of XQuAD's 1,190 questions in each of six other scripts, 5 have less, all of them Greek."""

_REFUSAL = re.compile(
    r"(i['’]?m sorry|i am sorry|sorry|i apologi[sz]e|unfortunately)?\W*(but )?"
    r"(as an ai\b|i (cannot|can['’]?t|can not|won['’]?t|am (not able|unable) to|['’]?m unable to) "
    r"(assist|help|translate|comply|provide|fulfil|answer|do that|process))",
    re.IGNORECASE,
)

OnFailure = Callable[[TranslationFailure], None]


def ignore_failure(failure: TranslationFailure) -> None:
    """The default: a failure only shows in the query's language, which is the question's."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A translation, or a problem."""

    text: str
    problem: str = ""


def check_translation(question: Question, text: str, *, to: str) -> Attempt:
    """A model's output on one line, or the reason why it is not a translation into `to`.

    Raises:
        ConfigError: if `to` is an unknown language.
    """
    text = " ".join(text.split())
    if not text:
        problem = "the output is empty"
    elif len(text) > MAX_RATIO * len(question.text) + EXTRA_CHARACTERS:
        problem = f"the output has {len(text)} characters, the question {len(question.text)}"
    elif _REFUSAL.match(text):
        problem = f"the output is a refusal: {text!r:.80}"
    elif any(map(str.isalpha, text)) and not _is_in_language(text, to, question.lang):
        problem = f"the output is not in '{to}': {text!r:.80}"
    else:
        return Attempt(text)
    return Attempt("", problem)


def _is_in_language(text: str, to: str, lang: str) -> bool:
    """Whether the text is in the script of `to`, and more likely in `to` than in `lang`."""
    if script_share(text, language(to).script) < MIN_SCRIPT_SHARE:
        return False
    return lang not in LANGUAGES or nearest_language(text, (lang, to)) == to


class CheckedTranslator(Configured, BaseTranslator, ABC):
    """A translator whose outputs may be unusable; failures are reported to `failed`."""

    failed: OnFailure

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query per question; those that fail stay in their own language.

        Questions in `to` are not translated, equal questions are translated once.

        Raises:
            XorqaError: as `check_target` and `try_translate` of the class do.
        """
        self.check_target(to)
        others = {(q.text, q.lang): q for q in questions if q.lang != to}
        attempts = self.try_translate(list(others.values()), to=to) if others else []
        by_question = dict(zip(others, attempts, strict=True))
        queries = []
        for question in questions:
            attempt = by_question.get((question.text, question.lang), Attempt(question.text))
            if attempt.problem:
                self.failed(TranslationFailure(question, attempt.problem))
                queries.append(Query(question, question.text, question.lang))
            else:
                queries.append(Query(question, attempt.text, to))
        return queries

    def check_target(self, to: str) -> None:
        """Check the language to translate into; every one is accepted."""

    @abstractmethod
    def try_translate(self, questions: Sequence[Question], *, to: str) -> list[Attempt]:
        """A translation into `to`, or a problem, for each question in another language."""


@dataclass(frozen=True, slots=True)
class LanguageTokens:
    """The first token of a model's source and of its output; "" for none."""

    source: str = ""
    target: str = ""


def language_tokens(
    lang: str, to: str, in_vocabulary: Callable[[str], bool]
) -> LanguageTokens | None:
    """The tokens for a translation from `lang` into `to`; None if the model lacks `lang`.

    NLLB and M2M-100 name both languages; OPUS-MT models with several target languages name the
    target, before the source; OPUS-MT models of one language pair name none.

    Raises:
        ConfigError: if a multilingual model lacks `to`.
    """
    target = _first_known(to, in_vocabulary)
    if not target:
        if _first_known("en", in_vocabulary):
            raise ConfigError(f"[translator] the model does not translate into '{to}'")
        return LanguageTokens()
    if target.startswith(">>"):
        return LanguageTokens(source=target)
    source = _first_known(lang, in_vocabulary)
    return LanguageTokens(source, target) if source else None


def _first_known(lang: str, in_vocabulary: Callable[[str], bool]) -> str:
    if lang not in LANGUAGES:
        return ""
    flores = LANGUAGES[lang].flores
    forms = (flores, f"__{lang}__", f">>{flores[:3]}<<", f">>{lang}<<")
    return next(filter(in_vocabulary, forms), "")


class ModelTranslator(CheckedTranslator):
    """Translates by beam search with a model that names languages with tokens of its vocabulary.

    `name` is the model's, for messages; `longest` limits the tokens of a source and of an output.
    """

    def __init__(
        self, name: str, beams: Count, longest: Count, device: str, failed: OnFailure
    ) -> None:
        self.name, self.beams, self.longest, self.device = name, beams, longest, device
        self.failed = failed

    @abstractmethod
    def generate(self, sources: Sequence[tuple[str, str]], target: str) -> list[str]:
        """The best output for each (language token, text); `target` is the outputs' first token."""

    @abstractmethod
    def in_vocabulary(self, token: str) -> bool:
        """Whether the model knows a token."""

    def check_target(self, to: str) -> None:
        """Check the language to translate into.

        Raises:
            ConfigError: if the model does not translate into `to`.
            WeightsError: if there is no such model, or it cannot be loaded.
        """
        language_tokens("en", to, self.in_vocabulary)

    def try_translate(self, questions: Sequence[Question], *, to: str) -> list[Attempt]:
        """The model's checked outputs, for questions whose language it has.

        Raises:
            ConfigError: if the model does not translate into `to`.
            WeightsError: if there is no such model, or it cannot be loaded.
        """
        attempts = [Attempt("", f"{self.name} has no language '{q.lang}'") for q in questions]
        tokens = {
            index: pair
            for index, question in enumerate(questions)
            if (pair := language_tokens(question.lang, to, self.in_vocabulary)) is not None
        }
        sources = [(pair.source, questions[index].text) for index, pair in tokens.items()]
        target = next((pair.target for pair in tokens.values()), "")
        for index, text in zip(tokens, self.generate(sources, target), strict=True):
            attempts[index] = check_translation(questions[index], text, to=to)
        return attempts
