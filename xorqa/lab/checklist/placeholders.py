"""The placeholders of templates: `{adj.more}`, `{colour@thing}`, `{a ? m: купил | f: купила}`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ...core.errors import DataError

AGREEMENT = "agr"
"""The column that holds a word's agreement class."""

_BRACES = re.compile(r"\{([^{}]*)\}")
_SLOT = r"(?P<slot>\w+)(?:\.(?P<form>\w+))?"
_FORM = re.compile(rf"{_SLOT}(?:@(?P<by>\w+))?")
_CHOICE = re.compile(rf"{_SLOT}\s*\?(?P<options>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Word:
    """A fill-in: its forms by column, and the text of its default column."""

    id: str
    forms: Mapping[str, str]
    text: str

    def form(self, name: str) -> str | None:
        """The value of a column; `id` is the word's id."""
        return self.id if name == "id" else self.forms.get(name)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """An expression in braces.

    `form` is empty for the default column; with `by`, the agreement of that slot selects the
    column; `options` are the texts of a choice.
    """

    source: str
    slot: str
    form: str = ""
    by: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def used(self) -> list[tuple[str, str]]:
        """The slots and columns that the placeholder uses ("" for the default column)."""
        if self.options:
            return [(self.slot, self.form or AGREEMENT)]
        if self.by:
            return [(self.slot, ""), (self.by, AGREEMENT)]
        return [(self.slot, self.form)]

    def text(self, words: Mapping[str, Word]) -> str:
        """The text for these words.

        Raises:
            DataError: naming the placeholder and the word that lacks a form.
        """
        word = words[self.slot]
        if self.options:
            value = word.form(self.form or AGREEMENT)
            known = dict(self.options)
            if value in known or "*" in known:
                return known.get(value or "", known.get("*", ""))
            raise DataError(f"placeholder {self.source}: has no text for '{value}' ('{word.id}')")
        name = self._column(words)
        text = word.form(name) if name else word.text
        if text is None:
            raise DataError(f"placeholder {self.source}: '{word.id}' has no form '{name}'")
        return text

    def _column(self, words: Mapping[str, Word]) -> str:
        if not self.by:
            return self.form
        agreement = words[self.by].form(AGREEMENT)
        return f"{self.form}_{agreement}" if self.form else str(agreement)


@lru_cache(maxsize=4096)
def parse(template: str) -> tuple[str | Placeholder, ...]:
    """Split a template into texts and placeholders, in order.

    Raises:
        DataError: naming the malformed placeholder.
    """
    parts: list[str | Placeholder] = []
    for position, piece in enumerate(_BRACES.split(template)):
        if position % 2:
            parts.append(_placeholder(piece))
        elif "{" in piece or "}" in piece:
            raise DataError(f"unbalanced brace in '{template}'")
        elif piece:
            parts.append(piece)
    return tuple(parts)


def fill(template: str, words: Mapping[str, Word]) -> str:
    """Fill the placeholders of a template.

    Raises:
        DataError: naming the placeholder that cannot be filled.
    """
    return "".join(part if isinstance(part, str) else part.text(words) for part in parse(template))


def _placeholder(inside: str) -> Placeholder:
    source = f"{{{inside}}}"
    if match := _FORM.fullmatch(inside.strip()):
        return Placeholder(source, match["slot"], match["form"] or "", match["by"] or "")
    if match := _CHOICE.fullmatch(inside.strip()):
        options = tuple(_option(option, source) for option in match["options"].split("|"))
        return Placeholder(source, match["slot"], match["form"] or "", options=options)
    raise DataError(
        f"placeholder {source}: write {{slot}}, {{slot.form}}, {{slot@other}} or "
        "{slot ? value: text | value: text}"
    )


def _option(option: str, source: str) -> tuple[str, str]:
    value, colon, text = option.partition(":")
    if not colon:
        raise DataError(f"placeholder {source}: '{option.strip()}' lacks 'value:'")
    return value.strip(), text.strip()
