"""LAReQA's results as tables, with captions that explain the measures."""

from collections.abc import Callable, Mapping, Sequence

from ...tables.grid import MISSING, Grid, Row
from .evaluate import EncoderResult
from .measures import Measures

Name = Callable[[str], str]
"""The display name of a language."""

_RETRIEVAL = (
    "Percent. mAP is over the whole ranking; 100 means that the right sentences of all languages "
    "rank first. mean: over the languages; over questions: as Roy et al. 2020 define mAP."
)
_XTREME_R = (
    "mAP@20 in percent, over the top 20 candidates, by the question's language: as Ruder et al. "
    "2021 report it. Their code, not their text, encodes a sentence with its paragraph, as "
    "--context does."
)
SUBSETS = ("all", "same language", "different languages")
_ONE_AT_A_TIME = (
    "mAP@20 in percent, the mean over all right sentences of all questions; the other right "
    "sentences of the question are removed from the pool (Ruder et al. 2021, Table 14)."
)
_REMOVED = (
    "Percent. One right sentence is removed: -same the one in the question's language, -rand "
    "another. An encoder without language bias loses as much either way; the relative difference "
    "shows how much it depends on the question's own language."
)
_ALONE = (
    "mAP in percent over the sentences of the question's language only; an encoder that does well "
    "here and badly in the whole pool suffers from language bias."
)
_BIAS = (
    "Percent. mAP of a single right sentence in the question's language or in another, the share "
    "of the top 100 candidates in the question's language, and the accuracy of a linear probe for "
    "the language on held-out articles. Without bias the two mAP are equal, and share and probe "
    "are near chance, {chance:.1f}."
)


def result_tables(
    results: Sequence[EncoderResult], langs: Sequence[str], *, name: Name = str
) -> list[Grid]:
    """Tables of retrieval, one target removed, monolingual pools, language bias, and mAP@20.

    Args:
        results: the results of one or more encoders.
        langs: the pool's languages, the columns.
        name: returns the display name of a language.
    """
    columns = ("encoder", "metric", *map(name, langs), "mean")
    retrieval = Grid(
        "mAP by question language",
        (*columns, "over questions"),
        tuple(
            tuple((*row, _percent(result.measures.over_questions, "mAP")) for row in rows)
            for result, rows in zip(results, _by_lang(results, ("mAP",), langs), strict=True)
        ),
        _RETRIEVAL,
        labels=2,
    )
    monolingual = Grid(
        "Monolingual pools",
        columns,
        _by_lang(results, ("monolingual mAP",), langs),
        _ALONE,
        labels=2,
    )
    removed = ("mAP", "mAP -same", "mAP -rand", "relative difference")
    bias = ("same-language mAP", "cross-language mAP", "own language in top 100")
    probes = tuple(dict.fromkeys(part for result in results for part in result.probe)) or (
        "questions",
        "candidates",
    )
    return [
        retrieval,
        Grid(
            "One right sentence removed",
            ("encoder", *removed),
            _overall(results, removed),
            _REMOVED,
        ),
        monolingual,
        Grid(
            "Language bias",
            ("encoder", *bias, *(f"probe, {part}" for part in probes)),
            _overall(results, bias, probes=probes),
            _BIAS.format(chance=100 / len(langs)),
        ),
        Grid(
            "mAP@20, as XTREME-R reports it",
            ("model", *map(name, langs), "avg"),
            (tuple((row.name, *_cells(row.measures, "mAP@20", langs)) for row in results),),
            _XTREME_R,
        ),
        Grid(
            "mAP@20 of one right sentence at a time, as XTREME-R reports it",
            ("model", *SUBSETS),
            (
                tuple(
                    (row.name, *(_percent(row.measures.over_targets, name) for name in SUBSETS))
                    for row in results
                ),
            ),
            _ONE_AT_A_TIME,
        ),
    ]


def _by_lang(
    results: Sequence[EncoderResult], measures: Sequence[str], langs: Sequence[str]
) -> tuple[tuple[Row, ...], ...]:
    return tuple(
        tuple(
            (result.name, measure, *_cells(result.measures, measure, langs)) for measure in measures
        )
        for result in results
    )


def _cells(measures: Measures, measure: str, langs: Sequence[str]) -> list[str]:
    row = measures.per_lang[measure]
    return [*(_percent(row, lang) for lang in langs), _percent(measures.overall, measure)]


def _overall(
    results: Sequence[EncoderResult], measures: Sequence[str], *, probes: Sequence[str] = ()
) -> tuple[tuple[Row, ...], ...]:
    return (
        tuple(
            (
                result.name,
                *(_percent(result.measures.overall, measure) for measure in measures),
                *(_percent(result.probe, side) for side in probes),
            )
            for result in results
        ),
    )


def _percent(values: Mapping[str, float | None], name: str) -> str:
    value = values.get(name)
    return MISSING if value is None else f"{100 * value:.1f}"
