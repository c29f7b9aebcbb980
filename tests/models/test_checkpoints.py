import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from xorqa.core.errors import WeightsError
from xorqa.models import e5_small_q4
from xorqa.models.checkpoints import DEFAULT, Checkpoint, load, load_tokenizer, resolve


def one_line(error: pytest.ExceptionInfo[WeightsError]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_local_folder_is_named_by_its_path(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.parent)
    monkeypatch.setenv("HOME", str(tiny.parent))
    absolute = resolve(str(tiny))
    for name in (f"./{tiny.name}", f"~/{tiny.name}"):
        found = resolve(name)
        assert (found.name, found.sha) == (name, absolute.sha)
        assert found.path.resolve() == tiny.resolve()


def test_folders_in_the_working_directory_do_not_capture_names(
    tiny: Path, e5: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("owner/tiny", "tiny", DEFAULT):
        shutil.copytree(tiny, tmp_path / name)
    assert resolve(DEFAULT) == e5
    for name in ("owner/tiny", "tiny"):
        with pytest.raises(WeightsError, match="cannot be loaded from the model hub"):
            resolve(name)
    assert resolve("./owner/tiny").sha == resolve(str(tiny)).sha


@pytest.mark.parametrize("name", ["owner/nothing", "owner/nothing@v1", "no such name", "a/b/c", ""])
def test_without_a_network_the_error_names_what_is_here(name: str) -> None:
    with pytest.raises(WeightsError) as caught:
        resolve(name)
    assert f"bundled weights: {DEFAULT}; a local folder is written ./folder" in one_line(caught)


def test_folders_without_weights(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="is not a folder with a config") as caught:
        resolve(str(tmp_path / "none"))
    one_line(caught)
    shutil.copy(tiny / "config.json", tmp_path)
    with pytest.raises(WeightsError, match=r"has no weights \(\*\.safetensors") as caught:
        resolve(str(tmp_path))
    one_line(caught)


def test_the_hash_is_of_the_weights(tiny: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(tiny, tmp_path / "copy")
    assert resolve(str(copy)).sha == resolve(str(tiny)).sha
    with (copy / "model.safetensors").open("r+b") as stream:
        stream.seek(-1, 2)
        stream.write(b"\x7f")
    assert resolve(str(copy)).sha != resolve(str(tiny)).sha


def test_models_load_in_float32_for_inference(tiny: Path) -> None:
    model = load(resolve(str(tiny)), "AutoModel")
    assert not model.training
    assert {str(value.dtype) for value in model.parameters()} == {"torch.float32"}


def test_the_tokenizer_knows_offsets(tiny: Path) -> None:
    tokenizer = load_tokenizer(resolve(str(tiny)))
    encoded = tokenizer("Niili on joki", return_offsets_mapping=True)
    assert max(end for _, end in encoded["offset_mapping"]) == len("Niili on joki")


def test_damaged_weights_are_one_line(tiny: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(tiny, tmp_path / "copy")
    path = copy / "model.safetensors"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(WeightsError, match="cannot be loaded") as caught:
        load(resolve(str(copy)), "AutoModel")
    assert str(copy) in one_line(caught)


def test_weights_a_model_lacks_are_not_made_up(tiny: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    copy = shutil.copytree(tiny, tmp_path / "copy")
    tensors = load_file(copy / "model.safetensors")
    some = {name: value for name, value in tensors.items() if not name.startswith("pooler")}
    save_file(some, copy / "model.safetensors", metadata={"format": "pt"})
    load(resolve(str(copy)), "AutoModel", add_pooling_layer=False)
    with pytest.raises(WeightsError, match=r"lacks .*pooler") as caught:
        load(resolve(str(copy)), "AutoModel")
    one_line(caught)


def test_weights_are_unpacked_once_however_many_ask(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def write(folder: Path) -> None:
        made.append(folder)
        time.sleep(0.05)
        (folder / "model.safetensors").write_bytes(b"weights")

    monkeypatch.setattr(e5_small_q4, "write_checkpoint", write)
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: resolve().path, range(4)))
    assert (len(found), len(made)) == (1, 1)


def test_a_folder_that_is_written_like_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models" / "mine").mkdir(parents=True)
    with pytest.raises(WeightsError, match=r"a local folder is written \./models/mine$"):
        resolve("models/mine")
