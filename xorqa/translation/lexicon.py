"""Word-by-word translation with dictionaries, titles and CLDR names, and transliteration.

Dictionaries come from files and from the Unicode CLDR.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import DataError
from ..core.lang import LANGUAGES, cldr_version, language, locale
from ..core.named import require
from ..core.stages import BaseTranslator, Configured
from ..core.types import Query, Question
from ..io.files import digest, read_lines, sha256

if TYPE_CHECKING:
    from babel import Locale

MAX_PHRASE = 60  # characters

_PAIR = re.compile(r"\.([a-z]{2})-([a-z]{2})$")
_NOWHERE = {"QO", "XA", "XB", "ZZ"}  # remaining areas and test locales
_PARENTHESES = re.compile(r"\s*[(（].*?[)）]")


class LexiconTranslator(Configured, BaseTranslator):
    """Looks up phrases, longest match first; unknown words are transliterated.

    `files` are dictionaries (see `files_of`), earlier ones first; CLDR names come
    last. It is a baseline, and a way to preserve names: word order and endings are not changed,
    and unknown words keep their script if the target's is not Latin.

    Example:
        >>> from xorqa import LexiconTranslator, Question
        >>> question = Question("q", "Missä Saksa on?", "fi")
        >>> [query] = LexiconTranslator().translate([question], to="en")
        >>> query.text
        'Missa Germany on?'
    """

    version = 1

    def __init__(self, *, files: Sequence[str] = (), cldr: bool = True) -> None:
        self.files, self.cldr = tuple(files), cldr
        self._phrases = cache(self._read)

    def fingerprint(self) -> str:
        """A hash of the dictionaries and of the versions of Babel and anyascii."""
        files = [sha256(path) for name in self.files for path in files_of(name)]
        require("anyascii", extra="mt")
        versions = cldr_version() if self.cldr else "", version("anyascii")
        return digest("lexicon", files, *versions)

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query per question; questions already in `to` stay unchanged.

        Raises:
            DataError: if a dictionary cannot be read.
            ConfigError: if `to` is an unknown language.
        """
        translate = partial(self._translate, to=to, latin=language(to).script == "Latn")
        return [
            Query(question, question.text if question.lang == to else translate(question), to)
            for question in questions
        ]

    def _translate(self, question: Question, *, to: str, latin: bool) -> str:
        phrases = self._phrases(question.lang, to)
        text = ""
        for piece, known in split_phrases(" ".join(question.text.split()), phrases, question.lang):
            target = phrases[key(piece)] if known else _latin(piece) if latin else piece
            adjacent = text[-1:].isalnum() and target[:1].isalnum()
            text += f" {target}" if adjacent else target
        return " ".join(text.split()) or question.text

    def _read(self, lang: str, to: str) -> dict[str, str]:
        """All phrases of a language, with case-folded keys."""
        phrases = cldr_names(lang, to) if self.cldr else {}
        for name in reversed(self.files):
            phrases |= read_dictionary(name, lang, to)
        return phrases


def split_phrases(text: str, phrases: Mapping[str, str], lang: str) -> list[tuple[str, bool]]:
    """The text's pieces: known phrases (longest match first, True) and the text between them.

    In languages written with spaces a match begins and ends at a word boundary; in Korean, whose
    words take endings, it only begins at one.
    """
    spaced = lang not in LANGUAGES or LANGUAGES[lang].spaced
    pieces: list[tuple[str, bool]] = []
    start = offset = 0
    while offset < len(text):
        begins = not spaced or offset == 0 or not _in_word(text[offset - 1])
        end = _match(text, offset, phrases, whole=spaced and lang != "ko") if begins else 0
        if end:
            pieces += [(text[start:offset], False), (text[offset:end], True)]
            start = offset = end
        else:
            offset += 1
    return [piece for piece in [*pieces, (text[start:], False)] if piece[0]]


def _match(text: str, start: int, phrases: Mapping[str, str], *, whole: bool) -> int:
    """The end of the longest known phrase that begins at `start`; 0 if there is none."""
    for end in range(min(len(text), start + MAX_PHRASE), start, -1):
        inside = whole and end < len(text) and _in_word(text[end])
        if not inside and text[start:end].casefold() in phrases:
            return end
    return 0


def _in_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN" or char in "\u200c\u200d"


def _latin(text: str) -> str:
    return str(require("anyascii", extra="mt").anyascii(text))


def files_of(name: str) -> list[Path]:
    """The files of a dictionary.

    A name that ends in two languages (`dict.bn-en`) is a pair of files with parallel lines
    (`dict.bn-en.bn` and `dict.bn-en.en`); any other is a TSV file.
    """
    path = Path(name).expanduser()
    pair = _PAIR.search(path.name)
    return [path.with_name(f"{path.name}.{lang}") for lang in pair.groups()] if pair else [path]


def read_dictionary(name: str, lang: str, to: str) -> dict[str, str]:
    """Case-folded phrases of `lang`, with their most frequent translation in the file.

    A TSV file has four columns: language, phrase, language, phrase; either side may be `lang`.

    Raises:
        DataError: naming a line without four columns; or if a pair's lengths differ.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for first, source, second, target in _rows(name):
        for langs, phrase, translation in (
            ((first, second), source, target),
            ((second, first), target, source),
        ):
            if langs == (lang, to) and phrase.strip() and translation.strip():
                counts[key(phrase)][translation.strip()] += 1
    return {phrase: others.most_common(1)[0][0] for phrase, others in counts.items()}


def cldr_names(lang: str, to: str) -> dict[str, str]:
    """Case-folded names of countries, languages, months and days in `lang`, with translations.

    Empty if Babel lacks one of the languages.
    """
    source, target = locale(lang), locale(to)
    if source is None or target is None:
        return {}
    names: dict[str, str] = {}
    names_in, names_out = _names(source), _names(target)
    for code in sorted(names_in.keys() & names_out.keys()):
        name = _PARENTHESES.sub("", names_out[code])
        names.setdefault(key(names_in[code]), name)
        names.setdefault(key(_PARENTHESES.sub("", names_in[code])), name)
    return names


def key(phrase: str) -> str:
    """A phrase's look-up form."""
    return " ".join(phrase.split()).casefold()


def _rows(name: str) -> Iterator[tuple[str, str, str, str]]:
    """Language, phrase, language, phrase."""
    files = files_of(name)
    pair = _PAIR.search(name)
    if pair:
        first, second = map(read_lines, files)
        if len(first) != len(second):
            raise DataError(f"{files[0]} has {len(first)} lines, and {files[1]} has {len(second)}")
        for source, target in zip(first, second, strict=True):
            yield pair[1], source, pair[2], target
        return
    for number, line in enumerate(read_lines(files[0]), 1):
        columns = line.split("\t")
        if len(columns) != 4:
            raise DataError(
                f"{files[0]}, line {number}: needs four columns (language, phrase, language, "
                f"phrase), not {len(columns)}"
            )
        yield columns[0], columns[1], columns[2], columns[3]


def _names(of: Locale) -> dict[tuple[str, str], str]:
    """Names by kind and code; if kinds share a name, the alphabetically first kind wins."""
    kinds = {
        "1 territory": {c: n for c, n in of.territories.items() if c not in _NOWHERE},
        "2 language": {c: n for c, n in of.languages.items() if len(c) == 2},
        "3 month": of.months["format"]["wide"],
        "4 day": of.days["format"]["wide"],
    }
    return {
        (kind, str(code)): name for kind, by_code in kinds.items() for code, name in by_code.items()
    }
