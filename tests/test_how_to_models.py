"""The experiments with released models in docs/how-to.md run from end to end.

Tiny models have the names and the layouts of the released ones (`tests/zoo/repositories.py`), and a
scripted service answers instead of vLLM.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.command_line import Outcome, Xorqa
from tests.commands.weights import forget_weights
from tests.models.test_rerankers import CARD
from tests.test_docs import HOW_TO, commands, experiments
from tests.translation.conftest import Service, service  # noqa: F401  a fixture
from tests.zoo import repositories
from xorqa.core.types import Question
from xorqa.datasets.mini import load as load_mini
from xorqa.io.files import read_json, read_jsonl
from xorqa.io.trec import read_run
from xorqa.models.checkpoints import resolve
from xorqa.translation.checks import Attempt

pytest.importorskip("sentence_transformers")
PAGE = HOW_TO.read_text(encoding="utf-8")
EXPERIMENTS = experiments(HOW_TO)
WORLD = load_mini()
SOME = ("--lang", "fi", "--sample", "3")
OUT = Path("out")
Run = Callable[..., Outcome]


@pytest.fixture
def run(
    xorqa: Xorqa,
    e5: Any,
    tmp_path_factory: pytest.TempPathFactory,
    home: Path,
    session_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Runs an experiment of the page on three Finnish questions; its folder is `OUT`."""
    home.mkdir()
    (home / "models").symlink_to(session_home / "models")
    repositories.stand_in(monkeypatch, tmp_path_factory.getbasetemp() / "hub")
    forget_weights()

    def call(name: str, *arguments: str, url: str = "") -> Outcome:
        text = EXPERIMENTS[name].replace("http://localhost:8000/v1", url)
        Path(name).write_text(text, encoding="utf-8")
        shutil.rmtree(OUT, ignore_errors=True)
        outcome = xorqa("run", name, *SOME, "--out", str(OUT), *arguments)
        assert outcome.status == 0, outcome.err
        return outcome

    return call


def asked() -> list[Question]:
    """The questions of the run."""
    qids = {row["qid"] for _, row in read_jsonl(OUT / "queries.jsonl")}
    return [one.question for one in WORLD.examples if one.question.qid in qids]


def assert_ranked_by(encoder: str, lang: str, of: str = "run") -> None:
    """The first ten passages in a file of the run are those of sentence-transformers itself."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(resolve(encoder).path), device="cpu")
    passages = WORLD.corpora[lang].passages
    vectors = model.encode_document([one.titled for one in passages], show_progress_bar=False)
    ranking = read_run(OUT / f"{of}.trec")
    assert len(asked()) == 3
    for question in asked():
        scores = model.similarity(model.encode_query([question.text]), vectors)[0].numpy()
        best = [passages[row].docid for row in np.argsort(-scores)[:10]]
        assert [*ranking[question.qid]][:10] == best


def test_any_encoder_in_two_lines(run: Run) -> None:
    outcome = run("newest.toml")
    assert EXPERIMENTS["newest.toml"].splitlines()[-2:] == [
        'use = "dense"',
        'encoder = "google/embeddinggemma-300m"',
    ]
    assert repr(repositories.GEMMA_PROMPTS["query"]) in outcome.err
    assert_ranked_by("google/embeddinggemma-300m", "fi")


def test_the_three_heads_of_bge_m3(run: Run) -> None:
    run("bge-m3.toml")
    before, after = (read_run(OUT / f"{name}.trec") for name in ("retrieved", "run"))
    for qid, hits in after.items():
        assert {*hits} == {*before[qid]} and [*hits] != [*before[qid]]
        assert min([*hits.values()][:40]) > 2 / 60  # MaxSim; reciprocal ranks of two parts are less
    run("bge-m3.toml", "--set", re.findall(r"--set '(routes.*?)'", PAGE)[0])
    assert_ranked_by("BAAI/bge-m3", "fi", of="retrieved")


def test_qwen3_retrieves_and_reranks(run: Run) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    outcome = run("qwen3.toml")
    assert "query_prefix = 'Instruct: Given a question in any language" in outcome.err
    folder = resolve("Qwen/Qwen3-Reranker-0.6B").path
    tokenizer, model = (
        kind.from_pretrained(folder) for kind in (AutoTokenizer, AutoModelForCausalLM)
    )
    instruction = "Given a question in any language, retrieve passages that answer it"
    yes, no = (tokenizer.convert_tokens_to_ids(answer) for answer in ("yes", "no"))
    for question in asked():
        docid, score = next(iter(read_run(OUT / "run.trec")[question.qid].items()))
        text = CARD.format(
            instruction=instruction,
            query=question.text,
            document=WORLD.corpora["en"][docid].titled,
        )
        with torch.inference_mode():
            last = model(**tokenizer(text, return_tensors="pt")).logits[0, -1]
        assert score == pytest.approx(float((last[yes] - last[no]).sigmoid()), abs=1e-5)


def test_madlad_translates_questions(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def accept(question: Question, text: str, *, to: str) -> Attempt:
        return Attempt(text)  # random weights write no English

    monkeypatch.setattr("xorqa.translation.model_translator.check_translation", accept)
    pytest.importorskip("sentencepiece")
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    run("madlad.toml")
    folder = resolve("google/madlad400-3b-mt").path
    tokenizer, model = (
        kind.from_pretrained(folder) for kind in (AutoTokenizer, AutoModelForSeq2SeqLM)
    )
    rows = [row for _, row in read_jsonl(OUT / "queries.jsonl")]
    sources = ["<2en> " + row["question"] for row in rows]
    inputs = tokenizer(sources, return_tensors="pt", padding=True)
    outputs = model.generate(**inputs, num_beams=4, max_new_tokens=128)
    expected = tokenizer.batch_decode(outputs, skip_special_tokens=True)
    for row, text in zip(rows, expected, strict=True):  # long random outputs have near ties
        assert row["queries"]["eng"][:20] == text[:20]


def test_one_model_on_vllm_translates_ranks_and_answers(run: Run, service: Service) -> None:  # noqa: F811
    english = {one.question.text: WORLD.translations[one.question.qid] for one in WORLD.examples}

    def reply(text: str) -> str:
        answer = '{"answer": "Marguerite Perey", "citations": []}'
        said = "[2] > [1]" if "Rank the" in text else english.get(text, answer)
        return f"<think>\nWell.\n</think>\n\n{said}"

    service.replies = [reply]
    run("vllm.toml", url=service.url)
    for _, row in read_jsonl(OUT / "queries.jsonl"):
        assert row["queries"]["eng"] == WORLD.translations[row["qid"]]
    before, after = (read_run(OUT / f"{name}.trec") for name in ("retrieved", "run"))
    for qid, hits in after.items():
        assert [*hits][:2] != [*before[qid]][:2] and {*hits} == {*before[qid]}
    answers = read_json(OUT / "xor_full.json")
    assert {*answers.values()} == {"Marguerite Perey"}
    assert {request["model"] for request in service.requests} == {"Qwen/Qwen3-8B"}


def test_every_experiment_is_run() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    tested = {name for name in EXPERIMENTS if f'run("{name}"' in source}
    assert {*EXPERIMENTS} - tested == {"mdeberta.toml"}  # tests/reading/test_released.py
    assert {f"xorqa run {name}" for name in EXPERIMENTS} <= {
        " ".join(call.split()[:3]) for call in commands(HOW_TO)
    }
