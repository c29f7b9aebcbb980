from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.core.types import Example, Gold, Passage, Question
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import NOWHERE, Dataset
from xorqa.datasets.mini import load
from xorqa.lab.building.export import export_folder
from xorqa.lab.building.without_gold import without_gold

WORLD = load()


def docids(dataset: Dataset) -> set[str]:
    return {passage.docid for corpus in dataset.corpora.values() for passage in corpus}


def test_a_third_of_the_gold_passages_is_gone() -> None:
    golds = {gold.docid for example in WORLD.examples for gold in example.golds if gold.docid}
    less = without_gold(WORLD, 1 / 3)
    gone = docids(WORLD) - docids(less)
    assert gone < golds and len(gone) == round(len(golds) / 3)
    for before, after in zip(WORLD.examples, less.examples, strict=True):
        assert before.question == after.question
        if {gold.docid for gold in before.golds if gold.docid} <= gone:
            assert (after.golds, after.answered_in) == ((), NOWHERE)
        else:
            assert after == before


def test_the_seed_draws_the_passages() -> None:
    def left(seed: int) -> set[str]:
        return docids(without_gold(WORLD, 0.5, seed=seed))

    assert left(1) == left(1) != left(2)
    assert docids(without_gold(WORLD, 0.0)) == docids(WORLD)
    assert all(e.answered_in == NOWHERE for e in without_gold(WORLD, 1.0).examples)


def lakes() -> Dataset:
    """A question that two passages answer, one of which stands twice."""
    english = [Passage("a", "Inari is in Finland."), Passage("b", "Inari is in Finland.")]
    finnish = [Passage("c", "Inari on Suomessa.", lang="fi"), Passage("d", "Muuta.", lang="fi")]
    corpora = {"en": Corpus("en", [*english, Passage("e", "x")]), "fi": Corpus("fi", finnish)}
    golds = (Gold("Finland", "en", "a"), Gold("Suomessa", "fi", "c"))
    return Dataset("lakes", (Example(Question("q", "?", "fi"), golds),), corpora)


def test_a_question_with_another_gold_passage_keeps_its_answers() -> None:
    for seed in range(8):
        less = without_gold(lakes(), 0.5, seed=seed)
        [example] = less.examples
        assert [gold.text for gold in example.golds] == ["Finland", "Suomessa"]
        assert example.answered_in is None
        kept = {gold.docid for gold in example.golds} - {None}
        assert docids(less) in ({"c", "d", "e"}, {"a", "b", "d", "e"}) and kept <= docids(less)


def test_copies_of_a_removed_passage_go_with_it() -> None:
    less = without_gold(lakes(), 1.0)
    assert docids(less) == {"d", "e"}
    assert less.examples[0].answered_in == NOWHERE


def test_data_without_gold_passages() -> None:
    bare = replace(lakes(), examples=(Example(Question("q", "?", "fi"), (Gold("x", "fi"),)),))
    with pytest.raises(DataError, match="lakes has no gold passages"):
        without_gold(bare, 0.3)


def test_a_folder_has_everything(tmp_path: Path) -> None:
    less = without_gold(WORLD, 1 / 3)
    counts = export_folder(less, tmp_path)
    read = load_dataset(str(tmp_path))
    assert set(read.examples) == set(less.examples)
    assert {lang: corpus.sha for lang, corpus in read.corpora.items()} == {
        lang: corpus.sha for lang, corpus in less.corpora.items()
    }
    assert counts["questions.fi.jsonl"] == 24
