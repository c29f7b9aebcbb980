from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.io.squad_xor import read_squad
from xorqa.models.checkpoints import load_tokenizer, resolve
from xorqa.reading.features import make_windows
from xorqa.training.reader.recipe import ReaderRecipe, Source
from xorqa.training.reader.windows import (
    draw,
    is_held_out,
    make_batches,
    make_items,
    unanswered,
    usable,
)


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


def test_windows_have_their_gold_and_negatives_do_not_answer(
    recipe: ReaderRecipe, file: Path, tiny: Path
) -> None:
    tokenizer = load_tokenizer(resolve(str(tiny)))
    kept = [q for q in read_squad(file) if q.answers and q.context.count(q.answers[0]) == 1]
    assert len(kept) == 2 * 2 * 8
    recipe = replace(recipe, questions=len(kept))
    items = make_items(draw([kept], recipe), tokenizer, recipe)
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


def test_sources_are_mixed_by_weight_and_small_ones_come_again(
    recipe: ReaderRecipe, file: Path, tiny: Path
) -> None:
    tokenizer = load_tokenizer(resolve(str(tiny)))
    questions = list(read_squad(file))
    nile = [q for q in questions if q.title == "Nile" and q.answers][:2]
    rest = [q for q in questions if q.title != "Nile" and q.answers]
    mixed = replace(
        recipe,
        questions=16,
        negatives=0.0,
        sources=(Source(("a",), weight=3.0), Source(("b",), weight=1.0)),
    )
    items = make_items(draw([rest, nile], mixed), tokenizer, mixed)
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


@pytest.mark.parametrize("together", [1, 1000])
def test_pairs_without_an_answer_become_one_window_each(
    recipe: ReaderRecipe, tiny: Path, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    monkeypatch.setattr("xorqa.training.reader.windows.TOGETHER", together)
    tokenizer = load_tokenizer(resolve(str(tiny)))
    pairs = [("Who?", "A town. " * 100), ("Who?", "No one.")]
    items = unanswered(pairs, tokenizer, recipe)
    assert [item.gold for item in items] == [None, None]
    assert [item.window.pair for item in items] == [0, 1]
    assert [item.window.offsets[item.window.context.start, 0] for item in items] == [0, 0]
