import stat
import sys

import pytest

from tests.lab.backretrieval.captions.emoji_packages import (
    NAMES,
    write_emoji_packages,
    write_package,
)
from xorqa.core.errors import DataError
from xorqa.datasets.fetch import fetch
from xorqa.lab.backretrieval.captions.emoji import PACKAGES
from xorqa.lab.backretrieval.captions.read import captions_folder, read_captions


@pytest.fixture
def packages(tmp_path):
    write_emoji_packages(tmp_path / "copies" / "emoji")
    return tmp_path / "copies"


@pytest.mark.parametrize("inside", ["", "emoji"])
def test_labels_are_joined_with_the_pictures_of_both_vendors(packages, home, inside):
    folder = fetch("emoji", copy_from=packages / inside)
    assert folder == captions_folder("emoji") == home / "data" / "emoji"
    english, finnish = (read_captions(folder, lang) for lang in ("en", "fi"))
    assert [row.text for row in english.rows] == NAMES, "no flag, and no emoji without a picture"
    assert [row.id for row in english.rows] == [row.id for row in finnish.rows]
    assert not english.left_out
    google, twitter = english.rows[0].images
    assert (google.parent.name, twitter.parent.name) == ("google", "twitter")
    assert google.read_bytes() != twitter.read_bytes()


def test_a_missing_package_is_named(packages, home):
    (packages / "emoji" / "emoji-datasource-twitter-16.0.0.tgz").unlink()
    with pytest.raises(DataError, match=r"has no emoji-datasource-twitter-\*\.tgz; write it there"):
        fetch("emoji", copy_from=packages)


@pytest.mark.parametrize(
    ("package", "files", "message"),
    [
        ("emojibase-data", {"de/data.json": []}, "has no English labels"),
        (
            "emojibase-data",
            {"en/data.json": [{"hexcode": "1F6", "group": 0}]},
            "not a package of emoji lab",
        ),
        ("emojibase-data", {"en/data.json": b"[{"}, "not a package of emoji labels"),
        ("emoji-datasource-google", {"emoji.json": {}}, "have no emoji in common"),
        ("emoji-datasource-google", {"emoji.json": [1]}, "not a package of emoji pictures"),
        ("emoji-datasource-google", {}, "not a package of emoji pictures"),
    ],
)
def test_a_package_with_other_content(packages, home, package, files, message):
    version = PACKAGES[package]
    write_package(packages / "emoji" / f"{package}-{version}.tgz", files)
    with pytest.raises(DataError, match=message):
        fetch("emoji", copy_from=packages)
    assert not [*home.rglob("*.jsonl")]


def test_a_damaged_package(packages, home):
    path = packages / "emoji" / "emojibase-data-17.0.0.tgz"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(DataError, match="cannot be read as an npm package"):
        fetch("emoji", copy_from=packages)


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """Puts a script in place of npm; it finds the made-up packages in its folder's `copies`."""

    def install(body):
        path = tmp_path / "bin" / "npm"
        path.parent.mkdir()
        path.write_text(f"#!{sys.executable}\nimport pathlib, shutil, sys\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", str(path.parent))

    return install


def test_npm_downloads_the_packages(packages, npm, home):
    npm(
        f"name, version = sys.argv[-1].split('@')\n"
        f"file = f'{{name}}-{{version}}.tgz'\n"
        f"shutil.copy(pathlib.Path({str(packages)!r}) / 'emoji' / file, file)"
    )
    reports = []
    folder = fetch("emoji", progress=lambda *report: reports.append(report))
    assert len(read_captions(folder, "ja").rows) == len(NAMES)
    assert ("packages", 3, 3) in reports


def test_npm_fails(npm, home):
    npm("sys.exit('npm error code ENOTFOUND')")
    with pytest.raises(DataError, match=r"npm cannot download .*: npm error code ENOTFOUND"):
        fetch("emoji")


def test_without_npm(monkeypatch, tmp_path, home):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DataError, match=r"elsewhere run: npm pack emojibase-data@17\.0\.0 emoji-d"):
        fetch("emoji")
