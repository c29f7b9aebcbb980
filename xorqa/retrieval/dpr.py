"""Dense passage retrieval with two towers, in English (DPR) and in many languages (mDPR)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from ..core.types import Passage
from ..datasets.corpus import Corpus
from ..models.towers import Text
from .dense import Dense
from .vectors.kinds import EXACT


class Dpr(Dense):
    """A tower for questions and one for passages, first token, inner product.

    Karpukhin et al. 2020 (DPR), section 3.1. An English model, so it searches with the query.
    A tower is a folder, a hub name or the bundled weights, as they are or with an adapter of
    its own. A passage is encoded as the pair of its title and text; with an adapter as one
    text, as adapters are trained.
    """

    use = "dpr"
    searches_with: Literal["question", "query"] = "query"

    def __init__(
        self,
        question_tower: str,
        passage_tower: str,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        question_adapter: str | None = None,
        passage_adapter: str | None = None,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        max_tokens: int = 256,
        dtype: str = "auto",
        kind: str = EXACT,
    ) -> None:
        super().__init__(
            question_tower,
            corpus=corpus,
            folder=folder,
            passage_tower=passage_tower,
            pooling="cls",
            normalize=False,
            max_tokens=max_tokens,
            dtype=dtype,
            adapter=question_adapter,
            passage_adapter=passage_adapter,
            query_prefix=query_prefix,
            passage_prefix=passage_prefix,
            text=self.searches_with,
            kind=kind,
        )

    def _searched(self, passage: Passage) -> Text:
        if passage.title and self.settings.passage_adapter is None:
            return passage.title, passage.text
        return passage.titled


class Mdpr(Dpr):
    """The same on a multilingual model: searches with the question as it was asked.

    Asai et al. 2021 (CORA), the section on mDPR.
    """

    use = "mdpr"
    searches_with = "question"
