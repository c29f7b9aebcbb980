"""Localise answers by rule: parse a short text in one language, and write its value in another.

Patterns and names come from the Unicode CLDR (UTS #35). English has its own parsing rules; other
languages are parsed by inverting CLDR's patterns (`dates`, `source_numbers`, `names`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.lang import LANGUAGES, cldr_locale, cldr_version
from ...core.stages import BaseLocaliser, Configured
from ...core.types import Answer, Candidate, Question
from ...io.files import digest
from . import amounts, date_ranges, dates, names, numbers, periods, source_numbers, values
from .cldr import written
from .english_words import with_digits, without_indian_units
from .han_numerals import with_digits as with_han_digits

if TYPE_CHECKING:
    from babel import Locale

TextLocaliser = Callable[[str, str, str], tuple[str, str] | None]
"""From a text, the target language and its own to the result and `Answer.method`, or None."""


class NoLocalisation(Configured, BaseLocaliser):
    """Return every candidate unchanged.

    Example:
        >>> from xorqa import Candidate, CandidateScores, Hit, Passage, Question, Span
        >>> from xorqa import NoLocalisation
        >>> question = Question("q", "아이다는 언제 초연되었나요?", "ko")
        >>> hit = Hit(Passage("aida", "Aida opened in Cairo on 24 December 1871."), 1.0)
        >>> candidate = Candidate(hit, 0, Span(24, 40), CandidateScores(-0.1, -0.2))
        >>> [[answer]] = NoLocalisation().localise([question], [[candidate]])
        >>> answer.text, answer.method
        ('24 December 1871', 'copied')
    """

    version: int = 1

    def fingerprint(self) -> str:
        return digest("none")

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer per candidate: "span" in the question's language, else "copied"."""
        return localise_all(questions, candidates, lambda text, lang, source: None)


class CldrLocaliser(Configured, BaseLocaliser):
    """Localise dates, numbers and names of any language by rule, with data of the Unicode CLDR.

    Texts without a rule stay unchanged ("copied"), and so do ambiguous texts such as "4/5/2010",
    and all texts from or into a language that Babel lacks. From and into languages that
    `lang.LANGUAGES` lacks, only names of territories, languages, currencies and cities are
    localised, and dates from one of `LANGUAGES` into any.

    Example:
        >>> from xorqa import Candidate, CandidateScores, Hit, Passage, Question, Span
        >>> from xorqa import CldrLocaliser
        >>> question = Question("q", "아이다는 언제 초연되었나요?", "ko")
        >>> hit = Hit(Passage("aida", "Aida opened in Cairo on 24 December 1871."), 1.0)
        >>> candidate = Candidate(hit, 0, Span(24, 40), CandidateScores(-0.1, -0.2))
        >>> [[answer]] = CldrLocaliser().localise([question], [[candidate]])
        >>> answer.text, answer.method
        ('1871년 12월 24일', 'rule:date')
    """

    version: int = 6

    def fingerprint(self) -> str:
        return digest("cldr", cldr_version())

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer per candidate, in the same order, with the candidate's score."""
        return localise_all(questions, candidates, apply_rules)


def localise_all(
    questions: Sequence[Question],
    candidates: Sequence[Sequence[Candidate]],
    localise: TextLocaliser,
) -> list[list[Answer]]:
    """One answer per candidate, localised by `localise` from the candidate's language.

    Texts that it cannot localise are copied.
    """
    return [
        [_answer(question.lang, candidate, localise) for candidate in row]
        for question, row in zip(questions, candidates, strict=True)
    ]


def _answer(lang: str, candidate: Candidate, localise: TextLocaliser) -> Answer:
    if candidate.lang == lang:
        method = "generated" if candidate.generated else "span"
        return Answer(candidate.text, lang, candidate.score, method, candidate)
    if localised := localise(candidate.text, lang, candidate.lang):
        text, method = localised
        return Answer(text, lang, candidate.score, method, candidate)
    return Answer(candidate.text, candidate.lang, candidate.score, "copied", candidate)


_LONGEST = 80  # characters; no text that a rule can parse is longer

