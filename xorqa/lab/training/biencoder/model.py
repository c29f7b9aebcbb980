"""A bi-encoder in training: one tower or two, the scale of its similarities, and its loss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from ....models.towers import Text, prefixed
from ....models.transforms import SIDES
from ..common.training_data import Pair
from .losses import Positives, candidate_mask, positives_of, ranking_loss
from .pairs import Item
from .samplers import Pick
from .tower import TowerInTraining
from .validation import RetrievalValidationSet

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class BatchText:
    """A text of a batch, or a sentence with its paragraph: its name, and "query" or "passage"."""

    name: str
    text: Text
    side: str


@dataclass(frozen=True, slots=True)
class Batch:
    """The data of one step: questions with their answers, hard negatives, and sentence pairs."""

    picks: Sequence[tuple[Item, Pick]]
    negatives: Sequence[str]
    pairs: Sequence[Pair]
    context: bool = False  # answers with their paragraphs

    def texts(self) -> list[BatchText]:
        """All questions, all answers, the negatives, the pairs' left texts, then their right ones.

        The sides of pairs alternate, so that translations meet as questions, as passages, and
        as a question and a passage.
        """
        questions = [
            BatchText(q := item.questions[pick.question], q, "query") for item, pick in self.picks
        ]
        answers = [
            BatchText(item.group, item.answer(pick.answer, self.context), "passage")
            for item, pick in self.picks
        ]
        negatives = [BatchText(text, text, "passage") for text in self.negatives]
        numbered = list(enumerate(self.pairs))
        left = [BatchText(pair[1], pair[1], SIDES[number & 1]) for number, pair in numbered]
        right = [BatchText(pair[3], pair[3], SIDES[number >> 1 & 1]) for number, pair in numbered]
        return [*questions, *answers, *negatives, *left, *right]

    def positives(self) -> Positives:
        """The names of the texts that match."""
        answers = (
            (item.questions[pick.question], answer)
            for item, pick in self.picks
            for answer in (item.group, *item.answers.values())
        )
        return positives_of([*answers, *((pair[1], pair[3]) for pair in self.pairs)])


@dataclass(frozen=True, slots=True)
class Objective:
    """The training objective; see the settings of the same names in `BiencoderRecipe`."""

    scale: float
    learn_scale: bool
    both_ways: bool
    margin: float
    parallel_weight: float
    exclude_positive: bool = False


class BiencoderInTraining:
    """The first tower encodes queries, the last one passages; sentence pairs use both.

    `prefixes` and `max_tokens` are by side.
    """

    def __init__(
        self,
        towers: Sequence[TowerInTraining],
        objective: Objective,
        *,
        prefixes: Mapping[str, str],
        max_tokens: Mapping[str, int],
    ) -> None:
        import torch

        self.towers, self.objective = towers, objective
        self._both_towers = towers[0], towers[-1]
        self.prefixes, self.max_tokens = prefixes, max_tokens
        log_scale = torch.tensor(math.log(objective.scale), device=towers[0].device)
        self.log_scale = torch.nn.Parameter(log_scale)
        self.parameters = {
            f"{number}.{name}": value
            for number, tower in enumerate(self.towers)
            for name, value in tower.trainable.parameters.items()
        }
        if objective.learn_scale:
            self.parameters["log_scale"] = self.log_scale

    def loss(self, batch: Batch) -> torch.Tensor:
        """The questions' loss, and `parallel_weight` times that of the sentence pairs.

        With sentence pairs, every text of the batch is ranked against all others. If questions
        competed with answers of their own language only, or sentences with translations only, the
        model would learn to separate languages.
        """
        texts = batch.texts()
        n, m, end = len(batch.picks), len(batch.pairs), len(texts)
        questions, answers = range(n), range(n, 2 * n)
        everything = range(end) if m else None
        rank = partial(self._rank, texts, self._vectors(texts), batch.positives())
        loss = rank(questions, answers, everything or range(n, end))
        if self.objective.both_ways:
            loss = (loss + rank(answers, questions, everything or questions)) / 2
        if everything:
            left, right = range(end - 2 * m, end - m), range(end - m, end)
            pairs = rank([*left, *right], [*right, *left], everything)
            loss = loss + self.objective.parallel_weight * pairs
        return loss

    def _rank(
        self,
        texts: Sequence[BatchText],
        vectors: torch.Tensor,
        positives: Positives,
        anchors: Sequence[int],
        targets: Sequence[int],
        candidates: Sequence[int],
    ) -> torch.Tensor:
        """The loss of ranking each anchor's target among the candidates."""
        import torch

        names = [text.name for text in texts]
        masked = candidate_mask(names, anchors, targets, candidates, positives)
        return ranking_loss(
            vectors[list(anchors)],
            vectors,
            targets=torch.tensor(targets, device=vectors.device),
            masked=masked.to(vectors.device),
            scale=self.log_scale.exp(),
            margin=self.objective.margin,
            exclude_positive=self.objective.exclude_positive,
        )

    def _vectors(self, texts: Sequence[BatchText]) -> torch.Tensor:
        """(texts, dimensions), each from the tower of its side."""
        import torch

        by_side = [
            [position for position, text in enumerate(texts) if text.side == side] for side in SIDES
        ]
        vectors = torch.cat(
            [
                tower.vectors(
                    self._prefixed(side, [texts[position].text for position in positions]),
                    max_tokens=self.max_tokens[side],
                )
                for side, tower, positions in zip(SIDES, self._both_towers, by_side, strict=True)
            ]
        )
        order = torch.tensor([*chain(*by_side)], device=vectors.device)
        return vectors[order.argsort()]

    def validate(self, data: RetrievalValidationSet) -> dict[str, float]:
        """MRR and accuracy on held-out questions, in percent."""
        queries, pool = (
            tower.embed_texts(self._prefixed(side, texts), max_tokens=self.max_tokens[side])
            for side, tower, texts in zip(
                SIDES, self._both_towers, (data.questions, data.pool), strict=True
            )
        )
        return data.metrics(queries, pool)

    def validation_card(self, data: RetrievalValidationSet | None) -> dict[str, Any]:
        """The results on held-out questions, for a card."""
        if data is None:
            return {}
        sizes = {"questions": len(data.questions), "pool": len(data.pool)}
        return {"validation": sizes | self.validate(data)}

    def _prefixed(self, side: str, texts: Sequence[Text]) -> list[Text]:
        return [prefixed(self.prefixes[side], text) for text in texts]
