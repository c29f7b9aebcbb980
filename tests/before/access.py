"""All that these tests know of the package's insides: when modules move, only this file changes."""

from __future__ import annotations

import contextlib
import inspect
import io
import sys
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from xorqa import Answer, Candidate, Hit, Passage, Query, Question
from xorqa.cli.main import main
from xorqa.core.registry import STAGES, build, find
from xorqa.datasets.catalog import load_dataset
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import EXAMPLES, load_settings
from xorqa.io import files
from xorqa.io.candidates import candidate_from
from xorqa.lab.common.saved_run import open_run
from xorqa.lab.training.common.kind import find_kind
from xorqa.lab.training.common.recipe import OLD_SETTINGS, RECIPES
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import encoder_settings
from xorqa.models.transforms import open_transform

__all__ = ["OLD_SETTINGS"]


@contextlib.contextmanager
def float32() -> Iterator[None]:
    """On the CPU and in float32, whatever this machine could do better."""
    import torch

    with contextlib.ExitStack() as stack:
        for module, name in (
            (torch.cuda, "is_available"),
            (torch.backends.mps, "is_available"),
            (torch.cpu, "_is_avx512_bf16_supported"),
            (torch.cpu, "_is_amx_tile_supported"),
        ):
            stack.enter_context(patch.object(module, name, bool, create=True))
        yield


def command(*arguments: object) -> tuple[int, str]:
    """The exit status of `xorqa ARGUMENTS`, and what it printed."""
    printed, status = io.StringIO(), 0
    words = ["xorqa", *map(str, arguments)]
    with patch.object(sys, "argv", words), contextlib.redirect_stdout(printed):
        try:
            main()
        except SystemExit as done:
            status = int(done.code or 0)
    return status, printed.getvalue()


def question(row: Mapping[str, Any]) -> Question:
    """A question from its JSON form."""
    return Question(row["qid"], row["text"], row["lang"])


def candidate(row: Mapping[str, Any]) -> Candidate:
    """A candidate from its JSON form."""
    return candidate_from(row)


def examples() -> list[dict[str, Any]]:
    """The bundled world's questions, each with its translation and where its answer stands."""
    world, found = load_dataset("mini"), []
    for example in world.examples:
        gold = next(gold for gold in example.golds if gold.docid and gold.span)
        passage = world.corpora[gold.lang][gold.docid or ""]
        found.append(
            {
                "question": asdict(example.question),
                "english": example.human_translation,
                "passage": asdict(passage),
                "end": gold.span.end if gold.span else 0,
            }
        )
    return found


def read(adapter: str, pairs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any] | None]:
    """What a reader finds in each (question, passage), in float32; None for nothing."""
    reader = build("reader", {"use": "span", "adapter": adapter, "dtype": "float32"})
    asked = [question(pair["question"]) for pair in pairs]
    found = reader.read(
        [Query(one, one.text, one.lang) for one in asked],
        [[Hit(Passage(**pair["passage"]), 1.0)] for pair in pairs],
    )
    return [_read(row[0]) if row else None for row in found]


def _read(found: Candidate) -> dict[str, Any]:
    return {
        "text": found.text,
        "span": [found.span.start, found.span.end],
        "span_score": found.scores.span,
        "passage_score": found.scores.passage,
        "margin": found.scores.margin,
    }


