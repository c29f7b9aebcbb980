"""Runs give what they gave; the folders that an earlier version left are opened as they are."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.before import access
from tests.before.record import (
    COMPARE,
    DEFAULT_LOCALISER,
    DEFAULT_READER,
    FIXTURES,
    LEDGER,
    NEW_ANSWERS,
    REPORT,
    RULES_ALONE,
    RUN,
    RUNS,
    SYSTEMS,
    differences,
    fixture,
    plain,
    read_json,
    told,
)
from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query, Question
from xorqa.translation.recorded import record

NEAR = 1e-4
LEFT = ("queries.jsonl", "spans.jsonl", "xor_full.json")


def trec(path: Path) -> dict[str, dict[str, float]]:
    """A run file's docids and scores by route and question."""
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        qid, _, docid, _, score, route = line.split()
        found.setdefault(f"{route} {qid}", {})[docid] = float(score)
    return found


class Earlier(BaseTranslator):
    """The translations of an old run."""

    def __init__(self, run: Path) -> None:
        rows = read_json(run / "queries.jsonl")
        self.texts = {row["question"]: row["queries"]["eng"] for row in rows}

    def fingerprint(self) -> str:
        return "earlier"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        return [Query(question, self.texts[question.text], to) for question in questions]


def recorded_translations(run: Path, file: Path) -> tuple[str, ...]:
    """Record the translations of an old run; returns the options of a run with them."""
    rows = read_json(run / "queries.jsonl")
    questions = [Question(row["qid"], row["question"], row["lang"]) for row in rows]
    record(Earlier(run), questions, file, to="en", provider="earlier", date="2026-01-01")
    table = f"{{use='recorded', file='{file}', provider='earlier'}}"
    return "--set", f"routes.eng.translator={table}"


def by_docid(rows: list[Any]) -> list[Any]:
    """Spans without their order: version 5 of the reader ranks them by their passages alone."""
    for row in rows:
        row["candidates"].sort(key=lambda one: (one["route"], one["docid"]))
    return rows


def with_risen_margins(old: list[Any], new: list[Any]) -> list[Any]:
    """Old spans with the new margins where these are higher.

    Version 4 of the reader has no rivals that cut a word, so the next best span may be farther.
    """
    assert sum(risen(*pair) for pair in pairs(old, new)) == 3
    for one, other in pairs(old, new):
        if risen(one, other):
            one["margin"] = other["margin"]
    return old


def with_macro_of_present_languages(report: dict[str, Any]) -> None:
    """Turn a macro that was divided by seven into the mean it now is."""
    of_present = 7 / len(report["n"])
    report["macro"] = {name: value * of_present for name, value in report["macro"].items()}


def pairs(old: list[Any], new: list[Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The candidates of both, side by side."""
    rows = zip(old, new, strict=True)
    return [pair for a, b in rows for pair in zip(a["candidates"], b["candidates"], strict=True)]


def risen(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(other["margin"] > one["margin"] + NEAR)


@pytest.mark.slow
def test_the_demos_systems_and_others_score_the_same(
    old_indexes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kept, wrong = fixture("scores.json"), []
    assert set(kept) == {path.stem for path in SYSTEMS.glob("*.toml")}
    for name, before in kept.items():
        with_macro_of_present_languages(before["xor-full"]["official"])
        del before["xor-engspan"]  # of the best span by its passage since version 5 of the reader
        out = tmp_path / "made" / name
        then = RULES_ALONE if name.startswith("chain") else DEFAULT_LOCALISER
        then += DEFAULT_READER
        system = SYSTEMS / f"{name}.toml"
        if (RUNS / name).is_dir():  # the translator is another one since
            then += recorded_translations(RUNS / name, tmp_path / f"{name}.jsonl")
        status, printed = access.command("run", system, *RUN, *then, "--out", out)
        assert status == 0, printed
        wrong += differences(
            before,
            read_json(out / "scores.json"),
            where=f"{name}: scores",
            within=1e-9,
            more=True,
        )
        if (RUNS / name).is_dir():
            for file in LEFT:
                old, new = read_json(RUNS / name / file), read_json(out / file)
                if file == "spans.jsonl":
                    old = with_risen_margins(by_docid(old), by_docid(new))
                wrong += differences(old, new, where=f"{name}: {file}", within=NEAR)
            old, new = trec(RUNS / name / "run.trec"), trec(out / "run.trec")
            wrong += differences(old, new, where=f"{name}: run.trec", within=NEAR)
    assert not told(wrong)


def test_an_old_run_is_opened_and_its_answers_localised_again(old_runs: Path) -> None:
    for name, before in fixture("saved.json").items():
        for answer in chain.from_iterable(before):
            answer[:] = NEW_ANSWERS.get(answer[0], answer)
        after = plain(json.dumps(access.saved_answers(old_runs / name)))
        assert not told(differences(before, after, where=name))


@pytest.mark.slow
@pytest.mark.parametrize("command", [REPORT, LEDGER, COMPARE], ids=lambda command: command[0])
def test_what_is_said_of_old_runs(old_runs: Path, command: tuple[object, ...]) -> None:
    status, printed = access.command(*command, "--json", "said.json")
    assert status == 0, printed
    before, after = fixture("said.json")[command[0]], read_json(old_runs.parent / "said.json")
    assert not told(differences(before, after, where=str(command[0]), within=1e-9, more=True))


def test_reports_of_old_runs_fit_a_terminal(
    old_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    status, printed = access.command(*REPORT, "--baseline", "chain-rule: only eng")
    assert status == 0, printed
    assert max(map(cell_len, printed.splitlines())) <= 80
    assert printed.count("xor-full, all questions") == 1 and "Left out" not in printed
    assert "(3)" not in printed


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("XORQA_WHOLE_DEMO"), reason="minutes: XORQA_WHOLE_DEMO=1")
def test_the_whole_demo_gives_the_same_figures() -> None:
    """Version 4 of the reader raised BLEU in ja and ru: no cut words, no commas."""
    status, printed = access.command("demo", "--json")
    assert status == 0
    after = json.loads(printed[printed.index("{") :])
    assert not told(differences(fixture("demo.json"), after, where="demo", more=True))


def test_no_fixture_names_a_place_of_a_machine() -> None:
    for path in FIXTURES.rglob("*.json*"):
        text = path.read_text(encoding="utf-8")
        assert '"/' not in text, f"{path} has an absolute path"
