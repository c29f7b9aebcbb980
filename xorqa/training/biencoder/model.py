"""A bi-encoder in training: one tower or two, the scale of its similarities, and its loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...models.adapters import save
from ...models.checkpoints import Checkpoint
from ...models.transforms import SIDES
from ..bitext.corpus import Pair
from .losses import Right, hidden, known_right, ranking_loss
from .pairs import Item
from .recipe import BiencoderRecipe
from .samplers import Pick
from .tower import InTraining
from .validation import Development

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a batch: what it is known by, and the side ("query" or "passage") it is on."""

    name: str
    text: str
    side: str


@dataclass(frozen=True, slots=True)
class Batch:
    """One step: questions with their answers, texts that do not answer, and sentence pairs."""

    picks: Sequence[tuple[Item, Pick]]
    negatives: Sequence[str]
    pairs: Sequence[Pair]

    def texts(self) -> list[Text]:
        """All questions, all answers, the negatives, the pairs' left texts, their right ones.

        The sides of pairs take turns, so that translations meet as questions, as passages, and
        as a question and a passage.
        """
        questions = [
            Text(q := item.questions[pick.question], q, "query") for item, pick in self.picks
        ]
        answers = [
            Text(item.group, item.answers[pick.answer], "passage") for item, pick in self.picks
        ]
        negatives = [Text(text, text, "passage") for text in self.negatives]
        left = [Text(pair[1], pair[1], SIDES[at & 1]) for at, pair in enumerate(self.pairs)]
        right = [Text(pair[3], pair[3], SIDES[at >> 1 & 1]) for at, pair in enumerate(self.pairs)]
        return [*questions, *answers, *negatives, *left, *right]

    def right(self) -> Right:
        """Which texts belong together, by their names."""
        answers = (
            (item.questions[pick.question], answer)
            for item, pick in self.picks
            for answer in (item.group, *item.answers.values())
        )
        return known_right([*answers, *((pair[1], pair[3]) for pair in self.pairs)])


class Biencoder:
    """The first tower is for what asks, the last for what answers; sentence pairs use both."""

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
        """The questions' loss, and `parallel_weight` times that of the sentence pairs.

        Beside sentence pairs, every text of the batch is ranked against all others. A question
        whose answer competes with sentences of its own language alone, or a sentence whose
        translation competes with other translations alone, would learn to tell languages.
        """
        texts = batch.texts()
        n, m, end = len(batch.picks), len(batch.pairs), len(texts)
        asked, found = range(n), range(n, 2 * n)
        everything = range(end) if m else None
        rank = partial(self._ranking, texts, self._vectors(texts), batch.right())
        loss = rank(asked, found, everything or range(n, end))
        if self.recipe.both_ways:
            loss = (loss + rank(found, asked, everything or asked)) / 2
        if everything:
            left, right = range(end - 2 * m, end - m), range(end - m, end)
            pairs = rank([*left, *right], [*right, *left], everything)
            loss = loss + self.recipe.parallel_weight * pairs
        return loss

    def _ranking(
        self,
        texts: Sequence[Text],
        vectors: torch.Tensor,
        right: Right,
        places: Sequence[int],
        own: Sequence[int],
        among: Sequence[int],
    ) -> torch.Tensor:
        """The loss of the anchors at `places`, each with what is its `own` `among` candidates."""
        import torch

        masked = hidden([text.name for text in texts], places, own, among, right)
        return ranking_loss(
            vectors[list(places)],
            vectors,
            own=torch.tensor(own, device=vectors.device),
            masked=masked.to(vectors.device),
            scale=self.log_scale.exp(),
            margin=self.recipe.margin,
        )

    def _vectors(self, texts: Sequence[Text]) -> torch.Tensor:
        """(texts, dimensions), each from the tower of its side."""
        import torch

        parts = [[at for at, text in enumerate(texts) if text.side == side] for side in SIDES]
        limits = self.recipe.max_question_tokens, self.recipe.max_passage_tokens
        prefixes = map(self.recipe.prefix, SIDES)
        towers = self.towers[0], self.towers[-1]
        vectors = torch.cat(
            [
                tower.vectors([prefix + texts[at].text for at in part], longest=limit)
                for tower, part, prefix, limit in zip(towers, parts, prefixes, limits, strict=True)
            ]
        )
        order = torch.tensor([at for part in parts for at in part], device=vectors.device)
        return vectors[order.argsort()]

    def score(self, development: Development) -> dict[str, float]:
        """MRR and accuracy on held-out questions, in percent."""
        recipe = self.recipe
        queries = self.towers[0].all_vectors(
            _with(recipe.prefix("query"), development.questions), longest=recipe.max_question_tokens
        )
        pool = self.towers[-1].all_vectors(
            _with(recipe.prefix("passage"), development.pool), longest=recipe.max_passage_tokens
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


def _with(prefix: str, texts: Sequence[str]) -> list[str]:
    return [prefix + text for text in texts]
