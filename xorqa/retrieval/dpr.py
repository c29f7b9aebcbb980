"""Dense passage retrieval with two towers, English (DPR) and multilingual (mDPR)."""

from pathlib import Path
from typing import Literal

from ..core.types import Passage
from ..core.validation import Count
from ..datasets.corpus import Corpus
from ..models.device import Dtype
from ..models.encoder_settings import EncoderSettings
from ..models.towers import Text
from .dense import Dense
from .vectors.kinds import EXACT


class Dpr(Dense):
    """A question tower and a passage tower, CLS pooling, inner product.

    Karpukhin et al. 2020 (DPR), section 3.1. The model is English, so it encodes the translated
    query. A tower is a folder, a hub name or the bundled weights, each with an optional adapter.
    A passage is encoded as a (title, text) pair, or as one text if it has an adapter, as
    adapters are trained that way.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Corpus, Dpr, Passage, Query, Question
        >>> texts = {"Nile": "The Nile is in Africa.", "Rhine": "The Rhine is in Europe."}
        >>> corpus = Corpus("rivers", [Passage(name, text) for name, text in texts.items()])
        >>> retriever = Dpr("e5-small-q4", "e5-small-q4", corpus=corpus, folder=Path("dpr-index"))
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [hits] = retriever.retrieve([query], k=2)
        >>> [hit.passage.docid for hit in hits]
        ['Nile', 'Rhine']
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
        max_tokens: Count = 256,
        dtype: Dtype = "auto",
        batch_tokens: Count | None = None,
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
            batch_tokens=batch_tokens,
            adapter=question_adapter,
            passage_adapter=passage_adapter,
            query_prefix=query_prefix,
            passage_prefix=passage_prefix,
            text=self.searches_with,
            kind=kind,
        )

    @staticmethod
    def text_of(passage: Passage, settings: EncoderSettings) -> Text:
        """The title and the text, or both as one text if passages are encoded by an adapter."""
        if passage.title and settings.passage_adapter is None:
            return passage.title, passage.text
        return passage.titled


class Mdpr(Dpr):
    """DPR with a multilingual model, which encodes the original question.

    Asai et al. 2021 (XOR QA), section 3.1, appendix C.2.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Corpus, Mdpr, Passage, Query, Question
        >>> texts = {"Nile": "The Nile is in Africa.", "Rhine": "The Rhine is in Europe."}
        >>> corpus = Corpus("rivers", [Passage(name, text) for name, text in texts.items()])
        >>> retriever = Mdpr("e5-small-q4", "e5-small-q4", corpus=corpus, folder=Path("mdpr-index"))
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [hits] = retriever.retrieve([query], k=2)
        >>> [hit.passage.docid for hit in hits]
        ['Nile', 'Rhine']
    """

    use = "mdpr"
    searches_with = "question"
