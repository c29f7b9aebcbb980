"""Cells of CSV files that a spreadsheet would run as a formula."""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?( ?%)?( \(\d+\))?", re.IGNORECASE)


def quote_cell(text: str) -> str:
    """Put an apostrophe before a text that begins with =, +, - or @; numbers stay numbers."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unquote_cell(cell: str) -> str:
    """The text of a cell that `quote_cell` or a spreadsheet wrote."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
