"""What `xorqa train` trains: a kind is one registered object.

A kind is a `TrainingKind` and a line in the table `TRAINING` of a folder's `provides.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....core.extensions import extensions
from ....core.named import import_named
from .recipe import Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingKind:
    """A kind of training.

    Attributes:
        recipe: the class of its settings; its `table` is the kind's name.
        train: trains a recipe in a folder, and returns the file or files it wrote.
        about: what the command `xorqa train NAME` trains, for its help.
        example: a bundled recipe.
        average: writes the mean of trained files, if stages may be averages.
        has_stages: whether recipes may have `[[stages]]`; `train` then has the option `limit`, a
            `TimeLimit`.
    """

    recipe: type[Recipe]
    train: Callable[..., Path | Sequence[Path]]
    about: str
    example: str
    average: Callable[..., Path] | None = None
    has_stages: bool = True


TRAINING_KINDS = extensions("training")


def find_kind(name: str) -> TrainingKind:
    """A kind by its name.

    Raises:
        ConfigError: listing the kinds.
    """
    kind: TrainingKind = import_named(name, TRAINING_KINDS, kind="kind of training")
    return kind
