"""Named-entity types of English answers (Lewis et al. 2020, appendix A.3 and Figure 8).

A tagger is any function from the answer's text to its type, or an object that labels the answer
in its context, as the paper does with spaCy.
"""

import inspect
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol, runtime_checkable

from ...core.config import stage_table
from ...core.errors import ConfigError
from ...core.named import accepts, import_named, require
from ...core.types import Span
from ...io.squad_xor import SquadQuestion

TAGGERS = {"spacy": "xorqa.lab.mlqa.entities:SpacyTagger"}
ANY, NO_ENTITY = "any entity", "no entity"
COMBINED = {
    "temporal": frozenset({"DATE", "TIME"}),
    "numeric": frozenset({"CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "MONEY"}),
}
"""The paper's groups of spaCy's types."""


@runtime_checkable
class ContextTagger(Protocol):
    """Labels a span by the entities of its context that overlap it."""

    def labels(self, context: str, span: Span) -> Collection[str]: ...


Tagger = Callable[[str], str | None] | ContextTagger
"""A function from an answer's text to its type, or None; or a `ContextTagger`."""


class SpacyTagger:
    """Tags entities with spaCy, once for consecutive questions about the same context.

    Args:
        model: the name of a spaCy package, or a folder.

    Raises:
        MissingExtraError: if spaCy is not installed.
        ConfigError: if the model is not installed.
    """

    def __init__(self, *, model: str = "en_core_web_sm") -> None:
        spacy = require("spacy", extra="entities")
        try:
            self._tag = spacy.load(model)
        except OSError as error:
            raise ConfigError(
                f"spaCy has no model '{model}'; install it with: python -m spacy download {model}"
            ) from error
        self._context: str | None = None
        self._entities: list[tuple[Span, str]] = []

    def labels(self, context: str, span: Span) -> set[str]:
        """The types of the entities that overlap a span."""
        if context != self._context:
            document = self._tag(context)
            self._context = context
            self._entities = [
                (Span(row.start_char, row.end_char), row.label_) for row in document.ents
            ]
        return {label for entity, label in self._entities if entity.overlaps(span)}


def find_tagger(text: str) -> Tagger:
    """Find a tagger by name, as `module:name`, or as a TOML table: `{use = "spacy", ...}`.

    Raises:
        ConfigError: for an unknown name, other settings, or an object that is not a tagger.
        MissingExtraError: if its package is not installed.
    """
    table = stage_table(text)
    name = str(table.pop("use", ""))
    imported = import_named(name, TAGGERS, kind="entity tagger")
    if inspect.isclass(imported):
        tagger: Any = _build(name, imported, table)
    elif table:
        raise ConfigError(f"entity tagger '{name}' has no settings, but was given {table}")
    else:
        tagger = imported
    if isinstance(tagger, ContextTagger) or accepts(tagger, "text"):
        return tagger  # type: ignore[no-any-return]
    raise ConfigError(
        f"'{name}' is not an entity tagger: it must map an answer's text to a type or None"
    )


def entity_labels(
    english: Mapping[str, SquadQuestion], tagger: Tagger
) -> dict[str, Collection[str]]:
    """The groups of each question, by qid: the types of its first answer, and combined types.

    Raises:
        ConfigError: if the tagger returns anything other than a type or None.
    """
    return {qid: _groups(_types(row, tagger)) for qid, row in english.items()}


def group_order(labels: Mapping[str, Collection[str]]) -> list[str]:
    """The order of groups: any and no entity, combined types, then types by number of questions."""
    counts = Counter(label for row in labels.values() for label in row)
    first = [ANY, NO_ENTITY, *COMBINED]
    single = sorted(counts.keys() - set(first), key=lambda label: (-counts[label], label))
    return [*first, *single]


def _build(name: str, cls: type[Any], settings: Mapping[str, Any]) -> Any:
    try:
        inspect.signature(cls).bind(**settings)
    except TypeError as error:
        raise ConfigError(f"entity tagger '{name}' cannot be built: {error}") from error
    return cls(**settings)


def _types(row: SquadQuestion, tagger: Tagger) -> Collection[str]:
    if isinstance(tagger, ContextTagger):
        return tagger.labels(row.context, row.span) if row.span else ()
    label = tagger(row.answers[0])
    if label is not None and not isinstance(label, str):
        raise ConfigError(
            f"the entity tagger returned {label!r:.60} for {row.answers[0]!r:.60}; it must return "
            "a type as a string, or None"
        )
    return [label] if label else ()


def _groups(types: Collection[str]) -> set[str]:
    if not types:
        return {NO_ENTITY}
    combined = {name for name, members in COMBINED.items() if not members.isdisjoint(types)}
    return {ANY, *types, *combined}
