"""The model of a reader by its name: an adapter, or a question-answering model as released."""

from functools import cache

from ..core.errors import ConfigError
from ..models.adapters import is_adapter
from .pairs import DEFAULT_READER, PairReader, PairSettings
from .released import ReleasedReader


def reader_name(adapter: str, model: str | None) -> str:
    """The name of the one that is set.

    Raises:
        ConfigError: if both are.
    """
    if model is not None and adapter != DEFAULT_READER:
        raise ConfigError(f"a reader has an adapter or a model, not '{adapter}' and '{model}'")
    return adapter if model is None else model


@cache
def shared(settings: PairSettings) -> PairReader:
    """One pair reader for all stages with the same settings, so weights load once.

    Raises:
        ConfigError: for an adapter, with settings that only released models have.
    """
    if not is_adapter(settings.adapter):
        return ReleasedReader(settings)
    if settings.trust_remote_code:
        raise ConfigError(
            f"trust_remote_code is for released models; reader '{settings.adapter}' has no code "
            "of its own; remove trust_remote_code"
        )
    if not settings.no_answer:
        raise ConfigError(
            f"no_answer = false is for released models; reader '{settings.adapter}' has a "
            "relevance instead of a null score"
        )
    return PairReader(settings)
