"""Writes the fixtures; used once, before the package was rearranged.

    OMP_NUM_THREADS=1 python -m tests.before.record [models|settings|indexes|runs ...]

at the root of the checkout, some minutes on one core; `demo.json` is what `xorqa demo --json`
printed, the same in float32 and in bfloat16. What it wrote then is what must not change: run it
again only where a change of an output is meant, and say so.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np

from tests.before import access
from tests.before.kept import (
    CHOOSERS,
    COMPARE,
    ENCODERS,
    FIXTURES,
    INDEXES,
    LEDGER,
    LOCALISERS,
    OPENED,
    READERS,
    REPORT,
    RUN,
    RUNS,
    SYSTEMS,
    TRANSLATOR,
    plain,
    read_json,
    write_json,
)
from xorqa import XorqaError

LANGUAGES = ("ar", "bn", "fi", "ja", "ko", "ru", "te")
CHOICES = {
    "reader-en": ["method=lora", "method=full", "miner=bm25"],
    "encoder-lareqa": [
        *("method=lora", "method=full", "unit=passage", "unit=sentence", "pooling=cls"),
        *("pooling=mean", "towers=1", "towers=2", 'negatives=["bm25"]', 'negatives=["encoder"]'),
        *(f"sampler={name}" for name in ("en-en", "x-x", "x-x-mono", "x-y", "any")),
    ],
}
VALUES = {
    "kind": ("flat", "sq8", "ivf-sq8", "ivf-pq", "hnsw-sq8"),
    "pooling": ("mean", "cls", "pooler"),
    "dtype": ("auto", "float32", "bfloat16", "float16"),
}
"""Values of settings that are plain strings."""
TOWERS = {"question_tower": "owner/questions", "passage_tower": "owner/passages"}
NEEDED: dict[str, dict[str, Any]] = {
    "hybrid": {"parts": [{"use": "bm25"}, {"use": "dense"}]},
    "dpr": TOWERS,
    "mdpr": TOWERS,
    "recorded": {"file": "translations.jsonl"},
    "seq2seq": {"model": "owner/model"},
    "ctranslate2": {"model": "./model"},
    "service": {"url": "http://127.0.0.1:1", "model": "model"},
}
"""Settings that a stage cannot do without."""


def record_models() -> None:
    """What the shipped weights make of the bundled world."""
    world = access.examples()
    by_lang = {
        lang: sorted(
            (one for one in world if one["question"]["lang"] == lang),
            key=lambda one: len(one["passage"]["text"]),
        )
        for lang in LANGUAGES
    }
    short = [one for rows in by_lang.values() for one in rows[:6]]
    english = [one for one in world if one["passage"]["lang"] == "en"]
    english.sort(key=lambda one: len(one["passage"]["text"]))
    for one in english[:8]:  # questions in English too
        asked = {**one["question"], "text": one["english"], "lang": "en"}
        short.append({**one, "question": asked})
    _record_readers(short)
    _record_encoders(short)
    _record_translator(world)
    _record_answers()
    found = {}
    for name in ("e5-small-q4", "reader-en", "reader-multi", "encoder-aligned", "translator"):
        status, printed = access.command("models", "show", name, "--json")
        assert status == 0, name
        found[name] = {k: v for k, v in plain(printed).items() if k != "path"}
    write_json("cards.json", found)


def _record_readers(rows: list[dict[str, Any]]) -> None:
    pairs = [{"question": one["question"], "passage": _cut(one)} for one in rows]
    read = {name: access.read(name, pairs) for name in READERS}
    kept = [
        {**pair, "before": {name: found[at] for name, found in read.items()}}
        for at, pair in enumerate(pairs)
    ]
    write_json("readers.json", kept)


def _cut(one: dict[str, Any]) -> dict[str, Any]:
    """The passage, cut after its answer so that tests take less time."""
    text = one["passage"]["text"]
    return {**one["passage"], "text": text[: max(80, one["end"])]}


def _record_encoders(rows: list[dict[str, Any]]) -> None:
    asked, passages = [one["question"] for one in rows[::2]], [_cut(one) for one in rows[::2]]
    texts = [{"side": "query", "lang": one["lang"], "text": one["text"]} for one in asked]
    texts += [{"side": "passage", "lang": one["lang"], "text": one["text"]} for one in passages]
    made: dict[str, Any] = {}
    for name, transforms in ENCODERS.items():
        made |= access.encode(name, transforms, texts)
    halves = {name: vectors.astype(np.float16) for name, vectors in made.items()}
    np.savez_compressed(FIXTURES / "encoders.npz", **halves)
    kept = []
    for at, text in enumerate(texts):
        before = {
            name: {
                "norm": round(float(np.linalg.norm(vectors[at])), 6),
                "first": [round(float(value), 6) for value in vectors[at][:8]],
            }
            for name, vectors in made.items()
        }
        kept.append({**text, "before": before})
    write_json("encoders.json", kept)


def _record_translator(world: list[dict[str, Any]]) -> None:
    rows = []
    for lang, count in zip(LANGUAGES, (7, 7, 7, 7, 7, 7, 8), strict=True):
        own = [one["question"] for one in world if one["question"]["lang"] == lang]
        rows += sorted(own, key=lambda one: len(one["text"]))[:count]
    made = access.translate(TRANSLATOR, rows)
    write_json(
        "translator.json",
        [{"question": row, "before": text} for row, text in zip(rows, made, strict=True)],
    )


def _record_answers() -> None:
    """Localisers and choosers, over what one reader left for 56 questions, 50 of them taken."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        status, printed = access.command(
            "run",
            SYSTEMS / "bm25.toml",
            "--data",
            "mini",
            "--sample",
            8,
            "--out",
            out,
            "--indexes",
            Path(folder) / "indexes",
        )
        assert status == 0, printed
        spans = read_json(out / "spans.jsonl")
    asked = {one["question"]["qid"]: one["question"] for one in access.examples()}
    rows = [{"question": asked[row["qid"]], "candidates": row["candidates"]} for row in spans][:50]
    made = {name: access.localise(table, rows) for name, table in LOCALISERS.items()}
    chosen = {name: access.choose(table, rows, made["chain"]) for name, table in CHOOSERS.items()}
    write_json(
        "answers.json",
        [
            {
                **row,
                "localised": {
                    name: [[one.text, one.lang, one.made] for one in answers[at]]
                    for name, answers in made.items()
                },
                "chosen": {name: answers[at] for name, answers in chosen.items()},
            }
            for at, row in enumerate(rows)
        ],
    )


