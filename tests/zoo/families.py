"""The families of released models: how each is saved, and whether xorqa equals its library.

`python -m tests.zoo.families` computes the table of `docs/models.md` again.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.zoo import bare, comparisons, encoders, late, readers, rerankers, translators
from tests.zoo.encoders import as_on_the_hub
from tests.zoo.hub import LoopbackHub, serving
from tests.zoo.references import Case
from xorqa.core.errors import ConfigError, WeightsError

PAGE = Path(__file__).parents[2] / "docs" / "models.md"
HEADER = "| stage | model | settings | result |\n|---|---|---|---|\n"
TABLE = re.compile(rf"{re.escape(HEADER)}(?:\|.*\n)*")
INSTRUCTION = "Instruct: Find passages that answer the question\nQuery: "
QWEN = {"query": "Instruct: Given a web search query\nQuery:", "document": ""}
OPUS = ["fin", "kor_Hang", "cmn_Hans"]
ROMANCE = ["fr", "es", "it"]
CHINESE = ["cmn_Hans", "cmn_Hant"]


@dataclass(frozen=True)
class Family:
    """A model of a family by its name on the hub, for a stage, with settings."""

    stage: str
    name: str
    build: Callable[[Path], Any]
    compare: Callable[..., None]
    settings: Mapping[str, Any] = field(default_factory=dict)
    shown: str = ""

    @property
    def cells(self) -> str:
        """The cells of the table that identify the row."""
        table = {key: value for key, value in self.settings.items() if key != "passage_tower"}
        text = ", ".join(f"`{key} = {_toml(value)}`" for key, value in table.items())
        return f"| {self.stage} | `{self.name}` | {self.shown or text or 'none'} |"

    def outcome(self, hub: Path) -> str:
        """`equal`, or the line with which the model is refused."""
        folder = hub / self.name
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            self.build(folder)
        try:
            self.compare(self.name, folder, **self.settings)
        except (ConfigError, WeightsError) as error:
            line = re.sub(rf"\S*/models--{self.name.replace('/', '--')}/\S+", self.name, str(error))
            return f"refused: {line}".replace("|", "\\|").replace("\n", "\\n")
        return "equal"

    def row(self, hub: Path) -> str:
        """The row of the table."""
        return f"{self.cells} {self.outcome(hub)} |\n"


def _toml(value: object) -> str:
    return {True: "true", False: "false"}.get(value, repr(value).replace("'", '"'))  # type: ignore[call-overload,no-any-return]


def released(**options: Any) -> Callable[[Path], Any]:
    """Saves a bi-encoder with modules as older versions of sentence-transformers, and the hub."""

    def build(folder: Path) -> None:
        as_on_the_hub(encoders.save_released(folder, **options))

    return build


def encoder(name: str, build: Callable[[Path], Any], **settings: Any) -> Family:
    return Family("encoder", name, build, comparisons.encoder, settings)


def translator(name: str, case: Case) -> Family:
    compare = partial(comparisons.translator, case=case)
    shown = f"{case.lang} to {case.to}"
    return Family("translator", name, case.build, compare, shown=shown)


def converted(name: str, case: Case, vocabulary: str = "json") -> Family:
    compare = partial(comparisons.ctranslate2, case=case, vocabulary=vocabulary)
    shown = f"CTranslate2, shared_vocabulary.{vocabulary}, {case.lang} to {case.to}"
    return Family("translator", name, case.build, compare, shown=shown)


CLS = {"pooling": "cls", "normalize": True}
BERT = {"architecture": "BertModel"}
GTE, MISTRAL = "Alibaba-NLP/gte-multilingual-base", "intfloat/e5-mistral-7b-instruct"
E5, INSTRUCT = "intfloat/multilingual-e5-large", "intfloat/multilingual-e5-large-instruct"
MDPR, CONTEXT = "castorini/mdpr-tied-pft-msmarco", "facebook/dpr-ctx_encoder-single-nq-base"
QUESTION = "facebook/dpr-question_encoder-single-nq-base"
MBART, MADLAD = "facebook/mbart-large-50-many-to-many-mmt", "google/madlad400-3b-mt"
MUL, NLLB = "Helsinki-NLP/opus-mt-en-mul", "facebook/nllb-200-distilled-600M"
KO_EN = Case(lambda to: translators.marian(to, pair=("ko", "en")), "ko", "en")
NLLB_CASE = Case(translators.nllb, "ko", "en", source="kor_Hang", target="eng_Latn")
MADLAD_CASE = Case(lambda to: translators.t5(to, translators.MADLAD), "ko", "en", "<2en> ")
BGE_M3 = partial(bare.bin_of, released(**CLS))
CAUSAL = partial(rerankers.qwen, template=rerankers.CHAT)
FAMILIES = [
    encoder("BAAI/bge-m3", BGE_M3),
    encoder("Snowflake/snowflake-arctic-embed-l-v2.0", released(**CLS, prompts=QWEN)),
    encoder("ibm-granite/granite-embedding-278m-multilingual", released(**CLS)),
    encoder(MDPR, bare.bert),
    encoder(MDPR, bare.bert, pooling="cls", normalize=True),
    Family("encoder", E5, released(normalize=True), comparisons.e5),
    encoder(INSTRUCT, released(normalize=True, half=True)),
    encoder(INSTRUCT, released(normalize=True, half=True), query_prefix=INSTRUCTION),
    encoder("sentence-transformers/LaBSE", released(**BERT, **CLS, dense=32)),
    encoder(
        "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", released(**BERT, longest=48)
    ),
    encoder(
        "sentence-transformers/paraphrase-xlm-r-multilingual-v1", released(longest=16)
    ),
    encoder(
        "sentence-transformers/distiluse-base-multilingual-cased-v2",
        released(architecture="DistilBertModel", dense=24),
    ),
    encoder(
        "Qwen/Qwen3-Embedding-0.6B",
        released(architecture="Qwen3Model", pooling="lasttoken", normalize=True, prompts=QWEN),
    ),
    encoder(MISTRAL, released(architecture="MistralModel", pooling="lasttoken", normalize=True)),
    encoder(
        MISTRAL,
        released(architecture="MistralModel", pooling="lasttoken", normalize=True),
        query_prefix=INSTRUCTION,
    ),
    encoder(
        "sentence-transformers/static-similarity-mrl-multilingual-v1", encoders.save_static
    ),
    encoder("minishlab/potion-multilingual-128M", bare.model2vec),
    encoder(GTE, bare.own_code),
    encoder(GTE, bare.own_code, trust_remote_code=True),
    encoder("jinaai/jina-embeddings-v3", bare.jina),
    encoder("facebook/mcontriever-msmarco", bare.contriever),
    Family("retriever `dpr`", QUESTION, bare.dpr, comparisons.dpr, {"passage_tower": CONTEXT}),
    encoder("colbert-ir/colbertv2.0", late.stanford),
    encoder("naver/splade-cocondenser-ensembledistil", late.splade),
    encoder("Qwen/Qwen3-0.6B", CAUSAL),
    encoder("BAAI/bge-reranker-v2-m3", rerankers.xlm_roberta),
    Family(
        "`late-interaction`", "colbert-ir/colbertv2.0", late.stanford, comparisons.late_interaction
    ),
    Family(
        "`late-interaction`", "lightonai/GTE-ModernColBERT-v1", late.pylate,
        comparisons.late_interaction,
    ),
    Family(
        "`learned-sparse`", "naver/splade-cocondenser-ensembledistil", late.splade,
        comparisons.learned_sparse,
    ),
    Family("reranker", "BAAI/bge-reranker-v2-m3", rerankers.xlm_roberta, comparisons.reranker),
    Family(
        "reranker", "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1",
        partial(rerankers.xlm_roberta, config=bare.IDENTITY), comparisons.reranker,
    ),
    Family(
        "reranker", "amberoad/bert-multilingual-passage-reranking-msmarco", rerankers.bert,
        comparisons.reranker,
    ),
    Family(
        "reranker", "tomaarsen/Qwen3-Reranker-0.6B-seq-cls",
        partial(rerankers.qwen, causal=False, template=rerankers.ROLES), comparisons.qwen_reranker,
    ),
    Family(
        "reranker", "Qwen/Qwen3-Reranker-0.6B",
        partial(rerankers.qwen, template=rerankers.CHAT), comparisons.qwen_reranker,
    ),
    Family("reranker", "unicamp-dl/mt5-base-mmarco-v2", rerankers.mono_t5, comparisons.mono_t5),
    Family(
        "reranker", "jinaai/jina-reranker-v2-base-multilingual", bare.jina_reranker,
        comparisons.reranker,
    ),
    Family(
        "reranker", "MoritzLaurer/mDeBERTa-v3-base-mnli-xnli",
        partial(rerankers.bert, labels=("entailment", "neutral", "contradiction")),
        comparisons.reranker,
    ),
    *(
        Family("reader", name, partial(readers.build, family=family), comparisons.reader)
        for name, family in (
            ("deepset/xlm-roberta-large-squad2", "xlm-roberta"),
            ("timpal0l/mdeberta-v3-base-squad2", "mdeberta"),
            ("mrm8488/bert-multi-cased-finetuned-xquadv1", "mbert"),
        )
    ),
    translator("Helsinki-NLP/opus-mt-ko-en", KO_EN),
    *(
        translator(MUL, Case(lambda to: translators.marian(to, OPUS), "en", to, before))
        for to, before in (("fi", ">>fin<< "), ("ko", ">>kor_Hang<< "), ("zh", ">>cmn_Hans<< "))
    ),
    translator(
        "Helsinki-NLP/opus-mt-en-ar",
        Case(lambda to: translators.marian(to, ["ara", "apc"]), "en", "ar", ">>ara<< "),
    ),
    translator(
        "Helsinki-NLP/opus-mt-en-zh",
        Case(lambda to: translators.marian(to, CHINESE), "en", "zh", ">>cmn_Hans<< "),
    ),
    *(
        translator(
            "Helsinki-NLP/opus-mt-en-ROMANCE",
            Case(lambda to: translators.marian(to, ROMANCE), "en", to, f">>{to}<< "),
        )
        for to in ("fr", "de")
    ),
    translator(NLLB, NLLB_CASE),
    translator(
        "facebook/m2m100_418M", Case(translators.m2m, "ko", "en", source="ko", target="__en__")
    ),
    translator(MBART, Case(translators.mbart50, "ko", "en", source="ko_KR", target="en_XX")),
    translator(MADLAD, MADLAD_CASE),
    converted("Helsinki-NLP/opus-mt-ko-en", KO_EN),
    converted(NLLB, NLLB_CASE),
    converted(NLLB, NLLB_CASE, "txt"),
    converted(MADLAD, MADLAD_CASE),
    Family("generator", "HuggingFaceTB/SmolLM3-3B", bare.chat, comparisons.chat),
    Family("generator", "meta-llama/Llama-3.2-1B-Instruct", bare.chat_with_bos, comparisons.chat),
]  # fmt: skip
"""Every family of the issue's zoo, in the order of the table."""


@contextmanager
def families_hub(folder: Path) -> Iterator[Path]:
    """The folder of a hub on loopback that this process uses while the block runs."""
    hub, constants = LoopbackHub(folder / "hub"), "huggingface_hub.constants"
    with (
        serving(hub) as address,
        patch(f"{constants}.HF_HUB_OFFLINE", False),
        patch(f"{constants}.HF_HUB_CACHE", str(folder / "cache")),
        patch(f"{constants}.ENDPOINT", address),
        patch(
            f"{constants}.HUGGINGFACE_CO_URL_TEMPLATE",
            f"{address}/{{repo_id}}/resolve/{{revision}}/{{filename}}",
        ),
        patch("xorqa.models.hub._folders", {}),
    ):
        yield hub.folder


def main() -> None:
    """Write the table of the page."""
    with tempfile.TemporaryDirectory() as folder, families_hub(Path(folder)) as hub:
        rows = []
        for family in FAMILIES:
            rows.append(family.row(hub))
            sys.stderr.write(rows[-1])
    page = PAGE.read_text("utf-8")
    PAGE.write_text(TABLE.sub(lambda _: HEADER + "".join(rows), page, count=1), "utf-8")


if __name__ == "__main__":
    main()
