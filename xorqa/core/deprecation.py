"""Names that changed: the old one still works, and one line names the new one."""

import warnings

from .errors import Notice


class RenamedWarning(Notice):
    """A name in a config or on the command line has a new form."""


def renamed(names: dict[str, str], name: str, *, where: str) -> str:
    """The present name of `name`; an old one of `names` (old to new) warns once a process."""
    if name not in names:
        return name
    message = f"{where} '{name}' is now called '{names[name]}'; the old name still works"
    warnings.warn(message, RenamedWarning, stacklevel=2)
    return names[name]
