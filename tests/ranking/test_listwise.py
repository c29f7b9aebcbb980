"""The orders here are scripted by the tests; no model made them."""

import re
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError, Notice
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load as load_mini
from xorqa.experiments.pipeline import Stop
from xorqa.experiments.run import run
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.cache import Cache
from xorqa.io.files import read_json
from xorqa.ranking.listwise import ListwiseRanker
from xorqa.ranking.permutation import read_permutation, windows

QUERY = Query(Question("q", "Missä Niili on?", "fi"), "Where is the Nile?", "en")
OTHER = Query(Question("o", "나일강은 어디에 있나요?", "ko"), "Where is the Rhine?", "en")


def hits(count: int) -> list[Hit]:
    """Passages whose right order is that of their numbers, in the opposite order."""
    return [Hit(Passage(f"d{at:02}", f"weight {at}", "T"), float(at)) for at in range(count)[::-1]]


def ranker(service: Any, **options: Any) -> ListwiseRanker:
    given = {"endpoint": service.url, "model": "scripted", "retries": 0, "backoff": 0.0}
    return ListwiseRanker(**{**given, **options})


def sorts(service: Any) -> None:
    """Let the service order passages by their weights."""

    def reply(_: str) -> str:
        messages = service.requests[-1]["messages"]
        weights = [int(m["content"].rsplit(" ", 1)[1]) for m in messages if "] T w" in m["content"]]
        order = sorted(range(len(weights)), key=lambda at: weights[at])
        return " > ".join(f"[{at + 1}]" for at in order)

    service.replies = [reply]


def test_the_conversation_is_that_of_rankgpt(service: Any) -> None:
    service.replies = ["[2] > [1]"]
    [ranked] = ranker(service).rank([QUERY], [hits(2)])
    assert [(hit.passage.docid, hit.score) for hit in ranked] == [("d00", 2.0), ("d01", 1.0)]
    [request] = service.requests
    roles = [message["role"] for message in request["messages"]]
    texts = [message["content"] for message in request["messages"]]
    assert roles == ["system", *["user", "assistant"] * 3, "user"]
    assert texts[0].startswith("You are RankGPT, an intelligent assistant that can rank passages")
    assert texts[1:4] == [
        "I will provide you with 2 passages, each indicated by number identifier []. \n"
        "Rank the passages based on their relevance to query: Where is the Nile?.",
        "Okay, please provide the passages.",
        "[1] T weight 1",
    ]
    assert texts[4] == "Received passage [1]."
    assert texts[-1].startswith("Search Query: Where is the Nile?. \nRank the 2 passages above")
    assert request["temperature"] == 0


def test_the_window_moves_up_from_the_end(service: Any) -> None:
    sorts(service)
    [ranked] = ranker(service, window=4, step=2, depth=10).rank([QUERY], [hits(12)])
    shown = [
        [m["content"][-1] for m in request["messages"] if "] T w" in m["content"]]
        for request in service.requests
    ]
    assert shown[0] == ["5", "4", "3", "2"] and shown[1] == ["7", "6", "2", "3"]
    assert len(shown) == 4
    docids = [hit.passage.docid for hit in ranked]
    assert docids[:2] == ["d02", "d03"]  # the best of the first ten rise to the top
    assert docids[10:] == ["d01", "d00"]  # beyond the depth
    scores = [hit.score for hit in ranked]
    assert scores == sorted(scores, reverse=True) and scores[0] == 10.0
    assert ranker(service, keep=3).rank([QUERY, OTHER], [[], hits(4)])[1][2].score == 2.0


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (100, [(at, at + 20) for at in range(80, -1, -10)]),  # RankGPT's own
        (20, [(0, 20)]),
        (7, [(0, 7)]),
        (25, [(5, 25), (0, 15)]),
        (0, []),
    ],
)
def test_windows_reach_the_first_hit(count: int, expected: list[tuple[int, int]]) -> None:
    assert list(windows(count, window=20, step=10)) == expected


@pytest.mark.parametrize(
    ("reply", "order", "repaired"),
    [
        ("[3] > [1] > [2]", [2, 0, 1], False),
        ("3 1 2", [2, 0, 1], False),
        ("[2] > [2] > [9]", [1, 0, 2], True),
        ("I cannot rank them.", [0, 1, 2], True),
        ("[0] > [3]", [2, 0, 1], True),
        ("<think>[1] first? No, [2]</think>[3] > [2] > [1]", [2, 1, 0], False),
        ("[THINK]1, 2, 3[/THINK][3] > [1] > [2]", [2, 0, 1], False),
        ("<thinking>[3] > [2]", [0, 1, 2], True),
        ("[²] > [３]", [2, 0, 1], True),
        ("9" * 5000, [0, 1, 2], True),
    ],
)
def test_replies_are_repaired_by_the_rule_of_rankgpt(
    reply: str, order: list[int], repaired: bool
) -> None:
    assert read_permutation(reply, 3) == (order, repaired)


