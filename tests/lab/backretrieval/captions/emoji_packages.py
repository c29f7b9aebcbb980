"""The npm packages of emoji, made up and small."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from xorqa.datasets.catalog import PUBLICATIONS

LANGS = [name.removesuffix(".jsonl") for name in PUBLICATIONS["emoji"].files]
COLOURS = (
    "red", "green", "blue", "orange", "purple", "brown", "black", "pink", "gold", "navy", "olive",
    "teal", "gray",
)  # fmt: skip
SHAPES = ("ellipse", "rectangle")
NAMES = [f"{colour} {shape}" for colour in COLOURS for shape in SHAPES]


def write_emoji_packages(folder: Path) -> None:
    """Twenty-six shapes, a flag, and one that a vendor lacks."""
    rows = [(f"1F{number:03X}", name, 0) for number, name in enumerate(NAMES, 16)]
    rows += [("1F1EA-1F1FA", "flag", 9), ("1F003", "only google's", 1)]
    labels = {
        f"{lang}/data.json": [
            {"hexcode": code, "label": label(name, lang), "tags": [name[:3]], "group": group}
            for code, name, group in rows
        ]
        for lang in LANGS
    }
    write_package(folder / "emojibase-data-17.0.0.tgz", labels)
    for vendor in ("google", "twitter"):
        drawn = {name: (code, picture(name, vendor)) for code, name, _ in rows}
        if vendor == "twitter":
            del drawn["only google's"]
        table = [
            {"unified": code, "non_qualified": None, "image": f"{code.lower()}.png"}
            for code, _ in drawn.values()
        ]
        files = {f"img/{vendor}/64/{code.lower()}.png": png for code, png in drawn.values()}
        path = folder / f"emoji-datasource-{vendor}-16.0.0.tgz"
        write_package(path, {**files, "emoji.json": table})


def label(name: str, lang: str) -> str:
    return name if lang == "en" else f"{name[::-1]} {lang}"


def picture(name: str, vendor: str) -> bytes:
    colour, _, shape = name.partition(" ")
    canvas = Image.new("RGBA", (64, 64), (0, 0, 0, 0))
    start = 8 if vendor == "google" else 12
    draw = getattr(ImageDraw.Draw(canvas), shape if shape in SHAPES else "rectangle")
    draw((start, start, 60, 60), fill=colour if colour in COLOURS else "grey")
    stream = io.BytesIO()
    canvas.save(stream, "PNG")
    return stream.getvalue()


def write_package(path: Path, files: Mapping[str, Any]) -> None:
    """An archive as `npm pack` writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
