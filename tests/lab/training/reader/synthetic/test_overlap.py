"""Synthetic contexts share no content word, name or frame with the checklists that test readers."""

import tomllib
from itertools import chain
from pathlib import Path

import pytest

from tests.lab.training.reader.synthetic import overlap
from xorqa.lab.training.reader.synthetic import make
from xorqa.lab.training.reader.synthetic.frames import names

FOLDER = Path(make.__file__).parent
FILES = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.toml")}
TEXTS = [
    text for name, table in FILES.items() if name != "names" for text in overlap.strings(table)
]
NAMES = {name.lower() for kind in FILES["names"] for name in names(kind)}
ANIMALS_AND_VEHICLES = """
    bird fox lion tiger wolf bear elephant monkey mouse frog turtle bee whale shark eagle crow goose
    pony pet truck lorry train tram ship ferry plane aeroplane helicopter airship balloon rocket
    sledge cart wagon carriage canoe kayak yacht submarine metro ambulance own owned buy bought
"""

needs_sheet = pytest.mark.skipif(not overlap.SHEET.exists(), reason="needs ../shared/data")


@pytest.fixture(scope="module")
def sample() -> list[str]:
    """The distinct contexts and questions of a sample."""
    questions = make.make_questions(6000, seed=3)
    return list({text for one in questions for text in (one.context, one.question)})


def shared_words(texts: list[str]) -> set[str]:
    """Content words of the data, its names and a text in common, inflected or not."""
    tested = set().union(*map(overlap.words, texts))
    inflected = set().union(*map(overlap.related, tested))
    ours = set().union(*map(overlap.words, TEXTS)) | NAMES
    return {word for word in ours if word in inflected or overlap.related(word) & tested}


def test_no_content_word_of_the_checklists() -> None:
    assert shared_words(overlap.checklist_texts()) == set()


@needs_sheet
def test_no_content_word_of_the_official_templates() -> None:
    assert len(overlap.official_texts()) > 150
    assert shared_words(overlap.official_texts()) == set()


def test_no_name_of_a_checklist_in_any_language() -> None:
    tested = overlap.checklist_names()
    assert {"anna", "wale", "xabier"} <= tested
    assert not NAMES & tested


def test_no_frame_of_the_checklists() -> None:
    tested = overlap.checklist_frames()
    assert {"is than", "who is less", "what is s job"} <= tested
    assert not all_frames() & tested


@needs_sheet
def test_no_frame_of_the_official_templates() -> None:
    tested = overlap.official_frames()
    assert {"is about project", "who is less", "is and"} <= tested
    assert not all_frames() & tested


def all_frames() -> set[str]:
    """The frames of all sentences; those with a predicate, also with each predicate in it."""
    texts = [text for text in TEXTS if "{" in text]
    predicates = list(chain(*FILES["occupation"]["predicates"].values()))
    slots = ("first", "second", "other", "predicate")
    texts += combined(overlap.strings(FILES["occupation"]), slots, predicates)
    denials = [part for one in FILES["negation"]["predicates"]["yes_no"] for part in one.split("|")]
    texts += combined(overlap.strings(FILES["negation"]), ("yes", "no"), denials)
    degrees = ["more {adj}", "less {adj}", "most {adj}", "least {adj}"]
    texts += combined(overlap.strings(FILES["comparison"]), ("more", "most"), degrees)
    return set().union(*map(overlap.frames, texts)) - {""}


def combined(texts: list[str], slots: tuple[str, ...], values: list[str]) -> list[str]:
    """Each text with each value in its slots."""
    made = []
    for text in texts:
        for value in values:
            new = text
            for slot in slots:
                new = new.replace(f"{{{slot}}}", value)
            if new != text:
                made.append(new)
    return made


def test_generated_texts_have_no_word_of_the_checklists(sample: list[str]) -> None:
    tested = set().union(*map(overlap.words, overlap.checklist_texts()))
    assert not tested & set().union(*map(overlap.words, sample))


@needs_sheet
def test_generated_texts_have_no_word_of_the_templates(sample: list[str]) -> None:
    tested = set().union(*map(overlap.words, overlap.official_texts()))
    assert not tested & set().union(*map(overlap.words, sample))


def test_no_animal_and_no_vehicle(sample: list[str]) -> None:
    found = set().union(*map(overlap.words, sample))
    assert not found & set(ANIMALS_AND_VEHICLES.split())


def test_the_comparison_of_words_sees_inflections() -> None:
    assert "heavy" in overlap.related("heaviest")
    assert "box" in overlap.related("boxes")
    assert "big" in overlap.related("bigger")
    assert overlap.words("What {p.kind} is the sofa like?") == {"sofa", "like"}
    assert overlap.frames("There is a {thing}. | It is {p} and {q}.") == {"there is", "it is and"}
