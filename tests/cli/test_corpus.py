import bz2
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from xorqa.cli.main import app
from xorqa.core.errors import DataError

ARTICLE = '{"docid": "a", "title": "Oulu", "text": "Oulu on kaupunki Suomessa"}\n'


def run(*arguments):
    return CliRunner().invoke(app, ["corpus", "make", *map(str, arguments)])


def test_passages_are_written_and_counted(tmp_path):
    (source := tmp_path / "a.jsonl").write_text(ARTICLE)
    out = tmp_path / "p.jsonl"
    result = run(source, "--lang", "fi", "--out", out, "--words", 3)
    assert result.exit_code == 0
    assert "2 passages of 1 page, 0 redirects" in " ".join(result.output.split())
    assert len(out.read_text().splitlines()) == 2


def test_no_partial_file_remains(tmp_path):
    (source := tmp_path / "a.jsonl").write_text(ARTICLE + "{")
    result = run(source, "--lang", "fi", "--out", tmp_path / "p.jsonl")
    assert isinstance(result.exception, DataError)
    with pytest.raises(FileNotFoundError):
        (tmp_path / "p.jsonl").read_text()


def test_a_folder_of_documents_needs_no_language(xorqa, tmp_path):
    (folder := tmp_path / "docs").mkdir()
    (folder / "ohje.md").write_text("# Lomat\n\nLomaoikeus on 25 päivää vuodessa.\n")
    (folder / "rules.txt").write_text("Employees have 25 days of holiday per year.\n")
    (folder / "logo.png").write_bytes(b"\x89PNG")
    (folder / "bad.csv").write_bytes(b"\x00")
    outcome = xorqa("corpus", "make", folder, "--out", "p.jsonl")
    assert outcome.status == 0
    assert "2 passages of 2 pages" in outcome.out
    warned = " ".join(outcome.err.split())
    assert f"{folder}: skipped 1 file: 1 of unknown type (.png)" in warned
    assert f"skipped: {folder}/bad.csv " in warned
    rows = [json.loads(line) for line in Path("p.jsonl").read_text("utf-8").splitlines()]
    assert [(row["docid"], row["lang"]) for row in rows] == [
        ("ohje.md#lomat.1", "fi"),
        ("rules.txt#1", "en"),
    ]


PAGE = "<nav>Home</nav><nav>Up</nav><p>Oulu on kaupunki Suomessa ja satama.<p hidden>ei"
DUMP = """<mediawiki xml:lang="fi"><page><title>Oulu</title><ns>0</ns><id>7</id><revision><text>
Oulu on {{convert|3|km2}} ({{IPA|x}}).{{lähde}}{{lähde}}</text></revision></page><page>
<title>Keskustelu:Oulu</title><ns>1</ns><id>8</id></page></mediawiki>"""


def test_what_is_not_read_is_counted(tmp_path):
    pytest.importorskip("mwparserfromhell")
    (folder := tmp_path / "docs").mkdir()
    (folder / "a.html").write_text(PAGE)
    (folder / "b.xml").write_text(DUMP)
    (folder / "c.png").write_bytes(b"")
    (folder / "d.csv").write_bytes(b"")
    output = " ".join(run(folder, "--out", tmp_path / "p.jsonl").output.split())
    assert (
        "Not read: 2 × <nav> element (6 characters), 1 × hidden element (2 characters), "
        "1 × file (of unknown type), 1 × page of another namespace, 1 × unreadable file" in output
    )
    assert "Templates without text: 3 (lähde 2, IPA 1)" in output
    result = run(folder, "--out", tmp_path / "q.jsonl", "--json", "--workers", 1)
    table = json.loads(result.stdout.splitlines()[-1])
    assert table["skipped"] == {
        "<nav> element": {"count": 2, "characters": 6},
        "hidden element": {"count": 1, "characters": 2},
        "page of another namespace": {"count": 1, "characters": 0},
        "file (of unknown type)": {"count": 1, "characters": 0},
        "unreadable file": {"count": 1, "characters": 0},
    }
    assert table["templates"] == {"lähde": 2, "IPA": 1}
    assert (table["pages"], table["passages"]) == (2, 2)


def test_a_part_of_a_dump_has_its_official_name(tmp_path):
    pytest.importorskip("mwparserfromhell")
    part = tmp_path / "fiwiki-20240101-pages-articles1.xml-p1p41242.bz2"
    part.write_bytes(bz2.compress(DUMP.encode()))
    assert run(part, "--out", tmp_path / "p.jsonl").exit_code == 0
    assert json.loads((tmp_path / "p.jsonl").read_text())["text"] == "Oulu on 3 km²."


def test_guesses_are_named_and_counted(xorqa, tmp_path):
    (folder := tmp_path / "docs").mkdir()
    text = "Это предложение написано по-русски, чтобы узнать его кодировку.\n"
    (folder / "ru.txt").write_bytes(text.encode("koi8-r"))
    (folder / "short.txt").write_text("Lomax.\n")
    (folder / "odd.csv").write_text(
        'text\n"Oulu on kaupunki Suomessa ja sen satama\nHelsinki on pääkaupunki\n'
    )
    outcome = xorqa("corpus", "make", folder, "--out", "p.jsonl", "--json")
    assert outcome.status == 0, outcome.err
    assert "ru.txt is read as koi8-r, a guess" in outcome.err
    assert "short.txt: the language is uncertain; assumed " in outcome.err
    notices = json.loads(outcome.out.splitlines()[-1])["notices"]
    assert notices == {
        "guessed encoding": 1,
        "uncertain language": 1,
        "row with unbalanced quotes": 1,
    }


def test_a_language_that_is_given_is_no_guess(xorqa, tmp_path):
    (tmp_path / "short.txt").write_text("Lomax.\n")
    outcome = xorqa("corpus", "make", tmp_path / "short.txt", "--lang", "fi", "--out", "p.jsonl")
    assert outcome.status == 0 and "uncertain" not in outcome.err
