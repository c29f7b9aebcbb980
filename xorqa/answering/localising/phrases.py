"""The translator from English that the chain uses for phrases, if its weights are installed."""

from __future__ import annotations

from ...core.errors import ConfigError
from ...core.registry import build
from ...core.stages import Translator
from ...models.adapters import shipped

BUNDLED_MODEL = "translator-from-english"


def open_phrases(model: str | None) -> Translator | None:
    """The translator of a setting: "bundled" is ours if it is shipped; None or "" is none."""
    if model == "bundled":
        model = BUNDLED_MODEL if BUNDLED_MODEL in shipped() else None
    table = {"use": "bundled", "model": model}
    return build("translator", table, translations={}) if model else None


def translates_into(translator: Translator, lang: str) -> bool:
    """Whether a translator has a language among its targets."""
    try:
        translator.translate([], to=lang)
    except ConfigError:
        return False
    return True
