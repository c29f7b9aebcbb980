"""Write the catalogue's record of each data set into data.md: `python docs/data_cards.py`.

Counts, licence, permitted use and citation come from the data sets' entries. The page has a table
with a row per data set and, in the section of each, an item that begins with "**Licence**".
"""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from textwrap import fill

from xorqa.core.lang import ENGLISH
from xorqa.datasets.catalog import CATALOG, DatasetEntry, find_dataset

PAGE = Path(__file__).with_name("data.md")
HEADER = """\
| name | questions | W_i passages | W_eng passages | built from |
|---|---|---|---|---|
"""
WIDTH = 112

_TABLE = re.compile(rf"{re.escape(HEADER)}(?:\|.*\n)+")
_SECTION = re.compile(r"^### (?P<title>.+)\n(?:(?!#).*\n)*", re.MULTILINE)
_ITEMS = re.compile(r"^- \*\*Licence\*\*.*\n(?:  .*\n|- \*\*Licence\*\*.*\n)*", re.MULTILINE)


def with_cards(page: str) -> str:
    """The page with the table and the items of the present entries.

    Raises:
        ValueError: if a data set has no section.
    """
    entries = {name: find_dataset(name) for name in CATALOG}
    described: set[str] = set()

    def section(match: re.Match[str]) -> str:
        names = [name for name in entries if name in re.findall(r"[\w-]+", match["title"])]
        described.update(names)
        items = "".join(item(name if len(names) > 1 else "", entries[name]) for name in names)
        return _ITEMS.sub(lambda _: items, match[0], count=1) if names else match[0]

    rows = "".join(row(name, entry) for name, entry in entries.items())
    page = _SECTION.sub(section, _TABLE.sub(lambda _: HEADER + rows, page, count=1))
    if missing := entries.keys() - described:
        raise ValueError(f"{PAGE.name} has no section for {', '.join(sorted(missing))}")
    return page


def row(name: str, entry: DatasetEntry) -> str:
    """A data set's row of the table."""
    foreign = {lang: n for lang, n in entry.passages.items() if lang != ENGLISH}
    english = entry.passages.get(ENGLISH)
    each = "" if len(foreign) == 1 or ";" in numbers(foreign) else " per language"
    none = "none" if entry.passages else "your own" if entry.questions else "see below"
    cells = (
        f"`{name}`",
        questions(entry.questions) if entry.questions else "see below",
        numbers(foreign) + each if foreign else none,
        f"{english:,}" if english else none,
        ", ".join(entry.sources) or "the package",
    )
    return f"| {' | '.join(cells)} |\n"


def item(name: str, entry: DatasetEntry) -> str:
    """Licence, use and citation; `name` is only for sections of several data sets."""
    of = f" (`{name}`)" if name else ""
    text = f"- **Licence**{of}: {entry.license}. **Use**: {entry.use}."
    if entry.citation:
        text += f" **Citation**: {entry.citation}."
    return fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False) + "\n"


def questions(counts: Mapping[str, int]) -> str:
    """`7 languages, 24 each`, or `te, 510`."""
    each = " each" if len(counts) > 1 and len(set(counts.values())) == 1 else ""
    langs = f"{len(counts)} languages" if len(counts) > 1 else next(iter(counts))
    return f"{langs}, {numbers(counts)}{each}"


def numbers(counts: Mapping[str, int]) -> str:
    """The number of most languages and the exceptions, or else the smallest and the largest."""
    if not counts:
        return ""
    usual, languages = Counter(counts.values()).most_common(1)[0]
    if languages <= len(counts) / 2 and len(counts) > 1:
        return f"{min(counts.values()):,} to {max(counts.values()):,}"
    others = ", ".join(f"{lang} {n:,}" for lang, n in counts.items() if n != usual)
    return f"{usual:,}; {others}" if others else f"{usual:,}"


if __name__ == "__main__":
    PAGE.write_text(with_cards(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
