import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.zoo import readers as zoo
from xorqa.core.errors import ConfigError, DataError, WeightsError
from xorqa.core.types import Span
from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.common.recipe import Source
from xorqa.lab.training.dpr_reader.recipe import DprReaderRecipe
from xorqa.lab.training.dpr_reader.retrieved import read_retrieved
from xorqa.lab.training.dpr_reader.samples import DprExample, label_passages
from xorqa.lab.training.dpr_reader.train import dpr_loss, prepare, train_dpr_reader
from xorqa.models.checkpoints import load_tokenizer, resolve
from xorqa.reading.pairs import TitledPassage
from xorqa.reading.span import SpanReader

RIVERS = ("Nile", "Rhine", "Volga", "Ganges", "Amur", "Kemi")


@pytest.fixture(scope="module")
def retrieved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions about six rivers, each with a passage of each."""
    contexts = [{"title": r, "text": f"The {r} is {n}07 km long."} for n, r in enumerate(RIVERS)]
    rows: list[dict[str, Any]] = [
        {"question": f"How long is the {river}?", "answers": [f"{n}07 km"], "ctxs": contexts}
        for n, river in enumerate(RIVERS)
    ]
    rows.append({"question": "Where?", "answers": ["nowhere"], "ctxs": contexts})
    path = tmp_path_factory.mktemp("retrieved") / "retrieved.json"
    path.write_text(json.dumps(rows))
    return path


@pytest.fixture(scope="module", params=["dpr", "bert"])
def base(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    if request.param == "dpr":
        return zoo.build_dpr(folder, cased=False)
    return zoo.build(folder, "mbert", head="ForMaskedLM")


@pytest.fixture(scope="module")
def recipe(base: Path, retrieved: Path) -> DprReaderRecipe:
    return DprReaderRecipe(
        (Source((str(retrieved),)),),
        base=str(base),
        negatives=3,
        max_tokens=64,
        batch_size=2,
        dtype="float32",
        schedule=Schedule(5e-3, warmup=0.0, weight_decay=0.0, log_every=1),
    )


@pytest.mark.parametrize("name", ["xor-reader-dpr", "xor-reader-mdpr"])
def test_ten_steps_of_the_recipes(name: str, recipe: DprReaderRecipe, tmp_path: Path) -> None:
    table = DprReaderRecipe.load(name)
    assert (table.negatives, table.max_tokens) == (24, 350)
    printed = replace(table, sources=recipe.sources, base=recipe.base, exclude=())
    fast = replace(printed, schedule=replace(table.schedule, accumulate=2))
    folder = train_dpr_reader(fast, tmp_path / "out", stop_after=10)
    reader = SpanReader(model=str(folder), dtype="float32")
    assert reader.by_title
    [reading] = reader.pairs.read([TitledPassage("How long?", "It is 107 km long.", "Nile")])
    assert reading.best


def test_training_finds_the_passages_and_resumes_exactly(
    recipe: DprReaderRecipe, tmp_path: Path
) -> None:
    lines: list[str] = []
    once = train_dpr_reader(recipe, tmp_path / "once", report=lines.append)
    assert lines[0].startswith("6 questions of 7")
    losses = [
        float(row.split(",")[1])
        for row in (tmp_path / "once" / "curve.csv").read_text().split()[1:]
    ]
    assert sum(losses[-6:]) < 0.8 * sum(losses[:6])
    train_dpr_reader(recipe, tmp_path / "twice", stop_after=3)
    twice = train_dpr_reader(recipe, tmp_path / "twice")
    assert (once / "model.safetensors").read_bytes() == (twice / "model.safetensors").read_bytes()


def test_every_occurrence_of_an_answer_counts(recipe: DprReaderRecipe, retrieved: Path) -> None:
    tokenizer = load_tokenizer(resolve(recipe.base), kind="DPRReaderTokenizerFast")
    question, *_ = read_retrieved(retrieved)
    twice = replace(question, passages=(("Nile", "007 km or 007 km"), ("Kemi", "none")))
    [labeled] = label_passages([twice], tokenizer, max_tokens=64, max_answers=10)
    [(window, spans)] = labeled.positives
    assert len(spans) == 2
    assert len(labeled.negatives) == 1
    texts = [tokenizer.decode(window.ids[span.start : span.end]) for span in spans]
    assert texts[0] == texts[1] != ""


def test_the_loss_is_marginal_over_spans_and_a_softmax_over_passages() -> None:
    torch.manual_seed(0)
    starts, ends, relevance = torch.randn(5, 6), torch.randn(5, 6), torch.randn(5)
    first = DprExample([None] * 3, [Span(2, 4), Span(4, 5)])  # type: ignore[list-item]
    second = DprExample([None] * 2, [Span(1, 2)])  # type: ignore[list-item]
    loss = dpr_loss(starts, ends, relevance, [first, second])
    begin, end = starts.softmax(1), ends.softmax(1)
    spans = begin[0, 2] * end[0, 3] + begin[0, 4] * end[0, 4], begin[3, 1] * end[3, 1]
    passages = relevance[:3].softmax(0)[0], relevance[3:].softmax(0)[0]
    assert float(loss) == pytest.approx(-sum(float(p.log()) for p in (*spans, *passages)))


def test_files_and_bases_that_cannot_be_used(
    recipe: DprReaderRecipe, file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "bad.json"
    path.write_text('[{"question": "q", "answers": ["a"]}]')
    with pytest.raises(DataError, match=r"bad\.json, question 1: needs question, answers and ctxs"):
        list(read_retrieved(path))
    with pytest.raises(DataError, match="is not a list of questions with ctxs"):
        list(read_retrieved(file))
    path.write_text('[{"question": "q", "answers": ["a"], "ctxs": [{"text": "none"}]}]')
    tokenizer = load_tokenizer(resolve(recipe.base), kind="DPRReaderTokenizerFast")
    with pytest.raises(ConfigError, match="no question is left to train on"):
        prepare(replace(recipe, sources=(Source((str(path),)),)), tokenizer)
    other = zoo.build(tmp_path / "electra", "electra")
    with pytest.raises(WeightsError, match="has the type electra; a reader of DPR needs a BERT"):
        train_dpr_reader(replace(recipe, base=str(other)), tmp_path / "out")
