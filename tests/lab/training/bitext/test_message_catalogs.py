import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.training.bitext.layouts import published
from xorqa.lab.training.bitext.message_catalogs import messages

PO = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8"

msgid "Read the book"
msgstr "Διάβασε το βιβλίο"

#, fuzzy
msgid "Close the book"
msgstr "Κλείσε"

msgid "Book"
msgstr "Βιβλίο"

msgid "Read %(count)s books"
msgstr "Διάβασε %(count)s βιβλία"

msgid "one book"
msgid_plural "many books"
msgstr[0] "ένα βιβλίο"
msgstr[1] "πολλά βιβλία"

msgid "Not said yet"
msgstr ""
"""
SAID = {
    "en": {"a": "Open the door", "b": "Wait {time} here", "c": "Come in"},
    "hi_IN": {"a": "दरवाज़ा खोलो", "b": "यहाँ {time} रुको", "d": "कुछ और है"},
    "zh_TW": {"a": "開門"},
}


def wheel(path: Path, files: dict[str, str]) -> Path:
    with ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_plain_messages_of_both_layouts(tmp_path: Path) -> None:
    files = {"app/locale/el/LC_MESSAGES/app.po": PO, "app/views.py": "x = 1"}
    files |= {
        f"app/locale/{code}/LC_MESSAGES/app.json": json.dumps(said) for code, said in SAID.items()
    }
    path = wheel(tmp_path / "app-1.0-py3-none-any.whl", files)
    assert list(messages(path)) == [
        ("el", "Διάβασε το βιβλίο", "Read the book"),
        ("hi", "दरवाज़ा खोलो", "Open the door"),
    ]
    assert list(published(path)) == list(messages(path))


def test_archives_without_catalogues(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.whl holds no message catalogues \(locale/"):
        list(messages(wheel(tmp_path / "a.whl", {"app/views.py": "x = 1"})))
    (tmp_path / "b.whl").write_text("no archive")
    with pytest.raises(DataError, match=r"b\.whl cannot be read: File is not a zip file"):
        list(messages(tmp_path / "b.whl"))
    bad = wheel(tmp_path / "c.whl", {"locale/de/LC_MESSAGES/a.json": "{"})
    with pytest.raises(DataError, match=r"c\.whl cannot be read: Expecting property name"):
        list(messages(bad))
