"""A bi-encoder in training: one tower or two, the scale of its similarities, and its loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...models.adapters import save
from ...models.checkpoints import Checkpoint
from ..parallel import Pair
from .losses import also_right, also_translations, question_loss, translation_loss
from .pairs import Item
from .recipe import BiencoderRecipe
from .samplers import Pick
from .tower import InTraining
from .validation import Development

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class Batch:
    """One step: questions with their answers, texts that do not answer, and sentence pairs."""

    picks: Sequence[tuple[Item, Pick]]
    negatives: Sequence[str]
    pairs: Sequence[Pair]


class Biencoder:
    """The first tower is for questions and for sentence pairs, the last for what answers."""

    def __init__(self, recipe: BiencoderRecipe) -> None:
        import torch

        self.recipe = recipe
        self.towers = [InTraining(recipe) for _ in range(recipe.towers)]
        start = torch.tensor(math.log(recipe.scale), device=self.towers[0].device)
        self.log_scale = torch.nn.Parameter(start)
        self.parameters = {
            f"{at}.{name}": value
            for at, tower in enumerate(self.towers)
            for name, value in tower.parameters.items()
        }
        if recipe.learn_scale:
            self.parameters["log_scale"] = self.log_scale

    @property
    def base(self) -> Checkpoint:
        """What both towers began with."""
        return self.towers[0].checkpoint

    def loss(self, batch: Batch) -> torch.Tensor:
        """The questions' loss, and `parallel_weight` times that of the sentence pairs."""
        loss = self._of_questions(batch)
        return loss + self.recipe.parallel_weight * self._of_pairs(batch) if batch.pairs else loss

    def _of_questions(self, batch: Batch) -> torch.Tensor:
        questions = [item.questions[pick.question] for item, pick in batch.picks]
        answers = [item.answers[pick.answer] for item, pick in batch.picks]
        names = [{item.group, *item.answers.values()} for item, _ in batch.picks]
        columns = [item.group for item, _ in batch.picks]
        masked = also_right(names, [*columns, *batch.negatives])
        recipe = self.recipe
        return question_loss(
            self.towers[0].vectors(self._asked(questions), longest=recipe.max_question_tokens),
            self.towers[-1].vectors(
                self._searched([*answers, *batch.negatives]), longest=recipe.max_passage_tokens
            ),
            scale=self.log_scale.exp(),
            margin=recipe.margin,
            masked=masked.to(self.log_scale.device),
            both_ways=recipe.both_ways,
        )

    def _of_pairs(self, batch: Batch) -> torch.Tensor:
        left, right = [pair[1] for pair in batch.pairs], [pair[3] for pair in batch.pairs]
        vectors = self.towers[0].vectors(
            self._asked([*left, *right]), longest=self.recipe.max_passage_tokens
        )
        return translation_loss(
            vectors[: len(left)],
            vectors[len(left) :],
            scale=self.log_scale.exp(),
            margin=self.recipe.margin,
            masked=also_translations(left, right).to(self.log_scale.device),
        )

    def _asked(self, texts: Sequence[str]) -> list[str]:
        return [self.recipe.prefix("query") + text for text in texts]

    def _searched(self, texts: Sequence[str]) -> list[str]:
        return [self.recipe.prefix("passage") + text for text in texts]

    def score(self, development: Development) -> dict[str, float]:
        """MRR and accuracy on held-out questions, in percent."""
        recipe = self.recipe
        queries = self.towers[0].all_vectors(
            self._asked(development.questions), longest=recipe.max_question_tokens
        )
        pool = self.towers[-1].all_vectors(
            self._searched(development.pool), longest=recipe.max_passage_tokens
        )
        return development.score(queries, pool)

    def card(self, development: Development | None) -> dict[str, Any]:
        """What a card says of the model: its scale, and how it does on held-out questions."""
        scale = {"scale": float(self.log_scale.detach().exp())}
        if development is None:
            return scale
        size = {"questions": len(development.questions), "pool": len(development.pool)}
        return scale | {"development": size | self.score(development)}

    def save(self, out: Path, card: dict[str, Any]) -> list[Path]:
        """Write an adapter file a tower; returns their paths, the questions' first."""
        names = ["encoder"] if len(self.towers) == 1 else ["query", "passage"]
        paths = [out / f"{name}.safetensors" for name in names]
        for path, tower in zip(paths, self.towers, strict=True):
            save(path, tower.exported(), task="encoder", base=self.base, card=card)
        return paths
