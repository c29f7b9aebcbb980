import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from xorqa.core.errors import ConfigError, DataError, LockedError
from xorqa.core.types import Span
from xorqa.io.locks import lock_folder
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.common.training_data import is_held_out
from xorqa.lab.training.reader.model import reader_loss
from xorqa.lab.training.reader.recipe import ReaderRecipe
from xorqa.lab.training.reader.samples import LabeledWindow
from xorqa.lab.training.reader.train import train_reader
from xorqa.models.adapters import open_adapter
from xorqa.models.checkpoints import load_tokenizer, resolve
from xorqa.reading.features import make_windows
from xorqa.reading.pairs import QuestionPassage
from xorqa.reading.span import SpanReader

pytestmark = pytest.mark.filterwarnings("error::FutureWarning")


def changed(recipe: ReaderRecipe, **values: Any) -> ReaderRecipe:
    """The recipe with its only source changed."""
    return replace(recipe, sources=(replace(recipe.sources[0], **values),))


@pytest.fixture
def _with_peft() -> None:
    pytest.importorskip("peft")


WAYS: dict[str, dict[str, Any]] = {
    "lora": {"frozen_layers": 1},
    "full": {"method": "full", "frozen_layers": 1},
    "hard": {"hard_negatives": 1.5},
    "dropout": {"dropout": 0.3},
    "accumulate": {"schedule": Schedule(1e-2, log_every=1, accumulate=2)},
}


@pytest.mark.usefixtures("_with_peft")
@pytest.mark.parametrize("way", WAYS)
def test_a_stopped_training_goes_on_to_the_same_adapter(
    recipe: ReaderRecipe, tmp_path: Path, way: str
) -> None:
    recipe = replace(recipe, **WAYS[way])
    whole = train_reader(recipe, tmp_path / "whole")
    train_reader(recipe, tmp_path / "parts", stop_after=2)
    stopped = load_file(tmp_path / "parts" / "reader.safetensors")
    parts = train_reader(recipe, tmp_path / "parts")
    wanted, found = load_file(whole), load_file(parts)
    assert sorted(wanted) == sorted(found)
    assert all(torch.equal(value, found[name]) for name, value in wanted.items())
    assert not all(torch.equal(value, stopped[name]) for name, value in wanted.items())
    curves = [(folder / "curve.csv").read_text() for folder in (whole.parent, parts.parent)]
    assert curves[0] == curves[1]


def test_the_last_steps_settle_on_rounded_weights(recipe: ReaderRecipe, tmp_path: Path) -> None:
    settling = replace(recipe, **WAYS["full"], settle=1)
    train_reader(settling, tmp_path / "parts", stop_after=2)
    assert not (tmp_path / "parts" / "settled").exists()
    paths = [train_reader(settling, tmp_path / name) for name in ("parts", "whole")]
    plain = train_reader(replace(settling, settle=0), tmp_path / "plain")
    parts, whole, before = map(load_file, [*paths, plain])
    assert all(torch.equal(parts[name], value) for name, value in whole.items())
    assert not all(torch.equal(before[name], value) for name, value in whole.items())


