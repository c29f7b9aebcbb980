"""`xorqa eval mewsli-x-retrieval`: entities by an encoder, or from files, by description."""

from pathlib import Path
from typing import Annotated

from typer import Option

from ....cli.options import Output, with_groups
from ....cli.show import progress
from ....core.errors import ConfigError, DataError, one_of
from ....core.progress import TaskProgress, quantity
from ....metrics.report import average
from ....models.checkpoints import DEFAULT
from ....tables.grid import score_grid
from ..encoding import encode_sides
from ..mewsli_x import MEWSLI_X, read_rankings, score_officially, write_rankings
from ..mewsli_x_retrieval import (
    Mention,
    as_sides,
    best_entities,
    by_description,
    description_grids,
    read_candidates,
    read_mentions,
)
from ..sentences import Sentences
from .mine import VectorsFolder


@with_groups
def mewsli_x(
    output: Output,
    mentions: Annotated[Path, Option(help="wikinews_mentions-test.jsonl of the release.")],
    candidates: Annotated[Path, Option(help="candidate_set_entities.jsonl of the release.")],
    encoder: Annotated[
        str | None,
        Option(
            help="A checkpoint (hub name or ./folder), an encoder's adapter, or an .npz file with "
            f"arrays mentions.ar, ..., candidates.af, ... [{DEFAULT}]."
        ),
    ] = None,
    pred: Annotated[
        list[Path] | None,
        Option(help="Score these rankings, {id: entities}, instead; repeatable."),
    ] = None,
    out: Annotated[
        Path | None, Option(help="The folder for rankings, one file per language.")
    ] = None,
    vectors: VectorsFolder = None,
) -> None:
    """Retrieve the entity of each mention among all candidates, by cosine.

    mAP@20 is also split by whether the entity's description is in the mention's language, and by
    pair of languages (XTREME-R, Table 14 and Figure 3). The released data are another sample than
    the paper's, so figures are not comparable with it.

    Example: xorqa eval mewsli-x-retrieval --mentions wikinews_mentions-test.jsonl
    --candidates candidate_set_entities.jsonl --encoder encoder-aligned --out rankings
    """
    if pred and (encoder or out or vectors):
        raise ConfigError("--pred scores rankings; --encoder, --out and --vectors make them")
    read, sides = read_mentions(mentions), read_candidates(candidates)
    with progress() as report:
        rankings = (
            _from_files(pred)
            if pred
            else _retrieve(read, sides, encoder or DEFAULT, vectors, report)
        )
    if out:
        for lang in sorted({mention.lang for mention in read}):
            rows = {m.qid: rankings[m.qid] for m in read if m.lang == lang}
            write_rankings(out / f"{lang}.json", rows, {})
    scores = score_officially([mention.reference for mention in read], rankings)
    languages = {entity: lang for lang, side in sides.items() for entity in side.ids}
    split = by_description(read, scores, languages)
    result = average(scores, task=MEWSLI_X.name, scorer="official")
    system = "rankings" if pred else encoder or DEFAULT
    output.write_json({"system": system, **result.to_json(), **split.to_json()})
    output.print_grids(
        [score_grid(result.task, {system: result}, first="system"), *description_grids(split)]
    )
    output.aside(f"{quantity(len(read), 'mention')}, {len(languages):,} candidates")
    missing = sum(mention.qid not in rankings for mention in read)
    if missing:
        output.aside(f"{quantity(missing, 'mention')} without a ranking, scored 0")
    if split.unknown:
        output.aside(f"{quantity(split.unknown, 'mention')} whose entity is no candidate")


def _from_files(paths: list[Path]) -> dict[str, tuple[str, ...]]:
    rankings: dict[str, tuple[str, ...]] = {}
    for path in paths:
        read = read_rankings(path)
        if again := rankings.keys() & read.by_qid.keys():
            raise DataError(f"{path} ranks mentions of an earlier file: {one_of(again)}")
        rankings |= read.by_qid
    return rankings


def _retrieve(
    mentions: list[Mention],
    candidates: dict[str, Sentences],
    encoder: str,
    folder: Path | None,
    report: TaskProgress,
) -> dict[str, tuple[str, ...]]:
    sides = as_sides(mentions)
    of_mentions = encode_sides(encoder, sides, folder=folder, progress=report)
    entities = encode_sides(
        encoder, [*candidates.values()], folder=folder, progress=report, as_passages=True
    )
    if of_mentions[0].shape[1] != entities[0].shape[1]:
        raise DataError(
            f"{encoder}: mentions have {of_mentions[0].shape[1]} dimensions, candidates "
            f"{entities[0].shape[1]}"
        )
    pool = [(side.ids, rows) for side, rows in zip(candidates.values(), entities, strict=True)]
    rankings: dict[str, tuple[str, ...]] = {}
    for done, (side, rows) in enumerate(zip(sides, of_mentions, strict=True)):
        report("retrieving", done, len(sides))
        rankings |= zip(side.ids, best_entities(rows, pool), strict=True)
    return rankings
