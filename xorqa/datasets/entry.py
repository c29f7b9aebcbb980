"""A data set before it is loaded: its description, licence and sources."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .dataset import Dataset
from .fetch import missing_files
from .publications import PUBLICATIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetEntry:
    """A data set's entry in the catalogue.

    Attributes:
        about: one line for `xorqa data list`.
        license: the licence of questions and passages.
        use: what it may be used for.
        citation: the papers to cite.
        questions: the number of questions by language; empty if it depends on the user's files.
        passages: the number of passages by language of the corpus; empty without corpora.
        load: loads the data set from the data folder.
        sources: the publications it is built from, which `xorqa data fetch` fetches.
        needs: the files it reads of each source, if it does not read all of them.
    """

    about: str
    license: str
    load: Callable[[Path], Dataset]
    sources: tuple[str, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    use: str = ""
    citation: str = ""
    questions: Mapping[str, int] = field(default_factory=dict)
    passages: Mapping[str, int] = field(default_factory=dict)

    def absent(self) -> list[str]:
        """The sources with a file that is missing from the data folder."""
        return [
            source
            for source in self.sources
            if set(missing_files(source)) & set(self.needs.get(source, PUBLICATIONS[source].files))
        ]
