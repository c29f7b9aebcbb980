"""Synthetic questions: offsets, balance, variety, code switching."""

import random
from collections import Counter, defaultdict
from itertools import chain
from pathlib import Path

import pytest

from xorqa.io.squad_xor import SquadQuestion, read_squad
from xorqa.lab.training.bitext.lexicon import code_switch
from xorqa.lab.training.common.recipe import SquadSource
from xorqa.lab.training.reader.samples import usable_questions
from xorqa.lab.training.reader.synthetic.entities import opposites
from xorqa.lab.training.reader.synthetic.frames import (
    compose,
    fill,
    indefinite,
    load,
    names,
    plural,
)
from xorqa.lab.training.reader.synthetic.make import KINDS, make_questions, write_questions


@pytest.fixture(scope="module")
def made() -> list[SquadQuestion]:
    return make_questions(6000, seed=1)


def by_context(questions: list[SquadQuestion]) -> dict[str, list[SquadQuestion]]:
    groups = defaultdict(list)
    for question in questions:
        groups[question.context].append(question)
    return groups


def kind_of(question: SquadQuestion) -> str:
    return question.title.split()[0]


def test_a_seed_determines_the_questions(made: list[SquadQuestion]) -> None:
    assert make_questions(6000, seed=1) == made
    other = make_questions(6000, seed=2)
    assert not {one.context for one in other} & {one.context for one in made}


def test_a_kind_of_a_smaller_set_begins_that_of_a_larger_one(made: list[SquadQuestion]) -> None:
    for kind in KINDS:
        few = [one for one in make_questions(500, seed=1) if kind_of(one) == kind]
        assert few == [one for one in made if kind_of(one) == kind][: len(few)]


def test_the_answer_stands_at_its_span_and_nowhere_else(made: list[SquadQuestion]) -> None:
    for one in made:
        assert one.span is not None
        assert one.context[one.span.start : one.span.end] == one.answers[0]
        assert one.context.lower().count(one.answers[0].lower()) == 1
        assert not any(mark in one.context + one.question for mark in ("{", "}", "|", "  "))
        assert one.context[0].isupper() and one.question[0].isupper()
    assert len({one.qid for one in made}) == len(made)


def test_every_context_has_two_questions_with_different_answers(made: list[SquadQuestion]) -> None:
    for group in by_context(made).values():
        assert len({one.answers for one in group}) == len(group) == 2


def test_shares_of_the_kinds(made: list[SquadQuestion]) -> None:
    counts = Counter(map(kind_of, made))
    for kind, (_, share) in KINDS.items():
        assert counts[kind] == pytest.approx(share * len(made), abs=2)


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_answer_is_as_often_the_first_as_the_second(
    made: list[SquadQuestion], kind: str
) -> None:
    """Within a context by construction; and neither question's answer stands first more often."""
    groups = by_context([one for one in made if kind_of(one) == kind]).values()
    first_is_first = [a.span.start < b.span.start for a, b in groups]
    assert 0.4 < sum(first_is_first) / len(first_is_first) < 0.6


@pytest.mark.parametrize("word", ["more", "less", "most", "least", "not"])
def test_no_word_of_a_question_tells_the_position(made: list[SquadQuestion], word: str) -> None:
    firsts = []
    for group in by_context(made).values():
        starts = sorted(one.span.start for one in group)
        firsts += [one.span.start == starts[0] for one in group if word in one.question.split()]
    assert len(firsts) > 40
    assert 0.35 < sum(firsts) / len(firsts) < 0.65


def test_there_are_many_frames_and_words() -> None:
    for kind in ("comparison", "degree", "property", "occupation", "negation"):
        frames = load(kind)
        assert len(set(chain(*frames["contexts"].values()))) >= 12
        assert len(set(chain(*frames["questions"].values()))) >= 8
        assert all(len(set(rows)) == len(rows) for rows in frames["contexts"].values())
    assert sum(len(pairs) for pairs in opposites().values()) >= 60
    assert len({pair for pairs in opposites().values() for pair in pairs}) >= 60
    entities = load("entities").values()
    assert len({noun for one in entities for noun in one["nouns"].split()}) >= 100
    assert len(set(names("person"))) == len(names("person")) >= 300
    assert len(set(load("occupations")["values"]["occupation"].split())) >= 60


def test_questions_of_a_sample_use_most_frames(made: list[SquadQuestion]) -> None:
    masked = {one.question.replace(one.answers[0], "_") for one in made}
    assert len(masked) > 4000


def test_held_out_articles_of_a_file(tmp_path: Path) -> None:
    counts = write_questions(tmp_path / "made.json", count=2000, seed=4)
    questions = list(read_squad(tmp_path / "made.json"))
    assert sum(counts.values()) == len(questions) == 2000
    assert [one.answers for one in questions] == [
        one.answers for one in make_questions(2000, seed=4)
    ]
    source = SquadSource((str(tmp_path / "made.json"),), held_out=0.2)
    held_out = usable_questions(questions, source, held_out=True)
    trained = usable_questions(questions, source)
    assert len(held_out) + len(trained) == len(questions)
    assert {kind_of(one) for one in held_out} == set(KINDS)
    assert not {one.title for one in held_out} & {one.title for one in trained}


def test_code_switching_leaves_names_and_the_answer_in_place(made: list[SquadQuestion]) -> None:
    common = Counter(
        word.lower() for one in made for word in one.question.split() if word.isalpha()
    )
    known = {name.lower() for kind in ("person", "place", "company") for name in names(kind)}
    lexicon = {word: f"x{word}" for word, _ in common.most_common(300) if word not in known}
    switched = code_switch(made, {"fi": lexicon, "sw": lexicon}, 1.0, random.Random(2))
    assert sum(one.context != before.context for one, before in zip(switched, made, strict=True))
    persons = set(names("person"))
    for one, before in zip(switched, made, strict=True):
        assert one.context[one.span.start : one.span.end] == one.answers[0]
        named = persons & set(before.question.replace("?", " ").replace(",", " ").split())
        assert all(name in one.question for name in named)
        assert all(name in one.context for name in named if name in before.context)


def test_fill_marks_words_without_their_articles() -> None:
    filled = fill("{x} is like {a_v} {x}.", {"x": "the Ostrig dam", "v": "old dam"})
    assert filled.text == "The Ostrig dam is like an old dam the Ostrig dam."
    spans = {key: filled.text[span.start : span.end] for key, span in filled.spans.items()}
    assert spans == {"x": "Ostrig dam", "v": "old dam"}
    both = compose(["{x} fell.", " {y} rose."], {"x": "the dam", "y": "the sea"})
    assert both.text == "The dam fell. The sea rose."
    assert both.text[both.spans["y"].start :] == "sea rose."


@pytest.mark.parametrize(
    ("word", "expected"), [("umbrella", "an umbrella"), ("Ugandan", "a Ugandan"), ("dam", "a dam")]
)
def test_articles(word: str, expected: str) -> None:
    assert indefinite(word) == expected


def test_plurals() -> None:
    assert [plural(noun) for noun in ("city", "match", "valley")] == [
        "cities",
        "matches",
        "valleys",
    ]
