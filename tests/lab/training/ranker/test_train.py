import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.lab.training.ranker.conftest import HELD_OUT
from xorqa.core.errors import ConfigError
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.training_data import is_held_out
from xorqa.lab.training.ranker.data import prepare
from xorqa.lab.training.ranker.distillation import PassageList
from xorqa.lab.training.ranker.recipe import RankerRecipe
from xorqa.lab.training.ranker.train import train_ranker
from xorqa.ranking.cross_encoder import CrossEncoder

ASKED = {"id": "more", "question": "What?", "answers": []}


def test_the_right_passage_is_first_and_has_a_title(recipe: RankerRecipe, tmp_path: Path) -> None:
    data = prepare(recipe, tmp_path)
    [path] = recipe.sources[0].paths
    rows = {
        (row.question, Passage("", row.context, row.title).titled): row for row in read_squad(path)
    }
    answers: dict[str, set[str]] = {}
    for row in rows.values():
        answers.setdefault(row.question, set()).update(row.answers)
    lists = [one for batch in data.batches for one in batch]
    assert 0 < len(lists) == data.counts["questions"]
    for one in [*lists, *data.held_out]:
        right, *wrong = one.passages
        row = rows[one.question, right]
        assert row.answers[0] in right and right.startswith(row.title)
        assert wrong
        assert not any(answer in text for answer in answers[one.question] for text in wrong)
        held_out = is_held_out(row, HELD_OUT)
        assert held_out is (one in data.held_out)


def test_the_file_ranks_as_the_model_that_was_trained(recipe: RankerRecipe, tmp_path: Path) -> None:
    longer = replace(recipe, questions=120, validation=12)
    path = train_ranker(longer, tmp_path)
    [_, *losses] = (tmp_path / "curve.csv").read_text("utf-8").splitlines()
    assert float(losses[-1].split(",")[1]) < float(losses[0].split(",")[1])
    validation = json.loads((tmp_path / "card.json").read_text("utf-8"))["validation"]
    ranker = CrossEncoder(model=str(path), max_tokens=96, dtype="float32")

    def reciprocal_rank(one: PassageList) -> float:
        query = Query(Question("q", one.question, "en"), one.question, "en")
        hits = [Hit(Passage(str(at), text), 1.0) for at, text in enumerate(one.passages)]
        [scores] = ranker.scores([query], [hits])
        return 1 / sum(score >= scores[0] for score in scores)

    ranks = list(map(reciprocal_rank, prepare(longer, tmp_path).held_out))
    assert validation["questions"] == len(ranks)
    assert validation["mrr"] == pytest.approx(100 * sum(ranks) / len(ranks))
    assert load_file(path)["classifier.weight"].shape[0] == 1


def test_the_last_steps_settle_on_rounded_weights(recipe: RankerRecipe, tmp_path: Path) -> None:
    settling = replace(recipe, method="full", settle=1)
    train_ranker(settling, tmp_path / "parts", stop_after=2)
    assert not (tmp_path / "parts" / "settled").exists()
    paths = [train_ranker(settling, tmp_path / name) for name in ("parts", "whole")]
    curve = (tmp_path / "whole" / "settled" / "curve.csv").read_text("utf-8")
    assert curve.splitlines()[-1].startswith("1,")
    plain = train_ranker(replace(settling, settle=0), tmp_path / "plain")
    parts, whole, before = map(load_file, [*paths, plain])
    assert all(torch.equal(parts[name], value) for name, value in whole.items())
    assert not all(torch.equal(before[name], value) for name, value in whole.items())


def test_a_stopped_training_goes_on_to_the_same_ranker(
    recipe: RankerRecipe, tmp_path: Path
) -> None:
    whole = train_ranker(recipe, tmp_path / "whole")
    train_ranker(recipe, tmp_path / "parts", stop_after=2)
    parts = train_ranker(recipe, tmp_path / "parts")
    wanted, found = load_file(whole), load_file(parts)
    assert all(torch.equal(value, found[name]) for name, value in wanted.items())


