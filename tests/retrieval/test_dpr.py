from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from xorqa.core.errors import ConfigError, WeightsError
from xorqa.core.registry import build
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.lab.training.common.finetuning import save_adapter
from xorqa.models.checkpoints import load_tokenizer, resolve
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings

pytest.importorskip("faiss")

CORPUS = Corpus(
    "rivers",
    [
        Passage("nile", "The Nile is a river in Africa.", "Nile"),
        Passage("rhine", "The Rhine is a river in Europe.", "Rhine"),
        Passage("kemi", "Kemijoki on Suomen pisin joki.", lang="fi"),
        Passage("long", "joki on pitkä " * 300, "Joki"),
    ],
)
QUERIES = [
    Query(Question("1", "Missä Niili on?", "fi"), "Where is the Nile?", "en"),
    Query(Question("2", "Mikä joki?", "fi"), "Which river?", "en"),
]


@pytest.fixture(scope="module")
def towers(make_tiny: Callable[..., Path]) -> dict[str, str]:
    return {
        "question_tower": str(make_tiny(seed=4, model="DPRQuestionEncoder")),
        "passage_tower": str(make_tiny(seed=5, model="DPRContextEncoder")),
    }


def retriever(name: str, folder: Path, **settings: str) -> Any:
    table = {"use": name, "dtype": "float32", **settings}
    return build("retriever", table, corpus=CORPUS, folder=folder)


def vector(folder: str, kind: str, *texts: str) -> Any:
    """What transformers itself makes of a text, or of a pair."""
    import transformers

    tokenizer = load_tokenizer(resolve(folder))
    model = getattr(transformers, kind).from_pretrained(folder).eval()
    ids = tokenizer(*texts, truncation=True, max_length=256, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        return model(input_ids=ids).pooler_output[0].numpy()


@pytest.mark.parametrize("name", ["dpr", "mdpr"])
def test_the_ranking_is_that_of_transformers_inner_products(
    tmp_path: Path, towers: dict[str, str], name: str
) -> None:
    questions, passages = towers["question_tower"], towers["passage_tower"]
    texts = [(p.title, p.text) if p.title else (p.text,) for p in CORPUS]
    searched = np.stack([vector(passages, "DPRContextEncoder", *text) for text in texts])
    found = retriever(name, tmp_path / "i", **towers).retrieve(QUERIES, k=4)
    for query, hits in zip(QUERIES, found, strict=True):
        asked = query.text if name == "dpr" else query.question.text
        scores = searched @ vector(questions, "DPRQuestionEncoder", asked)
        order = np.argsort(-scores)
        assert [hit.passage for hit in hits] == [CORPUS.passages[at] for at in order]
        assert [hit.score for hit in hits] == pytest.approx(scores[order].tolist(), abs=1e-3)


def test_each_tower_and_the_way_of_asking_are_in_the_fingerprint(
    tmp_path: Path, towers: dict[str, str]
) -> None:
    swapped = dict(zip(towers, reversed(towers.values()), strict=True))
    same = dict.fromkeys(towers, towers["question_tower"])
    prints = {
        retriever(name, tmp_path / "i", **some).fingerprint()
        for name in ("dpr", "mdpr")
        for some in (towers, swapped, same)
    }
    assert len(prints) == 6


def test_a_plain_bert_is_a_tower_too(tmp_path: Path, tiny: Path) -> None:
    made = retriever("dpr", tmp_path / "i", question_tower=str(tiny), passage_tower=str(tiny))
    [hits] = made.retrieve(QUERIES[:1], k=1)
    settings = EncoderSettings(str(tiny), pooling="cls", normalize=False, dtype="float32")
    encoder = Encoder(settings)
    [asked] = encoder.queries([QUERIES[0].text])
    [searched] = encoder.passages([(hits[0].passage.title, hits[0].passage.text)])
    assert hits[0].score == pytest.approx(float(asked @ searched), abs=1e-3)


def test_two_adapters_over_one_base(tmp_path: Path, tiny: Path) -> None:
    torch.manual_seed(6)
    module = "encoder.layer.1.output.dense"
    files = [tmp_path / f"{name}.safetensors" for name in ("query", "passage")]
    for path in files:
        tensors = {f"{module}.A": torch.randn(2, 64), f"{module}.B": torch.randn(32, 2)}
        recipe = {"pooling": "cls", "normalize": False, "query_prefix": "Q: "}
        base = resolve(str(tiny))
        save_adapter(path, tensors, task="encoder", base=base, card={"recipe": recipe})
    settings = {"question_tower": str(tiny), "passage_tower": str(tiny), "query_prefix": "Q: "}
    adapters = {"question_adapter": str(files[0]), "passage_adapter": str(files[1])}
    made = retriever("mdpr", tmp_path / "i", **settings, **adapters)
    [hits] = made.retrieve(QUERIES[:1], k=4)
    of = [
        Encoder(
            EncoderSettings(
                str(tiny),
                adapter=str(path),
                pooling="cls",
                normalize=False,
                query_prefix="Q: ",
                max_tokens=256,
                dtype="float32",
            )
        )
        for path in files
    ]
    [asked] = of[0].queries([QUERIES[0].question.text])
    scores = of[1].passages([hit.passage.titled for hit in hits]) @ asked
    assert [hit.score for hit in hits] == pytest.approx(scores.tolist(), abs=1e-3)
    assert made.fingerprint() != retriever("mdpr", tmp_path / "i", **settings).fingerprint()


def test_towers_that_cannot_be_used_are_one_line(
    tmp_path: Path, towers: dict[str, str], make_tiny: Callable[..., Path]
) -> None:
    with pytest.raises(ConfigError, match="'mdpr' needs a setting 'question_tower'"):
        retriever("mdpr", tmp_path / "i", passage_tower=towers["passage_tower"])
    (tmp_path / "empty").mkdir()
    reader = str(make_tiny(seed=6, model="DPRReader"))
    for folder, error, message in (
        (str(tmp_path / "empty"), WeightsError, "is not a folder with a config.json"),
        (reader, ConfigError, "pooling = 'cls' needs a pooler_output, which .* lacks"),
    ):
        for tower in towers:
            made = retriever(
                "dpr", tmp_path / tower / Path(folder).name, **{**towers, tower: folder}
            )
            with pytest.raises(error, match=message) as caught:
                made.retrieve(QUERIES, k=1)
            assert "\n" not in str(caught.value)
