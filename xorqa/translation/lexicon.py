"""Word-by-word translation with dictionaries, titles and CLDR names, and transliteration."""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, partial

from ..core.lang import LANGUAGES, cldr_version, language
from ..core.lazy import require
from ..core.stages import BaseTranslator, Configured
from ..core.types import Query, Question
from ..io.files import digest, sha256
from .dictionaries import cldr_names, files_of, key, read_dictionary

MAX_PHRASE = 60  # characters


class LexiconTranslator(Configured, BaseTranslator):
    """Looks up phrases, longest match first; unknown words are transliterated.

    `files` are dictionaries (see `dictionaries.files_of`), earlier ones first; CLDR names come
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
        return digest("lexicon", files, cldr_version() if self.cldr else "", _latin_version())

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
    start = at = 0
    while at < len(text):
        begins = not spaced or at == 0 or not _in_word(text[at - 1])
        end = _match(text, at, phrases, whole=spaced and lang != "ko") if begins else 0
        if end:
            pieces += [(text[start:at], False), (text[at:end], True)]
            start = at = end
        else:
            at += 1
    return [piece for piece in [*pieces, (text[start:], False)] if piece[0]]


def _match(text: str, at: int, phrases: Mapping[str, str], *, whole: bool) -> int:
    """The end of the longest known phrase that begins at `at`; 0 if there is none."""
    for end in range(min(len(text), at + MAX_PHRASE), at, -1):
        inside = whole and end < len(text) and _in_word(text[end])
        if not inside and text[at:end].casefold() in phrases:
            return end
    return 0


def _in_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN" or char in "\u200c\u200d"


def _latin(text: str) -> str:
    return str(require("anyascii", extra="mt").anyascii(text))


def _latin_version() -> str:
    from importlib.metadata import version

    require("anyascii", extra="mt")
    return version("anyascii")
