"""Query distillation: a student that encodes a question as the teacher encodes its translation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from ....models.encoder import Encoder
from ..biencoder.tower import TowerInTraining
from ..bitext.translations import LangText
from .late import LateRanking

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

TOGETHER = 64  # texts whose token vectors are computed in one pass


class QueryStudent:
    """A query tower in training, its frozen teacher, and the passages that both rank.

    The teacher's passage vectors do not change, so the student can use every index of the teacher
    (Reimers and Gurevych 2020, "Making Monolingual Sentence Embeddings Multilingual"; here for
    one side of a bi-encoder, and with a ranking term).
    """

    def __init__(
        self,
        tower: TowerInTraining,
        teacher: Encoder,
        passages: NDArray[np.float32],
        *,
        prefix: str,
        max_tokens: int,
        cosine_weight: float,
        temperature: float,
        late: LateRanking | None = None,
    ) -> None:
        self.tower, self.teacher = tower, teacher
        self.prefix, self.max_tokens = prefix, max_tokens
        self.cosine_weight, self.temperature = cosine_weight, temperature
        self.late = late
        self.parameters = dict(tower.trainable.parameters)
        self._passages = passages
        self._targets: dict[str, NDArray[np.float32]] = {}

    @cached_property
    def _passage_vectors(self) -> torch.Tensor:
        import torch

        return torch.from_numpy(self._passages).to(self.tower.device)

    def loss(self, batch: Sequence[LangText]) -> torch.Tensor:
        """The distance of the vectors, and the divergence of the two rankings of all passages.

        `cosine_weight` times (1 - cosine), plus KL(teacher || student) of the softmax of the
        similarities with every passage, divided by `temperature`; means over the batch. With
        `late`, its loss is added.
        """
        import torch
        from torch.nn.functional import kl_div, log_softmax
        from torch.nn.utils import parametrize

        texts = [self.prefix + text for _, text, _ in batch]
        with parametrize.cached():
            student, tokens = self.tower.with_tokens(texts, max_tokens=self.max_tokens)
        targets = self._teacher_vectors([english for _, _, english in batch])
        teacher = torch.from_numpy(targets).to(student.device)
        loss = self.cosine_weight * (1 - (student * teacher).sum(dim=-1)).mean()
        if not len(self._passages):
            return loss
        similarities = torch.stack(
            [vectors @ self._passage_vectors.T for vectors in (student, teacher)]
        )
        ours, theirs = log_softmax(similarities / self.temperature, dim=-1)
        loss = loss + kl_div(ours, theirs, reduction="batchmean", log_target=True)
        if self.late is None:
            return loss
        return loss + self.late.settings.weight * self.late.loss(
            batch, tokens, similarities.sum(dim=0)
        )

    def validate(self, pairs: Sequence[LangText]) -> dict[str, float]:
        """On held-out pairs, in percent: the mean cosine with the teacher's vectors, and the MRR.

        MRR is that of the teacher's first passage in the student's ranking of all passages, and
        with `late` also that of late interaction.
        """
        from torch.nn.utils import parametrize

        texts = [self.prefix + text for _, text, _ in pairs]
        with parametrize.cached():
            student = self.tower.embed_texts(texts, max_tokens=self.max_tokens)
        teacher = self._teacher_vectors([english for _, _, english in pairs])
        metrics = {"cosine": 100 * float((student * teacher).sum(axis=1).mean())}
        if not len(self._passages):
            return metrics
        similarity, of_teacher = student @ self._passages.T, teacher @ self._passages.T
        of_first = similarity[np.arange(len(pairs)), of_teacher.argmax(axis=1)]
        ranks = (similarity >= of_first[:, None]).sum(axis=1)
        metrics["mrr"] = 100 * float((1 / ranks).mean())
        if self.late is not None:
            tokens = self._tokens(texts)
            metrics["late_mrr"] = self.late.mrr(pairs, tokens, (similarity, of_teacher))
        return metrics

    def _tokens(self, texts: Sequence[str]) -> list[torch.Tensor]:
        """Each text's token vectors without a gradient."""
        import torch
        from torch.nn.utils import parametrize

        parts = [texts[at : at + TOGETHER] for at in range(0, len(texts), TOGETHER)]
        with parametrize.cached(), torch.no_grad():
            encode = partial(self.tower.with_tokens, max_tokens=self.max_tokens)
            return [tokens for part in parts for tokens in encode(part)[1]]

    def _teacher_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = sorted(set(texts) - self._targets.keys())
        if new:
            self._targets.update(zip(new, self.teacher.queries(new), strict=True))
        return np.stack([self._targets[text] for text in texts])
