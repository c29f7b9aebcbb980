import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.types import Span
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.recipe import SquadSource
from xorqa.lab.training.common.training_data import is_held_out
from xorqa.lab.training.reader.samples import (
    answerable_windows,
    make_batches,
    sample_sources,
    unanswerable_windows,
    usable_questions,
)
from xorqa.models.checkpoints import load_tokenizer, resolve


def test_articles_are_held_out_whole_and_by_share(file: Path) -> None:
    questions = list(read_squad(file))
    for share, least, most in ((0.0, 0, 0), (1.0, 8, 8), (0.3, 1, 7)):
        held = {q.title for q in questions if is_held_out(q, share)}
        kept = {q.title for q in questions if not is_held_out(q, share)}
        assert not held & kept
        assert least <= len(held) <= most


def test_without_titles_paragraphs_are_held_out(file: Path) -> None:
    untitled = [
        replace(q, title="", context=f"{n} {q.context}")
        for q in read_squad(file)
        for n in range(20)
    ]
    held = [is_held_out(question, 0.3) for question in untitled]
    assert 0.15 < sum(held) / len(held) < 0.45
    assert all(is_held_out(q, 0.3) == is_held_out(replace(q, qid="x"), 0.3) for q in untitled)


def test_windows_have_their_gold_and_negatives_do_not_answer(file: Path, tiny: Path) -> None:
    tokenizer = load_tokenizer(resolve(str(tiny)))
    kept = [q for q in read_squad(file) if q.answers and q.context.count(q.answers[0]) == 1]
    assert len(kept) == 2 * 2 * 8
    [sample] = sample_sources(
        [kept], [1.0], questions=len(kept), negatives=0.5, rng=random.Random(1)
    )
    golds = answerable_windows(sample.questions, tokenizer, 96)
    others = unanswerable_windows(sample.unanswerable, tokenizer, 96)
    assert len(golds) == len(kept)
    assert 0 < len(others) <= len(kept) / 2
    found = set()
    for item in golds:
        assert item.gold is not None
        tokens = tokenizer.convert_ids_to_tokens(item.window.ids[item.gold.start : item.gold.end])
        found.add("".join(tokens).replace("▁", " ").strip())
    assert found == {q.answers[0] for q in kept}
    items = [*golds, *others]
    batches = make_batches(items, size=4, rng=random.Random(1))
    assert sorted(map(id, items)) == sorted(id(item) for batch in batches for item in batch)
    assert {len(batch) for batch in batches[:-1]} <= {4, len(items) % 4}
    assert make_batches(items, size=4, rng=random.Random(1)) == batches
    assert make_batches(items, size=4, rng=random.Random(2)) != batches


def test_sources_are_mixed_by_weight_and_small_ones_come_again(file: Path) -> None:
    questions = list(read_squad(file))
    nile = [q for q in questions if q.title == "Nile" and q.answers][:2]
    rest = [q for q in questions if q.title != "Nile" and q.answers]
    first, second = sample_sources(
        [rest, nile], [3.0, 1.0], questions=16, negatives=0.0, rng=random.Random(1)
    )
    assert (len(first.questions), len(set(first.questions))) == (12, 12)
    assert Counter(second.questions) == dict.fromkeys(nile, 2)
    assert first.unanswerable == []


def test_questions_whose_answer_stands_elsewhere_are_left_out(file: Path) -> None:
    right = next(iter(read_squad(file)))
    assert right.span
    wrong = replace(right, span=Span(right.span.start + 1, right.span.end + 1))
    bare = replace(right, answers=(), span=None)
    twice = replace(right, context=f"{right.context} {right.answers[0]}")
    exact, first = (
        SquadSource(("a",), held_out=0.0),
        SquadSource(("a",), held_out=0.0, first_offsets=True),
    )
    assert usable_questions([right, wrong, bare, twice], exact) == [right, twice]
    assert usable_questions([right, bare, twice], first) == [right]


@pytest.mark.parametrize("together", [1, 1000])
def test_pairs_without_an_answer_become_one_window_each(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    monkeypatch.setattr("xorqa.lab.training.reader.samples.TOKENIZED_TOGETHER", together)
    tokenizer = load_tokenizer(resolve(str(tiny)))
    pairs = [("Who?", "A town. " * 100), ("Who?", "No one.")]
    items = unanswerable_windows(pairs, tokenizer, 96)
    assert [item.gold for item in items] == [None, None]
    assert [item.window.pair for item in items] == [0, 1]
    assert [item.window.offsets[item.window.context.start, 0] for item in items] == [0, 0]
