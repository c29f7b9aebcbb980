import pytest

from xorqa.lessons import pick

IPython = pytest.importorskip("IPython")
widgets = pytest.importorskip("ipywidgets")


@pytest.fixture
def shown(monkeypatch):
    """What was displayed, and what took its place."""
    seen = []

    class Handle:
        def update(self, picture):
            seen.append(("updated", picture))

    def display(thing, display_id=None):
        seen.append(("shown", thing))
        return Handle() if display_id else None

    monkeypatch.setattr("IPython.display.display", display)
    return seen


def test_the_first_option_is_drawn_and_another_takes_its_place(shown):
    pick("language", {"fi": 1, "te": 2}, lambda value: f"picture {value}")
    (_, menu), first = shown
    assert isinstance(menu, widgets.Dropdown) and first == ("shown", "picture 1")
    menu.value = "te"
    assert shown[-1] == ("updated", "picture 2")


def test_no_options_is_an_error(shown):
    with pytest.raises(ValueError, match="at least one option"):
        pick("language", {}, str)
