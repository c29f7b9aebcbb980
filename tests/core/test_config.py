import os

import pytest

from xorqa.core.config import read_toml, set_value, stage_table
from xorqa.core.errors import ConfigError


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


def test_a_config_that_never_ends_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    for kind, name in (("pipe", "pipe.toml"), ("device", "zero.toml")):
        with pytest.raises(ConfigError, match=rf"{name} is a {kind}; name a file"):
            read_toml(tmp_path / name)


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
    "change", ["reader", "=3", "reader.=3", "k.deep=3", "routes.0.k.a=3", "k.a.b=3"]
)
def test_a_change_of_another_form_is_refused(change):
    with pytest.raises(ConfigError, match=r"reader\.passages=3"):
        set_value({"k": 100, "routes": [{"k": 5}]}, change)


def routes():
    parts = [{"use": "bm25"}, {"use": "dense"}]
    return [
        {"name": "eng", "corpus": "en", "retriever": {"use": "bm25"}},
        {"name": "home", "corpus": "target", "retriever": {"use": "hybrid", "parts": parts}},
    ]


def test_items_of_lists_are_named_by_position_name_corpus_or_use():
    table = {"routes": routes()}
    for change in (
        "routes.0.k=5",
        "routes.eng.retriever.use=lucene",
        "routes.target.passages=2",
        "routes.home.retriever.parts.dense.kind=flat",
        "routes.1.retriever.parts.0={use = 'lucene'}",
    ):
        set_value(table, change)
    eng, home = routes()
    parts = [{"use": "lucene"}, {"use": "dense", "kind": "flat"}]
    assert table["routes"] == [
        eng | {"k": 5, "retriever": {"use": "lucene"}},
        home | {"passages": 2, "retriever": {"use": "hybrid", "parts": parts}},
    ]


@pytest.mark.parametrize("item", ["2", "-1", "own", "", "²"])
def test_an_item_that_a_list_does_not_have(item):
    with pytest.raises(ConfigError, match=r"no item '.*'; valid: 0, 1, en, eng, home, target$"):
        set_value({"routes": routes()}, f"routes.{item}.k=3")
    with pytest.raises(ConfigError, match="there is no item '2'; valid: 0, 1, en, eng,"):
        set_value({"routes": routes()}, "routes.2={}")


def test_a_change_that_nests_too_deeply_is_a_string_or_refused():
    table = {}
    set_value(table, "a=" + "[" * 5000)
    assert table == {"a": "[" * 5000}
