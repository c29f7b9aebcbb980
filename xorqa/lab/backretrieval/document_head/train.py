"""Train a document head; the encoder's vectors are computed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.progress import Log, quantity, silent
from ....io.files import digest
from ....models.checkpoints import resolve
from ....models.encoder import Encoder
from ....models.encoder_settings import encoder_settings
from ...training.common.finetuning import write_adapter
from ...training.common.loop import fit
from ...training.common.training_data import torch_seed
from ...training.common.training_folder import claim_folder, locks_out
from .data import Document, encode_documents, make_batches, read_documents, split
from .losses import neighbour_gap, triplet
from .model import LAYERS, TASK
from .recipe import DocumentHeadRecipe

if TYPE_CHECKING:
    import torch

NAME = "head.safetensors"
_K = 10  # of the recall in the card


@locks_out("training folder")
def train_document_head(
    recipe: DocumentHeadRecipe, out: Path, *, report: Log = silent, stop_after: int | None = None
) -> Path:
    """Train in folder `out`, or resume there; returns the head's file.

    Raises:
        ConfigError: if `out` belongs to another recipe.
        DataError: if a file cannot be used, or nothing is left to train on.
    """
    import torch

    files = [path for source in recipe.sources for path in source.paths]
    documents, held_out = split(read_documents(files), recipe.held_out)
    everything = [*documents, *held_out]
    claim_folder(out, recipe.identity() | {"documents": digest(list(map(repr, everything)))})
    report(f"{quantity(len(documents), 'document')} to train on, {len(held_out)} held out")
    encoder = Encoder(encoder_settings(recipe.base))
    vectors = encode_documents(everything, encoder, out, report)
    titles, bodies = map(torch.from_numpy, vectors)
    model = new_head(titles.shape[1], recipe.width, recipe.seed)
    batches = make_batches(
        len(documents), epochs=recipe.epochs, size=recipe.batch_size, seed=recipe.seed
    )
    langs = [document.lang for document in documents]
    progress = fit(
        dict(model.named_parameters()),
        batches,
        partial(batch_loss, model, titles, bodies, langs, recipe),
        schedule=recipe.schedule,
        out=out,
        report=report,
        stop_after=stop_after,
    )
    card = {
        "recipe": recipe.describe(),
        "encoder": encoder.fingerprint(),
        "steps": progress.step,
        "documents": {"training": len(documents), "held_out": len(held_out)},
        f"held_out_recall@{_K}": recall_of_bodies(
            model, titles, bodies, everything, held_out, last_relu=recipe.last_relu
        ),
    }
    path = out / NAME
    tensors = dict(model.named_parameters())
    write_adapter(path, tensors, task=TASK, base=resolve(encoder.settings.name), card=card)
    return path


def new_head(dimensions: int, width: int, seed: int) -> torch.nn.Module:
    """The two dense layers before training."""
    import torch

    torch.manual_seed(torch_seed(seed, "weights"))
    sizes = ((dimensions, width), (width, width))
    layers = {name: torch.nn.Linear(*size) for name, size in zip(LAYERS, sizes, strict=True)}
    return torch.nn.ModuleDict(layers)


def project(model: Any, vectors: torch.Tensor, *, last_relu: bool) -> torch.Tensor:
    """Unit vectors of titles or bodies."""
    from torch.nn.functional import normalize

    first, second = (model[name] for name in LAYERS)
    projected: torch.Tensor = second(first(vectors).relu())
    return normalize(projected.relu() if last_relu else projected, dim=1)


def batch_loss(
    model: Any,
    titles: torch.Tensor,
    bodies: torch.Tensor,
    langs: Sequence[str],
    recipe: DocumentHeadRecipe,
    batch: Sequence[int],
) -> torch.Tensor:
    """The recipe's loss of a batch of documents, by index."""
    of_titles, of_bodies = (
        project(model, vectors[list(batch)], last_relu=recipe.last_relu)
        for vectors in (titles, bodies)
    )
    anchors = of_bodies if recipe.anchor == "body" else of_titles
    positives = of_titles if recipe.anchor == "body" else of_bodies
    loss = triplet(anchors, positives, recipe.margin)
    if recipe.loss == "triplet-xl":
        gap = neighbour_gap(
            anchors,
            of_titles,
            [langs[index] for index in batch],
            recipe.neighbours,
            per_language=recipe.own_language == "per-language",
        )
        loss = loss + recipe.xl_weight * gap
    return loss


def recall_of_bodies(
    model: Any,
    titles: torch.Tensor,
    bodies: torch.Tensor,
    documents: Sequence[Document],
    held_out: Sequence[Document],
    *,
    last_relu: bool,
) -> dict[str, float]:
    """By language, the share of held-out titles whose body is among the nearest held-out bodies."""
    import torch

    recalls = {}
    first = len(documents) - len(held_out)
    for lang in sorted({document.lang for document in held_out}):
        rows = [row for row, document in enumerate(held_out, first) if document.lang == lang]
        with torch.inference_mode():
            sides = (project(model, of[rows], last_relu=last_relu) for of in (titles, bodies))
            of_titles, of_bodies = sides
            scores = of_titles @ of_bodies.T
        ranks = (scores >= scores.diagonal()[:, None]).sum(dim=1)
        recalls[lang] = float((ranks <= _K).float().mean())
    return recalls
