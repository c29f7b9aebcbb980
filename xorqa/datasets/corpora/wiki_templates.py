"""The text of MediaWiki's inline templates: measures, numbers, dates, foreign words and the like.

A template is known by its name in lower case, mostly that of the English Wikipedia. Converted
measures and ages of today are not computed: `{{convert|93|m|ft}}` is "93 m". The file
`wiki_templates.toml` has those that show a parameter, or a sign.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache, partial
from pathlib import Path

from ...core.config import read_toml
from ..documents.document import raised

_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,9})?")
_MEASURED = re.compile(r"[-−+]?\d[\d.,/+]*")
_PREFIXES = ("lang-", "script/", "link-", "k-", "internal link helper/")
_GERMAN = re.compile("[a-z]{2,3}S")  # {{enS|text}}
_MOST = 50  # parameters without a name
_LONGEST = 60  # characters of a name in counts


@dataclass(frozen=True, slots=True)
class Call:
    """A template's parameters as plain text, by name; those without a name are "1", "2", ...

    `lang` is the Wikipedia's language.
    """

    parameters: Mapping[str, str]
    lang: str = "en"

    def __call__(self, name: str | int, default: str = "") -> str:
        return self.parameters.get(str(name), "") or default

    def values(self, start: int = 1) -> list[str]:
        """The parameters without a name, from a number on, without trailing empty ones."""
        found = [self(number) for number in range(start, _MOST + 1)]
        while found and not found[-1]:
            found.pop()
        return found


def renderer(name: str) -> Callable[[Call], str] | None:
    """The function that renders a template as text, or None if it is not known to carry any."""
    function, colon, argument = name.partition(":")
    if colon:
        computed = _FUNCTIONS.get(function.strip().lower())
        return partial(computed, argument.strip()) if computed else None
    key = " ".join(name.replace("_", " ").lower().split())
    if _CENTURY.fullmatch(key):  # {{XIXe siècle}}
        return lambda call: name.strip()
    if render := _templates().get(key):
        return render
    return _first if key.startswith(_PREFIXES) or _GERMAN.fullmatch(name) else None


def bare_name(name: str) -> str:
    """A template's name for counts: without the arguments of a parser function."""
    return " ".join(name.partition(":")[0].replace("_", " ").split())[:_LONGEST]


@lru_cache(10_000)
def _grouped(number: str, lang: str) -> str:
    """A number with its language's separators; other text as it is."""
    from babel.core import UnknownLocaleError
    from babel.numbers import format_decimal

    if not _NUMBER.fullmatch(number):
        return number
    pattern = "#,##0." + "0" * len(number.partition(".")[2])
    try:
        return str(format_decimal(Decimal(number), pattern.rstrip("."), locale=lang))
    except (UnknownLocaleError, ValueError):
        return number


@lru_cache(10_000)
def _day(year: str, month: str, day: str, *, lang: str, day_first: bool) -> str:
    """A date as the language writes it; what is no number stays as it is."""
    from babel.core import UnknownLocaleError
    from babel.dates import format_date

    try:
        when = date(int(year), int(month or 1), int(day or 1))
        forms = {(True, True): "long", (True, False): "LLLL y"}
        form = forms.get((bool(month), bool(day)), "")
        if lang == "en" and form == "long" and day_first:
            form = "d MMMM y"
        return str(format_date(when, form, locale=lang)) if form else year
    except (UnknownLocaleError, ValueError):
        return " ".join(filter(None, (day, month, year)))


_SUPERSCRIPT = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_JOINERS = {
    **dict.fromkeys(("-", "–", "to(-)", "&ndash;"), "–"),
    **dict.fromkeys(("to", "and", "or", "by"), ""),  # as they are, between blanks
    **{"and(-)": " and ", "x": " × ", "×": " × ", "xx": " × ", "*": " × ", "by(x)": " × "},
    **dict.fromkeys(("+/-", "±", "+"), " ± "),
}
_UNITS = {"C": "°C", "F": "°F", "sqmi": "sq mi", "impgal": "imp gal", "usgal": "US gal"}
_POWERS = {f"e{power}" for power in range(1, 13)}  # {{convert|2.5|e6|km2}}
_POWER = re.compile(r"e(\d{1,2})(\D.*)?")
_UNIT = re.compile(r"(sq|cu)?([A-Za-zµΩ°]+?)(\d)?")


def _unit(code: str) -> str:
    """The symbol of a unit of {{convert}}: `km2` is "km²", `sqft` "sq ft"."""
    if scaled := _POWER.fullmatch(code):  # e6km2
        return f"× 10{scaled[1].translate(_SUPERSCRIPT)} {_unit(scaled[2] or '')}".strip()
    match = _UNIT.fullmatch(code)
    if code in _UNITS or not match:
        return _UNITS.get(code, code)
    size, unit, power = match.groups()
    return f"{size + ' ' if size else ''}{unit}{(power or '').translate(_SUPERSCRIPT)}"


