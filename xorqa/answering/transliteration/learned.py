"""Transliterate names with trained weights; uncertain ones are left to the rules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from ...models.adapters import shipped
from ...models.transliterator import TransliteratorModel
from .transliterate import TABLES, is_name, needs_sounds, parts_of, spell

BUNDLED_MODEL = "transliterator"
BEAMS = 4


class LearnedTransliterator:
    """The names that a model is sure enough of, by the thresholds fitted after its training.

    `model` is a shipped transliterator's name or a file.

    Raises:
        WeightsError: if there is no such file, or it is not a transliterator's.
    """

    def __init__(self, model: str) -> None:
        self.model = TransliteratorModel(model)
        self._spelled: dict[tuple[str, str], str | None] = {}

    @cached_property
    def sha(self) -> str:
        """The hash that identifies the weights."""
        return self.model.adapter.sha

    def transliterate(self, text: str, lang: str) -> str | None:
        """A name in the script of `lang`; None if it is not a name or the rules suffice."""
        self.prepare([text], lang)
        return self._spelled.get((lang, text))

    def prepare(self, texts: Iterable[str], lang: str) -> None:
        """Transliterate names in one batch, so that `transliterate` only looks them up."""
        if lang not in self.model.alphabet.langs:
            return
        new = [
            text
            for text in dict.fromkeys(texts)
            if (lang, text) not in self._spelled
            and is_name(text)
            and needs_sounds(text, lang, tables=TABLES)
        ]
        plain = [" ".join(parts_of(text)) for text in new]
        threshold = self.model.thresholds.get(lang, 0.0)
        ranked = self.model.transliterate(plain, lang, beams=BEAMS) if plain else []
        for text, candidates in zip(new, ranked, strict=True):
            count = len(parts_of(text))
            fitting = [one for one in candidates if len(one.text.split()) == count]
            if fitting and fitting[0].probability >= threshold:
                learned = fitting[0].text.split()
                self._spelled[lang, text] = spell(text, lang, learned, tables=TABLES)
            else:
                self._spelled[lang, text] = None


def open_learned(model: str | None) -> LearnedTransliterator | None:
    """The transliterator of a setting: "bundled" is ours if it is shipped; None is none.

    Raises:
        WeightsError: if there is no such file, or it is not a transliterator's.
    """
    if model == "bundled":
        model = BUNDLED_MODEL if BUNDLED_MODEL in shipped() else None
    return LearnedTransliterator(model) if model else None
