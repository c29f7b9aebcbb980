"""Each folder of `xorqa/lab` can be deleted: its commands go, and the road still works."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from xorqa.core.extensions import LAB, extensions, folders

ROOT = Path(__file__).parents[1]

ROAD = """
import contextlib, io, sys
from pathlib import Path
from xorqa.cli import demo
from xorqa.cli.main import main
from xorqa.datasets.mini import load
from xorqa.io.files import write_json, write_jsonl

def command(*arguments):
    sys.argv = ["xorqa", *arguments]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            main()
        except SystemExit as done:
            assert not done.code, (arguments, done.code)
    return printed.getvalue()

print(command("--help"))
for group in ("eval", "data", "translate"):
    command(group, "--help")
world = load().only(["fi"])
assert {*demo.scores(world)} == {*demo.SYSTEMS}
command("run", "bm25", "--lang", "fi", "--sample", "2", "--out", "run")
command("eval", "ranking", "--data", "run/qrels.txt", "--pred", "run/run.eng.trec")
gold = {"id": "1", "lang": "fi", "question": "Missä?", "answers": ["Oulu"], "split": "dev"}
write_jsonl(Path("gold.jsonl"), [gold])
write_json(Path("predictions.json"), {"1": "Oulu"})
command("eval", "xor-full", "--data", "gold.jsonl", "--pred", "predictions.json")
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all, so that the stages run once."""
    return tmp_path_factory.mktemp("home")


@pytest.mark.slow
@pytest.mark.parametrize("folder", folders())
def test_a_folder_can_be_deleted(folder: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "xorqa", copy / "xorqa", copy_function=os.link)
    shutil.rmtree(copy / "xorqa" / "lab" / folder)
    done = subprocess.run(
        [sys.executable, "-c", ROAD],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(copy), "COLUMNS": "200"},
    )
    assert not done.returncode, done.stderr
    listed = {line.strip("│ ").split(" ")[0] for line in done.stdout.splitlines()}
    every = {name: entry for name, entry in extensions("commands").items() if " " not in name}
    own = {name for name, entry in every.items() if entry.path.startswith(f"xorqa.lab.{folder}.")}
    assert not own & listed
    kept = {name for name, entry in every.items() if folder not in entry.needs} - own
    assert kept <= listed


@pytest.mark.parametrize("folder", folders())
def test_a_folder_says_what_it_is_for(folder: str) -> None:
    about = importlib.import_module(f"xorqa.lab.{folder}").__doc__ or ""
    for name, entry in extensions("commands").items():
        if entry.path.startswith(f"xorqa.lab.{folder}."):
            assert f"`xorqa {name}`" in " ".join(about.split())
    [page] = re.findall(r"^Page: (docs/[\w-]+\.md)\.$", about, re.MULTILINE)
    assert (ROOT / page).is_file()


def test_the_pictures_of_the_house_are_the_same() -> None:
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "README.md"]
    first, second = (
        re.findall(r"^```text\n(xorqa/ .*?)^```$", p.read_text("utf-8"), re.M | re.S) for p in pages
    )
    assert first == second
    rooms = set(re.findall(r"[a-z]+(?=/)", first[0]))
    packages = [*(ROOT / "xorqa").glob("*/__init__.py"), *LAB.glob("*/__init__.py")]
    assert rooms == {path.parent.name for path in packages} | {"xorqa", "configs"}