def test_repaired_replies_are_counted_and_reported(service: Any) -> None:
    service.replies = ["no", "[2] > [1]"]
    stage = ranker(service)
    with pytest.warns(Notice, match="1 of 2 replies were no complete order"):
        first, second = stage.rank([QUERY, OTHER], [hits(2), hits(2)])
    assert [hit.passage.docid for hit in (*first, *second)] == ["d01", "d00", "d00", "d01"]
    assert stage.spent["repaired"] == 1 and stage.spent["replies"] == 2
    assert stage.spent["requests"] == 2
    assert stage.black_box == "scripted at 127.0.0.1"


def test_replies_are_recorded_and_replayed(service: Any, tmp_path: Path) -> None:
    sorts(service)
    path = tmp_path / "orders.jsonl"
    options = {"window": 4, "step": 2, "recorded": str(path)}
    expected = ranker(service, **options).rank([QUERY], [hits(6)])
    count = len(service.requests)
    replayed = ListwiseRanker(model="scripted", **options)
    assert replayed.rank([QUERY], [hits(6)]) == expected
    assert len(service.requests) == count == 2
    assert replayed.black_box == "scripted at 127.0.0.1"
    with pytest.warns(Notice, match=r"1 question could not be ranked \(not recorded in"):
        assert replayed.rank([OTHER], [hits(6)]) == [hits(6)]


def test_what_could_not_be_ranked_is_tried_again(service: Any, tmp_path: Path) -> None:
    service.replies = ["[2] > [1]", (500, {})]
    cache, passages = (
        Cache(tmp_path / "cache.sqlite"),
        Corpus("c", [hit.passage for hit in hits(2)]),
    )

    def rank() -> list[list[str]]:
        stage = ranker(service, cache=cache)
        ranked = cache.rank(stage, [QUERY, OTHER], [hits(2), hits(2)], passages)
        return [[hit.passage.docid for hit in ranking] for ranking in ranked]

    with pytest.warns(Notice, match=r"1 question could not be ranked \(HTTP 500.*run again"):
        assert rank() == [["d00", "d01"], ["d01", "d00"]]
    service.replies = ["[2] > [1]"]
    count = len(service.requests)
    assert rank() == [["d00", "d01"], ["d00", "d01"]]
    assert rank() and len(service.requests) == count + 1


def test_a_run_names_the_service_and_its_costs(service: Any, home: Path, tmp_path: Path) -> None:
    service.replies = ["[2] > [1]"]
    table = {"use": "listwise", "endpoint": service.url, "model": "m", "depth": 2, "retries": 0}
    route = Route("eng", {"use": "bm25"}, {"use": "human"}, ranker=table)
    dataset = load_mini().only(["fi"]).sample(2)
    for out in ("one", "two"):
        settings = PipelineSettings((route,), name="listwise")
        run(settings, dataset, tmp_path / out, until=Stop.RETRIEVE, indexes=home / "indexes")
    first, second = (read_json(tmp_path / out / "manifest.json") for out in ("one", "two"))
    assert first["black_box"] == {"eng.rank.en": "m at 127.0.0.1"}
    assert first["spent"]["eng.rank.en"]["requests"] == len(service.requests) == 2
    assert second["spent"]["eng.rank.en"]["requests"] == 0


def test_a_prompt_of_your_own(service: Any, tmp_path: Path) -> None:
    service.replies = ["[1]"]
    path = tmp_path / "mine.toml"
    path.write_text(
        '[[each]]\nrole = "user"\ncontent = "{number}: {passage}"\n'
        '[[after]]\nrole = "user"\ncontent = "{query} {other}"\n'
    )
    query = Query(QUERY.question, "Where is {passage}?", "en")
    stage = ranker(service, prompt=str(path), words=2)
    stage.rank([query], [[Hit(Passage("one", "one {query} three"), 1.0)]])
    assert service.asked == ["Where is {passage}? {other}"]
    assert service.requests[0]["messages"][0]["content"] == "1: one {query}"
    assert stage.fingerprint() != ranker(service, words=2).fingerprint()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("each = 3", "needs a role and a content"),
        ('[[each]]\nrole = "user"', "needs a role and a content"),
        ('[[each]]\nrole = "user"\ncontent = "x"', r"no message \[\[each\]\] of .* \{passage\}"),
        ("= 1", "is not valid TOML"),
    ],
)
def test_bad_prompts(service: Any, tmp_path: Path, text: str, error: str) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(ConfigError, match=error):
        ranker(service, prompt=str(tmp_path / "bad.toml"))


def test_settings_that_cannot_be_used(service: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs an endpoint, or recorded replies"):
        ListwiseRanker(model="m")
    with pytest.raises(ConfigError, match="a step of 30 skips passages of a window of 20"):
        ranker(service, step=30)
    with pytest.raises(ConfigError, match=re.escape("cannot be read")):
        ranker(service, prompt=str(tmp_path / "none.toml"))
