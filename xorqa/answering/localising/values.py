"""What a short text means, whatever language it is in: read from one, written in another."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal, NamedTuple


class PartialDate(NamedTuple):
    """A Gregorian date; year, month or day may be unknown."""

    year: int | None
    month: int | None = None
    day: int | None = None


class CalendarName(NamedTuple):
    """A month (from 1) or a day of the week (from 0, Monday) by its name alone."""

    kind: Literal["months", "days"]
    number: int


class Quantity(NamedTuple):
    """A number as English writes it ("11,680.5"), and where there are: sign, scale, CLDR's unit.

    `power` is that of ten of a word of scale ("1.5 million": 6); `unit` has the unit's name and
    the length of its pattern.
    """

    sign: str
    plain: str
    power: int | None = None
    unit: tuple[str, str] | None = None

    @property
    def size(self) -> Decimal:
        """The number without its sign."""
        return Decimal(self.plain.replace(",", "")).scaleb(self.power or 0)

    @property
    def value(self) -> Decimal:
        """The number with its sign."""
        return self.size.copy_negate() if self.sign in ("-", "−") else self.size


class Range(NamedTuple):
    """Two numbers as English writes them, and the dash between."""

    low: str
    dash: str
    high: str


class Counted(NamedTuple):
    """A number of things: the singular English nouns that they may be."""

    plain: str
    nouns: tuple[str, ...]


class Money(NamedTuple):
    """An amount and the ISO 4217 code of its currency."""

    amount: Quantity
    code: str


class Century(NamedTuple):
    """A century by its number."""

    number: int


class CodedName(NamedTuple):
    """A name by CLDR's code."""

    kind: Literal["territories", "languages", "currencies", "cities"]
    code: str


Value = PartialDate | CalendarName | Quantity | Range | Counted | Money | Century | CodedName
