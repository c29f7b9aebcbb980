from pathlib import Path

import pytest

from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.ranker.recipe import RankerRecipe
from xorqa.lab.training.reader.recipe import ReaderSource

HELD_OUT = 0.3


@pytest.fixture(scope="module")
def recipe(file: Path, tiny: Path) -> RankerRecipe:
    return RankerRecipe(
        (ReaderSource((str(file),), held_out=HELD_OUT, first_offsets=True),),
        base=str(tiny),
        method="full",
        start=None,
        questions=12,
        hard_negatives=3,
        same_article=1,
        validation=4,
        batch_size=4,
        max_tokens=96,
        dtype="float32",
        schedule=Schedule(1e-2, log_every=1),
    )
