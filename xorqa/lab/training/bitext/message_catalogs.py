"""Parallel sentences from message catalogues in wheels: the texts of programs in many languages.

Two layouts are read, anywhere in the archive:

- gettext, `.../locale/<code>/LC_MESSAGES/<name>.po`, whose ids are the English texts;
- JSON objects, `.../locale/<code>/LC_MESSAGES/<name>.json`, with the keys of those of `en`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from ....core.errors import DataError
from ....io.strict_json import parse_json

SUFFIXES = (".whl", ".zip")
_PLACE = re.compile(r"(.*/)?locale/(?P<code>[A-Za-z_]+)/LC_MESSAGES/(?P<name>[^/]+\.(po|json))")
_OTHER_CHINESE = ("zh_TW", "zh_HK", "zh_Hant")  # traditional; our test sets are simplified
_MARKED = re.compile(r"[%{}<>\\|&_\n]|https?:")  # placeholders, markup, access keys


def messages(archive: Path) -> Iterator[tuple[str, str, str]]:
    """Language, text and English text of every plain message of two words or more.

    Raises:
        DataError: if it is not an archive, contains no catalogue, or one cannot be read.
    """
    try:
        with ZipFile(archive) as files:
            places = [match for name in files.namelist() if (match := _PLACE.fullmatch(name))]
            if not places:
                raise DataError(f"{archive} holds no message catalogues (locale/*/LC_MESSAGES)")
            yield from _gettext(files, places)
            yield from _json(files, places)
    except (BadZipFile, NotImplementedError, OSError, RuntimeError, ValueError) as error:
        raise DataError(f"{archive} cannot be read: {error}") from error


def _gettext(files: ZipFile, places: list[re.Match[str]]) -> Iterator[tuple[str, str, str]]:
    from babel.messages.pofile import read_po

    for place in places:
        if place["name"].endswith(".po"):
            with redirect_stdout(StringIO()):  # Babel prints the messages that it skips
                catalogue = read_po(BytesIO(files.read(place[0])))
            for message in catalogue:
                if isinstance(message.id, str) and not message.fuzzy:
                    yield from _plain(place["code"], str(message.string), message.id)


def _json(files: ZipFile, places: list[re.Match[str]]) -> Iterator[tuple[str, str, str]]:
    texts: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    for place in places:
        if place["name"].endswith(".json"):
            table = parse_json(files.read(place[0]))
            texts[place["code"]] |= {(place["name"], key): str(text) for key, text in table.items()}
    english = texts.pop("en", {})
    for code, translated in texts.items():
        for key, text in translated.items():
            yield from _plain(code, text, english.get(key, ""))


def _plain(code: str, text: str, english: str) -> Iterator[tuple[str, str, str]]:
    lang = code.partition("_")[0]
    is_whole = " " in english.strip() and text.strip() and not _MARKED.search(text + english)
    if is_whole and lang != "en" and code not in _OTHER_CHINESE:
        yield lang, text, english
