import pytest
from lessons import pick
from lessons.show import Page

IPython = pytest.importorskip("IPython")
widgets = pytest.importorskip("ipywidgets")


@pytest.fixture
def shown(monkeypatch):
    """What is displayed, and what replaces it."""
    seen = []

    class Handle:
        def update(self, picture):
            seen.append(("updated", picture))

    def display(thing, display_id=None, raw=False):
        seen.append(("shown", thing))
        return Handle() if display_id else None

    monkeypatch.setattr("IPython.display.display", display)
    return seen


@pytest.fixture
def menus(monkeypatch):
    made, dropdown = [], widgets.Dropdown

    def make(**options):
        made.append(dropdown(**options))
        return made[-1]

    monkeypatch.setattr(widgets, "Dropdown", make)
    return made


def test_the_first_option_is_drawn_and_another_takes_its_place(shown, menus):
    pick("language", {"fi": 1, "te": 2}, lambda value: f"picture {value}")
    _, first = shown
    assert first == ("shown", "picture 1")
    menus[0].value = "te"
    assert shown[-1] == ("updated", "picture 2")


def test_a_page_without_a_kernel_has_a_table_of_all_options(shown):
    pick("language", {"fi": "<b>yksi</b>", "te": "<i>okaṭi</i>"}, lambda html: Page(html, "one"))
    bundle = shown[0][1]
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "<tr><th>te</th><td><i>okaṭi</i></td></tr>" in bundle["text/html"]
    assert bundle["text/plain"] == "language: fi, te"


def test_no_options_is_an_error(shown):
    with pytest.raises(ValueError, match="at least one option"):
        pick("language", {}, str)
