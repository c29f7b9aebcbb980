"""Words of names as sentence pairs have them: the table attested.tsv of the localiser."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ....answering.transliteration.name_table import BUNDLED, key, read_titles
from ....answering.transliteration.transliterate import is_name
from ....io.files import write_text
from ..common.training_data import Pair
from .sentence_names import FURTHEST, FURTHEST_REPEATED, distance, form_in
from .spelling import LETTERS

_WORD = re.compile(r"[A-Za-zÀ-ÿ]{4,}")
_LONGEST = 200  # characters of a sentence in which words can be aligned by sound

Forms = dict[str, dict[str, str]]
"""The form in each language of an English word, lower-cased and without accents."""


def attested_words(pairs: Iterable[Pair]) -> Forms:
    """The most frequent form of each word that is not an ordinary one, by language.

    Questions may be lower-cased, so a word counts whatever its case.
    """
    counts: dict[tuple[str, str], Counter[str]] = {}
    for lang, text, other, english in dict.fromkeys(pairs):
        if other == "en" and lang in LETTERS and len(english) <= _LONGEST:
            for word in {match.capitalize() for match in _WORD.findall(english)}:
                if is_name(word) and (form := form_in(text, word, lang)):
                    counts.setdefault((key(word), lang), Counter())[form] += 1
    forms: Forms = {}
    for (word, lang), of_word in sorted(counts.items()):
        form, count = max(of_word.items(), key=lambda item: (item[1], item[0]))
        furthest = FURTHEST if count == 1 else FURTHEST_REPEATED
        known = (lang, word) in read_titles(BUNDLED)
        if not known and distance(form, word.capitalize(), lang) <= furthest:
            forms.setdefault(word, {})[lang] = form
    return forms


def write_words(out: Path, pairs: Iterable[Pair]) -> Counter[str]:
    """Write the table; returns the number of words per language."""
    forms, langs = attested_words(pairs), sorted(LETTERS)
    rows = ([word, *(of_word.get(lang, "") for lang in langs)] for word, of_word in forms.items())
    write_text(out, "".join("\t".join(row) + "\n" for row in (["en", *langs], *rows)))
    return Counter(lang for of_word in forms.values() for lang in of_word)
