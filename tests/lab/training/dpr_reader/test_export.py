"""The passages that a run retrieved become training data of DPR's reader."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from xorqa.lab.training.dpr_reader.retrieved import read_retrieved


def test_a_run_over_ones_own_questions_is_written(
    xorqa: Callable[..., Any], tmp_path: Path
) -> None:
    rows = [
        {"id": "1", "question": "Where is Inari?", "answers": ["Finland"], "lang": "en"},
        {"id": "2", "question": "Who lives in Kiel?", "answers": ["nobody"], "lang": "en"},
    ]
    (tmp_path / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts = {"a": "Inari is in Finland.", "b": "Kiel is a port.", "c": "Inari is a lake."}
    lines = [f"{docid}\t{text}\tPlace\n" for docid, text in texts.items()]
    (tmp_path / "en.tsv").write_text("id\ttext\ttitle\n" + "".join(lines))
    done = xorqa(
        *(
            "run",
            "bm25",
            "--questions",
            tmp_path / "train.jsonl",
            "--corpus",
            f"en={tmp_path}/en.tsv",
        ),
        *("--routes", "eng", "--until", "retrieve", "--out", "run"),
        *("--set", "routes.eng.translator.use=none"),
    )
    assert done.status == 0, done.err
    done = xorqa("data", "retrieved", "run", "--out", "retrieved.json")
    assert done.status == 0, done.err
    assert "2 questions: retrieved.json" in done.out
    first, second = read_retrieved(Path("retrieved.json"))
    assert (first.question, first.answers) == ("Where is Inari?", ("Finland",))
    assert {text for _, text in first.passages} == {texts["a"], texts["c"]}
    assert second.passages == (("Place", texts["b"]),)
    done = xorqa("data", "retrieved", "run", "--out", "retrieved.json", "--route", "target")
    assert done.status == 2
    assert "choose a route with --route; valid: eng" in done.err
    done = xorqa("data", "retrieved", "run", "--out", "retrieved.json", "--lang", "fi")
    assert "left out without an answer in fi: 2 questions" in done.out


def test_recipes_show_their_inputs(xorqa: Callable[..., Any]) -> None:
    for kind, name, file in (
        ("qa-model", "xor-reader-xlm-r", "tydiqa-goldp"),
        ("dpr-reader", "xor-reader-mdpr", "retrieved-mdpr.json"),
    ):
        done = xorqa("train", kind, name)
        assert done.status == 0, done.err
        assert file in done.out
