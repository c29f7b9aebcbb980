"""Stages by name; classes are given as strings, so that listing them imports nothing heavy.

Besides the names here, a config may name `my_package.module:MyRetriever`, and Python code may pass
the object itself.
"""

import inspect
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Generic, overload

from .errors import ConfigError, Notice, one_of
from .extensions import extensions
from .named import import_named, renamed
from .stages import AnyStage, Configured, Stage, StageLike, missing_members, role_of, signature_of
from .validation import SETTINGS

STAGES: dict[str, dict[str, str]] = {
    "translator": {
        "none": "xorqa.translation.human:NoTranslation",
        "human": "xorqa.translation.human:HumanTranslation",
        "recorded": "xorqa.translation.recorded:RecordedTranslator",
        "lexicon": "xorqa.translation.lexicon:LexiconTranslator",
        "seq2seq": "xorqa.translation.seq2seq:Seq2SeqTranslator",
        "ctranslate2": "xorqa.translation.ctranslate2:CTranslate2Translator",
        "service": "xorqa.translation.service:ServiceTranslator",
        "bundled": "xorqa.translation.bundled:BundledTranslator",
    },
    "retriever": {
        "bm25": "xorqa.retrieval.bm25:Bm25",
        "lucene": "xorqa.retrieval.lucene:Lucene",
        "dense": "xorqa.retrieval.dense:Dense",
        "dpr": "xorqa.retrieval.dpr:Dpr",
        "mdpr": "xorqa.retrieval.dpr:Mdpr",
        "late-interaction": "xorqa.retrieval.late_interaction:LateInteraction",
        "psq": "xorqa.retrieval.psq:Psq",
        "learned-sparse": "xorqa.retrieval.learned_sparse:LearnedSparse",
        "hybrid": "xorqa.retrieval.hybrid:Hybrid",
        "elastic": "xorqa.retrieval.elastic.retriever:Elastic",
        "opensearch": "xorqa.retrieval.elastic.opensearch:OpenSearch",
        "qdrant": "xorqa.retrieval.qdrant.retriever:Qdrant",
        "elastic-index": "xorqa.retrieval.existing.elastic:ElasticIndex",
        "opensearch-index": "xorqa.retrieval.existing.opensearch:OpenSearchIndex",
        "qdrant-collection": "xorqa.retrieval.existing.qdrant:QdrantCollection",
        "faiss-index": "xorqa.retrieval.existing.faiss:FaissIndex",
        "lucene-index": "xorqa.retrieval.existing.lucene:LuceneIndex",
        "recorded": "xorqa.retrieval.recorded:RecordedRetriever",
    },
    "ranker": {
        "none": "xorqa.ranking.rerank:NoRanking",
        "reader": "xorqa.ranking.by_reader:ReaderRanker",
        "cross-encoder": "xorqa.ranking.cross_encoder:CrossEncoder",
        "listwise": "xorqa.ranking.listwise:ListwiseRanker",
        "late-interaction": "xorqa.ranking.late_interaction:LateInteractionRanker",
        "balance": "xorqa.ranking.balance:Balance",
    },
    "reader": {
        "span": "xorqa.reading.span:SpanReader",
        "generate": "xorqa.reading.generation.reader:GenerativeReader",
    },
    "localiser": {
        "none": "xorqa.answering.localising.localisers:NoLocalisation",
        "cldr": "xorqa.answering.localising.localisers:CldrLocaliser",
        "chain": "xorqa.answering.localising.chain:ChainLocaliser",
    },
    "chooser": {
        "rule": "xorqa.answering.choosing.rule:RuleChooser",
        "learned": "xorqa.answering.choosing.learned:LearnedChooser",
    },
}

for _name, _path in extensions("stages").items():  # "retriever.splade"
    _role, _, _of_role = _name.partition(".")
    if _role in STAGES and _of_role:
        STAGES[_role].setdefault(_of_role, _path)
    else:
        warnings.warn(
            f"the stage '{_name}' ({_path}) is left out: its name must be a role and a name, "
            f"such as 'retriever.mine'; valid roles: {one_of(STAGES)}",
            Notice,
            stacklevel=1,
        )

OLD_NAMES = {"translator": {"own": "bundled"}, "chooser": {"learnt": "learned"}}
"""Old names of stages, still accepted in configs and run folders."""


def find(role: str, name: str) -> type[Any]:
    """Find the class of a stage by its name.

    Raises:
        ConfigError: if `name` is unknown, or is not a class with the stage's members.
    """
    name = renamed(OLD_NAMES.get(role, {}), name, where=f"[{role}]")
    cls = import_named(name, STAGES[role], kind=role)
    if not inspect.isclass(cls):
        raise ConfigError(f"[{role}] '{name}' is not a {role}: it must be a class")
    _check_members(role, cls, f"'{name}'")
    return cls


