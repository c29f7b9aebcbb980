"""The lab's figures as tables, one sentence below each on how to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...tables.grid import MISSING, Grid, Row
from .lab import Judged
from .measures import Measures

Name = Callable[[str], str]
"""How a language is written."""

_RETRIEVAL = (
    "Percent. mAP looks at the whole ranking, mAP@20 at its best 20 candidates; 100 means that "
    "the right sentences of all languages come first."
)
_REMOVED = (
    "Percent. One right sentence is taken away: -same the one in the question's language, -rand "
    "another; an encoder without language bias loses the same either way, a difference above 0 "
    "says how much it leans on the question's own language."
)
_ALONE = (
    "mAP in percent when only the sentences of the question's language are searched; an encoder "
    "that does well here and badly in the whole pool is held back by language bias."
)
_BIAS = (
    "Percent. mAP of a single right sentence in the question's language or in another, the share "
    "of the 100 best candidates in the question's language, and how often a linear probe tells "
    "the language of a vector from articles that it has not seen; without bias the two mAP are "
    "alike, and share and probe near what chance gives, {chance:.1f}."
)


def tables(judged: Sequence[Judged], langs: Sequence[str], *, name: Name = str) -> list[Grid]:
    """Retrieval, one target removed, monolingual pools, and language bias.

    Args:
        judged: one row or more each.
        langs: the pool's languages, the columns.
        name: writes a language.
    """
    columns = ("encoder", "metric", *map(name, langs), "mean")
    spread = Grid(
        "mAP by question language",
        columns,
        _by_lang(judged, ("mAP", "mAP@20"), langs),
        _RETRIEVAL,
        labels=2,
    )
    alone = Grid(
        "Monolingual pools",
        columns,
        _by_lang(judged, ("monolingual mAP",), langs),
        _ALONE,
        labels=2,
    )
    removed = ("mAP", "mAP -same", "mAP -rand", "relative difference")
    bias = ("same-language mAP", "cross-language mAP", "own language in top 100")
    return [
        spread,
        Grid(
            "One right sentence removed", ("encoder", *removed), _overall(judged, removed), _REMOVED
        ),
        alone,
        Grid(
            "Language bias",
            ("encoder", *bias, "probe, questions", "probe, candidates"),
            _overall(judged, bias, probes=("questions", "candidates")),
            _BIAS.format(chance=100 / len(langs)),
        ),
    ]


def _by_lang(
    judged: Sequence[Judged], measures: Sequence[str], langs: Sequence[str]
) -> tuple[tuple[Row, ...], ...]:
    return tuple(
        tuple((one.name, measure, *_cells(one.measures, measure, langs)) for measure in measures)
        for one in judged
    )


def _cells(measures: Measures, measure: str, langs: Sequence[str]) -> list[str]:
    row = measures.per_lang[measure]
    return [*(_percent(row, lang) for lang in langs), _percent(measures.overall, measure)]


def _overall(
    judged: Sequence[Judged], measures: Sequence[str], *, probes: Sequence[str] = ()
) -> tuple[tuple[Row, ...], ...]:
    return (
        tuple(
            (
                one.name,
                *(_percent(one.measures.overall, measure) for measure in measures),
                *(_percent(one.probe, side) for side in probes),
            )
            for one in judged
        ),
    )


def _percent(values: Mapping[str, float | None], name: str) -> str:
    value = values.get(name)
    return MISSING if value is None else f"{100 * value:.1f}"
