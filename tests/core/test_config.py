from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from xorqa.core.config import read_toml, set_value, settings, stage_table
from xorqa.core.errors import ConfigError


@dataclass(frozen=True)
class Part:
    name: str
    weight: float = 1.0


@dataclass(frozen=True)
class Whole:
    name: str
    k: int = 100
    share: float = 0.5
    fast: bool = False
    best: Part = Part("best")
    parts: tuple[Part, ...] = ()
    words: tuple[str, ...] = ()
    stage: dict[str, Any] = field(default_factory=dict)
    other: Mapping[str, int] = field(default_factory=dict)
    limit: int | None = None
    anything: Any = None
    made: str = field(default="here", init=False)


def whole(**table):
    return settings(Whole, {"name": "x", **table}, where="x.toml")


def test_defaults():
    assert whole() == Whole("x")


def test_every_kind_of_value():
    table = {
        "k": 5,
        "share": 0.25,
        "fast": True,
        "best": {"name": "a", "weight": 2},
        "parts": [{"name": "b"}, {"name": "c", "weight": 0.5}],
        "words": ["d", "e"],
        "stage": {"use": "bm25", "k1": 0.9},
        "other": {"f": 1},
        "limit": 3,
        "anything": [1, "g"],
    }
    made = whole(**table)
    assert made.best == Part("a", 2.0)
    assert made.parts == (Part("b"), Part("c", 0.5))
    assert made.words == ("d", "e")
    assert made.stage == {"use": "bm25", "k1": 0.9}
    assert (made.other, made.anything) == ({"f": 1}, [1, "g"])
    assert (made.limit, whole(limit=None).limit) == (3, None)


def test_an_integer_serves_as_a_float():
    share = whole(share=1).share
    assert share == 1.0
    assert isinstance(share, float)


def test_a_filled_dataclass_is_taken_as_it_is():
    made = whole(best=Part("z"), parts=(Part("y"),))
    assert (made.best, made.parts) == (Part("z"), (Part("y"),))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"kk": 5}, "x.toml has no setting 'kk'; there are: anything, best, fast, k, "),
        ({"made": "there"}, "x.toml has no setting 'made'"),
        ({"best": {"name": "a", "wait": 1}}, "x.toml best has no setting 'wait'; there are: "),
        ({"parts": [{"name": "a"}, {}]}, "x.toml parts needs a setting 'name'"),
        ({"k": "5"}, "x.toml k must be of type int, not '5'"),
        ({"k": 5.0}, "x.toml k must be of type int, not 5.0"),
        ({"k": True}, "x.toml k must be of type int, not True"),
        ({"share": True}, "x.toml share must be of type float, not True"),
        ({"share": "0.5"}, "x.toml share must be of type float, not '0.5'"),
        ({"fast": 1}, "x.toml fast must be of type bool, not 1"),
        ({"name": 1}, "x.toml name must be of type str, not 1"),
        ({"limit": "3"}, "x.toml limit must be of type int, not '3'"),
        ({"best": "a"}, "x.toml best must be of type table, not 'a'"),
        ({"stage": "bm25"}, "x.toml stage must be of type table, not 'bm25'"),
        ({"other": ["f"]}, r"x.toml other must be of type table, not \['f'\]"),
        ({"parts": {"name": "a"}}, "x.toml parts must be of type list, not {'name': 'a'}"),
        ({"parts": ["a"]}, "x.toml parts must be of type table, not 'a'"),
        ({"words": "de"}, "x.toml words must be of type list, not 'de'"),
        ({"words": ["d", 1]}, "x.toml words must be of type str, not 1"),
    ],
)
def test_errors_say_where_and_what_is_valid(table, message):
    with pytest.raises(ConfigError, match=f"^{message}"):
        whole(**table)


def test_a_missing_setting():
    with pytest.raises(ConfigError, match=r"^x\.toml needs a setting 'name'"):
        settings(Whole, {}, where="x.toml")


def test_read_toml(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text('name = "ä"\n[[parts]]\nname = "b"\n', encoding="utf-8")
    assert read_toml(path) == {"name": "ä", "parts": [{"name": "b"}]}


def test_read_toml_names_the_file_and_the_line(tmp_path):
    path = tmp_path / "x.toml"
    with pytest.raises(ConfigError, match=r"x\.toml cannot be read: No such file"):
        read_toml(path)
    path.write_text('name = "a"\nk = \n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"x\.toml is not valid TOML: .*line 2"):
        read_toml(path)
    path.write_bytes(b'name = "\xe4"')
    with pytest.raises(ConfigError, match=r"x\.toml is not valid TOML"):
        read_toml(path)


def test_a_stage_on_the_command_line():
    assert stage_table("chain") == {"use": "chain"}
    assert stage_table("{ use = 'chain', metric = true }") == {"use": "chain", "metric": True}


def test_single_settings_are_changed_in_place():
    table = {"k": 100, "reader": {"use": "span"}}
    for change in ("reader.passages=3", "chooser.prefer=target", "k = 20", 'name="a b"'):
        set_value(table, change)
    assert table == {
        "k": 20,
        "name": "a b",
        "reader": {"use": "span", "passages": 3},
        "chooser": {"prefer": "target"},
    }


@pytest.mark.parametrize(
    "change", ["reader", "=3", "reader.=3", "k.deep=3", "routes.0.k=3", "k.a.b=3"]
)
def test_a_change_of_another_form_is_refused(change):
    with pytest.raises(ConfigError, match=r"reader\.passages=3"):
        set_value({"k": 100, "routes": [{"k": 5}]}, change)
