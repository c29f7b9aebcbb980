"""The bi-encoder's recipe: questions near what answers them, sentences near their translations.

One tower serves both sides (multilingual E5), or each side has its own (DPR, Karpukhin et al.
2020, section 3). Low-rank pairs are learned, or all weights: one adapter file a tower.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from ...core.progress import Log, silent
from ...io.files import write_json
from ..bitext.corpus import Pair, read_pairs
from ..common.decontamination import bare, read_excluded
from ..common.loop import claim, teller, train
from ..common.sources import content, matching
from .model import Batch, Biencoder
from .negatives import Negatives, mine
from .pairs import Item, by_question, read_items
from .recipe import BiencoderRecipe, described
from .samplers import Pick, pair_batches, question_batches
from .validation import held_out


def train_biencoder(
    recipe: BiencoderRecipe,
    out: Path,
    *,
    report: Log = silent,
    stop_after: int | None = None,
) -> list[Path]:
    """Train (or go on training) in folder `out`; returns the adapter files, the questions' first.

    Raises:
        ConfigError: if `out` belongs to another recipe, or the sampler can use no question.
    """
    import torch

    torch.manual_seed(recipe.seed)
    excluded = read_excluded(matching(recipe.exclude))
    sources, aside = read_sources(recipe, excluded)
    pairs = _pairs(recipe, excluded)
    drawn = _draw(sources, recipe)
    model = Biencoder(recipe)
    about = described(recipe)
    files = content(recipe, "exclude", "translations", "parallel")
    claim(out, about | {"base_sha": model.base.sha} | files)
    items = [item for source in sources for item in source]
    report(f"{len(items)} questions, {len(pairs)} sentence pairs, {recipe.steps} steps")
    negatives = mine(items, drawn, recipe, out / "negatives", report=report)
    batches = make_batches(items, drawn, negatives, pairs, recipe)
    development = held_out(aside, recipe)
    steps = train(
        model.parameters,
        batches,
        model.loss,
        schedule=recipe.schedule,
        out=out,
        validate=(lambda: model.score(development)["mrr"]) if development else None,
        report=teller(report, recipe.steps),
        stop_after=stop_after,
    )
    card = {"recipe": about, "steps": steps, "questions": len(items), "pairs": len(pairs)}
    paths = model.save(out, card := card | model.card(development))
    write_json(out / "card.json", card)
    return paths


def _pairs(recipe: BiencoderRecipe, excluded: frozenset[str]) -> list[Pair]:
    """The sentence pairs of which no side is excluded."""
    return [
        pair
        for pair in read_pairs(recipe.parallel)
        if excluded.isdisjoint((bare(pair[1]), bare(pair[3])))
    ]


def read_sources(
    recipe: BiencoderRecipe, excluded: frozenset[str]
) -> tuple[list[list[Item]], list[list[Item]]]:
    """Each source's items to train on, and each source's of held-out articles."""
    translations = by_question(read_pairs(recipe.translations))
    read = [
        read_items(source, unit=recipe.unit, excluded=excluded, translations=translations)
        for source in recipe.sources
    ]
    return [kept for kept, _ in read], [aside for _, aside in read]


def held_out_items(recipe: BiencoderRecipe) -> list[list[Item]]:
    """Each source's items of held-out articles."""
    return read_sources(recipe, read_excluded(matching(recipe.exclude)))[1]


def make_batches(
    items: Sequence[Item],
    drawn: Sequence[Sequence[Pick]],
    negatives: Negatives,
    pairs: Sequence[Pair],
    recipe: BiencoderRecipe,
) -> list[Batch]:
    """A batch a step: the picks drawn, a hard negative of each that has any, sentence pairs."""
    rng = random.Random(recipe.seed + 1)
    beside: Sequence[Sequence[Pair]] = [()] * len(drawn)
    if pairs:
        beside = pair_batches(pairs, size=recipe.parallel_batch, steps=len(drawn), rng=rng)
    batches = []
    for picks, some in zip(drawn, beside, strict=True):
        hard = [negatives.get((pick.item, pick.answer), ()) for pick in picks]
        texts = [rng.choice(texts) for texts in hard if texts]
        batches.append(Batch([(items[pick.item], pick) for pick in picks], texts, some))
    return batches


def _draw(sources: Sequence[Sequence[Item]], recipe: BiencoderRecipe) -> list[list[Pick]]:
    return question_batches(
        sources,
        [source.weight for source in recipe.sources],
        sampler=recipe.sampler,
        size=recipe.batch_size,
        steps=recipe.steps * recipe.schedule.accumulate,
        rng=random.Random(recipe.seed),
    )
