"""Answer a question from passages in one call."""

from collections.abc import Iterable
from pathlib import Path

from ..core.types import Passage, Trace
from ..datasets.corpus import Corpus
from ..io.files import cache_dir, home
from ..text.detection import detect_language
from .pipeline import Pipeline
from .settings import POOL, PipelineSettings, load_settings, over_pool


def ask(
    question: str,
    passages: Iterable[str | Passage],
    *,
    lang: str | None = None,
    config: str | Path | PipelineSettings = "dense",
) -> Trace:
    """Answer a question from passages in any languages, given as texts or `Passage`s.

    `lang` is the question's language (ISO 639-1), by default detected; `config` names an
    experiment, whose first retriever searches all passages as one pool. The result has the
    answer (`.answer.text`), the passage it was read from (`.evidence`) and all candidates.

    Example:
        xorqa.ask("Where does the Nile end?", ["The Nile flows into the Mediterranean."])

    Raises:
        ConfigError: for an empty question, or for an unknown language.
        DataError: if there are no passages.
    """
    records = [
        given
        if isinstance(given, Passage)
        else Passage(str(number), given, lang=detect_language(given))
        for number, given in enumerate(passages, 1)
    ]
    corpus = Corpus("passages", records)
    corpus.name = f"passages-{corpus.sha}"  # other passages get another index
    return over_passages(corpus, config=config).ask(question, lang=lang)


def over_passages(corpus: Corpus, *, config: str | Path | PipelineSettings) -> Pipeline:
    """Build a pipeline over one corpus in any languages.

    With XORQA_HOME, all commands share indexes; without, each version of the passages has its own.
    """
    given = config if isinstance(config, PipelineSettings) else load_settings(config)
    root = cache_dir() / "indexes"
    folder = root if home() else root / corpus.sha
    return Pipeline.from_config(over_pool(given), {POOL: corpus}, indexes=folder)
