"""Names for the shell to complete; a path is completed by the shell itself."""

from collections.abc import Iterable


def configs(incomplete: str) -> list[str]:
    """Example configs."""
    from ..experiments.settings import EXAMPLES

    return _beginning(incomplete, EXAMPLES)


def datasets(incomplete: str) -> list[str]:
    """Data sets."""
    from ..datasets.catalog import CATALOG

    return _beginning(incomplete, CATALOG)


def publications(incomplete: str) -> list[str]:
    """Publications that `xorqa data fetch` fetches."""
    from ..datasets.publications import PUBLICATIONS

    return _beginning(incomplete, PUBLICATIONS)


def models(incomplete: str) -> list[str]:
    """The base model and its adapters."""
    from ..models.adapters import shipped
    from ..models.checkpoints import DEFAULT

    return _beginning(incomplete, [DEFAULT, *shipped()])


def readers(incomplete: str) -> list[str]:
    """Shipped readers."""
    return [name for name in models(incomplete) if name.startswith("reader-")]


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
