"""The shipped weights give what they gave before the package was rearranged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from tests.before import access
from tests.before.record import (
    CHOOSERS,
    ENCODERS,
    FIXTURES,
    LOCALISERS,
    READERS,
    TRANSLATOR,
    differences,
    fixture,
    plain,
    told,
)
from xorqa.core.types import Span
from xorqa.reading.decode import inside_words, trimmed

NEAR = 1e-4  # of scores, and of a vector's values


def of_inputs(rows: Iterable[tuple[object, Any, Any]]) -> str:
    """What differs, with the input; `rows` are inputs, their outputs before and after."""
    return told(
        [
            f"{asked}{line}"
            for asked, before, after in rows
            for line in differences(before, plain(json.dumps(after)), within=NEAR)
        ]
    )


def about(row: Mapping[str, Any]) -> str:
    """A question as a message names it."""
    return f"{row['qid']} ({row['lang']}) {row['text']!r} "


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_readers_find_the_same_spans(name: str) -> None:
    rows = fixture("readers.json")
    assert len(rows) == 50
    found = access.read(name, rows)
    assert not of_inputs(
        (f"{name}: {about(row['question'])}in {row['passage']['docid']}", row["before"][name], now)
        for row, now in zip(rows, found, strict=True)
    )


def test_readers_changed_only_spans_that_cut_words_or_carry_punctuation() -> None:
    """Records changed by version 4 of the reader keep what it gave until then, and the rule."""
    changed = [
        (row["passage"]["text"], name, old, row["before"][name])
        for row in fixture("readers.json")
        for name, old in row.get("until", {}).items()
    ]
    assert len(changed) == 6
    for text, name, old, new in changed:
        if old["rule"] == "the rival, and with it the margin":
            assert old["span"] == new["span"] and old["margin"] != new["margin"], name
        else:
            assert breaks_the_rule(text, old["span"]), (name, old)
            assert not breaks_the_rule(text, new["span"]), (name, new)


def breaks_the_rule(text: str, ends: Sequence[int]) -> bool:
    """Whether a span begins or ends inside a word, or carries hanging punctuation."""
    span = Span(*ends)
    return bool(inside_words(text)[ends].any()) or trimmed(text, span) != span


@pytest.mark.slow
@pytest.mark.parametrize("name", ENCODERS)
def test_encoders_give_the_same_vectors(name: str) -> None:
    rows = fixture("encoders.json")
    assert len(rows) == 50
    for which, vectors in access.encode(name, ENCODERS[name], rows).items():
        kept = np.load(FIXTURES / "encoders.npz")[which].astype(np.float32)
        assert vectors.shape == kept.shape
        lengths = np.linalg.norm(vectors, axis=1)
        cosines = (vectors * kept).sum(axis=1) / lengths / np.linalg.norm(kept, axis=1)
        now = [
            {"norm": norm, "first": vector[:8].tolist(), "cosine": cosine}
            for norm, vector, cosine in zip(
                lengths.tolist(), vectors, cosines.tolist(), strict=True
            )
        ]
        assert not of_inputs(
            (
                f"{which}: {row['side']} ({row['lang']}) {row['text'][:60]!r} ",
                {**row["before"][which], "cosine": 1.0},
                made,
            )
            for row, made in zip(rows, now, strict=True)
        )


@pytest.mark.slow
def test_the_translator_says_the_same() -> None:
    rows = fixture("translator.json")
    assert len(rows) == 50
    made = access.translate(TRANSLATOR, [row["question"] for row in rows])
    assert not of_inputs(
        (about(row["question"]), row["before"], now) for row, now in zip(rows, made, strict=True)
    )


@pytest.mark.parametrize("name", LOCALISERS)
def test_localisers_say_the_same(name: str) -> None:
    rows = fixture("answers.json")
    made = access.localise(LOCALISERS[name], rows)
    assert not of_inputs(
        (
            f"{name}: {about(row['question'])}",
            row["localised"][name],
            [[one.text, one.lang, one.method] for one in answers],
        )
        for row, answers in zip(rows, made, strict=True)
    )


@pytest.mark.parametrize("name", [name for name in CHOOSERS if "rule" not in name])  # by score
def test_choosers_take_the_same_answers(name: str) -> None:
    rows = fixture("answers.json")
    assert len(rows) == 50
    chosen = access.choose(CHOOSERS[name], rows, access.localise(LOCALISERS["chain"], rows))
    assert not of_inputs(
        (f"{name}: {about(row['question'])}", row["chosen"][name], now)
        for row, now in zip(rows, chosen, strict=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", fixture("cards.json"))
def test_weights_are_the_same_files_with_the_same_cards(name: str) -> None:
    status, printed = access.command("models", "show", name, "--json")
    assert status == 0
    now = {key: value for key, value in plain(printed).items() if key != "path"}
    assert not told(differences(fixture("cards.json")[name], now, where=name, more=True))
