"""What a recipe's training computes, a few batches of it: for `training`, which measures them.

Where a recipe's data files are there, batches of a bi-encoder, of a reader of DPR and of a
question-answering model are its own; otherwise texts have the greatest length that the recipe
admits. Mined negatives are not mined: texts as long as the answers take their place.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import ConfigError
from ...core.types import Span
from ...models.checkpoints import load, load_tokenizer, resolve
from ...models.device import pick_device
from ...models.question_answering import DPR
from ...models.source_encoding import END, QUESTION, EncodedSource
from ...reading.features import Window
from ..training.biencoder import data as biencoder_data
from ..training.biencoder.model import Batch
from ..training.biencoder.pairs import Item, Paragraph
from ..training.biencoder.recipe import BiencoderRecipe
from ..training.biencoder.samplers import Pick
from ..training.biencoder.train import new_biencoder
from ..training.common.recipe import Recipe
from ..training.common.training_data import matching
from ..training.dpr_reader import train as dpr_reader
from ..training.dpr_reader.recipe import DprReaderRecipe
from ..training.dpr_reader.samples import LabeledPassages
from ..training.qa_model import train as qa_model
from ..training.qa_model.recipe import QaModelRecipe
from ..training.ranker import train as ranker_training
from ..training.ranker.distillation import PassageList
from ..training.ranker.recipe import RankerRecipe
from ..training.reader import train as reader_training
from ..training.reader.recipe import ReaderRecipe
from ..training.reader.samples import LabeledWindow
from ..training.translator.batches import Batch as PairBatch
from ..training.translator.model import TranslatorInTraining, new_weights
from ..training.translator.recipe import TranslatorRecipe
from ..training.translator.tokens import SOURCE, TARGET, TokenizedPairs
from ..training.translator.train import hidden_states, shape_of

if TYPE_CHECKING:
    import torch

BATCHES = 2
"""Measured batches, after one that is not: the first one of a process takes longer."""
PAIR_TOKENS = 32  # of either side of a translator's pair
LONGEST = "texts of the greatest length"


@dataclass(frozen=True, slots=True)
class Workload:
    """What to measure.

    A measured batch has the `share` of a whole one; `texts` says of what it is made, empty for the
    recipe's data.
    """

    parameters: Sequence[torch.nn.Parameter]
    loss: Callable[[Any], torch.Tensor]
    batches: Sequence[Any]
    steps: int
    share: float = 1.0
    texts: str = LONGEST


@dataclass(frozen=True, slots=True)
class Limits:
    """How to measure: `questions` of data that is missing, and the examples of a `batch`."""

    questions: int | None = None
    batch: int | None = None

    def of(self, whole: int) -> int:
        """The examples of a measured batch."""
        return min(whole, self.batch or whole)

    def steps(self, epochs: float, size: int, name: str, missing: Sequence[Path]) -> int:
        """Batches of `size` in some epochs over as many questions as are expected.

        Raises:
            ConfigError: if their number is unknown.
        """
        if self.questions is None:
            raise ConfigError(
                f"[{name}] trains in epochs, and {missing[0]} is missing, so the number of steps "
                "is unknown; fetch it, or give the number of its questions: --questions 87599"
            )
        return math.ceil(epochs * self.questions / size)


def missing_files(recipe: Recipe) -> list[Path]:
    """The data files that are not there."""
    return [path for path in matching(recipe.patterns()) if not path.is_file()]


def of_biencoder(recipe: BiencoderRecipe, limits: Limits) -> Workload:
    """A bi-encoder, with a negative for each question if the recipe has any."""
    size = max(2, limits.of(recipe.batch_size))
    share = size / recipe.batch_size
    few = replace(
        recipe,
        steps=1 + BATCHES,
        batch_size=size,
        parallel_batch=max(2, round(share * recipe.parallel_batch)),
        schedule=replace(recipe.schedule, accumulate=1),
        validation=0,
        negatives=(),
    )
    is_missing = bool(missing_files(recipe))
    if is_missing:
        batches: Sequence[Batch] = _longest_answers(few)
    else:
        with tempfile.TemporaryDirectory() as folder:
            batches = biencoder_data.prepare(few, Path(folder)).batches
    if recipe.negatives:
        batches = [
            replace(batch, negatives=[item.answers[pick.answer] for item, pick in batch.picks])
            for batch in batches
        ]
    model = new_biencoder(recipe, recipe.finetuning)
    parameters = list(model.parameters.values())
    texts = LONGEST if is_missing else ""
    return Workload(parameters, model.loss, batches, recipe.steps, share, texts)


def _longest_answers(recipe: BiencoderRecipe) -> Sequence[Batch]:
    question, answer = (
        " a" * size for size in (recipe.max_question_tokens, recipe.max_passage_tokens)
    )
    items = [
        Item(
            str(number),
            {"en": f"{number}{question}"},
            {"en": f"{number}{answer}"},
            {},
            {"en": Paragraph("", f"{number}{answer}", "en")},
        )
        for number in range(recipe.batch_size)
    ]
    picks = [(item, Pick(position, "en", "en")) for position, item in enumerate(items)]
    return [Batch(picks, [], (), recipe.context)] * (1 + BATCHES)


def of_qa_model(recipe: QaModelRecipe, limits: Limits) -> Workload:
    """A question-answering model; without its data, a question is a window."""
    base = resolve(recipe.base)
    tokenizer = load_tokenizer(base)
    size, missing = limits.of(recipe.batch_size), missing_files(recipe)
    if missing:
        epochs = recipe.epochs * (1 + recipe.negatives)
        whole = limits.steps(epochs, recipe.batch_size, recipe.table, missing)
        batches = [[_window(tokenizer, recipe.max_tokens)] * size] * (1 + BATCHES)
    else:
        every = qa_model.prepare(recipe, tokenizer)
        batches = [batch[:size] for batch in every[: 1 + BATCHES]]
        whole = len(every)
    model = load(base, "AutoModelForQuestionAnswering", optional=("qa_outputs.",))
    model = model.to(pick_device()).train()
    training = qa_model.QaModelInTraining(
        model, tokenizer.pad_token_id or 0, recipe.seed, recipe.dtype
    )
    return Workload(
        list(model.parameters()),
        training.loss,
        list(enumerate(batches)),
        -(-whole // recipe.schedule.accumulate),
        size / recipe.batch_size,
        LONGEST if missing else "",
    )


def of_dpr_reader(recipe: DprReaderRecipe, limits: Limits) -> Workload:
    """A reader of DPR; an example of a batch is a passage."""
    base = resolve(recipe.base)
    tokenizer = load_tokenizer(base, kind=f"{DPR}TokenizerFast")
    missing = missing_files(recipe)
    of_question = 1 + recipe.negatives
    passages = max(2, limits.of(recipe.batch_size * of_question))
    size = -(-passages // of_question)  # questions
    negatives = -(-passages // size) - 1
    if missing:
        whole = limits.steps(recipe.epochs, recipe.batch_size, recipe.table, missing)
        window = _window(tokenizer, recipe.max_tokens).window
        others = LabeledPassages([(window, [window.context])], [window] * negatives)
        batches: Sequence[Sequence[LabeledPassages]] = [[others] * size] * (1 + BATCHES)
    else:
        every = dpr_reader.make_batches(dpr_reader.prepare(recipe, tokenizer), recipe)
        batches = [questions[:size] for _, questions in every[: 1 + BATCHES]]
        whole = len(every)
    model = dpr_reader.new_dpr_reader(base).to(pick_device()).train()
    training = dpr_reader.DprReaderInTraining(
        model, tokenizer.pad_token_id, negatives, recipe.seed, recipe.dtype
    )
    return Workload(
        list(model.parameters()),
        training.loss,
        list(enumerate(batches)),
        -(-whole // recipe.schedule.accumulate),
        size * (1 + negatives) / (recipe.batch_size * of_question),
        LONGEST if missing else "",
    )


def of_reader(recipe: ReaderRecipe, limits: Limits) -> Workload:
    """A span reader of xorqa; its questions and passages are sampled and mined in training."""
    trainable, reader = reader_training.in_training(recipe, resolve(recipe.base))
    windows = recipe.questions * (1 + recipe.negatives + recipe.hard_negatives)
    windows += recipe.distillation.windows if recipe.distillation else 0
    size = limits.of(recipe.batch_size)
    batch = [_window(reader.tokenizer, recipe.max_tokens)] * size
    return Workload(
        list(trainable.parameters.values()),
        reader.loss,
        [(number, batch) for number in range(1 + BATCHES)],
        math.ceil(windows / recipe.batch_size / recipe.schedule.accumulate) + recipe.settle,
        size / recipe.batch_size,
    )


def of_ranker(recipe: RankerRecipe, limits: Limits) -> Workload:
    """A ranker; an example of a batch is a passage, and passages are mined in training."""
    trainable, ranker = ranker_training.in_training(recipe, resolve(recipe.base))
    of_question = 1 + recipe.hard_negatives + recipe.same_article + recipe.random_negatives
    passages = max(2, limits.of(recipe.batch_size * of_question))
    size = -(-passages // of_question)  # questions
    of_list = -(-passages // size)
    batch = [PassageList("a", (" a" * recipe.max_tokens,) * of_list)] * size
    questions = recipe.questions + (recipe.distillation.windows if recipe.distillation else 0)
    steps = math.ceil(questions / recipe.batch_size / recipe.schedule.accumulate) + recipe.settle
    return Workload(
        list(trainable.parameters.values()),
        ranker.loss,
        [(number, batch) for number in range(1 + BATCHES)],
        steps,
        size * of_list / (recipe.batch_size * of_question),
    )


def of_translator(recipe: TranslatorRecipe, limits: Limits) -> Workload:
    """A translator, by pairs of `PAIR_TOKENS` tokens that fill a batch.

    Raises:
        ConfigError: without `updates`, when the number of steps depends on the pairs' lengths.
    """
    if not recipe.updates:
        raise ConfigError(
            "[translator] trains once over its pairs, so the number of steps is unknown; plan a "
            "number of them: --set updates=100000"
        )
    base = resolve(recipe.base)
    whole = max(1, recipe.batch_tokens // PAIR_TOKENS)
    size, sizes = limits.of(whole), {TARGET: recipe.vocabulary}
    if not recipe.frozen_layers:
        sizes[SOURCE] = recipe.source_vocabulary
    row = [END] * PAIR_TOKENS
    hints = row * (1 + recipe.glosses) if recipe.hints else []
    positions = [at % len(row) for at in range(len(hints))]
    source = EncodedSource(row, hints, positions, hint_ranks=[0] * len(hints))
    target = [QUESTION, *row[1:], END]
    pairs = TokenizedPairs([source], [0] * size, [target] * size)
    with tempfile.TemporaryDirectory() as folder:
        shape = shape_of(recipe, base, sizes)
        model = TranslatorInTraining(
            new_weights(shape, base, frozen_layers=recipe.frozen_layers, seed=recipe.seed),
            shape,
            pairs,
            hidden_states(recipe, base, pairs, Path(folder)),
            recipe.dropout,
            recipe.label_smoothing,
            recipe.seed,
            recipe.dtype,
        )
    return Workload(
        list(model.parameters.values()),
        model.loss,
        [PairBatch(number, range(size)) for number in range(1 + BATCHES)],
        recipe.updates,
        size / whole,
        f"pairs of {PAIR_TOKENS} tokens",
    )


def _window(tokenizer: Any, tokens: int) -> LabeledWindow:
    """A window of the greatest length, whose second half is the passage, with an answer."""
    ids = [int(tokenizer(["a"])["input_ids"][0][-1])] * tokens
    context = Span(tokens // 2, tokens)
    window = Window(0, ids, np.zeros((tokens, 2), np.int32), context)
    return LabeledWindow(window, Span(context.start, context.start + 1))


WORKLOADS: dict[str, tuple[type[Any], Callable[[Any, Limits], Workload]]] = {
    recipe.table: (recipe, workload)
    for recipe, workload in (
        (BiencoderRecipe, of_biencoder),
        (DprReaderRecipe, of_dpr_reader),
        (QaModelRecipe, of_qa_model),
        (RankerRecipe, of_ranker),
        (ReaderRecipe, of_reader),
        (TranslatorRecipe, of_translator),
    )
}
"""By the table of a recipe: the class of its settings, and its workload."""