def encode(
    name: str, transforms: Sequence[str], texts: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    """The vectors (texts, dimensions) of queries and passages, as they are and transformed."""
    encoder = Encoder(replace(encoder_settings(name), dtype="float32"))
    opened = {one: open_transform(one, encoder=encoder.fingerprint()) for one in transforms}
    made: dict[str, list[Any]] = {name: [], **{f"{name}, {one} (transform)": [] for one in opened}}
    for side, work in (("query", encoder.queries), ("passage", encoder.passages)):
        of_side = [one for one in texts if one["side"] == side]
        langs = [one["lang"] for one in of_side]
        vectors = work([one["text"] for one in of_side], langs)
        made[name].append(vectors)
        for one, transform in opened.items():
            moved = transform.apply(vectors, langs, side=side)
            made[f"{name}, {one} (transform)"].append(moved)
    return {which: np.concatenate(rows) for which, rows in made.items()}


def translate(translator: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Questions in English."""
    stage = build("translator", translator)
    return [query.text for query in stage.translate([question(row) for row in rows], to="en")]


def localise(localiser: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[list[Answer]]:
    """The answers that a localiser makes of each row's candidates."""
    made: list[list[Answer]] = build("localiser", localiser).localise(
        [question(row["question"]) for row in rows],
        [[candidate(one) for one in row["candidates"]] for row in rows],
    )
    return made


def choose(
    chooser: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], answers: Sequence[list[Answer]]
) -> list[dict[str, Any]]:
    """The answer that a chooser takes for each row's question."""
    chosen = build("chooser", chooser).choose([question(row["question"]) for row in rows], answers)
    return [
        {"text": one.text, "lang": one.lang, "made": one.method, "score": one.score}
        for one in chosen
    ]


def saved_answers(folder: Path) -> list[list[tuple[str, str, str]]]:
    """What could be chosen in a run's folder: text, language and how it was made."""
    return [[(one.text, one.lang, one.method) for one in row] for row in open_run(folder).answers]


def search(
    table: Mapping[str, Any], lang: str, indexes: Path, rows: Sequence[Mapping[str, Any]], k: int
) -> list[list[tuple[str, float]]]:
    """Docids and scores, by the index that stands below `indexes`, or is built there."""
    corpus = load_dataset("mini").corpora[lang]
    folder = files.index_folder(indexes / corpus.name, table)
    stage = build("retriever", table, corpus=corpus, folder=folder)
    stage.build()
    asked = [question(row) for row in rows]
    hits = stage.retrieve([Query(one, one.text, one.lang) for one in asked], k=k)
    return [[(hit.passage.docid, hit.score) for hit in row] for row in hits]


def index_folder(table: Mapping[str, Any], lang: str, indexes: Path) -> Path:
    """Where the index of a retriever's table stands."""
    return files.index_folder(indexes / load_dataset("mini").corpora[lang].name, table)


def stages() -> dict[str, list[str]]:
    """The names of stages by role."""
    return {role: list(names) for role, names in STAGES.items()}


def stage_class(role: str, name: str) -> type[Any]:
    """The class behind a stage's name."""
    return find(role, name)


def build_stage(role: str, table: Mapping[str, Any], folder: Path) -> Any:
    """A stage from its table, with what a pipeline would give it."""
    given: dict[str, Any] = {}
    if role == "translator":
        given = {"translations": {}}
    if role == "retriever":
        given = {"corpus": load_dataset("mini").corpora["te"], "folder": folder}
    return build(role, table, **given)


def stage_settings(role: str, name: str) -> dict[str, list[Any]]:
    """Each setting of a stage that has a default: that, and the other values it may have."""
    found = {}
    for key, one in inspect.signature(find(role, name), eval_str=True).parameters.items():
        if one.default is one.empty or key in {"cache", "failed", "translations"}:
            continue
        literal = typing.get_origin(one.annotation) is typing.Literal
        others = typing.get_args(one.annotation) if literal else ()
        found[key] = list(dict.fromkeys([one.default, *others]))
    return found


def config_files() -> list[Path]:
    """The example configs."""
    return sorted(EXAMPLES.values())


def recipe_files() -> list[Path]:
    """The training recipes."""
    return sorted(RECIPES.values())


def load_config(config: str | Path) -> dict[str, Any]:
    """A config by its path or name, as plain values."""
    return load_settings(config).to_json()


def open_pipeline(config: str | Path, indexes: Path) -> Pipeline:
    """A config's stages over the bundled world, built but not loaded."""
    world = load_dataset("mini")
    return Pipeline.from_config(
        config, world.corpora, translations=world.translations, indexes=indexes
    )


def load_recipe(kind: str, config: str | Path, changes: Sequence[str] = ()) -> dict[str, Any]:
    """A recipe by its path or name, as plain values."""
    return asdict(find_kind(kind).recipe.load(config, changes))  # type: ignore[call-overload]