def _convert(call: Call) -> str:
    """The measure as it was given: `93|m|ft`, `5|to|10|km`, `5|ft|6|in|m`."""
    values = call.values()
    text = _grouped(values[0], call.lang) if values else ""
    at = 1
    while at < len(values):
        number = values[at + 1] if at + 1 < len(values) else ""
        if values[at] in _JOINERS and _MEASURED.fullmatch(number):
            text += (_JOINERS[values[at]] or f" {values[at]} ") + _grouped(number, call.lang)
            at += 2
            continue
        text += f" {_unit(values[at])}"
        if values[at] in _POWERS:
            at += 1
            continue
        if at + 2 >= len(values) or not _MEASURED.fullmatch(number):
            break
        text += f" {number}"  # of inches, after feet
        at += 2
    return text


def _val(call: Call) -> str:
    number = _grouped(call(1), call.lang)
    more = [call("+") or call(2), call("-") or call(3)]
    if more[1] and more[1] != more[0]:
        number += f" +{more[0]}/−{more[1].lstrip('-−')}"
    elif more[0]:
        number += f" ± {more[0]}"
    if call("e"):
        number += f" × 10{call('e').translate(_SUPERSCRIPT)}"
    unit, per = call("u") or call("ul"), call("up") or call("upl")
    unit = f" {unit}" if unit and unit not in {"%", "°"} else unit
    return f"{call('p')}{number}{unit}{'/' + per if per else ''}{call('s')}"


def _formatnum(argument: str, call: Call) -> str:
    return argument.replace(",", "") if call(1) else _grouped(argument.replace(",", ""), call.lang)


def _date(call: Call) -> str:
    """A date of its parts, year or day first; one that is written out stays as it is."""
    values = [*call.values(), "", "", ""][:3]
    if values[0].isdigit() and values[1].isdigit() and len(values[2]) > 2:  # 14|7|1789
        values.reverse()
    if not values[0].isdigit() or len(values[0]) < 3:
        return " ".join(filter(None, values))
    day_first = bool({"df", "dmy"} & {*call.parameters})
    return _day(*values[:3], lang=call.lang, day_first=day_first)


def _death_and_age(call: Call) -> str:
    """{{death date and age|DEATH Y|M|D|BIRTH Y|M|D}}: the date and the age at death."""
    age = _age(Call({str(n): call(n + 3 if n < 4 else n - 3) for n in range(1, 7)}, call.lang))
    return _date(Call({**call.parameters, **dict.fromkeys("456", "")}, call.lang)) + (
        f" (aged {age})" if age else ""
    )


def _old_style(call: Call) -> str:
    """{{OldStyleDate|22 February|1732|11 February 1731}}: of both calendars."""
    return f"{call(1)} [O.S. {call(3)}] {call(2)}" if call(3) else f"{call(1)} {call(2)}"


def _age(call: Call) -> str:
    """Years between two dates; an age of today is not known."""
    try:
        born, died = (tuple(int(call(n)) for n in range(at, at + 3)) for at in (1, 4))
    except ValueError:
        return ""
    return str(died[0] - born[0] - (died[1:] < born[1:]))


def _as_of(call: Call) -> str:
    if call("alt"):
        return call("alt")
    text = f"As of {_day(call(1), call(2), call(3), lang=call.lang, day_first=True)}"
    return text[0].lower() + text[1:] if call("lc") else text


def _years(word: str) -> Callable[[Call], str]:
    return lambda call: "–".join(f"{word} {year}" for year in call.values())


def _nihongo(call: Call) -> str:
    beside = ", ".join(filter(None, (call(2), call(3), call("extra") or call(4))))
    return f"{call(1)} ({beside})" if call(1) and beside else call(1) or beside


def _fraction(call: Call) -> str:
    values = call.values()
    if len(values) == 3:
        return f"{values[0]} {values[1]}/{values[2]}"
    return "/".join(values if len(values) == 2 else ["1", *values])


def _chinese(call: Call) -> str:
    """{{zh|c=北京|p=Běijīng}}: its forms, in the order given."""
    forms = {**call.parameters}
    for name in ("labels", "links", "first", "scase"):
        forms.pop(name, None)
    return "; ".join(dict.fromkeys(filter(None, forms.values())))


def _height(call: Call) -> str:
    units = [("m", "m"), ("cm", "cm"), ("ft", "ft"), ("in", "in")]
    return " ".join(f"{call(name)} {unit}" for name, unit in units if call(name)) or call(1)


def _measure(call: Call) -> str:
    """The French {{unité|105|km|2}}: a number, and units each with its power."""
    values = call.values()
    text = values[0] if values else ""
    for unit, power in zip(values[1::2], [*values[2::2], ""], strict=False):
        text += f" {unit}{power.translate(_SUPERSCRIPT)}"
    return text


def _around(form: str) -> Callable[[Call], str]:
    """`$…` around the first parameter; nothing without it."""
    return lambda call: form.replace("…", call(1)) if call(1) else ""


