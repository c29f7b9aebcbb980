"""Query distillation: a student that encodes a question as the teacher encodes its translation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ....models.encoder import Encoder
from ..biencoder.tower import TowerInTraining
from ..bitext.translations import LangText

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray


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
    ) -> None:
        self.tower, self.teacher = tower, teacher
        self.prefix, self.max_tokens = prefix, max_tokens
        self.cosine_weight, self.temperature = cosine_weight, temperature
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
        similarities with every passage, divided by `temperature`; means over the batch.
        """
        import torch
        from torch.nn.functional import kl_div, log_softmax
        from torch.nn.utils import parametrize

        texts = [self.prefix + text for _, text, _ in batch]
        with parametrize.cached():
            student = self.tower.vectors(texts, max_tokens=self.max_tokens)
        targets = self._teacher_vectors([english for _, _, english in batch])
        teacher = torch.from_numpy(targets).to(student.device)
        loss = self.cosine_weight * (1 - (student * teacher).sum(dim=-1)).mean()
        if not len(self._passages):
            return loss
        ours, theirs = (
            log_softmax(vectors @ self._passage_vectors.T / self.temperature, dim=-1)
            for vectors in (student, teacher)
        )
        return loss + kl_div(ours, theirs, reduction="batchmean", log_target=True)

    def validate(self, pairs: Sequence[LangText]) -> dict[str, float]:
        """On held-out pairs, in percent: the mean cosine with the teacher's vectors, and the MRR.

        MRR is that of the teacher's first passage in the student's ranking of all passages.
        """
        from torch.nn.utils import parametrize

        texts = [self.prefix + text for _, text, _ in pairs]
        with parametrize.cached():
            student = self.tower.embed_texts(texts, max_tokens=self.max_tokens)
        teacher = self._teacher_vectors([english for _, _, english in pairs])
        metrics = {"cosine": 100 * float((student * teacher).sum(axis=1).mean())}
        if len(self._passages):
            first = (teacher @ self._passages.T).argmax(axis=1)
            similarity = student @ self._passages.T
            of_first = similarity[np.arange(len(pairs)), first]
            ranks = (similarity >= of_first[:, None]).sum(axis=1)
            metrics["mrr"] = 100 * float((1 / ranks).mean())
        return metrics

    def _teacher_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = sorted(set(texts) - self._targets.keys())
        if new:
            self._targets.update(zip(new, self.teacher.queries(new), strict=True))
        return np.stack([self._targets[text] for text in texts])
