"""Names of stages to classes, as strings, so that nothing heavy is imported to list them.

Besides the names here, a config may say `my_package.module:MyRetriever`.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from typing import Any

from .errors import ConfigError, one_of

STAGES: dict[str, dict[str, str]] = {
    "translator": {
        "none": "xorqa.translation.plain:NoTranslation",
        "human": "xorqa.translation.plain:HumanTranslation",
        "recorded": "xorqa.translation.recorded:RecordedTranslator",
        "lexicon": "xorqa.translation.lexicon:LexiconTranslator",
        "seq2seq": "xorqa.translation.seq2seq:Seq2SeqTranslator",
        "ctranslate2": "xorqa.translation.converted:ConvertedTranslator",
        "service": "xorqa.translation.service:ServiceTranslator",
        "own": "xorqa.translation.own:OwnTranslator",
    },
    "retriever": {
        "bm25": "xorqa.retrieval.bm25:Bm25Retriever",
        "lucene": "xorqa.retrieval.lucene:LuceneRetriever",
        "dense": "xorqa.retrieval.dense:DenseRetriever",
        "dpr": "xorqa.retrieval.dpr:DprRetriever",
        "mdpr": "xorqa.retrieval.dpr:MdprRetriever",
        "hybrid": "xorqa.retrieval.hybrid:HybridRetriever",
        "elastic": "xorqa.retrieval.elastic.retriever:ElasticRetriever",
    },
    "reader": {
        "span": "xorqa.reading.span:SpanReader",
    },
    "localiser": {
        "none": "xorqa.answering.localise:NoLocalisation",
        "cldr": "xorqa.answering.localise:CldrLocaliser",
        "chain": "xorqa.answering.chain:ChainLocaliser",
    },
    "chooser": {
        "rule": "xorqa.answering.choose:RuleChooser",
        "learnt": "xorqa.answering.learnt:LearntChooser",
    },
}


def find(role: str, name: str) -> type[Any]:
    """The class behind a stage's name.

    Raises:
        ConfigError: listing the names there are.
    """
    names = STAGES[role]
    target = names.get(name, name)
    module, colon, attribute = target.partition(":")
    if not colon:
        raise ConfigError(f"[{role}] no {role} is called '{name}'; there are: {one_of(names)}")
    try:
        return getattr(importlib.import_module(module), attribute)  # type: ignore[no-any-return]
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"[{role}] '{name}' cannot be imported: {error}") from error


def build(role: str, table: Mapping[str, Any], **given: Any) -> Any:
    """Build a stage from its table (`use` and settings) and what the pipeline gives it.

    `given` values are passed only to constructors that have a parameter of that name.

    Raises:
        ConfigError: for an unknown stage, or an unknown or missing setting of it.
    """
    options = dict(table)
    name = options.pop("use", None)
    if not isinstance(name, str):
        raise ConfigError(f"[{role}] needs use = one of: {one_of(STAGES[role])}")
    cls = find(role, name)
    parameters = inspect.signature(cls).parameters
    accepted = set(parameters)
    for key in options:
        if key not in accepted or key in given:
            valid = one_of(accepted - set(given))
            raise ConfigError(f"[{role}] '{name}' has no setting '{key}'; there are: {valid}")
    options |= {key: value for key, value in given.items() if key in accepted}
    for parameter in parameters.values():
        if parameter.name not in options and _is_required(parameter):
            raise ConfigError(f"[{role}] '{name}' needs a setting '{parameter.name}'")
    return cls(**options)


def _is_required(parameter: inspect.Parameter) -> bool:
    several = (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and parameter.kind not in several
