"""The data of a bi-encoder's training: items of all sources and sentence pairs, in batches."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import overload

from ....core.progress import Log, silent
from ....models.pair_classifier import DEFAULT_RANKER
from ....ranking.cross_encoder import CrossEncoder
from ....retrieval.bm25 import Bm25
from ....retrieval.dense import Dense
from ..common.training_data import Pair, match_key, matching, read_excluded, read_pairs, stream
from ..common.training_folder import claim_folder
from .hard_negatives import HardNegatives, Miners, mine_hard_negatives
from .model import Batch
from .pairs import Item, by_question, read_items
from .ranked_negatives import mine_ranked_negatives
from .recipe import BiencoderRecipe
from .samplers import Pick, pair_batches, question_batches
from .validation import RetrievalValidationSet, validation_set

ItemsBySource = list[list[Item]]


@dataclass(frozen=True, slots=True)
class BiencoderData:
    """A batch per step, the validation set, and the counts for the card."""

    batches: Sequence[Batch]
    validation: RetrievalValidationSet | None
    counts: Mapping[str, int]


def prepare(recipe: BiencoderRecipe, out: Path, *, report: Log = silent) -> BiencoderData:
    """Read, sample and mine a recipe's data; hard negatives stay in `out`.

    Raises:
        ConfigError: if `out` belongs to another recipe, or the sampler can use no question.
    """
    excluded = read_excluded(matching(recipe.exclude))
    by_source, held_out = _read_sources(recipe, excluded)
    pairs = decontaminated(read_pairs(recipe.parallel), excluded)
    weights = [source.weight for source in recipe.sources]
    steps, rng = recipe.steps * recipe.schedule.accumulate, stream(recipe.seed, "questions")
    picks = question_batches(
        by_source,
        weights,
        sampler=recipe.sampler,
        size=recipe.batch_size,
        steps=steps,
        rng=rng,
        together=recipe.schedule.accumulate if recipe.mono_steps else 1,
    )
    claim_folder(out, recipe.identity())
    items = [item for source in by_source for item in source]
    report(f"{len(items)} questions, {len(pairs)} sentence pairs, {recipe.steps} steps")
    negatives = _mined(recipe, items, picks, out / "negatives", report)
    beside: Sequence[Sequence[Pair]] = [()] * len(picks)
    if pairs:
        rng = stream(recipe.seed, "sentence pairs")
        beside = pair_batches(pairs, size=recipe.parallel_batch, steps=len(picks), rng=rng)
    rng = stream(recipe.seed, "hard negatives")
    batches: Sequence[Batch]
    if negatives or pairs:
        batches = make_batches(items, picks, negatives, beside, rng=rng, context=recipe.context)
    else:
        batches = PlainBatches(items, picks, recipe.context)
    counts = {"questions": len(items), "pairs": len(pairs)}
    return BiencoderData(batches, _validation_set(recipe, held_out), counts)


def _mined(
    recipe: BiencoderRecipe,
    items: Sequence[Item],
    picks: Sequence[Sequence[Pick]],
    folder: Path,
    report: Log,
) -> HardNegatives:
    """Each question's hard negatives, by miner, ranker and file; empty if the recipe has none."""
    if not recipe.negatives:
        return {}
    keys = {(pick.item, pick.answer) for batch in picks for pick in batch}
    miners = _miners(recipe)
    found = [
        mine_hard_negatives(items, picks, miners, unit=recipe.unit, folder=folder, report=report)
    ]
    if "ranker" in recipe.negatives:
        ranker = CrossEncoder(model=recipe.ranker or DEFAULT_RANKER)
        found.append(
            mine_ranked_negatives(
                items,
                picks,
                ranker,
                unit=recipe.unit,
                seed=recipe.seed,
                folder=folder,
                report=report,
            )
        )
    if "file" in recipe.negatives:
        found.append({key: items[key[0]].negatives for key in keys})
    return {key: [text for by_key in found for text in by_key.get(key, ())] for key in keys}


