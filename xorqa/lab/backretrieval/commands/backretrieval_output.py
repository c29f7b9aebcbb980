"""What `xorqa backretrieval` measures: tables, the values of the JSON, and the HTML page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ....core.errors import ConfigError
from ....core.progress import TaskProgress
from ....tables.grid import Grid
from ...common.word_vectors import coverage_json, coverage_note
from ..all_pairs import evaluate_pairs, pairs_to_json
from ..encoders import TextEncoder
from ..evaluate import Results, Sides, evaluate, to_json
from ..examples import find_examples
from ..limits import degrade, limit_table, limits_to_json, vary_texts
from ..measures import cosine, csls
from ..pair_tables import pair_report, pair_tables
from ..report import html_report
from ..sampling import Sampler
from ..sides import SidesByLang
from ..tables import result_tables
from ..text_proxies import text_proxies

_NOISE = (
    "Correlation with XLR over the encoders, with noise in the images' vectors (a share of their "
    "squared length). Images: how often, in percent, the other picture of the same thing is among "
    "the k most similar."
)
_SIZES = "Correlation with XLR over the encoders, by the texts on each side of a sample."
WORDS = "word vectors"


@dataclass(frozen=True, slots=True)
class Measuring:
    """The command's options of what is measured."""

    texts: int | None
    seeds: int
    k: int
    csls: bool = False
    proxies: bool = False
    degrade: bool = False
    sizes: Sequence[int] = ()

    @property
    def evaluate(self) -> Callable[..., Results]:
        """`evaluate` with the similarity of texts, the seeds and k."""
        similarity = csls if self.csls else cosine
        return partial(evaluate, similarity=similarity, seeds=self.seeds, k=self.k)


@dataclass(frozen=True, slots=True)
class Measured:
    """Tables, the values of the JSON, the HTML page with notes, and further notes."""

    grids: Sequence[Grid]
    values: dict[str, Any]
    page: Callable[[Sequence[str]], str]
    notes: Sequence[str] = field(default=())


def split_sizes(text: str | None) -> list[int]:
    """The numbers of `--sizes 50,100`.

    Raises:
        ConfigError: if one is not a positive number.
    """
    parts = text.split(",") if text else []
    if not all(part.strip().isdecimal() and int(part) for part in parts):
        raise ConfigError(f"--sizes {text} is not a list of numbers like 50,100,200")
    return [int(part) for part in parts]


def one_pair(
    names: Sequence[str], loaded: SidesByLang, measuring: Measuring, report: TaskProgress
) -> Measured:
    """Measure encoders on a source and a target language."""
    [source], [target] = (side.values() for side in loaded)
    sides = source, target
    ids = source.ids, target.ids
    sampler = Sampler(*ids, measuring.texts)
    encoders: dict[str, TextEncoder] = {}
    vectors: dict[str, Sides] = {}
    proxies: dict[str, Mapping[str, float]] = {}
    for done, name in enumerate(names, 1):
        encoders[name] = TextEncoder(name)
        vectors[name] = encoders[name](source.texts, target.texts)
        if measuring.proxies:
            proxies[name] = text_proxies(vectors[name], ids, sampler, seeds=measuring.seeds)
        report("encoders", done, len(names))
    images = source.images, target.images
    results = measuring.evaluate(vectors, images, sampler, proxies=proxies, progress=report)
    grids = result_tables(results, source.lang, target.lang)
    values = to_json(results, source.lang, target.lang)
    values |= {"left out": {side.lang: dict(side.left_out) for side in sides}}
    values |= _coverage(encoders)
    again = partial(measuring.evaluate, vectors)
    if measuring.degrade:
        rows = degrade(again, images, sampler, k=measuring.k, progress=report)
        grids.append(limit_table(rows, "Noise in the images", "noise", _NOISE))
        values["noise"] = limits_to_json(rows)
    if measuring.sizes:
        rows = vary_texts(again, images, ids, measuring.sizes, progress=report)
        grids.append(limit_table(rows, "Number of texts", "texts", _SIZES))
        values["sizes"] = limits_to_json(rows)

    def page(notes: Sequence[str]) -> str:
        examples = {
            name: find_examples(vectors[name], images, sampler, k=measuring.k) for name in names
        }
        return html_report(results, sides, examples, about=notes)

    no_xlr = ["Too few texts have the same id in both languages: no XLR."]
    notes = _coverage_notes(values) + ([] if results.matching else no_xlr)
    return Measured(grids, values, page, notes)


def all_pairs(
    names: Sequence[str], loaded: SidesByLang, measuring: Measuring, report: TaskProgress
) -> Measured:
    """Measure encoders on all directed pairs of languages."""
    encoders = {name: TextEncoder(name) for name in names}
    results = evaluate_pairs(
        encoders, loaded, texts=measuring.texts, evaluate=measuring.evaluate, progress=report
    )
    values = pairs_to_json(results) | _coverage(encoders)
    page = partial(pair_report, results)
    return Measured(pair_tables(results), values, page, _coverage_notes(values))


def _coverage(encoders: Mapping[str, TextEncoder]) -> dict[str, Any]:
    """What the files of word vectors lack, by encoder and language."""
    rows = {name: coverage_json(opened.coverage) for name, opened in encoders.items()}
    lacking = {name: row for name, row in rows.items() if row}
    return {WORDS: lacking} if lacking else {}


def _coverage_notes(values: Mapping[str, Any]) -> list[str]:
    return [coverage_note(name, row) for name, row in values.get(WORDS, {}).items()]
