"""An encoder that worker processes can import: a module of its own on the path."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

MODULE = '''
import hashlib, os, signal
from pathlib import Path
import numpy as np

def encode(texts, langs):
    return np.stack([_vector(text) for text in texts])

def killed(texts, langs):
    """The first worker that comes to the passage 'fatal' is killed there."""
    flag = Path(os.environ["KILLED_FLAG"])
    if "fatal" in texts and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    with open(os.environ["ENCODED_LOG"], "a") as log:
        log.write("".join(text + "\\n" for text in texts))
    return encode(texts, langs)

def threads(texts, langs):
    return np.full((len(texts), 4), int(os.environ["OMP_NUM_THREADS"]), np.float32)

def _vector(text):
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(16).astype(np.float32)
'''


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module; `killed` kills its worker once."""
    folder = tmp_path / "module"
    folder.mkdir()
    name = f"outside_{abs(hash(str(tmp_path)))}"
    (folder / f"{name}.py").write_text(MODULE)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("KILLED_FLAG", str(tmp_path / "killed"))
    monkeypatch.setenv("ENCODED_LOG", str(tmp_path / "encoded.txt"))
    monkeypatch.setenv("PYTHONPATH", str(folder))  # for processes that are not our children
    return importlib.import_module(name)
