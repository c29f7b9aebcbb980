"""Emoji as texts with images: CLDR's labels and tags, and the drawings of two vendors.

Rows have two images, so that a source text uses the drawing of one vendor and a target text that of
the other: no image is found by its own pixels. Flags, components and skin tones are left out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ....core.errors import DataError
from ....core.progress import TaskProgress
from ....io.files import atomic_path, write_jsonl
from ....io.strict_json import as_text, as_texts, parse_json

LABELS = "emojibase-data"
VENDORS = ("google", "twitter")
PACKAGES = {LABELS: "17.0.0"} | {f"emoji-datasource-{vendor}": "16.0.0" for vendor in VENDORS}
"""The npm packages and their versions."""

_LEFT_OUT = (None, 2, 9)  # emojibase's groups: regional letters, components, flags
_DATA = re.compile(r"package/([a-z]{2})/data\.json")
_MINUTES = 10
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError)


def build_emoji(folder: Path, copy_from: Path | None, progress: TaskProgress) -> None:
    """Write `LANG.jsonl` and `images/`, from packages that npm downloads or in a folder.

    Args:
        copy_from: a folder with the archives that `npm pack` writes, or with `emoji/` of them.

    Raises:
        DataError: if a package is missing, damaged or cannot be downloaded.
    """
    with _archives(copy_from, progress) as archives:
        pictures = {
            vendor: _pictures(archives[f"emoji-datasource-{vendor}"], vendor) for vendor in VENDORS
        }
        labels = _labels(archives[LABELS])
    codes = [code for code in labels["en"] if all(code in pictures[v] for v in VENDORS)]
    if not codes:
        raise DataError("the packages of emoji have no emoji in common")
    for done, code in enumerate(codes, 1):
        for vendor in VENDORS:
            with atomic_path(folder / _image(vendor, code)) as temporary:
                temporary.write_bytes(pictures[vendor][code])
        progress("pictures", done, len(codes))
    for lang, by_code in labels.items():
        rows = ({"id": code, **by_code[code]} for code in codes if code in by_code)
        write_jsonl(
            folder / f"{lang}.jsonl",
            (row | {"image": [_image(vendor, row["id"]) for vendor in VENDORS]} for row in rows),
        )


def _image(vendor: str, code: str) -> str:
    return f"images/{vendor}/{code.lower()}.png"


@contextmanager
def _archives(copy_from: Path | None, progress: TaskProgress) -> Iterator[Mapping[str, Path]]:
    """The packages' archives, by name."""
    if copy_from:
        yield {name: _local(copy_from, name) for name in PACKAGES}
        return
    with TemporaryDirectory() as temporary:
        for done, (name, version) in enumerate(PACKAGES.items(), 1):
            _pack(f"{name}@{version}", Path(temporary))
            progress("packages", done, len(PACKAGES))
        yield {name: _local(Path(temporary), name) for name in PACKAGES}


def _local(folder: Path, name: str) -> Path:
    archives = [
        *sorted((folder / "emoji").glob(f"{name}-*.tgz")),
        *sorted(folder.glob(f"{name}-*.tgz")),
    ]
    if not archives:
        raise DataError(f"{folder}/emoji has no {name}-*.tgz; write it there with: npm pack {name}")
    return archives[-1]


def _pack(package: str, folder: Path) -> None:
    """Download a package; npm checks its published hash."""
    npm = shutil.which("npm")
    if npm is None:
        packages = " ".join(f"{name}@{version}" for name, version in PACKAGES.items())
        raise DataError(
            "emoji are downloaded with npm, which is not installed; elsewhere run: npm pack "
            f"{packages}; and add --from with the folder of the three files"
        )
    try:
        subprocess.run(
            [npm, "pack", "--silent", package],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
            timeout=60 * _MINUTES,
        )
    except subprocess.TimeoutExpired as error:
        raise DataError(f"npm did not download {package} in {_MINUTES} minutes") from error
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip() or f"status {error.returncode}").splitlines()[-1]
        raise DataError(f"npm cannot download {package}: {reason}") from error


def _pictures(archive: Path, vendor: str) -> dict[str, bytes]:
    """By hexcode, the pictures of 64 by 64 pixels."""
    prefix = f"package/img/{vendor}/64/"
    wanted = re.compile(rf"package/emoji\.json|{prefix}[0-9a-f-]+\.png")
    files = _members(archive, wanted)
    pictures = {}
    try:
        for row in parse_json(files["package/emoji.json"]):
            content = files.get(prefix + row["image"])
            for code in filter(None, (row["unified"], row["non_qualified"])):
                if content:
                    pictures[as_text(code)] = content
    except _MALFORMED as error:
        raise DataError(f"{archive} is not a package of emoji pictures ({error!r:.80})") from error
    return pictures


def _labels(archive: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """By language and hexcode, `text` (the label) and `tags`."""
    try:
        labels = {
            name.split("/")[1]: {
                as_text(row["hexcode"]): {
                    "text": as_text(row["label"]),
                    "tags": list(as_texts(row.get("tags", []))),
                }
                for row in parse_json(content)
                if row.get("group") not in _LEFT_OUT
            }
            for name, content in _members(archive, _DATA).items()
        }
    except _MALFORMED as error:
        raise DataError(f"{archive} is not a package of emoji labels ({error!r:.80})") from error
    if not labels.get("en"):
        raise DataError(f"{archive} has no English labels")
    return dict(sorted(labels.items()))


def _members(archive: Path, wanted: re.Pattern[str]) -> dict[str, bytes]:
    """The contents of the archive's files with such names."""
    contents = {}
    try:
        with tarfile.open(archive, "r|gz") as stream:
            for member in stream:
                if member.isfile() and wanted.fullmatch(member.name):
                    file = stream.extractfile(member)
                    contents[member.name] = file.read() if file else b""
    except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
        raise DataError(f"{archive} cannot be read as an npm package: {error}") from error
    return contents
