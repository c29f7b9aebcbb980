"""The publications that `xorqa data fetch` can fetch: addresses, files and permitted use."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.config import read_toml


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication that can be fetched.

    `files` maps paths relative to its folder to the SHA-256 of the published file: "" if it is
    unknown (the address then has a commit), None if the file has no address (it is part of an
    archive, or the layout is ours). `url` ends in a slash; `page` is the publication's web page;
    `unpacked` is the folder that its archive unpacks into.
    """

    name: str
    license: str
    use: str
    page: str
    files: Mapping[str, str | None]
    url: str = ""
    unpacked: str = ""


def _publication(name: str, row: Mapping[str, Any]) -> Publication:
    files = {
        **row.get("files", {}),
        **dict.fromkeys(row.get("unhashed", ()), ""),
        **dict.fromkeys(row.get("unaddressed", ())),
    }
    optional = {key: row[key] for key in ("url", "unpacked") if key in row}
    return Publication(name, row["license"], row["use"], row["page"], files, **optional)


PUBLICATIONS = {
    name: _publication(name, row)
    for name, row in read_toml(Path(__file__).with_suffix(".toml")).items()
}

JAQUAD = tuple(PUBLICATIONS["jaquad"].files)
"""JaQuAD's training files, relative to its folder."""
