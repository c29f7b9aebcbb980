"""The record of an earlier version: where its fixtures are, their settings, how they compare."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures"
SYSTEMS, RUNS, INDEXES = (FIXTURES / name for name in ("systems", "runs", "indexes"))
PLACE = "$DATA"  # stands for the folder of fetched data

READERS = ("reader-multi", "reader-questions")
TRANSLATOR = {"use": "own"}
ENCODERS = {"e5-small-q4": (), "encoder-aligned": ("encoder-aligned",)}
"""Encoders and the transforms of each."""
LOCALISERS = {
    **{name: {"use": name} for name in ("none", "cldr")},
    "chain": {"use": "chain", "transliterator": ""},  # as it was without trained weights
}
DEFAULT_READER = ("--set", "reader.adapter=reader-multi")
"""The default reader of the earlier version."""
DEFAULT_LOCALISER = ("--set", "localiser.use=cldr")
RULES_ALONE = ("--set", "localiser.transliterator=''")
"""What a run needs to localise as the earlier version did, which had no trained weights."""
NEW_ANSWERS = {
    "five": ["5", "te", "rule:number"],
    "చిమ్బారాజో": ["చింబోరాజో", "te", "transliterated"],
    "అరానస్": ["ఉరానస్", "te", "transliterated"],
    "కాన్బెరా": ["కాంబెర్రా", "te", "transliterated"],
}
"""Answers that rules or the trained transliterator localise since (text, language, method)."""
CHOOSERS = {
    "learnt": {"use": "learnt"},
    "learnt, no foreign script": {"use": "learnt", "foreign": 0.0},
    "rule": {"use": "rule"},
    "rule, target": {"use": "rule", "prefer": "target"},
}

DENSE = {"use": "dense", "dtype": "float32"}
ALIGNED = {"adapter": "encoder-aligned", "transform": "encoder-aligned"}
OPENED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("te", {"use": "bm25"}),
    ("te", DENSE),
    ("te", {**DENSE, **ALIGNED}),
    ("te", {**DENSE, "kind": "sq8"}),
    ("te", {**DENSE, "kind": "ivf-sq8"}),
    ("te", {**DENSE, "kind": "hnsw-sq8"}),
    ("te", {"use": "hybrid", "parts": [{"use": "bm25"}, DENSE]}),
    ("fi", {"use": "hybrid", "parts": [{"use": "bm25"}, DENSE]}),
    ("en", {**DENSE, "kind": "sq8"}),
)
"""The indexes that were kept: of which passages, and by which retriever."""

RUN = ("--data", "mini", "--lang", "fi,te", "--sample", 3, "--indexes", "indexes")
BOTH = ("runs/chain-rule", "runs/cldr-learnt")
REPORT = ("report", *BOTH, "--choose", "rule,prefer=score", "--samples", 100)
LEDGER = ("ledger", BOTH[0])
COMPARE = ("compare", *BOTH, "--samples", 100)


def read_json(path: Path) -> Any:
    """A fixture, or another file of JSON; the rows of JSONL."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return json.loads(text)


def fixture(name: str) -> Any:
    """A fixture's content."""
    return read_json(FIXTURES / name)


def plain(value: Any) -> Any:
    """A value as its fixture has it: tuples as lists, the data folder by its stand-in."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return json.loads(text.replace(_data(), PLACE))


def differences(
    before: Any, after: Any, *, where: str = "", within: float = 0.0, more: bool = False
) -> Iterator[str]:
    """Each place in which two JSON values differ; `more`: new keys in `after` are none."""
    numbers = all(
        isinstance(one, int | float) and not isinstance(one, bool) for one in (before, after)
    )
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(() if more else (key for key in after if key not in before))]:
            if key not in before or key not in after:
                kept = before.get(key, "nothing"), after.get(key, "nothing")
                yield f"{where}/{key}: before {kept[0]!r}, after {kept[1]!r}"
            else:
                yield from differences(
                    before[key], after[key], where=f"{where}/{key}", within=within, more=more
                )
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for at, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, where=f"{where}[{at}]", within=within, more=more)
    elif numbers and abs(before - after) <= within:
        return
    elif before != after:
        yield f"{where}: before {before!r}, after {after!r}"


def told(found: Iterator[str] | list[str], *, most: int = 12) -> str:
    """The differences, a line each; nothing if there are none."""
    lines = list(found)
    rest = [f"... and {len(lines) - most} more"] if len(lines) > most else []
    return "\n".join([*lines[:most], *rest])


def _data() -> str:
    return str(Path(os.environ["XORQA_HOME"]) / "data")
