import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from xorqa.core.errors import ConfigError, MissingExtraError
from xorqa.core.types import Span
from xorqa.io.squad_xor import SquadQuestion
from xorqa.lab.mlqa.entities import (
    SpacyTagger,
    entity_labels,
    find_tagger,
    group_order,
)

CONTEXT = "Alan Turing was born in London on 23 June 1912."
OWN = """
def digits(text):
    return "DATE" if any(map(str.isdigit, text)) else None

def wrong(text):
    return 7

def none():
    pass

class Fixed:
    def __init__(self, *, label):
        self.label = label

    def labels(self, context, span):
        return [self.label]
"""


def row(answer: str, qid: str = "1") -> SquadQuestion:
    start = CONTEXT.index(answer)
    span = Span(start, start + len(answer))
    return SquadQuestion(qid, "Who?", "", CONTEXT, (answer, "another"), span)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module of somebody's own."""
    (tmp_path / "own_tags.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "own_tags"
    sys.modules.pop("own_tags", None)


@pytest.fixture
def spacy(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A module in spaCy's place that knows three entities; returns what it was called with."""
    calls: list[str] = []

    def load(name: str) -> Any:
        calls.append(name)
        if name == "nosuch":
            raise OSError("[E050] Can't find model 'nosuch'.")

        def tag(text: str) -> Any:
            calls.append(text)
            entities = [("Alan Turing", "PERSON"), ("London", "GPE"), ("23 June 1912", "DATE")]
            spans = [(text.index(name), name, label) for name, label in entities]
            return SimpleNamespace(
                ents=[
                    SimpleNamespace(start_char=start, end_char=start + len(name), label_=label)
                    for start, name, label in spans
                ]
            )

        return tag

    module = SimpleNamespace(load=load, __spec__=SimpleNamespace(name="spacy"))
    monkeypatch.setitem(sys.modules, "spacy", module)  # type: ignore[arg-type]
    return calls


def test_a_function_from_text_to_type(own: str) -> None:
    tagger = find_tagger(f"{own}:digits")
    labels = entity_labels({"1": row("23 June 1912"), "2": row("London")}, tagger)
    assert labels == {"1": {"any entity", "DATE", "temporal"}, "2": {"no entity"}}


def test_an_object_that_sees_the_context_and_has_settings(own: str) -> None:
    tagger = find_tagger(f"{{use = '{own}:Fixed', label = 'MONEY'}}")
    assert entity_labels({"1": row("London")}, tagger) == {"1": {"any entity", "MONEY", "numeric"}}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nosuch", "no entity tagger is called 'nosuch'; valid: spacy, or module:name"),
        ("own_tags:none", "'own_tags:none' is not an entity tagger: it must map an answer's text"),
        (
            "{use = 'own_tags:digits', k = 1}",
            "'own_tags:digits' has no settings, but was given {'k'",
        ),
        (
            "own_tags:Fixed",
            "'own_tags:Fixed' cannot be built: missing a required (keyword-only )?argument",
        ),
    ],
)
def test_objects_that_are_not_taggers(own: str, name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("{", r"\{")):
        find_tagger(name)


def test_a_tagger_that_returns_no_type(own: str) -> None:
    with pytest.raises(ConfigError, match="the entity tagger returned 7 for 'London'; it must"):
        entity_labels({"1": row("London")}, find_tagger(f"{own}:wrong"))


def test_spacys_entities_that_overlap_the_answer(spacy: list[str]) -> None:
    tagger = find_tagger("spacy")
    questions = {"1": row("Turing"), "2": row("London on 23 June 1912"), "3": row("was born in")}
    assert entity_labels(questions, tagger) == {
        "1": {"any entity", "PERSON"},
        "2": {"any entity", "GPE", "DATE", "temporal"},
        "3": {"no entity"},
    }
    assert spacy == ["en_core_web_sm", CONTEXT]  # the context is tagged once


def test_another_model_of_spacys(spacy: list[str]) -> None:
    find_tagger("{use = 'spacy', model = 'en_core_web_trf'}")
    assert spacy == ["en_core_web_trf"]
    with pytest.raises(ConfigError, match=r"no model 'nosuch'; install it with: python -m spacy"):
        find_tagger("{use = 'spacy', model = 'nosuch'}")


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'xorqa\[entities\]'"):
        find_tagger("spacy")


def test_with_the_real_spacy(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    model = spacy.blank("en")
    model.add_pipe("entity_ruler").add_patterns([{"label": "GPE", "pattern": "London"}])
    model.to_disk(tmp_path / "model")
    tagger = SpacyTagger(model=str(tmp_path / "model"))
    start = CONTEXT.index("London")
    assert tagger.labels(CONTEXT, Span(start, start + 3)) == {"GPE"}
    assert tagger.labels(CONTEXT, Span(0, 4)) == set()


def test_groups_are_in_the_papers_order_then_by_size() -> None:
    labels: dict[str, Collection[str]] = {
        "1": {"any entity", "ORG"},
        "2": {"any entity", "GPE"},
        "3": {"any entity", "GPE", "DATE", "temporal"},
        "4": {"no entity"},
    }
    assert group_order(labels) == [
        *("any entity", "no entity", "temporal", "numeric"),
        *("GPE", "DATE", "ORG"),
    ]
