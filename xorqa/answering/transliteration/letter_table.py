"""How scripts write phones: the columns of letters.tsv, named by language.

"ru first" has the letters at the start of a word. Russian follows Gilyarevsky and Starostin's
practical transcription of English names. Bengali and Telugu write vowels as signs after a
consonant, and as the letters of "bn first" elsewhere; "split" has the phones of which they make
others. Japanese has a syllable for a consonant with each of five vowels ("ja a"); "ja" has the
consonant alone, and for a vowel one of the five and what follows it.
"""

from functools import cache
from pathlib import Path

from ...io.files import read_lines


@cache
def letters(column: str) -> dict[str, str]:
    """The phones that a column writes; an empty cell is left out, and ∅ stands for no letter."""
    path = Path(__file__).with_name("letters.tsv")
    header, *rows = (line.split("\t") for line in read_lines(path))
    at = header.index(column)
    return {row[0]: row[at].replace("∅", "") for row in rows if row[at]}
