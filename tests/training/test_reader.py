import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from xorqa.errors import ConfigError, DataError
from xorqa.formats import read_squad
from xorqa.models.adapters import open_adapter
from xorqa.models.checkpoints import load_tokenizer, resolve
from xorqa.reading.features import make_windows
from xorqa.reading.span import SpanReader
from xorqa.training.items import Item, is_held_out, make_batches, make_items, usable
from xorqa.training.loop import Schedule
from xorqa.training.reader import reader_loss, train_reader
from xorqa.training.recipe import ReaderRecipe, Source, load_recipe
from xorqa.types import Span

RIVERS = ("Nile", "Rhine", "Volga", "Ganges", "Amur", "Kemi", "Tigris", "Krishna")


def paragraph(river: str, at: int) -> dict[str, Any]:
    """A passage with two questions that one place answers, and one that two places answer."""
    text = f"The {river} is {at}07 km long. A town called {river}stad{at} stands on the {river}."
    answers = {"long": f"{at}07 km", "town": f"{river}stad{at}", "where": river}
    return {
        "context": text,
        "qas": [
            {"id": f"{river}-{at}-{word}", "question": f"{word} of the {river}?",
             "answers": [{"text": answer, "answer_start": text.index(answer)}]}
            for word, answer in answers.items()
        ] + [{"id": f"{river}-{at}-none", "question": "nothing?", "answers": []}],
    }  # fmt: skip


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQuAD-style file of 8 articles."""
    articles = [
        {"title": river, "paragraphs": [paragraph(river, at) for at in (1, 2)]} for river in RIVERS
    ]
    path = tmp_path_factory.mktemp("squad") / "train.json"
    path.write_text(json.dumps({"data": articles}), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def recipe(file: Path, tiny: Path) -> ReaderRecipe:
    schedule = Schedule(1e-2, log_every=1)
    source = Source((str(file),), held_out=0.3, first_offsets=True)
    return ReaderRecipe((source,), base=str(tiny), questions=22, batch_size=4, max_tokens=96,
                        rank=2, alpha=4, dtype="float32", schedule=schedule)  # fmt: skip


def changed(recipe: ReaderRecipe, **values: Any) -> ReaderRecipe:
    """The recipe with its only source changed."""
    return replace(recipe, sources=(replace(recipe.sources[0], **values),))


@pytest.fixture
def _with_peft() -> None:
    pytest.importorskip("peft")


@pytest.mark.usefixtures("_with_peft")
def test_a_stopped_training_goes_on_to_the_same_adapter(
    recipe: ReaderRecipe, tmp_path: Path
) -> None:
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
    [reading] = reader.pairs.read([("town of the Nile?", "A town called Nilestad.")])
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

    monkeypatch.setattr("xorqa.training.items.make_windows", spy)
    train_reader(recipe, tmp_path, stop_after=1)
    held = {river for river in RIVERS if any(
        q.title == river and is_held_out(q, recipe.sources[0].held_out) for q in read_squad(file)
    )}  # fmt: skip
    assert 0 < len(held) < len(RIVERS)
    assert {river for river in RIVERS if any(river in text for text in seen)} == set(RIVERS) - held


def test_articles_are_held_out_whole_and_by_share(file: Path) -> None:
    questions = list(read_squad(file))
    for share, least, most in ((0.0, 0, 0), (1.0, 8, 8), (0.3, 1, 7)):
        held = {q.title for q in questions if is_held_out(q, share)}
        kept = {q.title for q in questions if not is_held_out(q, share)}
        assert not held & kept
        assert least <= len(held) <= most


def test_windows_have_their_gold_and_negatives_do_not_answer(
    recipe: ReaderRecipe, file: Path, tiny: Path
) -> None:
    tokenizer = load_tokenizer(resolve(str(tiny)))
    kept = [q for q in read_squad(file) if q.answers and q.context.count(q.answers[0]) == 1]
    assert len(kept) == 2 * 2 * len(RIVERS)
    recipe = replace(recipe, questions=len(kept))
    items = make_items([kept], tokenizer, recipe)
    answers = {q.answers[0] for q in kept}
    golds = [item for item in items if item.gold is not None]
    assert len(golds) == len(kept)
    assert 0 < len(items) - len(golds) <= recipe.negatives * len(kept)
    found = set()
    for item in golds:
        assert item.gold is not None
        tokens = tokenizer.convert_ids_to_tokens(item.window.ids[item.gold.start : item.gold.end])
        found.add("".join(tokens).replace("▁", " ").strip())
    assert found == answers
    batches = make_batches(items, recipe)
    assert sorted(map(id, items)) == sorted(id(item) for batch in batches for item in batch)
    assert {len(batch) for batch in batches[:-1]} <= {4, len(items) % 4}
    assert make_batches(items, recipe) == batches
    assert make_batches(items, replace(recipe, seed=2)) != batches


def test_the_loss_by_hand(tiny: Path) -> None:
    tokenizer = load_tokenizer(resolve(str(tiny)))
    window = make_windows(tokenizer, ["?"], ["A town"])[0]
    first, last = window.context.start, window.context.end
    logits = torch.randn(2, 32, 3, generator=torch.Generator().manual_seed(1))
    gold = Item(window, Span(first, last))
    none = Item(window, None)
    relevance = (torch.nn.functional.softplus(-logits[0, 0, 2])
                 + torch.nn.functional.softplus(logits[1, 0, 2])) / 2  # fmt: skip
    starts, ends = (logits[0, first:last, at].log_softmax(0) for at in (0, 1))
    wanted = 0.5 * relevance - (starts[0] + ends[-1]) / 2
    assert float(reader_loss(logits, [gold, none], 0.5)) == pytest.approx(float(wanted), rel=1e-5)
    alone = reader_loss(logits[1:], [none], 2.0)
    assert float(alone) == pytest.approx(2 * float(torch.nn.functional.softplus(logits[1, 0, 2])))


def test_the_folder_of_another_recipe_is_left_alone(recipe: ReaderRecipe, tmp_path: Path) -> None:
    pytest.importorskip("peft")
    train_reader(recipe, tmp_path, stop_after=1)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ConfigError, match=r"another recipe \(rank differs\)"):
        train_reader(replace(recipe, rank=3), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[reader", "is not valid TOML"),
        ("[model]", r"has no table \[reader\]"),
        ("[reader]", "needs a setting 'sources'"),
        ("[reader]\nsources = []\nepochs = 3", "has no setting 'epochs'; there are: alpha, base"),
        ("[reader]\nsources = 'a.json'", "sources must be of type list"),
        ("[[reader.sources]]\nfiles = 'a.json'", "files must be of type list"),
        ("[[reader.sources]]\nfiles = []\nheld_out = 2", "held_out must be from 0 to 1, not 2"),
        ("[reader]\nsources = []\nrank = 'big'", "rank must be of type int"),
        ("[reader]\nsources = []\n[reader.schedule]\nlearning_rat = 1", "no setting 'learning_r"),
        ("[reader]\nsources = []\nnegatives = 1.5", "negatives must be from 0 to 1, not 1.5"),
        ("[reader]\nsources = []\nbatch_size = 0", "batch_size must be 1 or more, not 0"),
    ],
)
def test_recipes_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        load_recipe(path)
    assert "\n" not in str(caught.value)


def test_an_unknown_recipe_lists_those_there_are() -> None:
    with pytest.raises(
        ConfigError, match=r"no recipe is called 'reader-xx'; there are: .*reader-en"
    ):
        load_recipe("reader-xx")


def test_data_files_are_paths_or_fetched_data(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "mine.toml"
    files = "files = ['./a.json', '/b.json', 'squad/c.json']"
    path.write_text(f"[[reader.sources]]\n{files}\nheld_out = 0")
    recipe = load_recipe(path)
    wanted = (tmp_path / "a.json", "/b.json", home / "data" / "squad" / "c.json")
    assert recipe.sources[0].files == tuple(map(str, wanted))
    assert recipe.sources[0].held_out == 0.0


def test_nothing_is_written_for_data_that_cannot_be_used(
    recipe: ReaderRecipe, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=r"none\.json cannot be read"):
        train_reader(changed(recipe, files=(str(tmp_path / "none.json"),)), tmp_path / "out")
    with pytest.raises(ConfigError, match="no question is left to train on"):
        train_reader(changed(recipe, held_out=1.0), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_sources_are_mixed_by_weight_and_small_ones_come_again(
    recipe: ReaderRecipe, file: Path, tiny: Path
) -> None:
    tokenizer = load_tokenizer(resolve(str(tiny)))
    questions = list(read_squad(file))
    nile = [q for q in questions if q.title == "Nile" and q.answers][:2]
    rest = [q for q in questions if q.title != "Nile" and q.answers]
    mixed = replace(recipe, questions=16, negatives=0.0,
                    sources=(Source(("a",), weight=3.0), Source(("b",), weight=1.0)))  # fmt: skip
    items = make_items([rest, nile], tokenizer, mixed)
    windows = make_windows(tokenizer, [q.question for q in nile], [q.context for q in nile])
    times = Counter(tuple(item.window.ids) for item in items)
    assert [times[tuple(window.ids)] for window in windows] == [2, 2]
    assert (times.total(), len(times)) == (16, 12 + 2)


def test_questions_whose_answer_stands_elsewhere_are_left_out(file: Path) -> None:
    right = next(iter(read_squad(file)))
    wrong = replace(right, start=right.start + 1)
    bare = replace(right, answers=(), start=-1)
    twice = replace(right, context=f"{right.context} {right.answers[0]}")
    exact, first = Source(("a",), held_out=0.0), Source(("a",), held_out=0.0, first_offsets=True)
    assert usable([right, wrong, bare, twice], exact) == [right, twice]
    assert usable([right, bare, twice], first) == [right]


@pytest.mark.usefixtures("_with_peft")
def test_training_goes_on_from_an_adapter(recipe: ReaderRecipe, tmp_path: Path) -> None:
    first = train_reader(recipe, tmp_path / "first")
    still = replace(recipe, start=str(first), schedule=Schedule(0.0, log_every=1))
    second = train_reader(still, tmp_path / "second")
    wanted, found = load_file(first), load_file(second)
    assert all(torch.allclose(value, found[name], atol=1e-3) for name, value in wanted.items())
    with pytest.raises(ConfigError, match="has another rank"):
        train_reader(replace(still, rank=3), tmp_path / "third")
