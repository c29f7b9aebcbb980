"""Articles on the same topic in several languages, within which sentences are mined.

Lewis et al. 2020 (MLQA), section 2.1, limit the search to them, unlike WikiMatrix.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError, one_of
from ...core.lang import language
from ...io.files import read_lines
from .sentences import Sentences

Topics = Sequence[Mapping[str, str]]
"""Titles of articles on the same topic, by language."""


def read_topics(path: Path) -> Topics:
    """Read a TSV file with a header of languages and a line of titles per topic; "" for none.

    Raises:
        DataError: if the file cannot be read, or naming a line with another number of fields.
    """
    lines = read_lines(path)
    langs = [language(name).code for name in lines[0].split("\t")] if lines else []
    if len(langs) < 2:
        raise DataError(f"{path}, line 1: needs the languages of the columns, such as en, tab, fi")
    topics = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(langs):
            raise DataError(f"{path}, line {number}: needs {len(langs)} titles, separated by tabs")
        topics.append({lang: cell.strip() for lang, cell in zip(langs, cells, strict=True) if cell})
    return topics


def shared_topics(
    topics: Topics, sides: Sequence[Sentences], rows: Sequence[NDArray[np.int64]]
) -> Iterator[list[NDArray[np.int64]]]:
    """For each topic, the positions in `rows` of the sentences of its articles, of both sides.

    Topics without a sentence on a side are left out.

    Raises:
        DataError: if a side has no articles, or the sides share no topic.
    """
    places: list[dict[str, list[int]]] = []
    for side, kept in zip(sides, rows, strict=True):
        if not side.articles:
            raise DataError(
                f"{side.name} has no titles of articles; topics need passages (.jsonl) with titles"
            )
        by_title: dict[str, list[int]] = {}
        for position, row in enumerate(kept.tolist()):
            by_title.setdefault(side.articles[row], []).append(position)
        places.append(by_title)
    langs = [side.lang for side in sides]
    found = False
    for titles in topics:
        both = [of.get(titles.get(lang, "")) for lang, of in zip(langs, places, strict=True)]
        if all(both):
            found = True
            yield [np.array(positions, np.int64) for positions in both]
    if not found:
        raise DataError(f"no topic has articles in both of {one_of(langs)}")
