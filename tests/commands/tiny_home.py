"""A user's home with tiny weights and made-up publications, by the names of those that ship."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.commands.publications import write_publications
from tests.commands.weights import forget_weights, write_adapters, write_base
from tests.zoo import readers, repositories
from xorqa.datasets.catalog import PUBLICATIONS
from xorqa.datasets.fetch import fetch
from xorqa.models import adapters, transforms

DPR_READER = "facebook/dpr-reader-single-nq-base"


@contextmanager
def tiny_home(
    folder: Path, *, base: Path, reader: Path, translator: Path
) -> Iterator[pytest.MonkeyPatch]:
    """Use `folder` as the home and the working folder; `base` stands for encoders of the hub."""
    (weights := folder / "weights").mkdir()
    for name in ("chooser.json", "confidence.json"):
        shutil.copy(adapters.SHIPPED / name, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XORQA_HOME", str(folder / "home"))
        patch.chdir(folder)
        for module in (adapters, transforms):
            patch.setattr(module, "SHIPPED", weights)
        patch.setitem(
            repositories.REPOSITORIES,
            DPR_READER,
            lambda saved: readers.build_dpr(saved, cased=False),
        )
        repositories.stand_in(patch, folder / "hub", other=base)
        write_base(base)
        write_adapters(weights, reader=reader, translator=translator)
        write_publications(folder / "datasets")
        for name in PUBLICATIONS:
            fetch(name, copy_from=folder / "datasets")
        forget_weights()
        yield patch
        forget_weights()
