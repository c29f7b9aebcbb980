"""Make synthetic training questions, and write them as SQuAD-style JSON."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from .....core.types import Span
from .....io.files import write_json
from .....io.squad_xor import SquadQuestion
from ....common.squad_json import squad_articles
from ...common.training_data import stream
from .attributes import draw_occupation, draw_property
from .comparison import draw_comparison
from .degree import draw_degree
from .frames import BREAK, Scene, chance, compose, fill, load, names
from .negation import draw_negation

KINDS: dict[str, tuple[Callable[[random.Random], Scene], float]] = {
    "comparison": (draw_comparison, 0.32),
    "degree": (draw_degree, 0.25),
    "property": (draw_property, 0.18),
    "occupation": (draw_occupation, 0.15),
    "negation": (draw_negation, 0.10),
}
"""The kinds of scenes, each with its share of the questions."""
PER_ARTICLE = 10  # contexts
BEFORE, BETWEEN, AFTER = 0.35, 0.25, 0.4  # probabilities of another sentence
ABOUT_A_PERSON = 0.4  # share of these


def make_questions(count: int, *, seed: int) -> list[SquadQuestion]:
    """About `count` questions: two about each context, with different answers.

    A title is a kind and a number, so that articles can be held out. Each kind's questions begin
    the same at every count.
    """
    questions = []
    for kind, (_, share) in KINDS.items():
        scenes, numbers = _contexts(kind, stream(seed, "synthetic", kind)), range(10**9)
        for number, questions_of_scene in zip(numbers, scenes, strict=False):
            if 2 * number >= share * count:
                break
            title = f"{kind} {number // PER_ARTICLE + 1}"
            questions += [
                SquadQuestion(f"{kind}-{number + 1}-{rank}", text, title, context, (answer,), span)
                for rank, (text, context, answer, span) in enumerate(questions_of_scene, 1)
            ]
    return questions


def write_questions(out: Path, *, count: int, seed: int) -> dict[str, int]:
    """Write SQuAD-style JSON; returns the number of questions of each kind."""
    questions = make_questions(count, seed=seed)
    write_json(out, {"version": "1.1", "data": squad_articles(questions)})
    return {
        kind: sum(question.title.startswith(f"{kind} ") for question in questions) for kind in KINDS
    }


Row = tuple[str, str, str, Span]


def _contexts(kind: str, rng: random.Random) -> Iterator[list[Row]]:
    """The questions of distinct contexts that contain each answer once, without end."""
    draw, _ = KINDS[kind]
    seen = set[str]()
    while True:
        rows = _rows(draw(rng), rng)
        if rows and rows[0][1] not in seen:
            seen.add(rows[0][1])
            yield rows


def _rows(scene: Scene, rng: random.Random) -> list[Row]:
    """A scene's questions with context, answer and span; none if an answer occurs twice."""
    used = set(scene.words.values())
    strangers = rng.sample(names("person"), len(used) + 1)
    words = {**scene.words, "other": next(name for name in strangers if name not in used)}
    context = compose(_with_asides(scene.frame.split(BREAK), rng), words)
    rows = []
    for ask in scene.asks:
        span = context.spans[ask.answer]
        answer = context.text[span.start : span.end]
        question = fill(ask.frame, {**scene.words, **ask.words}).text
        rows.append((question, context.text, answer, span))
    once = all(row[1].lower().count(row[2].lower()) == 1 for row in rows)
    return rows if once else []


def _with_asides(sentences: list[str], rng: random.Random) -> list[str]:
    """The sentences with others before, between and after them, sometimes."""
    table = load("asides")
    person = chance(rng, ABOUT_A_PERSON)  # at most one: all have the same name
    asides = rng.sample(table["plain"], len(sentences) + 1)
    if person:
        asides[rng.randrange(len(asides))] = rng.choice(table["person"])
    shares = [BEFORE, *[BETWEEN] * (len(sentences) - 1), AFTER]
    sentences_with_asides = []
    for position, share in enumerate(shares):
        if chance(rng, share):
            sentences_with_asides.append(asides[position])
        sentences_with_asides += sentences[position : position + 1]
    return sentences_with_asides
