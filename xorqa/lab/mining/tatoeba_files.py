"""Tatoeba's test sets as LASER publishes them: `tatoeba.fin-eng.fin` beside `tatoeba.fin-eng.eng`.

They are for evaluation only.
"""

import re
from collections.abc import Collection
from pathlib import Path

from ...core.errors import ConfigError, DataError, one_of

_FILE = re.compile(r"tatoeba\.(?P<code>[a-z]{2,3})-(?P<english>eng?)\.(?P=code)")
_SHORT = {
    "afr": "af", "ara": "ar", "aze": "az", "ben": "bn", "bul": "bg", "cmn": "zh", "deu": "de",
    "ell": "el", "est": "et", "eus": "eu", "fin": "fi", "fra": "fr", "heb": "he", "hin": "hi",
    "hun": "hu", "ind": "id", "ita": "it", "jav": "jv", "jpn": "ja", "kat": "ka", "kaz": "kk",
    "kor": "ko", "lit": "lt", "mal": "ml", "mar": "mr", "nld": "nl", "pes": "fa", "pol": "pl",
    "por": "pt", "ron": "ro", "rus": "ru", "spa": "es", "swh": "sw", "tam": "ta", "tel": "te",
    "tgl": "tl", "tha": "th", "tur": "tr", "ukr": "uk", "urd": "ur", "vie": "vi",
}  # fmt: skip
"""The languages of XTREME-R, as its scripts name them; other languages keep their codes."""


def find_test_sets(
    folder: Path, langs: Collection[str] | None = None
) -> dict[str, tuple[Path, Path]]:
    """The files of each language, by its code: those in the language, and in English.

    `langs` selects languages: fi or fin.

    Raises:
        ConfigError: for a language that the folder does not have.
        DataError: if it has no test set, or a file without the other.
    """
    test_sets = {}
    for path in sorted(folder.glob("tatoeba.*")):
        if match := _FILE.fullmatch(path.name):
            code = match["code"]
            english = path.with_suffix(f".{match['english']}")
            if not english.is_file():
                raise DataError(f"{path} lacks the English side, {english.name}")
            test_sets[_SHORT.get(code, code)] = path, english
    if not test_sets:
        raise DataError(f"{folder} has no test set such as tatoeba.fin-eng.fin")
    selected = [_SHORT.get(code, code) for code in langs] if langs else [*test_sets]
    for code in selected:
        if code not in test_sets:
            raise ConfigError(f"{folder} has no test set of '{code}'; valid: {one_of(test_sets)}")
    return {code: test_sets[code] for code in sorted(selected)}