def test_only_questions_are_code_switched(recipe: RankerRecipe, tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_text("fi\ttown\tkaupunki\nfi\tlong\tpitkä\nfi\tis\ton\n")
    [source] = recipe.sources
    switched = replace(
        recipe,
        sources=(replace(source, code_switched=1.0),),
        lexicon=(str(tmp_path / "words.tsv"),),
    )
    lists = [one for batch in prepare(switched, tmp_path / "out").batches for one in batch]
    texts = " ".join(text for one in lists for text in one.passages)
    assert any("kaupunki" in one.question or "pitkä" in one.question for one in lists)
    assert "town" in texts and "kaupunki" not in texts and "pitkä" not in texts


@pytest.mark.parametrize("mined", ["question", "translation"])
def test_translated_questions_and_more_passages_to_mine(
    recipe: RankerRecipe, tmp_path: Path, mined: str
) -> None:
    [path] = recipe.sources[0].paths
    rows = list(read_squad(path))
    pairs = "".join(f"fi\tkysymys {at}\ten\t{row.question}\n" for at, row in enumerate(rows))
    (tmp_path / "pairs.tsv").write_text(pairs, encoding="utf-8")
    texts = {"question": rows[0].question, "translation": "kysymys"}
    contexts = {of: f"{text} {text} {of}" for of, text in texts.items()}  # BM25 prefers them
    paragraphs = [{"context": context, "qas": [ASKED]} for context in contexts.values()]
    data = {"data": [{"title": "More", "paragraphs": paragraphs}]}
    (tmp_path / "more.json").write_text(json.dumps(data), encoding="utf-8")
    translated = replace(
        recipe,
        questions=200,
        translations=(str(tmp_path / "pairs.tsv"),),
        mine_translations=mined == "translation",
        passages=(str(tmp_path / "more.json"),),
    )
    lists = [one for batch in prepare(translated, tmp_path / "out").batches for one in batch]
    assert all(one.question.startswith("kysymys ") for one in lists)
    wrong = {text for one in lists for text in one.passages[1:]}
    assert {of for of, context in contexts.items() if f"More\n{context}" in wrong} == {mined}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hard_negatives": 0, "same_article": 0}, "needs hard_negatives, same_article or random"),
        ({"miner": 3}, "miner must be string or table, not 3"),
        ({"batch_size": 0}, "batch_size"),
    ],
)
def test_settings_out_of_range(recipe: RankerRecipe, changes: dict[str, int], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        replace(recipe, **changes)


def test_random_negatives_are_of_the_articles_that_the_search_finds(
    recipe: RankerRecipe, tmp_path: Path
) -> None:
    table = RankerRecipe.load("ranker-xor-path")
    assert (table.random_negatives, table.hard_negatives, table.same_article) == (50, 0, 0)
    printed = replace(
        table,
        sources=recipe.sources,
        base=recipe.base,
        exclude=(),
        passages=(),
        questions=8,
        validation=0,
    )
    lines: list[str] = []
    data = prepare(printed, tmp_path, report=lines.append)
    [path] = recipe.sources[0].paths
    titles = {Passage("", row.context, row.title).titled: row.title for row in read_squad(path)}
    for one in (one for batch in data.batches for one in batch):
        assert len({titles[text] for text in one.passages}) > 1
        assert len(one.passages) > 5
    assert lines[-2].endswith("questions have fewer than 50")
    assert train_ranker(printed, tmp_path, stop_after=2).is_file()
    assert prepare(printed, tmp_path).batches == data.batches


def test_random_negatives_come_from_paragraphs_without_questions_too(
    recipe: RankerRecipe, tmp_path: Path
) -> None:
    text = "The Nile long town: a paragraph of the article that no question is about."
    more = tmp_path / "article-paragraphs.json"
    paragraphs = [{"context": text, "qas": []}]
    more.write_text(json.dumps({"data": [{"title": "Nile", "paragraphs": paragraphs}]}))
    table = replace(
        RankerRecipe.load("ranker-xor-path"),
        sources=(replace(recipe.sources[0], held_out=0.0),),
        base=recipe.base,
        exclude=(),
        passages=(str(more),),
        questions=8,
    )
    data = prepare(table, tmp_path / "out")
    passages = {passage for batch in data.batches for one in batch for passage in one.passages}
    assert Passage("", text, "Nile").titled in passages
    assert not data.held_out
