"""A server that all tests of a module share."""

from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from tests.serving.made_up import client_of, made_engine


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a server with two pipelines."""
    with client_of(made_engine(tmp_path_factory.mktemp("served"), two=True)) as opened:
        yield opened
