"""An interactive menu for notebooks, with a static fallback."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..core.lazy import expect

Option = TypeVar("Option")


def pick(label: str, options: Mapping[str, Option], draw: Callable[[Option], Any]) -> None:
    """Display `draw` of the first option and a menu that switches to the others.

    The result of `draw` is displayed like the last line of a cell. Without a running kernel (a
    web page, a PDF) the first option stays, and the menu is a line of text.

    Raises:
        MissingExtraError: without the extra `notebooks`.
        ValueError: without options.
    """
    expect("ipywidgets", extra="notebooks")
    from IPython.display import display
    from ipywidgets import Dropdown

    if not options:
        raise ValueError("pick() needs at least one option")
    menu = Dropdown(options=list(options), description=label)
    display(menu)
    handle = display(draw(options[menu.value]), display_id=True)
    menu.observe(lambda change: handle.update(draw(options[change["new"]])), names="value")
