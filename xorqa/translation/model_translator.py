"""What translators by a sequence-to-sequence model share, whichever library computes it."""

import warnings
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from ..core.errors import Notice
from ..core.progress import announce
from ..core.types import Query, Question
from ..core.validation import Count
from .checks import Attempt, CheckedTranslator, OnFailure, check_translation
from .language_codes import Naming, Prefix


class ModelTranslator(CheckedTranslator):
    """Translates by beam search with a model that has its own way to name languages.

    `name` is the model's, for messages; `longest` limits the tokens of a source and of an output.
    `codes` are the model's codes by language, where another than the usual one is meant
    (`{"zh": "zho_Hant"}`); `prefix` is put before each source instead of any code.
    """

    def __init__(
        self,
        name: str,
        beams: Count,
        longest: Count,
        codes: Mapping[str, str] | None,
        prefix: str | None,
        device: str,
        failed: OnFailure,
    ) -> None:
        self.name, self.beams, self.longest, self.device = name, beams, longest, device
        self.codes, self.prefix = dict(codes or {}), prefix
        self.failed = failed
        self._has_warned = False
        if prefix is not None:
            Prefix(prefix)  # raises

    @cached_property
    def naming(self) -> Naming:
        """How the model names languages."""
        return self.own_naming() if self.prefix is None else Prefix(self.prefix)

    @abstractmethod
    def own_naming(self) -> Naming:
        """How the model names languages if no prefix is given.

        Raises:
            ConfigError: if its files do not say it, or it lacks a code of `codes`.
        """

    @abstractmethod
    def generate(self, sources: Sequence[tuple[str, str]], target: str) -> list[str]:
        """The best output for each (what names the languages, text).

        `target` is the outputs' first token, "" for none.
        """

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query per question; those that fail stay in their own language.

        Raises:
            ConfigError: if the model does not translate into `to`, or lacks the language of a
                question; nothing has been translated then.
            WeightsError: if there is no such model, or it cannot be loaded.
        """
        self.check_languages({question.lang for question in questions}, to=to)
        return super().translate(questions, to=to)

    def check_languages(self, langs: Collection[str], *, to: str) -> None:
        """Raise ConfigError if the model lacks `to` or one of the languages."""
        self.naming.check_target(to)
        for lang in sorted({*langs} - {to}):
            self.naming.tokens(lang, to)

    def try_translate(self, questions: Sequence[Question], *, to: str) -> list[Attempt]:
        """The model's checked outputs. Raises as `translate` does."""
        tokens = [self.naming.tokens(question.lang, to) for question in questions]
        sources = [(pair.source, q.text) for pair, q in zip(tokens, questions, strict=True)]
        [target] = {pair.target for pair in tokens} or {""}
        outputs = self.generate(sources, target)
        return [
            check_translation(question, text, to=to)
            for question, text in zip(questions, outputs, strict=True)
        ]

    def report_cut(self) -> None:
        """Warn once that a question is longer than `longest`."""
        if not self._has_warned:
            self._has_warned = True
            message = f"{self.name} reads only the first {self.longest} tokens of a question"
            warnings.warn(f"{message}; set `longest` to read more", Notice, stacklevel=2)

    def report_beams(self, own: int | None) -> None:
        """Announce that the model comes with another number of beams."""
        if own not in (None, self.beams):
            announce(f"{self.name}: beams = {self.beams} instead of {own}")
