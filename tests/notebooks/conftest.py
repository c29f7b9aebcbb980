"""The tool that runs the lessons, which stands beside them and not in the package."""

import importlib.util
from pathlib import Path

import pytest

for needed in ("jupytext", "nbclient", "ipykernel"):
    pytest.importorskip(needed)

TOOL = Path(__file__).parents[2] / "notebooks" / "execute.py"


@pytest.fixture(scope="session")
def tool():
    spec = importlib.util.spec_from_file_location("execute", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
