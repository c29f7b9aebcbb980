"""One thing to turn in a notebook: a menu where widgets live, its first picture everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..core.lazy import expect

Option = TypeVar("Option")


def pick(label: str, options: Mapping[str, Option], draw: Callable[[Option], Any]) -> None:
    """Show `draw` of the first option, and a menu that shows the others in its place.

    What `draw` returns is displayed as any last line of a cell would be. Where nobody listens
    (a page, a PDF, no ipywidgets in the browser) the first picture stays and the menu is a line
    of text.

    Raises:
        MissingExtraError: without the extra `notebooks`.
        ValueError: without options.
    """
    expect("ipywidgets", extra="notebooks")
    from IPython.display import display
    from ipywidgets import Dropdown

    if not options:
        raise ValueError("there is nothing to pick from; give pick() one option or more")
    menu = Dropdown(options=list(options), description=label)
    display(menu)
    picture = display(draw(options[menu.value]), display_id=True)
    menu.observe(lambda change: picture.update(draw(options[change["new"]])), names="value")
