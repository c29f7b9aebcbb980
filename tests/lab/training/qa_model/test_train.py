import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.zoo import readers as zoo
from xorqa.core.errors import ConfigError
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.common.recipe import SquadSource
from xorqa.lab.training.qa_model.recipe import QaModelRecipe
from xorqa.lab.training.qa_model.train import QaModelInTraining, prepare, train_qa_model
from xorqa.metrics.answers import best
from xorqa.metrics.tasks.squad import f1
from xorqa.models.checkpoints import load, load_tokenizer, resolve
from xorqa.reading.pairs import QuestionPassage
from xorqa.reading.span import SpanReader

TEXT = "The Nile is 107 km long. A town called Nilestad1 stands on the Nile."


@pytest.fixture(scope="module", params=["xlm-roberta", "mbert"])
def base(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder without a head for questions, as the hub has them."""
    folder = tmp_path_factory.mktemp("base")
    return zoo.build(folder, request.param, head="ForMaskedLM")


@pytest.fixture(scope="module")
def recipe(base: Path, file: Path) -> QaModelRecipe:
    return QaModelRecipe(
        (SquadSource((str(file),), held_out=0.0, first_offsets=True),),
        base=str(base),
        negatives=0.3,
        batch_size=4,
        max_tokens=64,
        stride=16,
        dtype="float32",
        schedule=Schedule(1e-3, warmup=0.0, weight_decay=0.0, log_every=1),
    )


def test_ten_steps_of_the_recipe_make_a_released_reader(
    recipe: QaModelRecipe, tmp_path: Path
) -> None:
    table = QaModelRecipe.load("xor-reader-xlm-r")
    assert (table.max_tokens, table.stride, table.max_question_tokens) == (384, 128, 64)
    assert (table.epochs, table.seed, table.lower_case) == (3.0, 42, True)
    printed = replace(table, sources=recipe.sources, base=recipe.base, exclude=(), batch_size=4)
    folder = train_qa_model(printed, tmp_path / "out", stop_after=10)
    assert json.loads((tmp_path / "out" / "card.json").read_text())["steps"] == 10
    [lower, upper] = SpanReader(model=str(folder), dtype="float32").pairs.read(
        [QuestionPassage("how long?", TEXT.lower()), QuestionPassage("How LONG?", TEXT)]
    )
    assert lower == upper


@pytest.mark.parametrize("name", ["mlqa-mbert", "mlqa-bert-large"])
def test_mlqa_s_readers_train_ten_steps_with_all_weights(
    name: str, recipe: QaModelRecipe, tmp_path: Path
) -> None:
    table = QaModelRecipe.load(name)
    assert (table.epochs, table.schedule.learning_rate, table.negatives) == (2.0, 3e-5, 0.0)
    assert [Path(file).name for file in table.validation_files] == [
        "dev-context-en-question-en.json"
    ]
    small = replace(
        table,
        sources=recipe.sources,
        base=recipe.base,
        epochs=12.0,
        batch_size=2,
        validation_files=(),
    )
    folder = train_qa_model(small, tmp_path / "out", stop_after=10)
    assert json.loads((tmp_path / "out" / "card.json").read_text())["steps"] == 10
    [reading] = SpanReader(model=str(folder), dtype="float32").pairs.read(
        [QuestionPassage("How long?", TEXT)]
    )
    assert reading.spans


@pytest.mark.parametrize(("name", "batch", "rate"), [("mbert", 32, 2e-5), ("xlm-r", 16, 3e-5)])
def test_xtreme_r_s_settings_are_those_of_its_appendix_g(
    name: str, batch: int, rate: float
) -> None:
    table = QaModelRecipe.load(f"xtreme-r-{name}")
    assert (table.epochs, table.batch_size, table.schedule.learning_rate) == (2.0, batch, rate)


def test_training_lowers_the_loss_and_resumes_exactly(
    recipe: QaModelRecipe, tmp_path: Path
) -> None:
    once = train_qa_model(replace(recipe, epochs=12.0), tmp_path / "once")
    losses = (tmp_path / "once" / "curve.csv").read_text().split()[1:]
    first, last = (float(row.split(",")[1]) for row in (losses[0], losses[-1]))
    assert last < first
    train_qa_model(replace(recipe, epochs=12.0), tmp_path / "twice", stop_after=3)
    twice = train_qa_model(replace(recipe, epochs=12.0), tmp_path / "twice")
    assert (once / "model.safetensors").read_bytes() == (twice / "model.safetensors").read_bytes()


def test_validation_files_choose_the_weights(
    recipe: QaModelRecipe, file: Path, tmp_path: Path
) -> None:
    dev = tmp_path / "dev.json"
    questions = [question for question in read_squad(file) if question.span][:6]
    rows = [
        {
            "context": q.context,
            "qas": [
                {
                    "id": q.qid,
                    "question": q.question,
                    "answers": [{"text": q.answers[0], "answer_start": q.span.start}],
                }
            ],
        }
        for q in questions
        if q.span
    ]
    dev.write_text(json.dumps({"data": [{"title": "dev", "paragraphs": rows}]}), encoding="utf-8")
    schedule = replace(recipe.schedule, validate_every=2)
    chosen = replace(recipe, validation_files=(str(dev),), epochs=4.0, schedule=schedule)
    folder = train_qa_model(chosen, tmp_path / "out")
    lines = (tmp_path / "out" / "validation.csv").read_text().split()[1:]
    scores = [float(line.split(",")[1]) for line in lines]
    assert len(scores) > 3
    card = json.loads((tmp_path / "out" / "card.json").read_text())
    assert card["validation"] == {
        "questions": len(rows),
        "f1": pytest.approx(max(scores), abs=1e-4),
    }
    reader = SpanReader(model=str(folder), max_tokens=64, stride=16, dtype="float32")
    readings = reader.pairs.read([QuestionPassage(q.question, q.context) for q in questions])
    found = [
        best(f1, q.context[r.best.start : r.best.end] if r.best else "", q.answers)
        for q, r in zip(questions, readings, strict=True)
    ]
    assert 100 * sum(found) / len(found) == pytest.approx(max(scores), abs=1e-3)
    with pytest.raises(ConfigError, match="another recipe"):
        train_qa_model(replace(chosen, validation_files=()), tmp_path / "out")
    plain = [
        window
        for batch in prepare(recipe, load_tokenizer(resolve(recipe.base)))
        for window in batch
    ]
    without = [
        window
        for batch in prepare(chosen, load_tokenizer(resolve(recipe.base)))
        for window in batch
    ]
    assert len(without) / 4 < len(plain) / 3


def test_windows_and_epochs(recipe: QaModelRecipe) -> None:
    tokenizer = load_tokenizer(resolve(recipe.base))
    lines: list[str] = []
    batches = prepare(replace(recipe, epochs=1.5, negatives=0.0), tokenizer, report=lines.append)
    [one] = [prepare(replace(recipe, epochs=1.0, negatives=0.0), tokenizer)]
    windows = sum(map(len, one))
    assert len(batches) == -(-3 * windows // 8)
    assert any(labeled.gold for labeled in one[0])
    assert max(len(labeled.window.ids) for batch in one for labeled in batch) <= 64
    assert "questions (" in lines[0]


def test_the_loss_is_that_of_transformers(recipe: QaModelRecipe) -> None:
    checkpoint = resolve(recipe.base)
    tokenizer = load_tokenizer(checkpoint)
    torch.manual_seed(0)
    model = load(checkpoint, "AutoModelForQuestionAnswering", optional=("qa_outputs.",)).eval()
    [window] = prepare(replace(recipe, batch_size=1), tokenizer)[0]
    training = QaModelInTraining(model, tokenizer.pad_token_id, 1, "float32")
    inputs = {"input_ids": torch.tensor([window.window.ids])}
    if window.window.segments:
        inputs["token_type_ids"] = torch.tensor([window.window.segments])
    with torch.no_grad():
        loss = float(training.loss((0, [window])))
        output = model(**inputs)
    start, end = (window.gold.start, window.gold.end - 1) if window.gold else (0, 0)
    expected = -(
        output.start_logits[0].log_softmax(0)[start] + output.end_logits[0].log_softmax(0)[end]
    )
    assert loss == pytest.approx(float(expected) / 2, rel=1e-5)


def test_a_recipe_without_questions_is_refused(recipe: QaModelRecipe, tmp_path: Path) -> None:
    source = replace(recipe.sources[0], held_out=1.0)
    with pytest.raises(ConfigError, match="no question is left"):
        train_qa_model(replace(recipe, sources=(source,)), tmp_path)
