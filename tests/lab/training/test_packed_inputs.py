"""Inputs are packed once and unpacked only below the data folder."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.io.files import data_dir
from xorqa.lab.training.history import read_history
from xorqa.lab.training.packed_inputs import input_files, pack_inputs, unpack_inputs

RECIPE = """
[[inputs]]
files = ["squad/train.json"]
command = "xorqa data fetch squad"

[reader]
exclude = ["tests/*.json"]
sources = [{{ files = [{files}] }}]
schedule = {{ learning_rate = 1e-3 }}
"""


@pytest.fixture
def recipe(home: Path, tmp_path: Path) -> Callable[..., Path]:
    """Writes a recipe of SQuAD-style files."""

    def write(*files: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(RECIPE.format(files=", ".join(f'"{file}"' for file in files)))
        return path

    return write


def write_data(*names: str) -> list[Path]:
    paths = [data_dir() / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name * 1000)
    return paths


def archive(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:xz") as stream:
        for member, content in members:
            member.size = len(content)
            stream.addfile(member, io.BytesIO(content))
    return path


def test_every_file_is_packed_once_and_comes_back(
    recipe: Callable[..., Path], tmp_path: Path
) -> None:
    config = recipe("squad/train.json", "tests/b.json")
    paths = write_data("squad/train.json", "tests/a.json", "tests/b.json")
    files = input_files([read_history(config, "reader")] * 2)
    assert files == paths
    size = pack_inputs(files, tmp_path / "one.tar.xz", limit=64)
    pack_inputs(files, tmp_path / "two.tar.xz", limit=64)
    assert size == (tmp_path / "one.tar.xz").stat().st_size < 1000
    assert (tmp_path / "one.tar.xz").read_bytes() == (tmp_path / "two.tar.xz").read_bytes()
    contents = [path.read_bytes() for path in paths]
    paths[0].unlink()
    assert unpack_inputs(tmp_path / "one.tar.xz") == 3
    assert [path.read_bytes() for path in paths] == contents


def test_missing_files_and_files_elsewhere_are_not_packed(recipe: Callable[..., Path]) -> None:
    config = recipe("squad/train.json")
    write_data("tests/a.json")
    with pytest.raises(DataError, match=r"squad/train\.json \(xorqa data fetch squad\)"):
        input_files([read_history(config, "reader")])
    config.with_name("here.json").write_text("{}")
    recipe("./here.json")
    with pytest.raises(ConfigError, match=r"here\.json cannot be packed: it is not in the data"):
        input_files([read_history(config, "reader")])


def test_too_large_a_file_is_not_written(home: Path, tmp_path: Path) -> None:
    paths = write_data("a/small.json", "b/large.json")
    paths[1].write_text("x" * 2_000_000)
    with pytest.raises(DataError, match=r"more than 0\.0 MB.*unpacked: b/large\.json \(2\.0 MB\)"):
        pack_inputs(paths, tmp_path / "out.tar.xz", limit=1e-5)
    assert not list(tmp_path.glob("*out.tar.xz*"))


def test_another_file_at_a_place_is_not_overwritten(home: Path, tmp_path: Path) -> None:
    paths = write_data("a/one.json")
    packed = tmp_path / "out.tar.xz"
    pack_inputs(paths, packed, limit=64)
    paths[0].write_text("mine")
    with pytest.raises(DataError, match="set XORQA_HOME to another folder"):
        unpack_inputs(packed)
    assert paths[0].read_text() == "mine"


@pytest.mark.parametrize("name", ["../evil.json", "/tmp/evil.json", "a/../../evil.json", "."])
def test_a_place_outside_the_data_folder_is_refused(home: Path, tmp_path: Path, name: str) -> None:
    packed = archive(tmp_path / "evil.tar.xz", (tarfile.TarInfo(name), b"evil"))
    with pytest.raises(DataError, match="is no file below the data folder"):
        unpack_inputs(packed)
    assert not list(tmp_path.rglob("evil.json"))
    assert not home.exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, b"6"])
def test_links_folders_and_pipes_are_refused(home: Path, tmp_path: Path, kind: bytes) -> None:
    member = tarfile.TarInfo("a")
    member.type, member.linkname = kind, str(tmp_path)
    packed = archive(tmp_path / "evil.tar.xz", (member, b""))
    with pytest.raises(DataError, match="is no file below the data folder"):
        unpack_inputs(packed)
    assert not home.exists()


@pytest.mark.parametrize("damage", ["cut", "text"])
def test_a_damaged_file_is_refused(home: Path, tmp_path: Path, damage: str) -> None:
    packed = archive(tmp_path / "in.tar.xz", (tarfile.TarInfo("a"), bytes(range(256)) * 99))
    content = packed.read_bytes()
    packed.write_bytes(content[: len(content) // 2] if damage == "cut" else b"no archive")
    with pytest.raises(DataError, match="damaged"):
        unpack_inputs(packed)
