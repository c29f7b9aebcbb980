"""Mewsli-X's retrieval: entities for each mention, by the language of their descriptions.

Files are those of the release (Ruder et al. 2021). As in the authors' code, a mention is its
sentence with the mention in braces, after the mention itself; an entity is its description.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...io.files import read_jsonl
from ...metrics.report import Reference, Score
from ...tables.grid import COUNT, MISSING, Grid
from .margins import Vectors
from .mewsli_x import TOP
from .sentences import Sentences

LEAST = 10
"""Mentions of a cell of Figure 3."""
ALL, SAME, DIFFERENT = "all", "same language", "different languages"

_CHUNK = 16_384
_MARKED = re.compile(r"\{(.*?)\}")


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention in an article; `text` is empty if the file lacks the article's."""

    qid: str
    lang: str
    entity: str
    text: str

    @property
    def reference(self) -> Reference:
        """Its gold entity."""
        return Reference(self.qid, self.lang, (self.entity,))


def read_mentions(path: Path) -> list[Mention]:
    """Read `wikinews_mentions-test.jsonl`: an article with its mentions per line.

    The release's files without texts can be read, too: they suffice for scoring.

    Raises:
        DataError: naming the line with another layout, or a repeated id.
    """
    mentions: dict[str, Mention] = {}
    for number, row in read_jsonl(path):
        where = f"{path}, line {number}"
        try:
            context = row["context"]
            spans = [(span["start"], span["end"]) for span in context["sentence_spans"]]
            read = [
                Mention(
                    _text(mention["example_id"]),
                    _text(context["language"]),
                    _text(mention["entity_id"]),
                    _marked(context["text"], spans, mention["mention_span"]),
                )
                for mention in row["mentions"]
            ]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(f"{where}: not an article with mentions: {error!r}") from error
        for mention in read:
            if mention.qid in mentions:
                raise DataError(f"{where}: mention '{mention.qid}' occurs twice")
            mentions[mention.qid] = mention
    if not mentions:
        raise DataError(f"{path} has no mentions")
    return list(mentions.values())


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.60} is no text")
    return value


def _marked(text: str, sentences: Sequence[tuple[int, int]], span: Mapping[str, Any]) -> str:
    """The mention, then its sentence (all that it is part of) with the mention in braces."""
    if not text:
        return ""
    start, end, mention = span["start"], span["end"], str(span["text"])
    if text[start:end] != mention:
        raise ValueError(f"characters {start} to {end} of the text are not {mention!r:.60}")
    inside = [row for row in sentences if row[0] < end and start < row[1]] or [(0, len(text))]
    left, right = text[min(a for a, _ in inside) : start], text[end : max(b for _, b in inside)]
    left, right = (_MARKED.sub(r"(\1)", part) for part in (left, right))
    return " ".join(f"{mention}: {left} {{ {mention} }} {right}".split())


def read_candidates(path: Path) -> dict[str, Sentences]:
    """Read `candidate_set_entities.jsonl`: language of the description to entities.

    Raises:
        DataError: naming the line with another layout, or a repeated entity.
    """
    rows: dict[str, tuple[list[str], list[str]]] = {}
    seen: set[str] = set()
    for number, row in read_jsonl(path):
        try:
            entity, lang = row["entity_id"], row["description_language"]
            text = row["description"]
        except (KeyError, TypeError) as error:
            raise DataError(f"{path}, line {number}: not an entity: {error!r}") from error
        if not all(isinstance(value, str) for value in (entity, lang, text)):
            raise DataError(f"{path}, line {number}: id, language and description are texts")
        if entity in seen:
            raise DataError(f"{path}, line {number}: entity '{entity}' occurs twice")
        seen.add(entity)
        ids, texts = rows.setdefault(lang, ([], []))
        ids.append(entity)
        texts.append(" ".join(text.split()))
    if not rows:
        raise DataError(f"{path} has no entities")
    return {
        lang: Sentences(f"candidates.{lang}", lang, tuple(ids), tuple(texts))
        for lang, (ids, texts) in sorted(rows.items())
    }


def as_sides(mentions: Sequence[Mention]) -> list[Sentences]:
    """The mentions of each language, to encode.

    Raises:
        DataError: if a mention has no text.
    """
    without = [mention.qid for mention in mentions if not mention.text]
    if without:
        raise DataError(
            f"{len(without)} mentions, such as '{without[0]}', have no text; the release's script "
            "get-mewsli-x.sh inserts the texts"
        )
    return [
        Sentences(f"mentions.{lang}", lang, *zip(*((m.qid, m.text) for m in rows), strict=True))
        for lang in sorted({mention.lang for mention in mentions})
        for rows in [[mention for mention in mentions if mention.lang == lang]]
    ]


