"""Fine-tune any encoder of transformers to mark answers, as its example `run_qa.py` does.

The loss is the mean of the cross-entropies of start and end over the tokens of a window, where the
first token stands for no answer (Devlin et al. 2019).
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.errors import ConfigError
from ....core.progress import Log, quantity, silent
from ....io.squad_xor import SquadQuestion
from ....models.batches import pad
from ....models.checkpoints import load, load_tokenizer, resolve
from ....models.device import Dtype, autocast, pick_device
from ....reading.features import make_windows
from ....reading.pairs import QuestionPassage
from ..common.loop import fit
from ..common.released_folder import lower_cased, write_model
from ..common.training_data import matching, read_excluded, stream, torch_seed
from ..common.training_folder import claim_folder, locks_out
from ..reader.samples import (
    LabeledWindow,
    make_batches,
    read_sources,
    sample_negatives,
    token_span,
    usable_questions,
)
from .recipe import QaModelRecipe
from .validation import ReaderInTraining, validation_questions

if TYPE_CHECKING:
    import torch

CHUNK = 1000  # pairs tokenized together


@locks_out("training folder")
def train_qa_model(
    recipe: QaModelRecipe, out: Path, *, report: Log = silent, stop_after: int | None = None
) -> Path:
    """Train in folder `out`, or resume there; returns the model's folder.

    Raises:
        ConfigError: if `out` belongs to another recipe, or no question is left to train on.
    """
    import torch

    base = resolve(recipe.base)
    tokenizer = load_tokenizer(base)
    if recipe.lower_case:
        tokenizer = lower_cased(tokenizer)
    batches = prepare(recipe, tokenizer, report=report)
    held_out = validation_questions(recipe)
    claim_folder(out, recipe.identity())
    torch.manual_seed(torch_seed(recipe.seed, "weights"))
    model = load(base, "AutoModelForQuestionAnswering", optional=("qa_outputs.",))
    model = model.to(pick_device()).train()
    training = QaModelInTraining(model, tokenizer.pad_token_id or 0, recipe.seed, recipe.dtype)
    reader = ReaderInTraining(model, tokenizer, base, recipe)
    progress = fit(
        dict(model.named_parameters()),
        list(enumerate(batches)),
        training.loss,
        schedule=recipe.schedule,
        out=out,
        validate=(lambda: reader.f1(held_out)) if held_out else None,
        report=report,
        stop_after=stop_after,
    )
    card = {
        "recipe": recipe.describe(),
        "steps": progress.step,
        "seconds": round(progress.seconds),
        "windows": len({id(window) for batch in batches for window in batch}),
    }
    if held_out and math.isfinite(progress.best):
        card["validation"] = {"questions": len(held_out), "f1": progress.best}
    return write_model(model, tokenizer, out, card)


def prepare(
    recipe: QaModelRecipe, tokenizer: Any, *, report: Log = silent
) -> list[list[LabeledWindow]]:
    """The batches of all epochs, shuffled in each.

    Raises:
        ConfigError: if no question is left to train on.
    """
    excluded = matching([*recipe.exclude, *recipe.validation_files])
    by_source = read_sources(recipe.sources, read_excluded(excluded))
    pools = list(map(usable_questions, by_source, recipe.sources))
    questions = list(chain(*pools))
    if not questions:
        raise ConfigError("[qa_model] no question is left to train on; see sources and exclude")
    unused = sum(map(len, by_source)) - len(questions)
    rng = stream(recipe.seed, "negatives")
    negatives: list[QuestionPassage] = []
    for pool in pools:
        share = rng.sample(pool, int(recipe.negatives * len(pool)))
        negatives += sample_negatives(share, pool, rng) if share else []
    windows = label_windows(recipe, questions, negatives, tokenizer)
    rng = stream(recipe.seed, "batches")
    batches: list[list[LabeledWindow]] = []
    for _ in range(math.ceil(recipe.epochs)):
        batches += make_batches(windows, size=recipe.batch_size, rng=rng)
    number = math.ceil(recipe.epochs * len(windows) / recipe.batch_size)
    report(
        f"{quantity(len(questions), 'question')} ({unused} held out, excluded or without an answer "
        f"at its offset), {quantity(len(negatives), 'pair')} without an answer, "
        f"{quantity(len(windows), 'window')}"
    )
    return batches[:number]


def label_windows(
    recipe: QaModelRecipe,
    questions: Sequence[SquadQuestion],
    negatives: Sequence[QuestionPassage],
    tokenizer: Any,
) -> list[LabeledWindow]:
    """All windows of the questions and of the pairs without an answer."""
    cut = partial(
        make_windows,
        tokenizer,
        max_tokens=recipe.max_tokens,
        stride=recipe.stride,
        max_question=recipe.max_question_tokens,
    )
    labeled = []
    for start in range(0, len(questions), CHUNK):
        chunk = questions[start : start + CHUNK]
        for window in cut([q.question for q in chunk], [q.context for q in chunk]):
            span = chunk[window.pair].span
            labeled.append(LabeledWindow(window, token_span(window, span) if span else None))
    for start in range(0, len(negatives), CHUNK):
        pairs = negatives[start : start + CHUNK]
        windows = cut([pair.question for pair in pairs], [pair.passage for pair in pairs])
        labeled += [LabeledWindow(window, None) for window in windows]
    return labeled


@dataclass(frozen=True, slots=True)
class QaModelInTraining:
    """A question-answering model in training."""

    model: Any
    pad_id: int
    seed: int
    dtype: Dtype

    def loss(self, batch: tuple[int, Sequence[LabeledWindow]]) -> torch.Tensor:
        """The loss of a batch; its dropout is the same when training resumes."""
        import torch

        number, windows = batch
        torch.manual_seed(torch_seed(self.seed, "dropout", number))
        ids, mask = pad([labeled.window.ids for labeled in windows], value=self.pad_id)
        inputs = {"input_ids": ids, "attention_mask": mask}
        segments = [labeled.window.segments for labeled in windows]
        if all(segments) and "token_type_ids" in inspect.signature(self.model.forward).parameters:
            inputs["token_type_ids"] = pad(segments, value=0)[0]
        spans = [
            (label.gold.start, label.gold.end - 1) if label.gold else (0, 0) for label in windows
        ]
        starts, ends = torch.tensor(spans, device=ids.device).T
        with autocast(self.dtype):
            output = self.model(**inputs)
        losses = []
        for logits, gold in ((output.start_logits, starts), (output.end_logits, ends)):
            of_tokens = logits.float().masked_fill(mask == 0, torch.finfo(torch.float32).min)
            losses.append(torch.nn.functional.cross_entropy(of_tokens, gold))
        return torch.stack(losses).mean()