def record_settings() -> None:
    """Names of stages and their settings; configs and recipes, as files and as read."""
    accepted = []
    for role, names in access.stages().items():
        for name in names:
            found = access.stage_settings(role, name)
            least = {"use": name, **NEEDED.get(name, {})}
            tables = [least]
            for key, values in found.items():
                given = values + [v for v in VALUES.get(key, ()) if v not in values]
                tables += [{**least, key: value} for value in given]
            accepted += [{"role": role, "table": one} for one in tables if _builds(role, one)]
    configs = {path.stem: access.load_config(path) for path in access.config_files()}
    for path in access.config_files():
        _copy(path, FIXTURES / "configs")
    recipes, changes = {}, []
    for path in access.recipe_files():
        _copy(path, FIXTURES / "recipes")
        [kind] = tomllib.loads(path.read_text(encoding="utf-8"))
        parsed = access.load_recipe(kind, path)
        recipes[path.stem] = {"kind": kind, "recipe": parsed}
    for name in ("reader-en", "encoder-lareqa", "translator"):
        kind, parsed = recipes[name]["kind"], recipes[name]["recipe"]
        plainly = {k: v for k, v in parsed.items() if isinstance(v, bool | int | float | str)}
        plainly |= {f"schedule.{key}": v for key, v in parsed["schedule"].items() if v is not None}
        told = [
            f"{key}={str(value).lower() if isinstance(value, bool) else value}"
            for key, value in plainly.items()
        ]
        for change in dict.fromkeys([*told, *CHOICES.get(name, ())]):
            access.load_recipe(kind, name, [change])
            changes.append({"recipe": name, "kind": kind, "change": change})
    write_json(
        "settings.json",
        {
            "stages": access.stages(),
            "accepted": accepted,
            "configs": configs,
            "recipes": recipes,
            "changes": changes,
        },
    )


def _builds(role: str, table: dict[str, Any]) -> bool:
    """Whether a stage is built from a table alone: without files, services and other packages."""
    try:
        access.build_stage(role, table, Path("nowhere"))
    except (XorqaError, ImportError):
        return False
    return True


def _copy(path: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, folder / path.name)


def record_indexes() -> None:
    """Indexes of the bundled world, and what they find."""
    shutil.rmtree(INDEXES, ignore_errors=True)
    world, found = access.examples(), []
    for lang, table in OPENED:
        asked = [one["question"] for one in world if one["question"]["lang"] in (lang, "te")][:10]
        hits = access.search(table, lang, INDEXES, asked, 5)
        found.append({"lang": lang, "table": table, "questions": asked, "before": hits})
    write_json("indexes.json", found)


def record_runs() -> None:
    """The folders of two runs, the scores of the demo's systems, and what is said of the runs."""
    shutil.rmtree(RUNS, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name, chdir(name):
        shutil.copytree(INDEXES, "indexes")
        for config in sorted(SYSTEMS.glob("*.toml")):
            status, printed = access.command("run", config, *RUN, "--out", f"runs/{config.stem}")
            assert status == 0, printed
        kept = ("chain-rule", "cldr-learnt")
        for run in kept:
            shutil.copytree(Path("runs") / run, RUNS / run)
        scores = sorted(Path("runs").glob("*/scores.json"))
        write_json("scores.json", {path.parent.name: read_json(path) for path in scores})
        write_json("saved.json", {run: access.saved_answers(RUNS / run) for run in kept})
        said = {}
        for command in (REPORT, LEDGER, COMPARE):
            status, printed = access.command(*command, "--json", "said.json")
            assert status == 0, printed
            said[command[0]] = read_json(Path("said.json"))
        write_json("said.json", said)


PARTS: dict[str, Callable[[], None]] = {
    "models": record_models,
    "settings": record_settings,
    "indexes": record_indexes,
    "runs": record_runs,
}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "xorqa"
        (Path(empty) / "models").symlink_to(home / "models", target_is_directory=True)
        os.environ["XORQA_HOME"] = empty
        with access.float32():
            for part in sys.argv[1:] or PARTS:
                PARTS[part]()
