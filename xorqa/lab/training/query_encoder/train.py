"""Distil the English query vectors of an encoder into every language, on the query side only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ....core.errors import ConfigError
from ....core.progress import Log, quantity, silent
from ....core.types import Passage
from ....datasets.corpus import Corpus
from ....models.checkpoints import resolve
from ....models.encoder import Encoder
from ....models.encoder_settings import encoder_settings
from ....models.late_interaction import CENTRED
from ....retrieval.late_interaction import LateInteraction
from ....retrieval.vectors.encoding import encode_passages
from ....retrieval.vectors.shards import Floats, encode_corpus
from ..biencoder.tower import TowerInTraining
from ..bitext.lexicon import read_lexicon
from ..bitext.translations import LangText, draw_batches, sample_languages, split_pairs, vary
from ..common.finetuning import fit_and_settle, open_start, write_adapter
from ..common.time_limit import UNLIMITED, TimeLimit
from ..common.training_data import matching, read_excluded, stream, torch_seed
from ..common.training_folder import claim_folder, locks_out
from .data import read_passages
from .late import LateRanking, fit_means
from .model import QueryStudent
from .recipe import QueryEncoderRecipe


@dataclass(frozen=True, slots=True)
class QueryEncoderData:
    """One batch per step, held-out pairs, the passages to rank, and the counts for the card."""

    batches: Sequence[Sequence[LangText]]
    held_out: Sequence[LangText]
    passages: Sequence[Passage]
    counts: Mapping[str, int]


def prepare(recipe: QueryEncoderRecipe) -> QueryEncoderData:
    """Read, hold out and sample a recipe's data.

    Raises:
        ConfigError: if nothing is left to train on.
    """
    excluded = read_excluded(matching(recipe.exclude))
    decks, held_out = split_pairs(recipe.sources, excluded, held_out=recipe.held_out)
    if not decks:
        raise ConfigError("no pair is left to train on; see sources and exclude")
    lexicon, rng = read_lexicon(matching(recipe.lexicon)), stream(recipe.seed, "code switching")
    shares = {"english": recipe.english, "code_switched": recipe.code_switched}
    batches = draw_batches(
        decks,
        [source.weight for source in recipe.sources],
        size=recipe.batch_size,
        count=recipe.steps * recipe.schedule.accumulate,
        rng=stream(recipe.seed, "pairs"),
    )
    return QueryEncoderData(
        [[vary(pair, lexicon, **shares, rng=rng) for pair in batch] for batch in batches],
        sample_languages(held_out, recipe.validation, stream(recipe.seed, "validation")),
        read_passages(
            matching(recipe.passages),
            max_passages=recipe.max_passages,
            rng=stream(recipe.seed, "passages"),
        ),
        {"pairs": sum(map(len, decks.values()))},
    )


@locks_out("training folder")
def train_query_encoder(
    recipe: QueryEncoderRecipe,
    out: Path,
    *,
    report: Log = silent,
    stop_after: int | None = None,
    limit: TimeLimit = UNLIMITED,
) -> Path:
    """Train in folder `out`, or resume there; returns the adapter of the query side.

    Raises:
        ConfigError: if `out` belongs to another recipe, nothing is left to train on, or the
            recipe's start does not fit.
    """
    data = prepare(recipe)
    claim_folder(out, recipe.identity())
    report(
        f"{quantity(data.counts['pairs'], 'pair')}, {quantity(len(data.passages), 'passage')}, "
        f"{quantity(recipe.steps, 'step')}"
    )
    student = new_student(recipe, data, out, report=report)
    progress = fit_and_settle(
        student.tower.trainable,
        data.batches,
        student.loss,
        schedule=recipe.schedule,
        settle=recipe.settle,
        out=out,
        validate=(lambda: validate(student, data.held_out, report)) if data.held_out else None,
        report=report,
        stop_after=stop_after,
        limit=limit,
    )
    card = {"recipe": recipe.describe(), "steps": progress.step, **data.counts}
    if data.held_out:
        with student.tower.trainable.as_stored():
            card["validation"] = {"pairs": len(data.held_out)} | student.validate(data.held_out)
    path = out / "query.safetensors"
    tensors = student.tower.trainable.adapter_tensors()
    write_adapter(path, tensors, task="encoder", base=student.tower.checkpoint, card=card)
    if student.late is not None:
        student.late.save_transform(out / "tokens.transform", path)
    return path


def validate(student: QueryStudent, pairs: Sequence[LangText], report: Log) -> float:
    """The MRR on held-out pairs, with late interaction the mean of both; or else the cosine."""
    metrics = student.validate(pairs)
    report(", ".join(f"{name} {value:.2f}" for name, value in metrics.items()))
    scores = [value for name, value in metrics.items() if name.endswith("mrr")]
    scores = scores or [metrics["cosine"]]
    return sum(scores) / len(scores)


def new_student(
    recipe: QueryEncoderRecipe, data: QueryEncoderData, out: Path, *, report: Log = silent
) -> QueryStudent:
    """The student before training, with the teacher's passage vectors, stored in `out`."""
    import torch

    torch.manual_seed(torch_seed(recipe.seed, "weights"))
    settings = encoder_settings(recipe.base)
    pooling, normalize = settings.pooled(recipe.base)
    teacher = Encoder(settings)
    tower = TowerInTraining(
        recipe.base,
        recipe.finetuning,
        pooling=pooling,
        normalize=normalize,
        dtype=recipe.dtype,
    )
    return QueryStudent(
        tower,
        teacher,
        passage_vectors(data.passages, teacher, out / "passages", report),
        prefix=settings.prefix("query"),
        max_tokens=recipe.max_question_tokens,
        cosine_weight=recipe.cosine_weight,
        temperature=recipe.temperature,
        late=late_ranking(recipe, data, out, report),
    )


