"""The tools that run and write the lessons, which stand beside them and not in the package."""

import importlib
import sys
from pathlib import Path

import pytest

for needed in ("jupytext", "nbclient", "ipykernel"):
    pytest.importorskip(needed)

FOLDER = Path(__file__).parents[2] / "notebooks"


def _module(name):
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


@pytest.fixture(scope="session")
def versions():
    return _module("versions")


@pytest.fixture(scope="session")
def tool():
    return _module("execute")


@pytest.fixture(scope="session")
def course():
    return _module("course")


@pytest.fixture(scope="session")
def translations():
    return _module("translations")


@pytest.fixture(scope="session")
def minutes():
    return _module("minutes")
