"""Train a ranker: of a question's passages, the one that answers gets the highest score.

It continues a reader, whose relevance judges each passage alone. The ranker's loss compares the
passages of one question (Karpukhin et al. 2020, section 6.1), which are those that a retriever
confuses, and it also reads their titles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.progress import Log, silent
from ....models.batches import by_length, pad, step_for
from ....models.checkpoints import Checkpoint, load_tokenizer, resolve
from ....models.device import autocast, pick_device, pick_dtype
from ....models.pair_classifier import TASK
from ..common.finetuning import HEAD, Full, LowRank, fit_and_settle, write_adapter
from ..common.time_limit import UNLIMITED, TimeLimit
from ..common.training_data import torch_seed
from ..common.training_folder import locks_out
from ..reader.model import new_reader
from .data import prepare
from .distillation import PassageList
from .recipe import RankerRecipe

if TYPE_CHECKING:
    import torch

NAME = "ranker.safetensors"
_RELEVANCE = 2  # the reader's logit that becomes the score


@locks_out("training folder")
def train_ranker(
    recipe: RankerRecipe,
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
    data = prepare(recipe, out, report=report)
    trainable, ranker = in_training(recipe, base)
    held_out = data.held_out
    progress = fit_and_settle(
        trainable,
        list(enumerate(data.batches)),
        ranker.loss,
        schedule=recipe.schedule,
        settle=recipe.settle,
        out=out,
        validate=(lambda: ranker.mrr(held_out)) if held_out else None,
        report=report,
        stop_after=stop_after,
        limit=limit,
    )
    card = {"recipe": recipe.describe(), "steps": progress.step, **data.counts}
    if held_out:
        with trainable.as_stored():
            card["validation"] = {"questions": len(held_out), "mrr": ranker.mrr(held_out)}
    path = out / NAME
    tensors = ranker_tensors(trainable.adapter_tensors())
    write_adapter(path, tensors, task=TASK, base=base, card=card)
    return path


def ranker_tensors(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """A reader's tensors with a head of one logit, its relevance."""
    return {
        name: value[_RELEVANCE : _RELEVANCE + 1].clone() if name.startswith(HEAD) else value
        for name, value in tensors.items()
    }


def in_training(recipe: RankerRecipe, base: Checkpoint) -> tuple[LowRank | Full, RankerInTraining]:
    """A new ranker: what is trained of it, and its loss and validation.

    Raises:
        ConfigError: if the start does not fit, or all layers are frozen.
    """
    trainable = new_reader(base, recipe.finetuning, dropout=recipe.dropout, seed=recipe.seed)
    ranker = RankerInTraining(
        trainable.model.to(pick_device()),
        load_tokenizer(base),
        recipe.max_tokens,
        recipe.seed,
        recipe.dtype,
    )
    return trainable, ranker


@dataclass(frozen=True, slots=True)
class RankerInTraining:
    """A model in training, with the settings of its loss and validation."""

    model: Any
    tokenizer: Any
    max_tokens: int
    seed: int
    dtype: str

    def loss(self, batch: tuple[int, Sequence[PassageList]]) -> torch.Tensor:
        """Cross-entropy of each question's passages, with the first one or the teacher's choice."""
        import torch
        from torch.nn.utils import parametrize

        number, lists = batch
        torch.manual_seed(torch_seed(self.seed, "dropout", number))
        with parametrize.cached():
            scores, first, losses = self._scores(lists), 0, []
        for passage_list in lists:
            of_list = scores[first : first + len(passage_list.passages)]
            losses.append(of_list.logsumexp(dim=0) - _wanted(of_list, passage_list.probabilities))
            first += len(passage_list.passages)
        return torch.stack(losses).mean()

    def mrr(self, lists: Sequence[PassageList]) -> float:
        """The mean reciprocal rank of the right passages, in percent."""
        import torch
        from torch.nn.utils import parametrize

        self.model.eval()
        total = 0.0
        with torch.inference_mode(), parametrize.cached():
            for passage_list in lists:
                scores = self._scores([passage_list])
                total += 1 / int((scores >= scores[0]).sum())
        self.model.train()
        return 100 * total / len(lists)

    def _scores(self, lists: Sequence[PassageList]) -> torch.Tensor:
        """One score per passage, list after list."""
        import torch

        questions = [item.question for item in lists for _ in item.passages]
        passages = [passage for item in lists for passage in item.passages]
        rows = self.tokenizer(
            questions, passages, truncation="longest_first", max_length=self.max_tokens
        )["input_ids"]
        batches = list(by_length(list(map(len, rows)), step=self.step))
        scores = torch.cat([self._of([rows[row] for row in batch]) for batch in batches])
        order = torch.tensor([row for batch in batches for row in batch], device=scores.device)
        return scores[order.argsort()]

    def _of(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        ids, mask = pad(rows, value=self.tokenizer.pad_token_id, step=self.step)
        with autocast(self.dtype):
            logits = self.model(input_ids=ids, attention_mask=mask).logits
        scores: torch.Tensor = logits[:, 0, _RELEVANCE].float()
        return scores

    @property
    def step(self) -> int:
        """The step of padded widths."""
        return step_for(pick_dtype(self.dtype))


def _wanted(scores: torch.Tensor, probabilities: Sequence[float]) -> torch.Tensor:
    """The mean score by a teacher's probabilities, without them the first one."""
    if not probabilities:
        return scores[0]
    return scores @ scores.new_tensor(probabilities)
