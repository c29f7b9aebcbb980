"""`xorqa eval judge` with a scripted judge: no model made an answer or a verdict."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import Xorqa
from tests.lab.judging.conftest import KEY, make_run, service, waits  # noqa: F401

LABELS = "q1\t1\nq2\t1\nq3\t1\nq4\t0\n"


@pytest.fixture
def judge(
    xorqa: Xorqa,
    make_run: Callable[..., Path],  # noqa: F811
    service: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Any]:
    """Runs `xorqa eval judge RUN` on a small run, with more options."""
    monkeypatch.setenv("THE_KEY", KEY)
    folder = make_run()

    def call(*options: object, endpoint: str = service.url) -> Any:
        settings = ("--endpoint", endpoint, "--model", "m", "--key-env", "THE_KEY")
        return xorqa("eval", "judge", folder, *settings, "--set", "retries=0", *options)

    return call


def test_the_judge_beside_the_strict_scorer_and_human_verdicts(
    judge: Callable[..., Any],
    service: Any,  # noqa: F811
) -> None:
    Path("labels.tsv").write_text(LABELS)
    outcome = judge(
        *("--labels", "labels.tsv", "--set", "price_in=10", "--json", "judge.json"),
        *("--format", "csv"),
    )
    assert outcome.status == 0, outcome.err
    scores, agreement = (
        [*csv.DictReader(io.StringIO(text))] for text in outcome.out.split("\n\n")[:2]
    )
    assert [(row["scorer"], row["metric"], row["fi"], row["macro"]) for row in scores] == [
        ("judge", "right", "100.0", "50.0"),
        ("judge", "n", "3", "5"),
        ("strict", "em", "33.3", "16.7"),
        ("strict", "f1", "55.6", "27.8"),
        ("strict", "n", "3", "5"),
    ]
    assert [tuple(row.values())[:5] for row in agreement] == [
        ("judge", "strict EM", "4", "50.0", "0.20"),
        ("judge", "strict F1 >= 0.5", "4", "75.0", "0.50"),
        ("judge", "human", "4", "100.0", "1.00"),
        ("strict EM", "human", "4", "50.0", "0.20"),
        ("strict F1 >= 0.5", "human", "4", "75.0", "0.50"),
    ]
    assert "replies without a verdict: 0" in outcome.err
    assert "spent: requests 4, tokens_in 80, tokens_out 20, cost 0.0008" in outcome.err
    figures = json.loads(Path("judge.json").read_text())
    assert figures["judge"] == "m at 127.0.0.1"
    assert figures["agreement"][0]["kappa"] == pytest.approx(0.2)
    assert [row["verdict"] for row in figures["answers"]] == [True, True, True, False, False]
    assert {"qid", "question", "golds", "answer"} < set(figures["answers"][0])
    assert KEY not in Path("judge.json").read_text() + outcome.out + outcome.err
    judge()
    assert len(service.requests) == 4


def test_a_terminals_table_and_replies_without_a_verdict(
    judge: Callable[..., Any],
    service: Any,  # noqa: F811
) -> None:
    service.replies = ["I am not sure.", '{"right": true}', (500, {}), '{"right": true}']
    outcome = judge()
    assert outcome.status == 0, outcome.err
    assert "judged right by m at 127.0.0.1, which is no official score" in outcome.out
    assert "replies without a verdict: 1" in outcome.out
    assert "answers without a reply: 1 (HTTP 500" in outcome.out
    [row] = [line for line in outcome.out.splitlines() if "strict EM" in line]
    assert "–" in row and "0.0" in row


def test_a_judge_that_only_rambles(
    judge: Callable[..., Any],
    service: Any,  # noqa: F811
) -> None:
    service.replies = ["Well."]
    outcome = judge("--json", "judge.json", "--sample", 1)
    assert outcome.status == 0, outcome.err
    assert json.loads(Path("judge.json").read_text())["without_verdict"] > 0


@pytest.mark.parametrize(
    ("options", "endpoint", "problem"),
    [
        ((), "", "[judge] needs the URL of a chat service"),
        ((), "http://127.0.0.1:9/v1", "judged none of 4 answers: 127.0.0.1 cannot be reached"),
        (("--set", "retries=-1"), None, "[judge] retries must be 0 or more, not -1"),
        (("--set", f"api_key={KEY}"), None, "[judge] has no setting 'api_key'"),
        (("--labels", "nowhere.tsv"), None, "nowhere.tsv cannot be read"),
        (("--labels", "bad.tsv"), None, "bad.tsv, line 1: needs a qid and 1 (right) or 0 (wrong)"),
        (("--labels", "other.tsv"), None, "has no question 'q8'"),
        (("--key-env", "NO_KEY"), None, "the environment variable NO_KEY holds no key"),
    ],
)
def test_bad_input_is_one_line(
    judge: Callable[..., Any],
    service: Any,  # noqa: F811
    options: tuple[str, ...],
    endpoint: str | None,
    problem: str,
) -> None:
    Path("bad.tsv").write_text("q1\tcorrect\n")
    Path("other.tsv").write_text("q8\t1\n")
    url = service.url if endpoint is None else endpoint
    outcome = judge(*options, "--json", "judge.json", endpoint=url)
    assert (outcome.status, outcome.out) == (2, "")
    [line] = outcome.err.splitlines()
    assert problem in line and KEY not in line
    assert not service.requests and not Path("judge.json").exists()


def test_a_folder_without_a_run(xorqa: Xorqa) -> None:
    Path("nowhere").mkdir()
    outcome = xorqa("eval", "judge", "nowhere", "--model", "m", "--endpoint", "http://x/v1")
    assert (outcome.status, outcome.out) == (2, "")
    assert "manifest.json cannot be read" in outcome.err
