"""Train a reader: spans and passage relevance learned together, on SQuAD-style files.

Every question is used with its gold passage. For the relevance score, shares of the questions are
used again with passages that do not answer them, from the same article or retrieved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.errors import ConfigError
from ....core.progress import Log, silent
from ....io.squad_xor import SquadQuestion
from ....models.checkpoints import Checkpoint, load_tokenizer, resolve
from ....models.device import Dtype, pick_device, pick_dtype
from ....reading.pairs import QuestionPassage
from ..bitext.lexicon import Lexicon, code_switch, read_lexicon
from ..common.finetuning import Full, LowRank, fit_and_settle, open_start, write_adapter
from ..common.recipe import SquadSource
from ..common.time_limit import UNLIMITED, TimeLimit
from ..common.training_data import matching, read_excluded, stream
from ..common.training_folder import claim_folder, locks_out
from .distillation import prepare_distillation
from .glossing import glossed_pairs, glossed_questions, glosser
from .model import ReaderInTraining, ReaderValidationSet, ValidationReader, new_reader
from .recipe import ReaderRecipe
from .samples import (
    LabeledWindow,
    SourceSample,
    answerable_windows,
    make_batches,
    mine_hard_negatives,
    read_sources,
    read_unanswerable,
    retriever_maker,
    sample_sources,
    unanswerable_windows,
    usable_questions,
)

if TYPE_CHECKING:
    import torch


@locks_out("training folder")
def train_reader(
    recipe: ReaderRecipe,
    out: Path,
    *,
    report: Log = silent,
    stop_after: int | None = None,
    limit: TimeLimit = UNLIMITED,
) -> Path:
    """Train in folder `out`, or resume there; returns the adapter file.

    Raises:
        ConfigError: if `out` belongs to another recipe, no question is left to train on, or the
            recipe's start does not fit.
    """
    base = resolve(recipe.base)
    if recipe.distillation:
        open_start(recipe.distillation.teacher, base, task="reader")  # one tokenizer for both
    trainable, reader = in_training(recipe, base)
    data = prepare(recipe, reader.tokenizer, out, report=report)
    validation = data.validation
    progress = fit_and_settle(
        trainable,
        list(enumerate(data.batches)),
        reader.loss,
        schedule=recipe.schedule,
        settle=recipe.settle,
        out=out,
        validate=(lambda: validate(reader, validation, report)) if validation else None,
        report=report,
        stop_after=stop_after,
        limit=limit,
    )
    card = {
        "recipe": recipe.describe(),
        "seconds": round(progress.seconds),
        "dtype": str(pick_dtype(recipe.dtype)).removeprefix("torch."),
        "versions": {name: version(name) for name in ("torch", "transformers")},
        "steps": progress.step,
        **data.counts,
    }
    return export(
        trainable.adapter_tensors(),
        base,
        card,
        out,
        validation=validation,
        max_tokens=recipe.max_tokens,
        dtype=recipe.dtype,
        glosses=recipe.glosses,
    )


def in_training(recipe: ReaderRecipe, base: Checkpoint) -> tuple[LowRank | Full, ReaderInTraining]:
    """A new reader: what is trained of it, and its loss and validation.

    Raises:
        ConfigError: if the start does not fit, or all layers are frozen.
    """
    trainable = new_reader(base, recipe.finetuning, dropout=recipe.dropout, seed=recipe.seed)
    reader = ReaderInTraining(
        trainable.model.to(pick_device()),
        load_tokenizer(base),
        recipe.max_tokens,
        recipe.relevance_weight,
        recipe.seed,
        recipe.dtype,
        recipe.glosses,
        *((how.weight, how.temperature) if (how := recipe.distillation) else ()),
    )
    return trainable, reader


@dataclass(frozen=True, slots=True)
class ReaderData:
    """Batches to train on, the validation set, and the counts for the card."""

    batches: Sequence[Sequence[LabeledWindow]]
    validation: ReaderValidationSet | None
    counts: Mapping[str, int]


def prepare(recipe: ReaderRecipe, tokenizer: Any, out: Path, *, report: Log = silent) -> ReaderData:
    """Read, sample, mine and tokenize a recipe's data; hard negatives stay in `out`.

    Raises:
        ConfigError: if `out` belongs to another recipe, or no question is left to train on.
    """
    excluded = read_excluded(matching([*recipe.exclude, *recipe.validation_files]))
    lexicon = read_lexicon(matching(recipe.lexicon))
    by_source = read_sources(recipe.sources, excluded)
    pools = list(map(usable_questions, by_source, recipe.sources))
    if not any(pools):
        files = ", ".join(file for source in recipe.sources for file in source.files)
        raise ConfigError(
            f"{files}: no question is left to train on; all are held out, excluded "
            "or lack their answer at its offset"
        )
    claim_folder(out, recipe.identity())
    samples = sample_sources(
        pools,
        [source.weight for source in recipe.sources],
        questions=recipe.questions,
        negatives=recipe.negatives,
        rng=stream(recipe.seed, "questions"),
    )
    hard_negatives = _hard_negatives(recipe, samples, pools, out, report)
    unanswerable = read_unanswerable(matching(recipe.unanswerable), excluded)
    gloss = glosser(recipe.glosses, dropout=recipe.gloss_dropout, seed=recipe.seed)
    switched = glossed_questions(_code_switched(recipe, samples, lexicon), gloss)
    windows = answerable_windows(switched, tokenizer, recipe.max_tokens)
    drawn = chain(*(sample.unanswerable for sample in samples))
    for pairs in (drawn, hard_negatives, unanswerable):
        glossed = glossed_pairs(pairs, gloss)
        windows += unanswerable_windows(glossed, tokenizer, recipe.max_tokens)
    counts = {"questions": sum(map(len, pools)), "hard_negatives": len(hard_negatives)}
    if unanswerable:
        counts["unanswerable"] = len(unanswerable)
    validation = _validation_set(recipe, by_source)
    if recipe.distillation:
        distilled = prepare_distillation(
            recipe.distillation,
            tokenizer,
            out,
            excluded=excluded,
            lexicon=lexicon,
            seed=recipe.seed,
            dtype=recipe.dtype,
            gloss=gloss,
            report=report,
        )
        windows += distilled.windows
        counts |= {f"distilled_{name}": count for name, count in distilled.counts.items()}
        validation = validation and replace(validation, agreement=distilled.agreement)
    counts["windows"] = len(windows)
    rng = stream(recipe.seed, "batches")
    batches = make_batches(windows, size=recipe.batch_size, rng=rng)
    report(
        f"{counts['windows']} windows of {counts['questions']} questions, {len(batches)} batches"
    )
    return ReaderData(batches, validation, counts)


def _hard_negatives(
    recipe: ReaderRecipe,
    samples: Sequence[SourceSample],
    pools: Sequence[Sequence[SquadQuestion]],
    out: Path,
    report: Log,
) -> list[QuestionPassage]:
    """Questions of each source with passages of it that a retriever ranks first."""
    miner = retriever_maker(recipe.miner)
    mined = (
        mine_hard_negatives(
            sample.questions,
            pool,
            per_question=recipe.hard_negatives,
            make_retriever=miner,
            rng=stream(recipe.seed, "hard negatives", number),
            folder=out / f"hard-{number}",
            report=report,
        )
        for number, (sample, pool) in enumerate(zip(samples, pools, strict=True), 1)
    )
    return list(chain(*mined))


def _code_switched(
    recipe: ReaderRecipe, samples: Sequence[SourceSample], lexicon: Lexicon
) -> list[SquadQuestion]:
    rng = stream(recipe.seed, "code switching")
    switched = (
        code_switch(sample.questions, lexicon, source.code_switched, rng)
        for sample, source in zip(samples, recipe.sources, strict=True)
    )
    return list(chain(*switched))


def read_validation_set(recipe: ReaderRecipe) -> ReaderValidationSet | None:
    """The validation set alone, for weights that are not trained here."""
    excluded = read_excluded(matching(recipe.exclude))
    return _validation_set(recipe, read_sources(recipe.sources, excluded))


def _validation_set(
    recipe: ReaderRecipe, by_source: Sequence[Sequence[SquadQuestion]]
) -> ReaderValidationSet | None:
    """Questions of held-out articles, or of the validation files, which are never trained on."""
    sources: Sequence[SquadSource] = recipe.sources
    if recipe.validation_files:
        sources = (SquadSource(recipe.validation_files, held_out=1.0),)
        by_source = read_sources(sources, frozenset())
    rng = stream(recipe.seed, "validation")
    return ReaderValidationSet.sample(by_source, sources, per_source=recipe.validation, rng=rng)


def validate(reader: ReaderInTraining, held_out: ReaderValidationSet, report: Log) -> float:
    """The F1 of held-out questions, in percent; with a teacher, its mean with the agreement."""
    f1 = reader.f1(held_out.questions)
    if not held_out.agreement:
        return f1
    agreement = reader.f1(held_out.agreement)
    report(f"held out: F1 {f1:.1f}, with the teacher's spans {agreement:.1f}")
    return (f1 + agreement) / 2


def export(
    tensors: Mapping[str, torch.Tensor],
    base: Checkpoint,
    card: dict[str, Any],
    out: Path,
    *,
    validation: ReaderValidationSet | None,
    max_tokens: int,
    dtype: Dtype,
    glosses: int,
) -> Path:
    """Write the adapter and its card, whose scores are those of the file's rounded values."""
    path = out / "reader.safetensors"
    if glosses:
        card["glosses"] = glosses
    write_adapter(path, tensors, task="reader", base=base, card=card)
    if validation:
        card |= validation.card(ValidationReader(str(path), max_tokens=max_tokens, dtype=dtype))
        write_adapter(path, tensors, task="reader", base=base, card=card)
    return path
