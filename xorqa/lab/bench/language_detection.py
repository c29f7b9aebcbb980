"""The accuracy of language detection on files of sentences, one language per file."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import DataError
from ...core.lang import ISO_639_1, in_name
from ...core.text.detection import UNSURE, detect
from ...io.files import read_lines

_EQUAL = {"nb": "no"}  # py3langid labels Bokmål as Norwegian
_SHORT = {"fil": "tl"}  # Filipino, the standard form of Tagalog, has no code in ISO 639-1


@dataclass(frozen=True, slots=True)
class Detection:
    """How often a language was detected in its sentences, and what it was taken for instead."""

    sentences: int
    correct: int
    unsure: int
    confused: Counter[str]

    @property
    def accuracy(self) -> float:
        return self.correct / self.sentences


def file_language(path: Path) -> str | None:
    """The language that a file's name ends or begins with, in ISO 639-1 or 639-3; or None."""
    from babel.core import get_global

    parts = path.name.split(".")
    for part in (parts[-1], parts[0]):
        code = get_global("language_aliases").get(part, part)
        code = _SHORT.get(code, code)
        if code in ISO_639_1:
            return str(code)
    return in_name(path.name)


def measure(lang: str, texts: Sequence[str]) -> Detection:
    """Detect the language of each text."""
    results = [detect(text) for text in texts]
    wrong = Counter(result.lang for result in results if result.lang != _EQUAL.get(lang, lang))
    unsure = sum(result.probability < UNSURE for result in results)
    return Detection(len(results), len(results) - wrong.total(), unsure, wrong)


def longer_than(path: Path, characters: int, *, count: int) -> list[str]:
    """The first `count` different lines of a file with more than `characters` characters.

    Raises:
        DataError: if the file cannot be read.
    """
    lines = dict.fromkeys(line.strip() for line in read_lines(path))
    texts = [line for line in lines if len(line) > characters]
    if not texts:
        raise DataError(f"{path} has no line of over {characters} characters")
    return texts[:count]
