"""Indexes that an earlier version built are opened, not built again, and find the same."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.before import access
from tests.before.record import DENSE, OPENED, differences, fixture, plain, read_json, told

NEAR = 1e-4
NAMES = [f"{lang}: {json.dumps(table)}" for lang, table in OPENED]


def state(folder: Path) -> dict[str, tuple[str, int]]:
    """Each file below a folder with its hash and the time it was written."""
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
@pytest.mark.parametrize("at", range(len(OPENED)), ids=NAMES)
def test_an_index_finds_the_same_and_stays_as_it_is(old_indexes: Path, at: int) -> None:
    kept = fixture("indexes.json")[at]
    assert (kept["lang"], kept["table"]) == OPENED[at]
    before = state(old_indexes)
    hits = access.search(kept["table"], kept["lang"], old_indexes, kept["questions"], 5)
    after = state(old_indexes)
    touched = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    assert not touched, f"built again, or in another place: {touched}"
    assert not told(
        f"{NAMES[at]}: {asked['qid']} {asked['text']!r} {line}"
        for asked, old, new in zip(kept["questions"], kept["before"], hits, strict=True)
        for line in differences(old, plain(json.dumps(new)), within=NEAR)
    )


@pytest.mark.slow
def test_doctor_finds_nothing_wrong(old_indexes: Path, tmp_path: Path) -> None:
    folders = [access.index_folder(table, "te", old_indexes) for table in ({"use": "bm25"}, DENSE)]
    options = ("--data", "mini", "--sample", 3, "--json", tmp_path / "found.json")
    status, printed = access.command("doctor", *folders, *options)
    assert status == 0, printed
    found = read_json(tmp_path / "found.json")
    assert {one["subject"] for one in found} == {str(folder) for folder in folders}
    assert not [one for one in found if one["state"] != "ok"], printed


def test_manifests_name_no_place_of_a_machine(old_indexes: Path) -> None:
    for path in old_indexes.rglob("*.json"):
        assert not [line for line in path.read_text().splitlines() if '": "/' in line], path
