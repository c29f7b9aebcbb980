from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.core.types import Example, Gold, Passage, Question
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import (
    DEFINITIONS,
    DEPTH,
    NOWHERE,
    Dataset,
    gold_subsets,
    retrieval_difficulty,
    title_hash,
    without_gold,
)
from xorqa.datasets.export import export_folder
from xorqa.datasets.mini import load
from xorqa.datasets.mini import load as load_mini

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


CORPUS = Corpus("en", [Passage("en-1", "Oulu.")])


def example(qid, *docids, answered_in=None):
    golds = tuple(Gold("Oulu", "en", docid) for docid in docids)
    return Example(Question(qid, "Missä?", "fi"), golds, answered_in=answered_in)


def dataset(*examples):
    return Dataset("d", examples, {"en": CORPUS})


def test_subsets_follow_answered_in():
    made = dataset(
        example("a", answered_in="target"),
        example("b", answered_in="en"),
        example("c", answered_in="nowhere"),
        example("d"),
    )
    assert gold_subsets(made) == {"a": "in-language", "b": "cross-lingual"}


def test_the_bundled_world_has_both_subsets_of_every_language():
    where = gold_subsets(load_mini())
    assert len(where) == len(load_mini().examples)
    for lang in load_mini().languages:
        mine = [where[e.question.qid] for e in load_mini().only([lang]).examples]
        assert mine.count("in-language") == mine.count("cross-lingual") == 12


def test_hard_is_what_no_route_finds_early():
    first = {f"other-{at}": float(-at) for at in range(DEPTH - 1)}
    made = dataset(
        example("early", "en-1"),
        example("late", "en-1"),
        example("elsewhere", None, "fi-1"),
        example("nothing found", "en-1"),
        example("no gold passage", None),
    )
    eng = {"early": first | {"en-1": -90.0}, "late": first | {"x": -90.0, "en-1": -91.0}}
    own = {"elsewhere": {"fi-1": 1.0}}
    assert retrieval_difficulty(made, [eng, own]) == {
        "early": "easy",
        "late": "hard",
        "elsewhere": "easy",
        "nothing found": "hard",
    }


def test_every_subset_has_a_definition():
    made = retrieval_difficulty(
        dataset(example("a", "en-1"), example("b", "en-1")), [{"a": {"en-1": 1.0}}]
    )
    assert {*made.values(), *gold_subsets(load_mini()).values()} == set(DEFINITIONS)


@given(st.text())
def test_title_hashes_are_uniform(title):
    assert 0 <= title_hash(title) < 1
    assert title_hash(title) == title_hash(title)


def test_title_hashes_do_not_change():
    """Data sets and recipes are divided by them."""
    assert round(title_hash("Harvard_University"), 4) == 0.5222
