"""A small checklist, and what a test changes of it."""

from pathlib import Path

import pytest

from xorqa.lab.checklist.format import read_checklist

TEXT = """\
lang = "en"
name = "English"
script = "Latn"
articles = ["a", "the"]
asides = ["It rained.", "The bus 24 was late."]
unsure = []

[words.name]
forms = ["text", "agr"]
anna = ["Anna", "f"]
rose = ["Rose", "f"]
maria = ["Maria", "f"]
omar = ["Omar", "m"]

[words.adjective]
forms = ["text", "more"]
tall = ["tall", "taller"]
old = ["old", "older"]
polite = ["polite", "more polite"]

[words.animal]
forms = ["text", "a"]
dog = ["dog", "a dog"]
cat = ["cat", "a cat"]

[[tests]]
name = "comparisons"
capability = "vocabulary"
type = "MFT"
slots = { a = "name", b = "name", adj = "adjective" }

[[tests.templates]]
contexts = ["{a} is {adj.more} than {b}."]
questions = [
    { ask = ["Who is less {adj}?", "Which one is less {adj}?"], answer = "{b}" },
    { ask = "Who is {adj.more}?", answer = "{a}" },
]

[[tests]]
name = "pets"
capability = "taxonomy"
type = "MFT"
slots = { a = "name", p = "animal" }

[[tests.templates]]
contexts = ["{a} has {p.a}{a ? f:, and she likes it | m:, and he likes it}."]
questions = [{ ask = "Which pet does {a} have?", answer = ["{p}", "{p.a}"] }]
"""


@pytest.fixture
def write(tmp_path):
    """Writes the small checklist, some of its text replaced, and returns its path."""

    def written(*changes, name="en.toml") -> Path:
        text = TEXT
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture
def small(write):
    return read_checklist(write())
