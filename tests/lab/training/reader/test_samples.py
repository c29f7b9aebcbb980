import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.progress import Log, silent
from xorqa.core.types import Span
from xorqa.io.squad_xor import SquadQuestion, read_squad
from xorqa.lab.training.common.recipe import SquadSource
from xorqa.lab.training.common.training_data import is_held_out
from xorqa.lab.training.reader.samples import (
    answerable_windows,
    make_batches,
    mine_hard_negatives,
    retriever_maker,
    sample_sources,
    unanswerable_windows,
    usable_questions,
)
from xorqa.metrics.tasks.squad import normalize
from xorqa.models.checkpoints import load_tokenizer, resolve
from xorqa.reading.pairs import QuestionPassage


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
    pairs = [QuestionPassage("Who?", text) for text in ("A town. " * 100, "No one.")]
    items = unanswerable_windows(pairs, tokenizer, 96)
    assert [item.gold for item in items] == [None, None]
    assert [item.window.pair for item in items] == [0, 1]
    assert [item.window.offsets[item.window.context.start, 0] for item in items] == [0, 0]


def mine(
    selected: list[SquadQuestion],
    questions: list[SquadQuestion],
    folder: Path,
    *,
    per_question: float = 1.0,
    miner: Any = "bm25",
    report: Log = silent,
) -> list[QuestionPassage]:
    return mine_hard_negatives(
        selected,
        questions,
        per_question=per_question,
        make_retriever=retriever_maker(miner),
        rng=random.Random(1),
        folder=folder,
        report=report,
    )


@pytest.fixture
def questions(file: Path) -> list[SquadQuestion]:
    """How long each river is and which town it has, at two places; no two are asked the same."""
    return [
        replace(q, question=f"{q.qid}?")
        for q in read_squad(file)
        if q.question.startswith(("long", "town"))
    ]


def test_the_best_ranked_passages_that_do_not_answer(
    questions: list[SquadQuestion], tmp_path: Path
) -> None:
    pairs = mine(questions, questions, tmp_path)
    assert [pair.question for pair in pairs] == [q.question for q in questions]
    others = {(q.title, q.context) for q in questions}
    for question, (_, passage, _) in zip(questions, pairs, strict=True):
        assert (question.title, passage) in others  # the river's other place
        assert normalize(question.answers[0]) not in normalize(passage)


def test_an_answer_is_found_however_it_is_written(tmp_path: Path) -> None:
    texts = ("The Volga is long.", "It is the volga; long, very long.", "A long, long road.")
    question, *rest = [
        SquadQuestion(str(at), "How long?", "", text, ("the Volga",), Span(0, 9))
        for at, text in enumerate(texts)
    ]
    found = mine([question], [question, *rest], tmp_path, per_question=3.0)
    assert found == [QuestionPassage("How long?", texts[2])]


def test_who_asks_the_same_elsewhere_may_be_answered_there(tmp_path: Path) -> None:
    asked = [
        SquadQuestion(answer, "How long?", "", f"It is {answer} long.", (answer,), Span(6, 10))
        for answer in ("1 km", "2 km")
    ]
    other = SquadQuestion("", "How far?", "", "It is long, long ago.", ("ago",), Span(17, 20))
    found = mine(asked, [*asked, other], tmp_path, per_question=2.0)
    assert found == [QuestionPassage("How long?", other.context)] * 2


@pytest.mark.parametrize(("share", "number"), [(0.0, 0), (0.25, 8), (1.0, 32), (2.5, 80)])
def test_as_many_as_wanted(
    questions: list[SquadQuestion], tmp_path: Path, share: float, number: int
) -> None:
    miner = {"use": "bm25", "k1": 1.2}
    pairs = mine(questions, questions, tmp_path, per_question=share, miner=miner)
    assert len(set(pairs)) == len(pairs) == number
    assert (tmp_path / "negatives.jsonl").exists() is (number > 0)


def test_a_question_drawn_twice_gets_two(questions: list[SquadQuestion], tmp_path: Path) -> None:
    one = questions[0]
    pairs = mine([one, one], questions, tmp_path)
    assert len(set(pairs)) == 2


def test_mining_is_done_once(
    questions: list[SquadQuestion],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    first = mine(questions, questions, tmp_path, report=told.append)
    assert told[-1] == "hard negatives: 0 of 32 questions"

    def fail(role: str, table: Mapping[str, Any], **given: Any) -> Any:
        raise AssertionError(role)

    monkeypatch.setattr("xorqa.lab.training.reader.samples.build", fail)
    assert mine(questions, questions, tmp_path) == first


def test_an_unknown_miner_lists_those_there_are(
    questions: list[SquadQuestion], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="no retriever is called 'bm26'; valid: bm25"):
        mine(questions, questions, tmp_path, miner="bm26")