ENGLISH: tuple[tuple[str, Callable[[str], values.Value | None]], ...] = (
    ("rule:date", dates.read_english_date),
    ("rule:date", dates.read_english_name),
    ("rule:date", date_ranges.read_english_date_range),
    ("rule:date", periods.read_english_era_year),
    ("rule:date", periods.read_english_span),
    ("rule:date", periods.read_english_season),
    ("rule:date", periods.read_english_decade),
    ("rule:date", dates.read_english_time),
    ("rule:number", numbers.read_english),
    ("rule:number", amounts.read_english_spread),
    ("rule:number", amounts.read_english_compound),
    ("rule:number", amounts.read_english_count),
    ("rule:money", amounts.read_english_money),
    ("rule:number", amounts.read_english_bounded),
    ("rule:century", periods.read_english_century),
    ("rule:date", periods.read_english_part),
    ("rule:number", numbers.read_english_fraction),
    ("rule:number", numbers.read_english_ordinal),
)
"""`Answer.method` and what reads an English text; the first that can be written is used."""

OTHERS: tuple[tuple[str, Callable[[str, str], values.Value | None]], ...] = (
    ("rule:date", dates.read_date),
    ("rule:date", dates.read_name),
    ("rule:number", source_numbers.read_number),
    ("rule:number", source_numbers.read_count),
    ("rule:money", source_numbers.read_money),
    ("rule:century", source_numbers.read_century),
    ("rule:date", source_numbers.read_decade),
    ("rule:date", source_numbers.read_bc_year),
    ("rule:date", source_numbers.read_circa_year),
    ("rule:number", source_numbers.read_bounded),
)
"""Likewise for the other languages."""

NAMES: tuple[tuple[str, Callable[[str, str], values.Value | None]], ...] = (
    ("rule:territory", names.read_territory),
    ("rule:language", names.read_language),
    ("rule:currency", names.read_currency),
    ("rule:city", names.read_city),
)
"""Likewise for the names of all languages."""


_HAN = ("ja", "zh")  # languages with numbers in Chinese characters

_BY_CLDR_ALONE = (values.PartialDate, values.DateRange, values.CalendarName, values.CodedName)
"""What is written in every language of the CLDR; other values need rules and tables of ours."""


def apply_rules(text: str, lang: str, source: str = "en") -> tuple[str, str] | None:
    """A text in language `source` written in `lang`, and the name of the rule; None without one."""
    short = " ".join(text.split()).rstrip(",.;:،。") if len(text) <= _LONGEST else ""
    to = cldr_locale(lang)
    if to is None or not short or cldr_locale(source) is None:
        return None
    if digits := dates.read_iso(short):
        return written(digits, to), "rule:date"
    results = (
        (answer, method)
        for method, value in read(short, source)
        if (lang in LANGUAGES or isinstance(value, _BY_CLDR_ALONE)) and (answer := write(value, to))
    )
    return next(results, None)


def read(text: str, lang: str) -> Iterator[tuple[str, values.Value]]:
    """The rules that can parse a text in a language, and the resulting values."""
    named = text
    parsed: Iterator[tuple[str, values.Value | None]] = iter(())
    if lang == "en":
        text = without_indian_units(text)
        digits = with_digits(text)
        parsed = ((method, parse(digits) or parse(text)) for method, parse in ENGLISH)
    elif lang in LANGUAGES:
        digits = with_han_digits(text, lang) if lang in _HAN else text
        parsed = (
            (method, parse_other(digits, lang) or parse_other(text, lang))
            for method, parse_other in OTHERS
        )
    yield from ((method, value) for method, value in parsed if value is not None)
    for method, parse_name in NAMES:
        if (name := parse_name(named, lang)) is not None:
            yield method, name


_WRITERS: Mapping[type, Callable[[Any, Locale], str | None]] = {
    values.PartialDate: dates.write_date,
    values.DateRange: date_ranges.write_date_range,
    values.CalendarName: dates.write_name,
    values.Quantity: numbers.write_quantity,
    values.Range: numbers.write_range,
    values.Spread: amounts.write_spread,
    values.Compound: amounts.write_compound,
    values.Bounded: amounts.write_bounded,
    values.Counted: amounts.write_count,
    values.Money: amounts.write_money,
    values.Fraction: numbers.write_fraction,
    values.Ordinal: numbers.write_ordinal,
    values.Century: periods.write_century,
    values.Decade: periods.write_decade,
    values.EraYear: periods.write_era_year,
    values.YearSpan: periods.write_span,
    values.Season: periods.write_season,
    values.PartOf: periods.write_part,
    values.Clock: dates.write_time,
    values.CodedName: names.write,
}


def write(value: values.Value, to: Locale) -> str | None:
    """Write a value in the language of a locale; None if there is no pattern or name for it."""
    return _WRITERS[type(value)](value, to)
