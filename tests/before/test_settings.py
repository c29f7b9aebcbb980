"""Names, settings, configs and recipes of an earlier version are understood, and mean the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.before import access
from tests.before.record import FIXTURES, differences, fixture, plain, told

KEPT = fixture("settings.json")
RENAMED = {"own": "target"}
"""Names of routes and keys of corpora that have changed since."""
TREES = ("retriever", "translator", "reader", "localiser", "chooser")


@pytest.mark.parametrize(("role", "names"), KEPT["stages"].items())
def test_old_names_of_stages_are_known(role: str, names: list[str]) -> None:
    for name in names:
        assert isinstance(access.stage_class(role, name), type), f"{role} '{name}'"


@pytest.mark.parametrize("role", KEPT["stages"])
def test_old_settings_of_stages_are_accepted(role: str, tmp_path: Path) -> None:
    for one in KEPT["accepted"]:
        if one["role"] == role:
            try:
                access.build_stage(role, one["table"], tmp_path / "index")
            except Exception as error:
                pytest.fail(f"{role} {one['table']} was accepted before: {error}")


def same(role: str, value: Any) -> Any:
    """A stage's table with the class in place of its name, which may have another since."""
    if isinstance(value, dict) and "use" in value:
        cls = access.stage_class(role, value["use"]).__name__
        return {key: same(role, item) for key, item in value.items()} | {"use": cls}
    return [same(role, item) for item in value] if isinstance(value, list) else value


def meant(config: dict[str, Any]) -> dict[str, Any]:
    """A config's settings with the stages' classes."""
    known = {key: same(key, value) if key in TREES else value for key, value in config.items()}
    known["routes"] = [
        {
            key: same(key, value) if key in TREES else RENAMED.get(value, value)
            for key, value in route.items()
        }
        for route in config["routes"]
    ]
    return known


@pytest.mark.parametrize("name", KEPT["configs"])
def test_an_old_config_means_the_same(name: str, tmp_path: Path) -> None:
    before = KEPT["configs"][name]
    for config in (name, FIXTURES / "configs" / f"{name}.toml"):
        after = plain_of(access.load_config(config))
        found = differences(meant(before), meant(after), where=str(Path(config).name), more=True)
        assert not told(found)
        access.open_pipeline(config, tmp_path)


def with_new_keys(value: Any) -> Any:
    """A recipe's settings by the names they have now."""
    if isinstance(value, dict):
        names = access.OLD_SETTINGS
        return {names.get(key, key): with_new_keys(item) for key, item in value.items()}
    return list(map(with_new_keys, value)) if isinstance(value, list) else value


SAMPLERS = {"x-y-different": "x-y"}
"""Of bundled recipes, with the names they had when "x-y" left out pairs of equal languages."""
TRAINED_STARTS = {"reader-multi": "training/reader-en/reader.safetensors"}


@pytest.mark.parametrize("name", KEPT["recipes"])
def test_an_old_recipe_means_the_same(name: str) -> None:
    kind, before = KEPT["recipes"][name]["kind"], with_new_keys(KEPT["recipes"][name]["recipe"])
    for recipe in (name, FIXTURES / "recipes" / f"{name}.toml"):
        after = plain_of(access.load_recipe(kind, recipe))
        if name in TRAINED_STARTS and after["start"] == TRAINED_STARTS[name]:
            after["start"] = before["start"]  # the same weights, which no longer ship
        after["sampler"] = SAMPLERS.get(after.get("sampler"), after.get("sampler"))
        assert not told(differences(before, after, where=str(Path(recipe).name), more=True))


def test_old_settings_of_recipes_are_accepted() -> None:
    for one in KEPT["changes"]:
        try:
            access.load_recipe(one["kind"], one["recipe"], [one["change"]])
        except Exception as error:
            pytest.fail(f"{one['recipe']} --set {one['change']} was accepted before: {error}")


def plain_of(value: dict[str, Any]) -> dict[str, Any]:
    """As JSON has it."""
    found: dict[str, Any] = plain(value)
    return found
