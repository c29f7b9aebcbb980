"""Train a bi-encoder: questions close to their answers, sentences close to their translations.

One tower serves both sides (multilingual E5), or each side has its own (DPR, Karpukhin et al.
2020, section 3). The towers may begin as two models. Low-rank pairs or the layers' weights give one
adapter per tower, all weights a checkpoint per tower.
"""

from pathlib import Path
from typing import Any

from ....core.errors import ConfigError
from ....core.progress import Log, silent
from ..common.all_weights import write_checkpoint
from ..common.finetuning import AllWeights, Finetuning, write_adapter
from ..common.loop import fit
from ..common.time_limit import UNLIMITED, TimeLimit
from ..common.training_data import torch_seed
from ..common.training_folder import locks_out
from ..common.weight_files import PASSAGE_TOWER, QUERY_TOWER
from .data import prepare
from .model import BiencoderInTraining, Objective
from .recipe import BiencoderRecipe
from .tower import TowerInTraining


@locks_out("training folder")
def train_biencoder(
    recipe: BiencoderRecipe,
    out: Path,
    *,
    report: Log = silent,
    stop_after: int | None = None,
    limit: TimeLimit = UNLIMITED,
) -> list[Path]:
    """Train in folder `out`, or resume there; returns the adapter files or the
    checkpoints' folders, the queries' first.

    Raises:
        ConfigError: if `out` belongs to another recipe, the sampler can use no question, or the
            recipe's start does not fit.
    """
    model = new_biencoder(recipe, recipe.finetuning)
    data = prepare(recipe, out, report=report)
    validation = data.validation
    progress = fit(
        model.parameters,
        data.batches,
        model.loss,
        schedule=recipe.schedule,
        out=out,
        validate=(lambda: model.validate(validation)["mrr"]) if validation else None,
        report=report,
        stop_after=stop_after,
        limit=limit,
    )
    card = {"recipe": recipe.describe(), "steps": progress.step, **data.counts}
    card["scale"] = float(model.log_scale.detach().exp())
    return export(model, card | model.validation_card(validation), out)


def new_biencoder(recipe: BiencoderRecipe, how: Finetuning) -> BiencoderInTraining:
    """A recipe's model before training, with the weights that `how` makes trainable."""
    import torch

    torch.manual_seed(torch_seed(recipe.seed, "weights"))
    starts = [(recipe.base, how), recipe.passage_tower(how)]
    towers = [
        TowerInTraining(
            base, tower_how, pooling=recipe.pooling, normalize=recipe.normalize, dtype=recipe.dtype
        )
        for base, tower_how in starts[: recipe.towers]
    ]
    sizes = [tower.dimensions for tower in towers]
    if len({*sizes}) > 1:
        raise ConfigError(
            f"passage_base: {recipe.passage_base} has {sizes[1]} dimensions, and {recipe.base} "
            f"{sizes[0]}; two towers need equal ones"
        )
    objective = Objective(
        recipe.scale,
        recipe.learn_scale,
        recipe.both_ways,
        recipe.margin,
        recipe.parallel_weight,
        recipe.exclude_positive,
    )
    limits = {"query": recipe.max_question_tokens, "passage": recipe.max_passage_tokens}
    return BiencoderInTraining(towers, objective, prefixes=recipe.prefixes, max_tokens=limits)


def export(model: BiencoderInTraining, card: dict[str, Any], out: Path) -> list[Path]:
    """Write an adapter or a checkpoint per tower, and the card; the queries' comes first."""
    names = ["encoder.safetensors"] if len(model.towers) == 1 else [QUERY_TOWER, PASSAGE_TOWER]
    if isinstance(model.towers[0].trainable, AllWeights):
        folders = [out / Path(name).stem for name in names]
        for folder, tower in zip(folders, model.towers, strict=True):
            write_checkpoint(
                folder,
                tower.trainable.model,
                base=tower.checkpoint,
                prompts=model.prefixes,
                card=card,
            )
        return folders
    paths = [out / name for name in names]
    for path, tower in zip(paths, model.towers, strict=True):
        tensors = tower.trainable.adapter_tensors()
        write_adapter(path, tensors, task="encoder", base=tower.checkpoint, card=card)
    return paths