def _check_members(role: str, stage: object, name: str) -> None:
    if missing := missing_members(stage, role):
        raise ConfigError(
            f"[{role}] {name} is not a {role}: it has no {' and no '.join(missing)}; "
            "xorqa.core.stages has base classes with defaults"
        )


def name_of(role: str, cls: type[Any]) -> str:
    """The registered name of a stage's class, else `module:Class`."""
    path = f"{cls.__module__}:{cls.__qualname__}"
    return next((name for name, target in STAGES[role].items() if target == path), path)


def table_of(role: str, stage: object) -> dict[str, Any]:
    """The config table of a stage, given as a name, table, class or object.

    A stage of xorqa becomes its name and settings. An object of another class is kept,
    `{"use": object}`, and `build` returns it unchanged.

    Raises:
        ConfigError: for an object without the members of its role.
    """
    if isinstance(stage, str):
        return {"use": stage}
    if isinstance(stage, Mapping):
        if "use" not in stage:
            raise ConfigError(f"[{role}] needs use = one of: {one_of(STAGES[role])}")
        return dict(stage)
    if isinstance(stage, Configured):
        settings = {key: _plain(value) for key, value in stage.settings_given.items()}
        return {"use": name_of(role, type(stage)), **settings}
    if isinstance(stage, type):
        return {"use": name_of(role, stage)}
    _check_members(role, stage, name_of(role, type(stage)))
    return {"use": stage}


class StageField(Generic[AnyStage]):
    """A field of a dataclass that is set to a stage and holds the stage's config table.

    The dataclass must not have slots. Without a `default`, the field is required.
    """

    def __init__(self, role: str, default: str | None = None) -> None:
        self.role, self.default = role, default

    @overload
    def __get__(self, settings: None, owner: type) -> str: ...
    @overload
    def __get__(self, settings: object, owner: type) -> Mapping[str, Any]: ...
    def __get__(self, settings: object, owner: type) -> str | Mapping[str, Any]:
        if settings is not None:
            return vars(settings)[self.role]  # type: ignore[no-any-return]
        if self.default is None:  # a dataclass asks its class for the default
            raise AttributeError(self.role)
        return self.default

    def __set__(self, settings: object, stage: StageLike[AnyStage]) -> None:
        vars(settings)[self.role] = table_of(self.role, stage)


def _plain(value: Any) -> Any:
    """A setting as a TOML value; a stage in another stage's settings becomes its table."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    role = role_of(value)
    return table_of(role, value) if role else value


def live_stages(value: Any) -> Iterator[Stage]:
    """The stage objects in config tables, at any depth."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from live_stages(item)
    elif role_of(value) and not isinstance(value, type):
        yield value


def described(table: Any) -> Any:
    """Config tables as JSON values; a stage object becomes `module:Class`."""
    if isinstance(table, Mapping):
        return {key: described(value) for key, value in table.items()}
    if isinstance(table, list | tuple):
        return [described(value) for value in table]
    if table is None or isinstance(table, str | int | float):
        return table
    cls = table if isinstance(table, type) else type(table)
    return f"{cls.__module__}:{cls.__qualname__}"


def build(role: str, table: Mapping[str, Any], **given: Any) -> Any:
    """Build a stage from its table (`use` and settings) and values that the pipeline passes.

    `given` values are passed only to constructors that have a parameter of that name.

    Raises:
        ConfigError: for an unknown stage, an unknown or missing setting of it, or a value that
            the setting cannot have.
    """
    options = dict(table)
    name = options.pop("use", None)
    if not missing_members(name, role) and not isinstance(name, type):
        if options:
            path = name_of(role, type(name))
            raise ConfigError(f"[{role}] {path} is already built; it takes no {one_of(options)}")
        return name
    if not isinstance(name, str):
        raise ConfigError(f"[{role}] needs use = one of: {one_of(STAGES[role])}")
    cls = find(role, name)
    parameters = signature_of(cls).parameters
    accepted = set(parameters)
    for key, value in options.items():
        if key not in accepted or key in given:
            valid = one_of(accepted - set(given))
            raise ConfigError(f"[{role}] '{name}' has no setting '{key}'; valid: {valid}")
        SETTINGS.check(parameters[key].annotation, value, where=f"[{role}] '{name}' {key}")
    options |= {key: value for key, value in given.items() if key in accepted}
    for parameter in parameters.values():
        optional = parameter.default is not parameter.empty
        several = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if parameter.name not in options and not (optional or several):
            raise ConfigError(f"[{role}] '{name}' needs a setting '{parameter.name}'")
    return cls(**options)
