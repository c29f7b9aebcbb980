"""The model card of a confidence model, as Markdown."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from ....answering.confidence.model import ConfidenceModel
from .measures import MEASURES

HEADER = ("questions", "answered rightly", "calibration error", "answered wrongly", "kept")
WIDTH = 110


def card_text(model: ConfidenceModel) -> str:
    """The card: purpose, command, data, and the measures by language and by corpus size."""
    recipe = model.card["recipe"]
    languages = ", ".join(dict.fromkeys(source["lang"] for source in recipe["sources"]))
    files = ", ".join(f"`{name}`" for source in recipe["sources"] for name in source["files"])
    trained = [
        name
        for source in recipe["sources"]
        if source["articles"] == "trained"
        for name in source["files"]
    ]
    paragraphs = (
        "Estimates the probability that an answer is right, and decides when the documents have "
        "none (`xorqa ask`, `Answer.confidence`). It is a logistic regression over "
        f"{len(model.features)} features (`xorqa/answering/confidence/model.py`): the scores of "
        "the reader, ranks and gaps in retrieval, the agreement of passages, whether question and "
        "passage are in one language, and names of the question that the passage lacks.",
        "- **Command**: `xorqa train confidence --out training/confidence` (seed "
        f"{recipe['seed']}). The same data and weights give the same file.",
        f"- **Data**: questions of {files}. Their paragraphs form one corpus ({languages}). Each "
        "question is asked over a corpus with its paragraph, and over one without any passage that "
        f"contains an answer; it searches {_sizes(recipe['sizes'])}. XOR-TyDi's questions, which "
        "have no paragraphs, are only asked without. Code-switched: English questions with words "
        "of other languages.",
        "- **Splits**: articles that the reader's training held out"
        + (f", except those of {', '.join(f'`{name}`' for name in trained)}" if trained else "")
        + ". Half of the articles, by a hash of their title, train the weights and choose the "
        "threshold; the scores are those of the other half.",
        f"- **Calibrated for** the retrievers and the reader of {_configs(recipe['configs'])}, "
        f"with the weights `{recipe['reader']}`. With others, `xorqa ask` marks confidences as not "
        "calibrated.",
        f"- **Threshold**: {model.threshold:.3f}, which best separates right answers from the "
        "answers to unanswerable questions.",
        "- **Scores**: an answer is right if its F1 is at least 0.5. Calibration error: expected "
        "calibration error over ten bins, from 0 to 1 (of the candidates that were not chosen: "
        f"{model.card['other_answers_error']:.3f}). Answered wrongly: unanswerable questions that "
        "are answered at the threshold. Kept: right answers that are still given.",
    )
    wrapped = (
        textwrap.fill(
            text,
            WIDTH,
            subsequent_indent="  " if text.startswith("- ") else "",
            break_on_hyphens=False,
            break_long_words=False,
        )
        for text in paragraphs
    )
    exchanged = ("all, halves exchanged", model.card["halves_exchanged"])
    table = _table([*model.card["measures"].items(), exchanged])
    return "\n".join(["# confidence", "", *_spaced(wrapped), "", *table, ""])


def _spaced(paragraphs: Iterable[str]) -> list[str]:
    """The first paragraph, an empty line, and the list."""
    first, *items = paragraphs
    return [first, "", *items]


def _table(rows: Sequence[tuple[str, Mapping[str, float | None]]]) -> list[str]:
    lines = [("part", *HEADER), ("---",) * (len(HEADER) + 1)]
    lines += [(name, *shown_row(values)) for name, values in rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def shown_row(values: Mapping[str, float | None]) -> tuple[str, ...]:
    """The measures as text, in the order of `HEADER`."""
    return tuple(_value(name, values[name]) for name in MEASURES)


def _value(measure: str, value: float | None) -> str:
    if value is None:
        return ""
    if measure == "questions":
        return f"{value:,.0f}"
    return f"{value:.3f}" if measure == "error" else f"{value:.0%}"


def _configs(names: Sequence[str]) -> str:
    *others, last = (f"`{name}`" for name in names)
    return f"the configs {', '.join(others)} and {last}" if others else f"the config {last}"


def _sizes(sizes: Sequence[int]) -> str:
    """ "all passages, or 100 or 10 of them": the sizes of the corpora searched."""
    others = sorted({size for size in sizes if size}, reverse=True)
    if not others:
        return "all of them"
    limited = f"{' or '.join(map(str, others))} of them, half of these from its own article"
    return f"all passages, or {limited}" if 0 in sizes else limited