def test_words_of_another_language_are_trained_on(recipe: ReaderRecipe, tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_text("fi\ttown\tkaupunki\nfi\tcalled\tnimeltään\n")
    plain = replace(recipe, method="full", frozen_layers=1)
    lexicon = (str(tmp_path / "words.tsv"),)
    switched = changed(replace(plain, lexicon=lexicon), code_switched=1.0)
    paths = [
        train_reader(one, tmp_path / name)
        for name, one in {
            "plain": plain,
            "listed": replace(plain, lexicon=lexicon),
            "switched": switched,
            "again": switched,
        }.items()
    ]
    tensors = [load_file(path)["classifier.weight"] for path in paths]
    assert torch.equal(tensors[0], tensors[1])
    assert not torch.equal(tensors[1], tensors[2])
    assert torch.equal(tensors[2], tensors[3])
    recorded = open_adapter(str(paths[2])).card["recipe"]
    assert (recorded["lexicon"], recorded["sources"][0]["code_switched"]) == (["words.tsv"], 1.0)


@pytest.mark.usefixtures("_with_peft")
def test_the_adapter_is_what_was_trained_and_can_be_read_with(
    recipe: ReaderRecipe, tmp_path: Path
) -> None:
    told: list[str] = []
    path = train_reader(recipe, tmp_path, report=told.append)
    adapter = open_adapter(str(path), task="reader")
    assert adapter.base == resolve(recipe.base)
    assert adapter.card["recipe"]["sources"][0]["files"] == ["train.json"]
    assert adapter.card["steps"] == len((tmp_path / "curve.csv").read_text().splitlines()) - 1
    assert json.loads((tmp_path / "card.json").read_text()) == adapter.card
    tensors = load_file(path)
    assert {"classifier.weight", "classifier.bias"} <= set(tensors)
    pairs = {name[:-2] for name in tensors if name.endswith(".A")}
    assert len(pairs) == 2 * 6  # all linear layers of two layers
    assert all(float(tensors[f"{pair}.B"].abs().max()) > 0 for pair in pairs)
    reader = SpanReader(adapter=str(path), dtype="float32")
    [reading] = reader.pairs.read([QuestionPassage("town of the Nile?", "A town called Nilestad.")])
    assert reading.spans
    assert told[0].startswith(f"{adapter.card['windows']} windows of")


@pytest.mark.usefixtures("_with_peft")
def test_articles_held_out_are_never_seen(
    recipe: ReaderRecipe, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def spy(tokenizer: Any, questions: Sequence[str], passages: Sequence[str], **size: Any) -> Any:
        seen.extend([*questions, *passages])
        return make_windows(tokenizer, questions, passages, **size)

    monkeypatch.setattr("xorqa.lab.training.reader.samples.make_windows", spy)
    train_reader(replace(recipe, hard_negatives=1.0), tmp_path, stop_after=1)
    rivers = {q.title for q in read_squad(file)}
    share = recipe.sources[0].held_out
    held = {q.title for q in read_squad(file) if is_held_out(q, share)}
    assert 0 < len(held) < len(rivers)
    assert {river for river in rivers if any(river in text for text in seen)} == rivers - held


def test_the_loss_by_hand(tiny: Path) -> None:
    tokenizer = load_tokenizer(resolve(str(tiny)))
    window = make_windows(tokenizer, ["?"], ["A town"])[0]
    first, last = window.context.start, window.context.end
    logits = torch.randn(2, 32, 3, generator=torch.Generator().manual_seed(1))
    gold = LabeledWindow(window, Span(first, last))
    none = LabeledWindow(window, None)
    relevance = (
        torch.nn.functional.softplus(-logits[0, 0, 2])
        + torch.nn.functional.softplus(logits[1, 0, 2])
    ) / 2
    starts, ends = (logits[0, first:last, at].log_softmax(0) for at in (0, 1))
    wanted = 0.5 * relevance - (starts[0] + ends[-1]) / 2
    assert float(reader_loss(logits, [gold, none], 0.5)) == pytest.approx(float(wanted), rel=1e-5)
    alone = reader_loss(logits[1:], [none], 2.0)
    assert float(alone) == pytest.approx(2 * float(torch.nn.functional.softplus(logits[1, 0, 2])))


def test_batches_of_answered_items_count_as_one_larger(tiny: Path) -> None:
    tokenizer = load_tokenizer(resolve(str(tiny)))
    window = make_windows(tokenizer, ["?"], ["A town on a river"])[0]
    first, last = window.context.start, window.context.end
    items = [LabeledWindow(window, Span(first + at % 2, last)) for at in range(6)]
    large, small = (
        torch.randn(6, 32, 3, generator=torch.Generator().manual_seed(1)).requires_grad_()
        for _ in range(2)
    )
    reader_loss(large, items, 0.5).backward()
    for part in (slice(0, 2), slice(2, 4), slice(4, 6)):
        (reader_loss(small[part], items[part], 0.5) / 3).backward()
    assert large.grad is not None and small.grad is not None
    assert torch.allclose(large.grad, small.grad, atol=1e-7)


@pytest.mark.usefixtures("_with_peft")
def test_a_card_tells_how_the_weights_were_made(recipe: ReaderRecipe, tmp_path: Path) -> None:
    recipe = changed(
        replace(recipe, **WAYS["full"], hard_negatives=1.0, validation=3), license="CC0"
    )
    card = open_adapter(str(train_reader(recipe, tmp_path)), task="reader").card
    made = card["recipe"]
    assert (made["method"], made["frozen_layers"], made["seed"]) == ("full", 1, 1)
    assert made["sources"][0]["license"] == "CC0"
    mined = (tmp_path / "hard-1" / "negatives.jsonl").read_text().splitlines()
    assert 0 < card["hard_negatives"] == len(mined) <= 22
    assert card["dtype"] == "float32"
    assert card["seconds"] >= 0
    assert card["versions"]["torch"] == version("torch")
    assert set(card["versions"]) == {"torch", "transformers"}
    found = card["validation"]
    assert found["sources"] == [{"files": ["train.json"], "questions": 3, "f1": found["f1"]}]
    assert {"error_before", "error_after", "temperature", "unanswered"} <= set(found)


def test_the_folder_of_another_recipe_is_left_alone(recipe: ReaderRecipe, tmp_path: Path) -> None:
    pytest.importorskip("peft")
    train_reader(recipe, tmp_path, stop_after=1)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ConfigError, match=r"another recipe \(rank differs\)"):
        train_reader(replace(recipe, rank=3), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_changed_data_are_another_training(recipe: ReaderRecipe, tmp_path: Path) -> None:
    pytest.importorskip("peft")
    [source] = recipe.sources
    copy = tmp_path / "data.json"
    copy.write_bytes(Path(source.files[0]).read_bytes())
    copied = changed(recipe, files=(str(copy),))
    train_reader(copied, tmp_path / "out", stop_after=1)
    copy.write_bytes(copy.read_bytes() + b"\n")
    with pytest.raises(ConfigError, match=r"another recipe \(data differs\)"):
        train_reader(copied, tmp_path / "out")


def test_nothing_is_written_for_data_that_cannot_be_used(
    recipe: ReaderRecipe, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=r"none\.json cannot be read"):
        train_reader(changed(recipe, files=(str(tmp_path / "none.json"),)), tmp_path / "out")
    with pytest.raises(ConfigError, match="no question is left to train on"):
        train_reader(changed(recipe, held_out=1.0), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("_with_peft")
def test_training_goes_on_from_an_adapter(recipe: ReaderRecipe, tmp_path: Path) -> None:
    first = train_reader(recipe, tmp_path / "first")
    still = replace(recipe, start=str(first), schedule=Schedule(0.0, log_every=1))
    second = train_reader(still, tmp_path / "second")
    wanted, found = load_file(first), load_file(second)
    assert all(torch.allclose(value, found[name], atol=1e-3) for name, value in wanted.items())
    with pytest.raises(ConfigError, match="has another rank"):
        train_reader(replace(still, rank=3), tmp_path / "third")


def test_excluded_questions_are_never_seen(recipe: ReaderRecipe, tmp_path: Path) -> None:
    known = tmp_path / "test.txt"
    known.write_text("LONG, of the Nile\n", encoding="utf-8")

    def questions(recipe: ReaderRecipe, out: Path) -> int:
        train_reader(recipe, out)
        return int(json.loads((out / "card.json").read_text())["questions"])

    every = questions(recipe, tmp_path / "every")
    # one question in each of the article's two paragraphs
    assert questions(replace(recipe, exclude=(str(known),)), tmp_path / "less") == every - 2


def test_questions_without_an_answer_are_used_once_each(
    recipe: ReaderRecipe, tmp_path: Path
) -> None:
    paragraph = {
        "context": "The Nile is long.",
        "qas": [
            {"id": "1", "question": "Who built the Nile?", "answers": []},
            {"id": "2", "question": "How old is the Nile?", "answers": []},
            {
                "id": "3",
                "question": "How is it?",
                "answers": [{"text": "long", "answer_start": 12}],
            },
        ],
    }
    path, known = tmp_path / "none.json", tmp_path / "test.txt"
    path.write_text(json.dumps({"data": [{"title": "Nile", "paragraphs": [paragraph]}]}))
    known.write_text("How old is the Nile?\n", encoding="utf-8")

    def windows(recipe: ReaderRecipe, out: Path) -> tuple[int, int]:
        train_reader(recipe, out)
        card = json.loads((out / "card.json").read_text())
        return card["windows"], card.get("unanswerable", 0)

    before, none = windows(recipe, tmp_path / "before")
    without = replace(recipe, unanswerable=(str(path),))
    assert none == 0
    assert windows(without, tmp_path / "all") == (before + 2, 2)
    excluding = replace(without, exclude=(str(known),))
    assert windows(excluding, tmp_path / "one") == (before + 1, 1)


def test_two_trainings_into_one_folder_do_not_meet(recipe: ReaderRecipe, tmp_path: Path) -> None:
    with lock_folder(tmp_path, "training folder"), pytest.raises(LockedError, match="training fol"):
        train_reader(recipe, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["mlqa-reader-mbert", "mlqa-reader-bert-large"])
def test_mlqa_s_readers_train_ten_steps_and_are_chosen_by_its_english_questions(
    name: str, file: Path, tiny: Path, tmp_path: Path
) -> None:
    other = json.loads(file.read_text())
    for article in other["data"]:
        article["paragraphs"] = article["paragraphs"][:1]
        for row in article["paragraphs"][0]["qas"]:
            row["question"] = f"Which {row['question']}"
    dev = tmp_path / "dev.json"
    dev.write_text(json.dumps(other))
    changes = (
        f"base={tiny}",
        "questions=40",
        "batch_size=4",
        "validation=5",
        f"validation_files=['{dev}']",
        "schedule.validate_every=5",
        f"sources=[{{files = ['{file}'], held_out = 0.0}}]",
    )
    recipe = ReaderRecipe.load(name, changes)
    path = train_reader(recipe, tmp_path / "out")
    card = json.loads((tmp_path / "out" / "card.json").read_text())
    assert card["steps"] == 10
    assert card["validation"]["sources"][0]["files"] == ["dev.json"]
    assert card["recipe"]["validation_files"] == ["dev.json"]
    assert len((tmp_path / "out" / "validation.csv").read_text().splitlines()) == 3
    assert open_adapter(str(path), task="reader").base == resolve(recipe.base)


def test_questions_of_the_validation_files_are_not_trained_on(
    recipe: ReaderRecipe, file: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="validation must be 1 or more"):
        replace(recipe, validation_files=(str(file),))
    same = changed(replace(recipe, validation=3, validation_files=(str(file),)), held_out=0.0)
    with pytest.raises(ConfigError, match="no question is left to train on"):
        train_reader(same, tmp_path)
