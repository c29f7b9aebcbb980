"""An interactive menu for notebooks, with a static page of all its options."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, TypeVar

from xorqa.core.named import expect

from .show import Page

Option = TypeVar("Option")


def pick(label: str, options: Mapping[str, Option], draw: Callable[[Option], Any]) -> None:
    """Display `draw` of the first option and a menu that switches to the others.

    The result of `draw` is displayed like the last line of a cell. Without a running kernel (a
    web page, a PDF) the first option stays, and a folded table of all options takes the place of
    the menu.

    Raises:
        MissingExtraError: without the extra `notebooks`.
        ValueError: without options.
    """
    expect("ipywidgets", extra="notebooks")
    from IPython.display import display
    from ipywidgets import Dropdown

    if not options:
        raise ValueError("pick() needs at least one option")
    drawn = {name: draw(option) for name, option in options.items()}
    menu = Dropdown(options=list(options), description=label)
    static = {"text/html": _table(label, drawn), "text/plain": f"{label}: {', '.join(options)}"}
    display(menu._repr_mimebundle_() | static, raw=True)
    handle = display(drawn[menu.value], display_id=True)
    menu.observe(lambda change: handle.update(drawn[change["new"]]), names="value")


def _table(label: str, drawn: Mapping[str, Any]) -> str:
    """All options of a menu and what is drawn for them, folded; figures by their descriptions."""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{_html(result)}</td></tr>"
        for name, result in drawn.items()
    )
    return f"<details><summary>{escape(label)}: all</summary><table>{rows}</table></details>"


def _html(result: Any) -> str:
    return result.html if isinstance(result, Page) else escape(repr(result))
