"""`xorqa eval mewsli-x-retrieval`: made-up files in the release's layout, vectors, and splits."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import DataError
from xorqa.io.files import write_json, write_jsonl
from xorqa.lab.leaderboard.boards import find_board
from xorqa.lab.leaderboard.metadata import ResultEntry
from xorqa.lab.leaderboard.results import read_entry
from xorqa.lab.mining.mewsli_x_retrieval import best_entities, read_candidates, read_mentions

Xorqa = Callable[..., Any]
ENTITIES = [("Q1", "de"), ("Q2", "fi"), ("Q3", "de"), ("Q4", "ar")]
MENTIONS = [("m1", "de", "Q1"), ("m2", "de", "Q2"), ("m3", "ar", "Q9")]
TEXT = "Erst dies. Dann {kam} Anna nach Bonn. Ende."


def article(qid: str, lang: str, entity: str, text: str = TEXT) -> dict[str, Any]:
    start = TEXT.index("Anna")
    spans = [(0, 10), (11, 37), (38, 43)]
    return {
        "context": {
            "language": lang,
            "text": text,
            "sentence_spans": [{"start": a, "end": b} for a, b in spans],
        },
        "mentions": [
            {
                "example_id": qid,
                "entity_id": entity,
                "mention_span": {"start": start, "end": start + 4, "text": "Anna"},
            }
        ],
    }


@pytest.fixture
def release(xorqa: Xorqa) -> tuple[object, ...]:
    """The two files, and vectors by which m1 finds Q1 first, and m2 finds Q2 second."""
    write_jsonl(Path("mentions.jsonl"), [article(*row) for row in MENTIONS])
    write_jsonl(
        Path("entities.jsonl"),
        [
            {"entity_id": entity, "description_language": lang, "description": f"About {entity}.\n"}
            for entity, lang in ENTITIES
        ],
    )
    de, fi, ar = np.eye(3)[[0, 2]], np.array([[0.0, 1.0, 0.1]]), np.array([[0.0, 1.0, 0.0]])
    sides = {"candidates.de": de, "candidates.fi": fi, "candidates.ar": ar}
    mentions = {"mentions.de": np.eye(3)[[0, 1]], "mentions.ar": np.eye(3)[[0]]}
    np.savez("mine.npz", **sides, **mentions)  # type: ignore[arg-type]
    options = "--mentions", "mentions.jsonl", "--candidates", "entities.jsonl"
    return ("eval", "mewsli-x-retrieval", *options)


def test_a_mention_is_marked_in_its_sentence(release: tuple[object, ...]) -> None:
    [first, *_] = read_mentions(Path("mentions.jsonl"))
    assert first.text == "Anna: Dann (kam) { Anna } nach Bonn."
    assert (first.qid, first.lang, first.entity) == MENTIONS[0]
    sides = read_candidates(Path("entities.jsonl"))
    assert [*sides] == ["ar", "de", "fi"] and sides["de"].texts == ("About Q1.", "About Q3.")


def test_retrieval_by_vectors_and_scores_by_description(
    xorqa: Xorqa, release: tuple[object, ...]
) -> None:
    outcome = xorqa(*release, "--encoder", "mine.npz", "--out", "out", "--json", "m.json")
    assert outcome.status == 0, outcome.err
    assert "1 mention whose entity is no candidate" in outcome.out
    values = json.loads(Path("m.json").read_text())
    assert values["per_lang"] == {"ar": {"map@20": 0}, "de": {"map@20": 75}}
    assert values["by_description"] == {
        "all": {"n": 3, "map@20": 50},
        "same language": {"n": 1, "map@20": 100},
        "different languages": {"n": 1, "map@20": 50},
    }
    assert values["pairs"]["fi"]["de"] == {"n": 1, "map@20": 50} and values["unknown"] == 1
    ranked = json.loads(Path("out/de.json").read_text())
    assert ranked == {"m1": ["Q1", "Q4", "Q3", "Q2"], "m2": ["Q4", "Q2", "Q1", "Q3"]}
    again = xorqa(
        *release, "--pred", "out/de.json", "--pred", "out/ar.json", "--json", "again.json"
    )
    assert again.status == 0
    assert json.loads(Path("again.json").read_text()) == values | {"system": "rankings"}
    result = read_entry(ResultEntry("mewsli-x", "m.json"), Path())
    assert result.board == find_board("mewsli-x") and result.values["official"]["mean"] == {
        "map@20": 37.5
    }


def test_retrieval_with_an_encoder(xorqa: Xorqa, release: tuple[object, ...], tiny: Path) -> None:
    outcome = xorqa(*release, "--encoder", tiny, "--vectors", "v", "--out", "out")
    assert outcome.status == 0, outcome.err
    assert len(json.loads(Path("out/ar.json").read_text())["m3"]) == 4


def test_the_best_are_those_of_one_product() -> None:
    random = np.random.default_rng(1)
    queries, rows = random.normal(size=(5, 8)), random.normal(size=(40_000, 8))
    ids = [str(number) for number in range(len(rows))]
    found = best_entities(queries, [(ids[:30_000], rows[:30_000]), (ids[30_000:], rows[30_000:])])
    cosine = queries @ (rows / np.linalg.norm(rows, axis=1, keepdims=True)).T
    assert [[*map(int, row)] for row in found] == np.argsort(-cosine, axis=1)[:, :20].tolist()


def test_refusals(xorqa: Xorqa, release: tuple[object, ...]) -> None:
    both = xorqa(*release, "--encoder", "mine.npz", "--pred", "x.json")
    assert both.status == 2 and "--pred scores rankings" in both.err
    write_jsonl(Path("mentions.jsonl"), [article(*MENTIONS[0], text="")])
    bare = xorqa(*release, "--encoder", "mine.npz")
    assert bare.status == 2 and "get-mewsli-x.sh inserts the texts" in bare.err
    write_json(Path("r.json"), {"m1": ["Q1"]})
    assert xorqa(*release, "--pred", "r.json").status == 0  # scoring needs no texts
    write_jsonl(Path("mentions.jsonl"), [article(*MENTIONS[0], text="Other text.")])
    with pytest.raises(DataError, match="line 1: not an article"):
        read_mentions(Path("mentions.jsonl"))
    write_jsonl(
        Path("twice.jsonl"),
        [{"entity_id": "Q1", "description_language": "de", "description": ""}] * 2,
    )
    with pytest.raises(DataError, match="'Q1' occurs twice"):
        read_candidates(Path("twice.jsonl"))
