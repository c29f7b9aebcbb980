"""What a reader in training is given for a question."""

import json
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.io.files import write_json
from xorqa.lab.training.average import average_readers
from xorqa.lab.training.reader import recipe as module
from xorqa.lab.training.reader.glossing import glossed_pairs, glosser
from xorqa.lab.training.reader.model import LoadedReader
from xorqa.lab.training.reader.recipe import ReaderRecipe
from xorqa.lab.training.reader.samples import read_sources
from xorqa.lab.training.reader.train import in_training, prepare, train_reader
from xorqa.models.adapters import open_adapter
from xorqa.models.checkpoints import resolve
from xorqa.reading.glosses import glosses, with_glosses
from xorqa.reading.pairs import QuestionPassage

QUESTION = "Mihin mereen Niili laskee ja kuinka pitkä joki on?"
NILE = "The Nile is a river that flows north in Africa."


def test_without_glosses_a_question_stays() -> None:
    pairs = [QuestionPassage(QUESTION, NILE)]
    assert glossed_pairs(pairs, glosser(0, dropout=0.0, seed=1)) == pairs


def test_some_glosses_are_dropped_the_same_ones_each_time() -> None:
    all_, half, none = (glosser(2, dropout=share, seed=1) for share in (0.0, 0.5, 1.0))
    found = glosses(QUESTION, NILE, 2)
    assert all_(QUESTION, NILE) == with_glosses(QUESTION, found)
    assert none(QUESTION, NILE) == QUESTION
    kept = half(QUESTION, NILE)
    assert len(QUESTION) < len(kept) < len(all_(QUESTION, NILE))
    assert kept == half(QUESTION, NILE)


@pytest.fixture
def finnish(recipe: ReaderRecipe, distilling: ReaderRecipe, tmp_path: Path) -> ReaderRecipe:
    """Finnish questions over English passages, with their answer or without, and distilled ones."""
    rivers = ("Nile", "Rhine", "Volga", "Danube", "Thames", "Loire", "Oder", "Elbe")
    path = tmp_path / "fi.json"
    write_json(path, {"data": [_article(river, answered=True) for river in rivers]})
    none = tmp_path / "none.json"
    write_json(none, {"data": [_article(river, answered=False) for river in rivers]})
    source = replace(recipe.sources[0], files=(str(path),), held_out=0.2)
    return replace(distilling, sources=(source,), unanswerable=(str(none),), negatives=1.0)


def _article(river: str, *, answered: bool) -> dict[str, Any]:
    context = f"The {river} is a long river that flows through green valleys to the sea."
    answers = [{"text": "the sea", "answer_start": context.index("the sea")}] if answered else []
    asked = f"Mihin {river} laskee ja kuinka pitkä joki on?"
    questions = [{"id": f"{river}{answered}", "question": asked, "answers": answers}]
    return {"title": river, "paragraphs": [{"context": context, "qas": questions}]}


def test_windows_of_each_kind_have_glosses(finnish: ReaderRecipe, e5_tokenizer: Any) -> None:
    def texts(recipe: ReaderRecipe, name: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        folder = Path(recipe.unanswerable[0]).parent / name
        for labeled in chain(*prepare(recipe, e5_tokenizer, folder).batches):
            kind = "taught" if labeled.teacher else "gold" if labeled.gold else "unanswerable"
            head = labeled.window.ids[: labeled.window.context.start]
            found.setdefault(kind, []).append(e5_tokenizer.decode(head, skip_special_tokens=True))
        return found

    plain, glossed = texts(finnish, "plain"), texts(replace(finnish, glosses=2), "glossed")
    assert plain.keys() == glossed.keys() == {"taught", "gold", "unanswerable"}
    for kind, rows in glossed.items():
        assert not any("(" in text for text in plain[kind])
        assert sum("(" in text for text in rows) >= len(rows) / 3, kind
    dropped = texts(replace(finnish, glosses=2, gloss_dropout=1.0), "dropped")
    assert not [text for rows in dropped.values() for text in rows if "(" in text]


def test_in_training_it_reads_with_glosses(
    finnish: ReaderRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    monkeypatch.setattr(
        LoadedReader,
        "glossed",
        lambda self, question, passage, lang="": given.append(self.glosses) or question,
    )
    questions = read_sources(finnish.sources, frozenset())[0]
    _, reader = in_training(replace(finnish, glosses=2), resolve(finnish.base))
    reader.f1(questions)
    assert set(given) == {2}


def test_the_mean_of_readers_keeps_them(recipe: ReaderRecipe, tmp_path: Path) -> None:
    glossed = replace(recipe, method="full", glosses=2)
    parts = [
        str(train_reader(replace(glossed, seed=seed), tmp_path / str(seed), stop_after=1))
        for seed in (1, 2)
    ]
    mean = average_readers(glossed, parts, tmp_path / "mean")
    assert open_adapter(str(mean), task="reader").card["glosses"] == 2
    with pytest.raises(ConfigError, match="given 2 glosses of a word, and the recipe's 0"):
        average_readers(replace(glossed, glosses=0), parts, tmp_path / "other")


def test_the_card_tells_a_reader_how_many(recipe: ReaderRecipe, tmp_path: Path) -> None:
    path = train_reader(replace(recipe, method="full", glosses=2), tmp_path, stop_after=1)
    assert open_adapter(str(path), task="reader").card["glosses"] == 2


def test_another_table_is_another_recipe(recipe: ReaderRecipe, monkeypatch: Any) -> None:
    glossed = replace(recipe, glosses=2)
    before = json.dumps(glossed.identity())
    monkeypatch.setattr(module, "gloss_identity", lambda: ("glosses 1", "another table"))
    assert json.dumps(glossed.identity()) != before


def test_a_share_of_no_glosses_is_refused(recipe: ReaderRecipe) -> None:
    with pytest.raises(ConfigError, match="gloss_dropout is of glosses; set their number"):
        replace(recipe, gloss_dropout=0.1)
