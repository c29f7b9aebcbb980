from collections.abc import Callable
from pathlib import Path

import pytest

from tests.zoo import rerankers
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.mini import load as load_mini
from xorqa.ranking.cross_encoder import CrossEncoder

HITS = [
    Hit(Passage("nile", "It is a river in Africa.", "Nile"), 3.0),
    Hit(Passage("rhine", "It is a river in Europe.", "Rhine"), 2.0),
    Hit(Passage("inari", "It is a lake in Finland.", "Inari"), 1.0),
]
QUERY = Query(Question("q", "Missä Inari on?", "fi"), "Where is Inari?", "en")


def scores(model: Path, hits: list[Hit] = HITS, **settings: object) -> dict[str, float]:
    ranker = CrossEncoder(model=str(model), dtype="float32", **settings)  # type: ignore[arg-type]
    [ranked] = ranker.rank([QUERY], [hits])
    return {hit.passage.docid: hit.score for hit in ranked}


def test_hits_are_sorted_by_the_models_score(tiny_classifier: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiny_classifier)
    model = AutoModelForSequenceClassification.from_pretrained(tiny_classifier).eval()
    expected = {}
    for hit in HITS:  # title and text, one at a time
        text = f"{hit.passage.title}\n{hit.passage.text}"
        with torch.inference_mode():
            logits = model(**tokenizer(QUERY.text, text, return_tensors="pt")).logits
        expected[hit.passage.docid] = float(logits[0, 0].sigmoid())
    found = scores(tiny_classifier)
    assert found == pytest.approx(expected, abs=1e-4)
    assert list(found) == sorted(expected, key=lambda docid: -expected[docid])


def test_the_order_is_that_of_the_library(tmp_path: Path) -> None:
    from sentence_transformers import CrossEncoder as Reference

    folder = rerankers.xlm_roberta(tmp_path / "model")
    passages = list(load_mini().corpora["en"])[:30]
    found = scores(folder, [Hit(passage, 1.0) for passage in passages], depth=30)
    texts = [passage.titled for passage in passages]
    expected = Reference(str(folder), device="cpu").rank(QUERY.text, texts, top_k=10)
    ids = [passages[int(row["corpus_id"])].docid for row in expected]
    assert [*found][:10] == ids
    assert [*found.values()][:10] == pytest.approx([row["score"] for row in expected], abs=1e-5)


def test_two_logits_are_compared(make_tiny: Callable[..., Path]) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification

    folder = make_tiny(seed=5, model="BertForSequenceClassification", num_labels=2)
    before = scores(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        model.classifier.bias.copy_(torch.tensor([1.0, 4.0]))
    model.save_pretrained(folder)
    after = scores(folder, max_tokens=255)  # other settings, so the new weights are loaded
    assert after == pytest.approx({docid: score + 3 for docid, score in before.items()}, abs=1e-4)


def test_the_title_the_limit_and_the_question_count(tiny_classifier: Path) -> None:
    untitled = [Hit(Passage(h.passage.docid, h.passage.text), h.score) for h in HITS]
    usual = scores(tiny_classifier)
    assert scores(tiny_classifier, untitled) != usual
    assert scores(tiny_classifier, max_tokens=8) != usual
    assert scores(tiny_classifier, text="question") != usual


def test_a_model_without_a_classifier_is_refused(
    tiny: Path, make_tiny: Callable[..., Path]
) -> None:
    from xorqa.core.errors import WeightsError

    with pytest.raises(WeightsError, match="is no reranker but a Contriever; a cross-encoder has"):
        scores(tiny)
    three = make_tiny(model="BertForSequenceClassification", num_labels=3)
    with pytest.raises(WeightsError, match="labels LABEL_0, LABEL_1, LABEL_2, not a reranker"):
        scores(three)


def test_an_adapter_of_a_ranker(tiny: Path, tmp_path: Path) -> None:
    import torch

    from xorqa.core.errors import WeightsError
    from xorqa.lab.training.common.finetuning import save_adapter
    from xorqa.models.checkpoints import resolve

    torch.manual_seed(7)
    width = 32
    tensors = {"classifier.weight": torch.randn(1, width), "classifier.bias": torch.zeros(1)}
    path = tmp_path / "mine.safetensors"
    save_adapter(path, tensors, task="ranker", base=resolve(str(tiny)), card={})
    found = scores(path)
    assert len(set(found.values())) == 3
    bias = tmp_path / "biased.safetensors"
    save_adapter(
        bias,
        tensors | {"classifier.bias": torch.ones(1)},
        task="ranker",
        base=resolve(str(tiny)),
        card={},
    )
    shifted = {docid: score + 1 for docid, score in found.items()}
    assert scores(bias) == pytest.approx(shifted, abs=1e-3)
    ranker = CrossEncoder(model=str(path))
    assert ranker.fingerprint() != CrossEncoder(model=str(bias)).fingerprint()
    with pytest.raises(WeightsError, match="is an adapter for 'encoder', not for 'ranker'"):
        scores(Path("encoder-questions"))