def best_entities(
    queries: Vectors, candidates: Sequence[tuple[Sequence[str], Vectors]]
) -> list[tuple[str, ...]]:
    """The `TOP` entities of each query by cosine, best first; ties in the order of candidates."""
    unit, ids = _unit(queries), [name for names, _ in candidates for name in names]
    scores = np.zeros((len(unit), 0), np.float32)
    places = np.zeros((len(unit), 0), np.int64)
    offset = 0
    for _, vectors in candidates:
        for start in range(0, len(vectors), _CHUNK):
            part = unit @ _unit(vectors[start : start + _CHUNK]).T
            new = np.broadcast_to(np.arange(part.shape[1]) + offset + start, part.shape)
            scores, places = _best(np.hstack([scores, part]), np.hstack([places, new]))
        offset += len(vectors)
    return [tuple(ids[place] for place in row) for row in places.tolist()]


def _best(scores: NDArray[Any], places: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    order = np.argsort(-scores, axis=1, kind="stable")[:, :TOP]
    return np.take_along_axis(scores, order, 1), np.take_along_axis(places, order, 1)


def _unit(vectors: Vectors) -> NDArray[np.float32]:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class ByDescription:
    """mAP@20 in percent and mentions: by subset (Table 14), and by pair of languages (Figure 3).

    A pair is the language of the gold entity's description, then that of the mention. `unknown`
    counts the mentions whose entity is no candidate.
    """

    subsets: Mapping[str, tuple[int, float]]
    pairs: Mapping[tuple[str, str], tuple[int, float]]
    unknown: int

    def to_json(self) -> dict[str, Any]:
        """JSON values: description language to mention language to values."""
        pairs: dict[str, dict[str, Any]] = {}
        for (description, mention), cell in self.pairs.items():
            pairs.setdefault(description, {})[mention] = _cell(cell)
        subsets = {name: _cell(cell) for name, cell in self.subsets.items()}
        return {"by_description": subsets, "pairs": pairs, "unknown": self.unknown}


def by_description(
    mentions: Sequence[Mention], scores: Sequence[Score], languages: Mapping[str, str]
) -> ByDescription:
    """Split scores by the language of the gold entity's description; means are over mentions.

    `languages` maps entities to the languages of their descriptions.
    """
    rows: dict[str, list[float]] = {}
    pairs: dict[tuple[str, str], list[float]] = {}
    unknown = 0
    value_of = {score.qid: 100 * score.values["map@20"] for score in scores}
    for mention in mentions:
        value, described = value_of[mention.qid], languages.get(mention.entity)
        rows.setdefault(ALL, []).append(value)
        if described is None:
            unknown += 1
            continue
        rows.setdefault(SAME if described == mention.lang else DIFFERENT, []).append(value)
        pairs.setdefault((described, mention.lang), []).append(value)
    subsets = {name: _mean(rows[name]) for name in (ALL, SAME, DIFFERENT) if name in rows}
    return ByDescription(subsets, {key: _mean(pairs[key]) for key in sorted(pairs)}, unknown)


def description_grids(split: ByDescription) -> list[Grid]:
    """The subsets, then the pairs of at least `LEAST` mentions."""
    subsets = tuple((name, str(n), f"{value:.1f}") for name, (n, value) in split.subsets.items())
    about = "Percent, means over mentions, by the language of the gold entity's description."
    first = Grid("mewsli-x by description", ("subset", COUNT, "map@20"), (subsets,), about)
    langs = sorted({mention for _, mention in split.pairs})
    rows = tuple(
        (
            described,
            *(
                f"{cell[1]:.1f}"
                if (cell := split.pairs.get((described, lang), (0, 0.0)))[0] >= LEAST
                else MISSING
                for lang in langs
            ),
        )
        for described in sorted({described for described, _ in split.pairs})
    )
    caption = f"Rows: descriptions; columns: mentions. {MISSING}: fewer than {LEAST} mentions."
    header = ("language", *langs)
    return [first, Grid("mewsli-x by pair of languages", header, (rows,), caption, fixed=True)]


def _mean(values: Sequence[float]) -> tuple[int, float]:
    return len(values), sum(values) / len(values)


def _cell(cell: tuple[int, float]) -> dict[str, float]:
    return {"n": cell[0], "map@20": cell[1]}
