"""Train a ranker: of a question's passages, the one that answers gets the highest score.

It continues a reader, whose relevance judges each passage alone. The ranker's loss compares the
passages of one question (Karpukhin et al. 2020, section 6.1), which are those that a retriever
confuses, and it also reads their titles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.progress import Log, silent
from ....io.files import write_json
from ....io.locks import locks_out
from ....models.batches import by_length, pad, step_for
from ....models.checkpoints import load_tokenizer, resolve
from ....models.device import autocast, pick_device, pick_dtype
from ....models.pair_classifier import TASK
from ..common.finetuning import HEAD
from ..common.loop import fit
from ..common.random_streams import torch_seed
from ..common.weight_files import save_adapter
from ..reader.model import new_reader
from .data import prepare
from .lists import PassageList
from .recipe import RankerRecipe

if TYPE_CHECKING:
    import torch

NAME = "ranker.safetensors"
_RELEVANCE = 2  # the reader's logit that becomes the score


@locks_out("training folder")
def train_ranker(
    recipe: RankerRecipe, out: Path, *, report: Log = silent, stop_after: int | None = None
) -> Path:
    """Train in folder `out`, or resume there; returns the adapter file.

    Raises:
        ConfigError: if `out` belongs to another recipe, no question is left to train on, or the
            recipe's start does not fit.
    """
    base = resolve(recipe.base)
    data = prepare(recipe, out, report=report)
    trainable = new_reader(base, recipe.finetuning, dropout=recipe.dropout, seed=recipe.seed)
    ranker = RankerInTraining(
        trainable.model.to(pick_device()),
        load_tokenizer(base),
        recipe.max_tokens,
        recipe.seed,
        recipe.dtype,
    )
    held_out = data.held_out
    train_on = partial(
        fit,
        trainable.parameters,
        loss=ranker.loss,
        schedule=recipe.schedule,
        validate=(lambda: ranker.mrr(held_out)) if held_out else None,
        report=report,
    )
    batches = list(enumerate(data.batches))
    progress = train_on(batches, out=out, stop_after=stop_after)
    card = {"recipe": recipe.describe(), "steps": progress.step, **data.counts}
    with trainable.as_stored():
        if recipe.settle and stop_after is None:
            train_on(batches[: recipe.settle * recipe.schedule.accumulate], out=out / "settled")
        if held_out:
            card["validation"] = {"questions": len(held_out), "mrr": ranker.mrr(held_out)}
    path = out / NAME
    save_adapter(path, ranker_tensors(trainable.adapter_tensors()), task=TASK, base=base, card=card)
    write_json(out / "card.json", card)
    return path


def ranker_tensors(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """A reader's tensors with a head of one logit, its relevance."""
    return {
        name: value[_RELEVANCE : _RELEVANCE + 1].clone() if name.startswith(HEAD) else value
        for name, value in tensors.items()
    }


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
        for one in lists:
            of_one = scores[first : first + len(one.passages)]
            losses.append(of_one.logsumexp(dim=0) - _wanted(of_one, one.probabilities))
            first += len(one.passages)
        return torch.stack(losses).mean()

    def mrr(self, lists: Sequence[PassageList]) -> float:
        """The mean reciprocal rank of the right passages, in percent."""
        import torch
        from torch.nn.utils import parametrize

        self.model.eval()
        total = 0.0
        with torch.inference_mode(), parametrize.cached():
            for one in lists:
                scores = self._scores([one])
                total += 1 / int((scores >= scores[0]).sum())
        self.model.train()
        return 100 * total / len(lists)

    def _scores(self, lists: Sequence[PassageList]) -> torch.Tensor:
        """One score per passage, list after list."""
        import torch

        questions = [one.question for one in lists for _ in one.passages]
        passages = [passage for one in lists for passage in one.passages]
        rows = self.tokenizer(
            questions, passages, truncation="longest_first", max_length=self.max_tokens
        )["input_ids"]
        batches = list(by_length(list(map(len, rows)), step=self.step))
        scores = torch.cat([self._of([rows[at] for at in batch]) for batch in batches])
        order = torch.tensor([at for batch in batches for at in batch], device=scores.device)
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
