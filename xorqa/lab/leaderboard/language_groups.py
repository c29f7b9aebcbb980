"""Languages by family and by the size of their pre-training data."""

from pathlib import Path

from ...core.config import read_toml
from ..papers.printed import printed_table

OTHER = "other"
_INDO_EUROPEAN = "IE:"  # as printed
CLASSES = (
    (100, "100 billion tokens or more"),
    (10, "10 to 100 billion tokens"),
    (1, "1 to 10 billion tokens"),
    (0, "under 1 billion tokens"),
)
"""The least billions of tokens in mC4, and the name of the class."""
ABSENT = "not in mC4"

_LANGUAGES = read_toml(Path(__file__).with_name("languages.toml"))


def family(lang: str) -> str:
    """The family of a language as XTREME-R, Table 7 has it, or `OTHER`.

    Indo-European languages are divided by branch. A few languages that the table lacks have
    theirs in `languages.toml`.
    """
    printed = printed_table("xtreme-r", "table-7").column("family")
    name = printed.get(lang) or str(_LANGUAGES.get(lang, {}).get("family", OTHER))
    return name.replace(_INDO_EUROPEAN, "Indo-European: ")


def size_class(lang: str) -> str:
    """The class of a language by its tokens in mC4, `ABSENT`, or `OTHER` if that is unknown."""
    if lang not in _LANGUAGES:
        return OTHER
    tokens = _LANGUAGES[lang].get("tokens")
    if tokens is None:
        return ABSENT
    return next(name for least, name in CLASSES if tokens >= least)