def _coordinates(call: Call) -> str:
    """`65|1|N|25|28|E` as 65°1′N 25°28′E, unless they are shown beside the title only."""
    if call("display") in {"title", "t"}:
        return ""
    parts, signs = list[str](), iter("°′″")
    values = call.values()
    if not {"N", "S"} & {*values}:
        return ", ".join(values[:2])
    for value in values:
        if value in {"N", "S", "E", "W"}:
            parts.append(f"{value} ")
            signs = iter("°′″")
        elif _NUMBER.fullmatch(value):
            parts.append(value + next(signs, ""))
    return "".join(parts).strip()


def _centuries(call: Call, after: str) -> str:
    """The French {{sp-|XV|e|ou|XVI|e}}: numerals, each with its ending, and words between them."""
    words: list[str] = []
    for value in call.values() if call.lang == "fr" else ():
        if value in {"e", "er", "re"} and words:
            words[-1] += value
        else:
            words.append(value)
    return f"{' '.join(words)}{after}" if words else ""


def _first(call: Call) -> str:
    return call(1) or call("text") or call("quote")


def _second(call: Call) -> str:
    return call(2) or call("text") or call("texte")


def _last(call: Call) -> str:
    return (call.values() or [""])[-1]


def _joined(separator: str) -> Callable[[Call], str]:
    return lambda call: separator.join(filter(None, call.values()))


def _sign(text: str) -> Callable[[Call], str]:
    return lambda call: text


def _ordinal(call: Call) -> str:
    number = call(1)
    teen = number[-2:-1] == "1"
    return number + ("th" if teen else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1:], "th"))


_CENTURY = re.compile(r"-?[ivxlc]+(er|e) (siècle|millénaire)s?( (av|apr)\. j\.-c\.)?|\d+(er|re|e)")
_FUNCTIONS: dict[str, Callable[[str, Call], str]] = {
    "formatnum": _formatnum,
    "lc": lambda text, call: text.lower(),
    "uc": lambda text, call: text.upper(),
    "lcfirst": lambda text, call: text[:1].lower() + text[1:],
    "ucfirst": lambda text, call: text[:1].upper() + text[1:],
    "#dateformat": lambda text, call: text,
}
_SHOWN: dict[str, Callable[[Call], str]] = {
    "first": _first,
    "second": _second,
    "last": _last,
    "all": _joined(""),
    "words": _joined(" "),
    "commas": _joined(", "),
    "lists": _joined("; "),
    "raised": lambda call: raised(call(1)),
    "convert": _convert,
    "number": lambda call: _grouped(call(1), call.lang),
    "fraction": _fraction,
    "date": _date,
    "chinese": _chinese,
    "ordinal": _ordinal,
    "measure": _measure,
}
_BEFORE = {"a": " a. C.", "d": ""}
_NAMES: list[tuple[Callable[[Call], str], str]] = [
    (_val, "val"),
    (lambda call: f"×10{call(1).translate(_SUPERSCRIPT)}" if call(1) else "e", "e"),
    (_height, "height"),
    (_coordinates, "coord"),
    (_death_and_age, "death_date_and_age dda"),
    (_old_style, "oldstyledate oldstyledatedy"),
    (_as_of, "as_of asof"),
    (_age, "age age_in_years"),
    (_years("c."), "circa c. ca."),
    (_years("fl."), "floruit fl."),
    (lambda call: f"r. {'–'.join(call.values())}", "reign r."),
    (lambda call: f"{call(1)}{call(2)}－{call(3)}{call(4)}".strip("－"), "bd"),
    (_nihongo, "nihongo japonais"),
    (lambda call: " / ".join(filter(None, (call(3), call(2)))), "nihongo3"),
    (lambda call: f"{call(2)} ({call(3)}, {call(1)})", "nihongo_krt"),
    (lambda call: call(4) or call(3), "tsl translink"),
    (lambda call: f"{call(1)}({call(2)})" if call(2) else call(1), "한자"),
    (lambda call: call(1) and f"{call(1)} (m. {'; '.join(call.values(2))})", "marriage"),
    (lambda call: f"{call(1)}-class {call(2)}".strip(), "sclass sclass2"),
    (lambda call: {"flat": "♭", "sharp": "♯", "natural": "♮"}.get(call(1), ""), "music"),
    (lambda call: _centuries(call, " siècle"), "s- s2- sp- s mini- msp-"),
    (lambda call: _centuries(call, " siècle av. J.-C."), "-s- -sp- -s -s2-"),
    (lambda call: f"{call(1)} h {call(2)}".strip(), "heure"),
    (lambda call: ("siglo " if call(3) else "") + call(1) + _BEFORE.get(call(2), ""), "siglo"),
]


@cache
def _templates() -> dict[str, Callable[[Call], str]]:
    """The function that renders each template, by its name in lower case."""
    table = read_toml(Path(__file__).with_suffix(".toml"))
    rows = [*_NAMES, *((_SHOWN[kind], names) for kind, names in table["shown"].items())]
    rows += [(_around(form), names) for form, names in table["around"].items()]
    rows += [(_sign(text), names) for text, names in table["signs"].items()]
    return {name.replace("_", " "): render for render, names in rows for name in names.split()}
