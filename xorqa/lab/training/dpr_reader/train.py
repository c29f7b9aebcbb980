"""Train a reader of DPR: a softmax over a question's passages, and spans in the one that answers.

Karpukhin et al. 2020, section 6.1; as in the authors' code, the span's loss is the marginal one of
all occurrences of the answer, and both losses are summed over questions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.errors import ConfigError, WeightsError
from ....core.progress import Log, quantity, silent
from ....io.files import read_json
from ....models.batches import pad
from ....models.checkpoints import Checkpoint, load, load_tokenizer, resolve
from ....models.device import Dtype, autocast, pick_device
from ....models.question_answering import DPR
from ..common.loop import fit
from ..common.released_folder import write_model
from ..common.training_data import match_key, matching, read_excluded, stream, torch_seed
from ..common.training_folder import claim_folder, locks_out
from .recipe import DprReaderRecipe
from .retrieved import RetrievedQuestion, read_retrieved
from .samples import DprExample, LabeledPassages, draw_example, label_passages

if TYPE_CHECKING:
    import torch


@locks_out("training folder")
def train_dpr_reader(
    recipe: DprReaderRecipe, out: Path, *, report: Log = silent, stop_after: int | None = None
) -> Path:
    """Train in folder `out`, or resume there; returns the model's folder.

    Raises:
        ConfigError: if `out` belongs to another recipe, or no question is left to train on.
        WeightsError: if the base is neither a BERT nor a reader of DPR.
    """
    import torch

    base = resolve(recipe.base)
    tokenizer = load_tokenizer(base, kind=f"{DPR}TokenizerFast")
    questions = prepare(recipe, tokenizer, report=report)
    claim_folder(out, recipe.identity())
    torch.manual_seed(torch_seed(recipe.seed, "weights"))
    model = new_dpr_reader(base).to(pick_device()).train()
    training = DprReaderInTraining(
        model, tokenizer.pad_token_id, recipe.negatives, recipe.seed, recipe.dtype
    )
    progress = fit(
        dict(model.named_parameters()),
        make_batches(questions, recipe),
        training.loss,
        schedule=recipe.schedule,
        out=out,
        report=report,
        stop_after=stop_after,
    )
    card = {
        "recipe": recipe.describe(),
        "steps": progress.step,
        "seconds": round(progress.seconds),
        "questions": len(questions),
    }
    return write_model(model, tokenizer, out, card)


def prepare(
    recipe: DprReaderRecipe, tokenizer: Any, *, report: Log = silent
) -> list[LabeledPassages]:
    """The questions to train on.

    Raises:
        ConfigError: if none is left.
    """
    excluded = read_excluded(matching(recipe.exclude))
    every = list(chain(*(map(read_retrieved, chain(*(s.paths for s in recipe.sources))))))
    kept: Iterable[RetrievedQuestion] = (q for q in every if match_key(q.question) not in excluded)
    questions = list(
        label_passages(
            kept, tokenizer, max_tokens=recipe.max_tokens, max_answers=recipe.max_answers
        )
    )
    if not questions:
        raise ConfigError(
            "[dpr_reader] no question is left to train on: all are excluded, or none has a "
            "passage with its answer and one without; retrieve more passages"
        )
    fewer = sum(len(question.negatives) < recipe.negatives for question in questions)
    report(
        f"{quantity(len(questions), 'question')} of {len(every)} (the others are excluded, or lack "
        f"a passage with the answer or one without); {fewer} with fewer than {recipe.negatives} "
        "negatives"
    )
    return questions


def make_batches(
    questions: Sequence[LabeledPassages], recipe: DprReaderRecipe
) -> list[tuple[int, Sequence[LabeledPassages]]]:
    """The numbered batches of all epochs, shuffled in each."""
    rng, size = stream(recipe.seed, "batches"), recipe.batch_size
    order: list[LabeledPassages] = []
    for _ in range(math.ceil(recipe.epochs)):
        order += rng.sample(questions, len(questions))
    order = order[: math.ceil(recipe.epochs * len(questions))]
    return [(at // size, order[at : at + size]) for at in range(0, len(order), size)]


def new_dpr_reader(base: Checkpoint) -> Any:
    """A reader of DPR with the weights of another one, or of a BERT and a new head.

    Raises:
        WeightsError: if the base is neither.
    """
    import transformers

    config = dict(read_json(base.path / "config.json"))
    if DPR in (config.get("architectures") or ()):
        return load(base, DPR, optional=())
    if config.get("model_type") != "bert":
        raise WeightsError(
            f"{base.name} has the type {config.get('model_type')}; a reader of DPR needs a BERT or "
            f"another {DPR} as its base"
        )
    options = {name: value for name, value in config.items() if name != "architectures"}
    model = transformers.DPRReader(transformers.DPRConfig(**options, projection_dim=0))
    body = load(base, "AutoModel", optional=("pooler.",), add_pooling_layer=False)
    model.span_predictor.encoder.bert_model.load_state_dict(body.state_dict())
    return model


@dataclass(frozen=True, slots=True)
class DprReaderInTraining:
    """A reader of DPR in training."""

    model: Any
    pad_id: int
    negatives: int
    seed: int
    dtype: Dtype

    def loss(self, batch: tuple[int, Sequence[LabeledPassages]]) -> torch.Tensor:
        """The loss of a batch; its draws and its dropout are the same when training resumes."""
        import torch

        number, questions = batch
        torch.manual_seed(torch_seed(self.seed, "dropout", number))
        draw = partial(
            draw_example, negatives=self.negatives, rng=stream(self.seed, "passages", number)
        )
        examples = list(map(draw, questions))
        rows = [window.ids for example in examples for window in example.windows]
        ids, mask = pad(rows, value=self.pad_id)
        with autocast(self.dtype):
            output = self.model(input_ids=ids, attention_mask=mask)
        lowest = torch.finfo(torch.float32).min
        starts, ends = (
            logits.float().masked_fill(mask == 0, lowest)
            for logits in (output.start_logits, output.end_logits)
        )
        return dpr_loss(starts, ends, output.relevance_logits.float(), examples)


def dpr_loss(
    starts: torch.Tensor,
    ends: torch.Tensor,
    relevance: torch.Tensor,
    examples: Sequence[DprExample],
) -> torch.Tensor:
    """The sum over the questions of -log P(the answer's spans) - log P(the passage that answers).

    `starts` and `ends` are (passages, tokens), `relevance` (passages,) of all questions in order.
    """
    import torch

    losses, first = [], 0
    for example in examples:
        last = first + len(example.windows)
        begin, end = starts[first].log_softmax(0), ends[first].log_softmax(0)
        spans = torch.tensor([(s.start, s.end - 1) for s in example.spans], device=starts.device)
        losses.append(-(begin[spans[:, 0]] + end[spans[:, 1]]).logsumexp(0))
        losses.append(-relevance[first:last].log_softmax(0)[0])
        first = last
    return torch.stack(losses).sum()
