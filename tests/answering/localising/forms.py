"""Tables of the forms of a text in the seven languages of XOR QA."""

from collections.abc import Iterable, Mapping

LANGS = ("ar", "bn", "fi", "ja", "ko", "ru", "te")


def each(
    table: Mapping[str, tuple[str | None, ...]],
) -> Iterable[tuple[str, str, str | None]]:
    """The (text, language, form) rows of a table; None for a text that is left alone."""
    for text, forms in table.items():
        for lang, form in zip(LANGS, forms, strict=True):
            yield text, lang, form
