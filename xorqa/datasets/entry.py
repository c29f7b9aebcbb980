"""A data set before it is loaded: what it is, its licence, and the sources it is made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .dataset import Dataset
from .fetch import missing_files
from .publications import PUBLICATIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetEntry:
    """What the catalogue knows of a data set.

    Attributes:
        about: one line for `xorqa data list`.
        license: that of the questions and passages.
        load: the data folder to the data set.
        sources: the publications it is made of, which `xorqa data fetch` brings.
        needs: by source the files it reads, if it does not read all of them.
    """

    about: str
    license: str
    load: Callable[[Path], Dataset]
    sources: tuple[str, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def absent(self) -> list[str]:
        """The sources of which a file is missing from the data folder."""
        return [
            source
            for source in self.sources
            if set(missing_files(source)) & set(self.needs.get(source, PUBLICATIONS[source].files))
        ]