def read_validation_set(recipe: BiencoderRecipe) -> RetrievalValidationSet | None:
    """The validation set alone, for weights that are not trained here."""
    excluded = read_excluded(matching(recipe.exclude))
    return _validation_set(recipe, _read_sources(recipe, excluded)[1])


def decontaminated(pairs: Sequence[Pair], excluded: frozenset[str]) -> list[Pair]:
    """The sentence pairs without those that have an excluded side."""
    return [pair for pair in pairs if excluded.isdisjoint((match_key(pair[1]), match_key(pair[3])))]


def make_batches(
    items: Sequence[Item],
    picks: Sequence[Sequence[Pick]],
    negatives: HardNegatives,
    pairs: Sequence[Sequence[Pair]],
    *,
    rng: random.Random,
    context: bool = False,
) -> list[Batch]:
    """One batch per step: its picks, a hard negative for each pick that has one, its pairs."""
    batches = []
    for step_picks, step_pairs in zip(picks, pairs, strict=True):
        choices = [negatives.get((pick.item, pick.answer), ()) for pick in step_picks]
        texts = [rng.choice(texts) for texts in choices if texts]
        chosen = [(items[pick.item], pick) for pick in step_picks]
        batches.append(Batch(chosen, texts, step_pairs, context))
    return batches


@dataclass(frozen=True, slots=True)
class PlainBatches(Sequence[Batch]):
    """Batches of picks alone, each made when it is read.

    LAReQA's 3,200,000 batches of 64 would otherwise take tens of gigabytes.
    """

    items: Sequence[Item]
    picks: Sequence[Sequence[Pick]]
    context: bool

    def __len__(self) -> int:
        """The number of batches."""
        return len(self.picks)

    @overload
    def __getitem__(self, index: int) -> Batch: ...
    @overload
    def __getitem__(self, index: slice) -> list[Batch]: ...
    def __getitem__(self, index: int | slice) -> Batch | list[Batch]:
        """The batch at a position, or those of a slice."""
        if isinstance(index, slice):
            return [self._batch(picks) for picks in self.picks[index]]
        return self._batch(self.picks[index])

    def _batch(self, picks: Sequence[Pick]) -> Batch:
        return Batch([(self.items[pick.item], pick) for pick in picks], [], (), self.context)


def _read_sources(
    recipe: BiencoderRecipe, excluded: frozenset[str]
) -> tuple[ItemsBySource, ItemsBySource]:
    """Each source's items to train on, and each source's held-out items."""
    translations = by_question(read_pairs(recipe.translations))
    parts = [
        read_items(source, unit=recipe.unit, excluded=excluded, translations=translations)
        for source in recipe.sources
    ]
    return [train for train, _ in parts], [held_out for _, held_out in parts]


def _validation_set(
    recipe: BiencoderRecipe, held_out: ItemsBySource
) -> RetrievalValidationSet | None:
    return validation_set(
        held_out,
        per_source=recipe.validation,
        sampler=recipe.sampler,
        unit=recipe.unit,
        context=recipe.context,
        rng=stream(recipe.seed, "validation"),
    )


def _miners(recipe: BiencoderRecipe) -> Miners:
    """The retrievers that mine negatives: BM25, or the encoder before training."""
    encoder = partial(
        Dense,
        encoder=recipe.base,
        pooling=recipe.pooling,
        query_prefix=recipe.query_prefix,
        passage_prefix=recipe.passage_prefix,
        normalize=recipe.normalize,
        max_tokens=recipe.max_passage_tokens,
        dtype=recipe.dtype,
        adapter=recipe.start,
        passage_tower=recipe.passage_base,
        passage_adapter=recipe.passage_start,
    )
    miners: Miners = {"bm25": Bm25, "encoder": encoder}
    return {name: miners[name] for name in recipe.negatives if name in miners}
