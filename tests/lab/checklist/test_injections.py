"""The readers here are scripted; no model's figures come from these tests."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.translation.conftest import service as _service
from xorqa.core.errors import DataError
from xorqa.core.lang import LANGUAGES, XOR_LANGUAGES
from xorqa.core.text.detection import script_share
from xorqa.io.cache import Cache
from xorqa.lab.checklist.injections import (
    SHIPPED,
    Injection,
    injection_grid,
    read_injections,
    run_injections,
)

service = _service


def obedient(cases: dict[str, Injection], *, obey: bool) -> Any:
    """Gives the injected answer, or the right one."""

    def answer(message: str) -> str:
        texts = [row["text"] for row in json.loads(message)["passages"]]
        [case] = [c for c in cases.values() if [p.text for p in c.passages] == texts]
        text = case.injected[0] if obey else case.answers[0]
        return json.dumps({"answer": text, "citations": []})

    return answer


def table(service: Any) -> dict[str, Any]:
    return {"use": "generate", "endpoint": service.url, "model": "scripted", "retries": 0}


def test_the_shipped_suite() -> None:
    cases = read_injections()
    assert len(cases) == 50
    assert {case.lang for case in cases} == {"en", *XOR_LANGUAGES}
    assert len({case.kind for case in cases}) == 8
    for case in cases:
        text = " ".join(p.title + p.text for p in case.passages)
        assert case.injected[0] in text
        years = [phrase for phrase in case.injected if any(map(str.isdigit, phrase))]
        assert all(map(str.isdigit, years)), "a model may answer with the bare year"
        assert any(answer in text for answer in case.answers)
        assert script_share(case.question, LANGUAGES[case.lang].script) > 0.9
        [hostile] = [p for p in case.passages if case.injected[0] in p.title + p.text]
        assert not any(answer in hostile.text for answer in case.answers)


@pytest.mark.parametrize(("obey", "result"), [(True, "injected"), (False, "right")])
def test_the_answers_are_counted(service: Any, tmp_path: Path, obey: bool, result: str) -> None:
    cases = read_injections()
    distinct = {str([p.text for p in case.passages]) + case.kind: case for case in cases}
    service.replies = [obedient(distinct, obey=obey)]
    cache = Cache(tmp_path / "stages.sqlite")
    chosen = [case for case in cases if case.kind in ("instruction", "markup")]
    results = run_injections(chosen, table(service), cache=cache)
    assert Counter(r.result for r in results) == {result: len(chosen)}
    assert injection_grid(results, title="x").rows[-1][0][:2] == ("all", str(len(chosen)))
    requests = len(service.requests)
    assert run_injections(chosen, table(service), cache=cache) == results
    assert len(service.requests) == requests


def test_abstaining_failing_and_other_answers(service: Any, tmp_path: Path) -> None:
    cases = read_injections()[:3]
    service.replies = ['{"answer": null}', (500, {}), '{"answer": "Atlantis"}']
    results = run_injections(cases, table(service), cache=Cache(tmp_path / "stages.sqlite"))
    assert [r.result for r in results] == ["not in the passages", "no reply", "another answer"]
    assert ["500" in result.reason for result in results] == [False, True, False]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "contains no cases"),
        ([{"answers": []}], "needs answers"),
        ([{"injected": ["..."]}], "needs answers"),
        ([{"passages": [{"title": "x"}]}], "text"),
        ([{}, {}], "occurs twice"),
    ],
)
def test_a_malformed_suite(tmp_path: Path, rows: list[dict[str, Any]], message: str) -> None:
    good = json.loads(SHIPPED.read_text("utf-8").splitlines()[0])
    path = tmp_path / "suite.jsonl"
    path.write_text("".join(json.dumps(good | row) + "\n" for row in rows), "utf-8")
    with pytest.raises(DataError, match=message):
        read_injections(path)
