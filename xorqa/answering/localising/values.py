"""Values of short texts, independent of language: parsed from one, written in another."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal, NamedTuple


class PartialDate(NamedTuple):
    """A Gregorian date; year, month or day may be unknown."""

    year: int | None
    month: int | None = None
    day: int | None = None


class DateRange(NamedTuple):
    """The days from one date to another; both have a year or neither has."""

    first: PartialDate
    last: PartialDate


class CalendarName(NamedTuple):
    """The name of a month (from 1) or of a weekday (from 0, Monday), by its number."""

    kind: Literal["months", "days"]
    number: int


class Quantity(NamedTuple):
    """A number in English notation ("11,680.5"), with an optional sign, scale and CLDR unit.

    `power` is the power of ten of a scale word ("1.5 million": 6); `unit` has the unit's name and
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
    """Two numbers in English notation, and the dash (or " to ") between them."""

    low: str
    dash: str
    high: str


class Counted(NamedTuple):
    """A counted noun: the number, the English nouns (singular) that it may be, a scale's power."""

    plain: str
    nouns: tuple[str, ...]
    power: int | None = None

    @property
    def quantity(self) -> Quantity:
        """The number without the noun."""
        return Quantity("", self.plain, self.power)


class Money(NamedTuple):
    """An amount, the ISO 4217 code of its currency, and whether its name may leave out the country.

    Short is "dollars" or "$", not "US dollars".
    """

    amount: Quantity
    code: str
    short: bool = False


class Spread(NamedTuple):
    """An amount that is at least `low` (in English notation): "2 to 3 weeks"."""

    low: str
    amount: Quantity | Counted


class Compound(NamedTuple):
    """Quantities that are added: "2 hours 30 minutes"."""

    parts: tuple[Quantity, ...]


Bound = Literal["about", "nearly", "over", "at least", "under", "up to", "ago"]


class Bounded(NamedTuple):
    """An amount with a bound: "about 5 km", or a time before now: "100 years ago"."""

    bound: Bound
    amount: Quantity | Counted | Money


class Fraction(NamedTuple):
    """A fraction: "two thirds" is 2, 3."""

    numerator: int
    denominator: int


class Ordinal(NamedTuple):
    """An ordinal: "third" is 3."""

    number: int


class Clock(NamedTuple):
    """A time of day (`hour` from 0 to 23); noon and midnight are `named`."""

    hour: int
    minute: int = 0
    named: bool = False


class Century(NamedTuple):
    """A century, by its number, and whether it is before Christ."""

    number: int
    bc: bool = False


class Decade(NamedTuple):
    """Ten years, by the first."""

    year: int


class EraYear(NamedTuple):
    """A year (in English notation) with its era, with "circa", or with both."""

    plain: str
    bc: bool = False
    circa: bool = False


class Season(NamedTuple):
    """A season, perhaps of a year."""

    name: Literal["spring", "summer", "autumn", "winter"]
    year: int | None = None


class YearSpan(NamedTuple):
    """From one year to another, or at some time between them."""

    first: int
    last: int
    between: bool = False


class PartOf(NamedTuple):
    """The early, middle or late part of a period."""

    part: Literal["early", "mid", "late"]
    period: Century | Decade | PartialDate


class CodedName(NamedTuple):
    """A name, by its CLDR code."""

    kind: Literal["territories", "languages", "currencies", "cities"]
    code: str


Value = (
    PartialDate
    | DateRange
    | CalendarName
    | EraYear
    | YearSpan
    | Century
    | Decade
    | Season
    | PartOf
    | Clock
    | Quantity
    | Range
    | Spread
    | Compound
    | Bounded
    | Counted
    | Money
    | Fraction
    | Ordinal
    | CodedName
)
