from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.types import Example, Gold, Passage, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import DEFINITIONS, DEPTH, Dataset, gold_subsets, retrieval_difficulty
from xorqa.datasets.mini import load as load_mini
from xorqa.io.squad_xor import title_hash

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