def late_ranking(
    recipe: QueryEncoderRecipe, data: QueryEncoderData, out: Path, report: Log
) -> LateRanking | None:
    """The passages' token vectors, stored in `out`, and what ranks them; None: not in the recipe.

    Raises:
        ConfigError: if there is no passage, or the teacher has another base.
    """
    settings = recipe.late_interaction
    if settings is None:
        return None
    if not data.passages:
        raise ConfigError("[query_encoder.late_interaction] needs passages to rank")
    open_start(recipe.teacher, resolve(recipe.base), task="encoder")
    transform = settings.transform
    if transform is None and recipe.teacher not in CENTRED:
        transform = str(out / "teacher.transform")
        if not Path(transform).is_file():
            pairs = [pair for batch in data.batches for pair in batch]
            fit_means(recipe.teacher, pairs, data.passages, Path(transform))
    index = LateInteraction(
        recipe.teacher,
        corpus=Corpus("passages", data.passages),
        folder=out / "tokens",
        transform=transform,
        dtype=recipe.dtype,
        kind="bits",
        pool_factor=settings.pool_factor,
    )
    index.build(progress=lambda done, total: report(f"token vectors of {done}/{total} passages"))
    return LateRanking(index, settings)


def passage_vectors(
    passages: Sequence[Passage], teacher: Encoder, folder: Path, report: Log
) -> Floats:
    """The teacher's vectors of the passages; encoded shards are stored in `folder`."""
    vectors = np.zeros((len(passages), teacher.dimensions), np.float32)
    if not passages:
        return vectors
    for shard in encode_corpus(
        passages,
        folder,
        text_of=lambda passage: passage.titled,
        encode_here=teacher.passages,
        encode_in_worker=partial(encode_passages, teacher.settings),
        progress=lambda done, total: report(f"encoded {done}/{total} passages"),
    ):
        vectors[shard.positions] = shard.read()
    return vectors
