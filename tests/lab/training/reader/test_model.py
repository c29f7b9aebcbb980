import random
from pathlib import Path

import numpy as np
import pytest
import torch

from xorqa.core.types import Span
from xorqa.io.squad_xor import SquadQuestion
from xorqa.lab.training.common.recipe import SquadSource
from xorqa.lab.training.reader.model import (
    LoadedReader,
    ReaderValidationSet,
    calibrate,
    mean_f1,
)
from xorqa.models.checkpoints import load, load_tokenizer, resolve


def question(at: int, title: str) -> SquadQuestion:
    context, answer = f"{title} {at} is {at}00 km long.", f"{at}00 km"
    start = context.index(answer)
    span = Span(start, start + len(answer))
    return SquadQuestion(str(at), f"How long is {title} {at}?", title, context, (answer,), span)


RIVERS = [question(at, title) for title in ("Nile", "Rhine", "Amur", "Kemi") for at in (1, 2, 3)]


@pytest.fixture(scope="module")
def reader(tiny: Path) -> LoadedReader:
    base = resolve(str(tiny))
    model = load(base, "AutoModelForTokenClassification", num_labels=3).eval()
    return LoadedReader(model, load_tokenizer(base), max_tokens=64, dtype="float32")


def sure(scale: float, n: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """Logits that are `scale` times too sure of answers drawn from the true probabilities."""
    rng = np.random.default_rng(1)
    true = rng.normal(0, 2, n)
    return scale * true, rng.random(n) < 1 / (1 + np.exp(-true))


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
def test_the_temperature_is_how_much_too_sure_the_logits_are(scale: float) -> None:
    found = calibrate(*sure(scale))
    assert found.temperature == pytest.approx(scale, rel=0.1)
    assert found.error_after < 0.03
    assert found.error_after <= found.error_before + 0.01
    assert scale == 1.0 or found.error_before > 2 * found.error_after


def test_an_error_by_hand() -> None:
    logits = np.log([0.9 / 0.1] * 4)
    found = calibrate(logits, np.array([True, True, False, False]))
    assert found.error_before == pytest.approx(0.4)


def sampled(
    *shares: float, per_source: int, questions: list[list[SquadQuestion]] | None = None
) -> ReaderValidationSet | None:
    """A validation set of sources "a", "b", ... that hold out those shares of their articles."""
    sources = [SquadSource(("abc"[at],), held_out=share) for at, share in enumerate(shares)]
    pools = questions or [RIVERS] * len(sources)
    return ReaderValidationSet.sample(pools, sources, per_source=per_source, rng=random.Random(1))


def test_only_held_out_articles_and_passages_that_do_not_answer() -> None:
    found = sampled(1.0, 0.0, per_source=5)
    assert found is not None
    assert len(found.questions) == len({q.qid + q.title for q in found.questions}) == 5
    answers = {q.question: q.answers[0] for q in RIVERS}
    assert found.unanswerable
    assert all(answers[text] not in passage for text, passage, _ in found.unanswerable)
    assert sampled(1.0, 0.0, per_source=5) == found
    assert sampled(0.0, per_source=5) is None


def test_a_model_in_training_is_read_anew_each_time(reader: LoadedReader) -> None:
    import torch

    before = reader.spans(RIVERS)
    assert all(text in q.context for text, q in zip(before, RIVERS, strict=True))
    assert 0 <= mean_f1(reader, RIVERS) <= 100
    logits = reader.relevance([(q.question, q.context) for q in RIVERS])
    with torch.no_grad():
        reader._model.classifier.bias[2] += 1.0
    after = reader.relevance([(q.question, q.context) for q in RIVERS])
    assert after == pytest.approx(logits + 1, abs=1e-4)


def test_what_is_read_in_training_knows_no_dropout(reader: LoadedReader) -> None:
    for module in (model := reader._model).modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.5
    pairs = [("Where?", "Oulu stands on the river Oulu.")]
    wanted = reader.relevance(pairs)
    model.train()
    assert reader.relevance(pairs) == wanted
    assert model.training
    model.eval()


def test_a_card_tells_f1_by_source(reader: LoadedReader) -> None:
    parts = [RIVERS[:3], [], RIVERS[3:]]
    found = sampled(1.0, 1.0, 1.0, per_source=9, questions=parts)
    assert found is not None
    about = found.card(reader)["validation"]
    assert [(row["files"], row["questions"]) for row in about["sources"]] == [
        (["a"], 3),
        (["c"], 9),
    ]
    wanted = [mean_f1(reader, found.questions[:3]), mean_f1(reader, found.questions[3:])]
    assert [row["f1"] for row in about["sources"]] == pytest.approx(wanted)
    assert about["f1"] == pytest.approx((3 * wanted[0] + 9 * wanted[1]) / 12)


def test_a_card_tells_f1_and_temperature(reader: LoadedReader) -> None:
    found = sampled(1.0, per_source=6)
    assert found is not None
    card = found.card(reader)
    assert card["temperature"] == card["validation"]["temperature"] > 0
    assert card["validation"]["questions"] == 6
    assert card["validation"]["f1"] == pytest.approx(mean_f1(reader, found.questions))
