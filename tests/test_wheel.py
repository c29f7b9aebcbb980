"""The wheel holds every file of the package, and can be published."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("xorqa", "checklists", "pyproject.toml", "setup.py", "README.md", "LICENSE")
MOST_BYTES = 65_000_000  # the index refuses a file of more than 100 MB
WEIGHTS = ROOT / "xorqa" / "models" / "weights"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a copy, so that nothing of an earlier build is in it."""
    copy, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for part in PARTS:
        if (ROOT / part).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, copy / part, ignore=ignored)
        else:
            shutil.copy(ROOT / part, copy)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(out), str(copy)], check=True)
    [path] = out.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.slow
def test_the_wheel_is_within_its_budget(wheel: zipfile.ZipFile) -> None:
    assert Path(str(wheel.filename)).stat().st_size <= MOST_BYTES


@pytest.mark.slow
def test_no_file_of_the_package_is_missing(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    files = [p for p in (ROOT / "xorqa").rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    assert [path for path in files if path.relative_to(ROOT).as_posix() not in names] == []
    assert {f"xorqa/checklists/{path.name}" for path in ROOT.glob("checklists/*.toml")} <= names
    assert not [name for name in names if "lessons" in name]


def test_the_table_of_weights_is_up_to_date() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.-]+)` \| ([\d.]+) \|", page, re.MULTILINE)
    large = {path.name: path for path in WEIGHTS.iterdir() if path.stat().st_size > 500_000}
    assert {name: float(megabytes) for name, megabytes in rows} == {
        name: round(path.stat().st_size / 1e6, 1) for name, path in large.items()
    }
