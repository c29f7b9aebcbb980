"""Rerankers score what sentence-transformers or transformers score, or are refused."""

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.zoo import encoders, rerankers
from xorqa.core.errors import ConfigError, WeightsError
from xorqa.core.progress import announcing
from xorqa.models.pair_classifier import PairClassifier
from xorqa.models.pair_settings import PairClassifierSettings

LONG = "The Nile flows north through eleven countries of Africa to the sea. " * 12
PAIRS = [
    ("Where is the Nile?", "Nile\nThe Nile is a river in Africa."),
    ("Missä Niili on?", "Rein on joki Euroopassa."),
    ("Where is the Nile?", LONG),
    ("나일강은 어디에 있나요?", "나일강은 아프리카의 강이다."),
]
CARD = """<|im_start|>system
Judge whether the Document meets the requirements based on the Query and the Instruct provided. \
Note that the answer can only be "yes" or "no".<|im_end|>
<|im_start|>user
<Instruct>: {instruction}
<Query>: {query}
<Document>: {document}<|im_end|>
<|im_start|>assistant
<think>

</think>

"""
INSTRUCTION = "Given a web search query, retrieve relevant passages that answer the query"


def scores(folder: Path | str, pairs: Sequence[tuple[str, str]] = PAIRS, **settings: object):
    options = {"max_tokens": None, "dtype": "float32", **settings}
    return PairClassifier(PairClassifierSettings(str(folder), **options)).score(pairs)


def reference(folder: Path, **options: object):
    """What sentence-transformers computes."""
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(folder), device="cpu", **options)
    return model.predict(PAIRS, show_progress_bar=False)


def test_one_logit_with_the_models_activation_and_length(tmp_path: Path) -> None:
    folder = rerankers.xlm_roberta(tmp_path / "bge-reranker-v2-m3")
    own = scores(folder)
    assert own == pytest.approx(reference(folder), abs=1e-5)
    assert all(0 < score < 1 for score in own)  # the library's default, a sigmoid
    lines: list[str] = []
    with announcing(lines.append):
        cut = scores(folder, max_tokens=16)
    assert cut == pytest.approx(reference(folder, max_length=16), abs=1e-5) and cut != own
    assert lines == [f"{folder}: max_tokens = 16 instead of 64"]
    with pytest.raises(ConfigError, match="reads at most 64 tokens; lower max_tokens"):
        scores(folder, max_tokens=65)


def test_the_activation_of_the_config(tmp_path: Path) -> None:
    identity = {"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}
    folder = rerankers.xlm_roberta(tmp_path / "mmarco", config=identity)
    own = scores(folder)
    assert own == pytest.approx(reference(folder), abs=1e-5)
    sigmoid = rerankers.xlm_roberta(tmp_path / "bge-reranker-v2-m3")
    assert [1 / (1 + math.exp(-score)) for score in own] == pytest.approx(scores(sigmoid), abs=1e-5)


def test_a_model_that_the_library_saved(tmp_path: Path) -> None:
    from sentence_transformers import CrossEncoder

    bare = rerankers.xlm_roberta(tmp_path / "bare")
    model = CrossEncoder(str(bare), prompts={"en": "Query: "}, default_prompt_name="en")
    model.save_pretrained(str(tmp_path / "saved"))
    own = scores(tmp_path / "saved")
    assert own == pytest.approx(reference(tmp_path / "saved"), abs=1e-5)
    assert own != pytest.approx(scores(bare), abs=1e-3)
    lines: list[str] = []
    with announcing(lines.append):
        assert scores(tmp_path / "saved", prompt="") == pytest.approx(scores(bare), abs=1e-5)
    assert lines == [f"{tmp_path / 'saved'}: prompt = '' instead of 'Query: '"]


@pytest.mark.parametrize("form", ["sharded", "pytorch_model.bin", "float16"])
def test_the_form_of_the_files_does_not_count(tmp_path: Path, form: str) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification

    folder = rerankers.xlm_roberta(tmp_path / "model")
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    if form == "sharded":
        model.save_pretrained(folder, max_shard_size="60KB")
        assert len([*folder.glob("*.safetensors")]) > 1
    elif form == "float16":
        model.half().save_pretrained(folder)
    else:
        torch.save(model.state_dict(), folder / form)
    expected = reference(folder, model_kwargs={"dtype": torch.float32})
    assert scores(folder) == pytest.approx(expected, abs=1e-5)


def test_two_labels_are_told_apart_by_their_names(tmp_path: Path) -> None:
    folder = rerankers.bert(tmp_path / "amberoad")
    both = reference(folder)
    lines: list[str] = []
    with announcing(lines.append):
        assert scores(folder) == pytest.approx(both[:, 1] - both[:, 0], abs=1e-5)
    assert lines == [f"{folder}: LABEL_1 of two labels counts as relevant"]
    turned = rerankers.bert(tmp_path / "turned", labels=("relevant", "irrelevant"))
    both = reference(turned)
    assert scores(turned) == pytest.approx(both[:, 0] - both[:, 1], abs=1e-5)
    for labels in (("entailment", "not_entailment"), ("a", "b", "c")):
        other = rerankers.bert(tmp_path / labels[0], labels=labels)
        with pytest.raises(WeightsError, match=f"with the labels {', '.join(labels)}, not a"):
            scores(other)


def test_a_causal_reranker_with_its_template(tmp_path: Path) -> None:
    folder = rerankers.qwen(tmp_path / "mine", template=rerankers.ROLES)
    own = scores(folder)
    assert own == pytest.approx(reference(folder), abs=1e-5)
    assert scores(folder, prompt="Is it a river?") != pytest.approx(own, abs=1e-4)


@pytest.mark.parametrize("causal", [True, False])
def test_qwen3_rerankers_read_what_their_card_says(tmp_path: Path, causal: bool) -> None:
    import torch
    import transformers

    name = "Qwen/Qwen3-Reranker-0.6B" if causal else "tomaarsen/Qwen3-Reranker-0.6B-seq-cls"
    folder = rerankers.qwen(tmp_path / name, causal=causal, template=rerankers.CHAT)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    kind = "AutoModelForCausalLM" if causal else "AutoModelForSequenceClassification"
    model = getattr(transformers, kind).from_pretrained(folder).eval()
    for instruction in (INSTRUCTION, "Find rivers"):
        expected = []
        for query, document in PAIRS:
            text = CARD.format(instruction=instruction, query=query, document=document)
            with torch.inference_mode():
                logits = model(**tokenizer(text, return_tensors="pt")).logits
            if causal:
                last = logits[0, -1].float()
                expected.append(float(last[_id(tokenizer, "yes")] - last[_id(tokenizer, "no")]))
            else:
                expected.append(float(logits[0, 0]))
        prompt = None if instruction == INSTRUCTION else instruction
        expected = torch.tensor(expected).sigmoid().tolist()
        assert scores(folder, prompt=prompt) == pytest.approx(expected, abs=1e-5)


def test_decoders_without_a_template_or_answers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="is a decoder without a chat template for pairs; save"):
        scores(rerankers.qwen(tmp_path / "bare"))
    with pytest.raises(WeightsError, match="cannot read pairs: The chat template of"):
        scores(rerankers.qwen(tmp_path / "chat", template=rerankers.CHAT))
    with pytest.raises(WeightsError, match="lacks no and yes, by which"):
        scores(rerankers.qwen(tmp_path / "other", template=rerankers.ROLES, answers=False))


def test_a_bi_encoder_on_a_decoder_is_refused(tmp_path: Path) -> None:
    folder = rerankers.qwen(tmp_path / "Qwen3-Embedding", template=rerankers.ROLES)
    modules = [{"idx": 1, "name": "1", "path": "1_Pooling", "type": "x.Pooling"}]
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(WeightsError, match="is no reranker but a SentenceTransformer"):
        scores(folder)


@pytest.mark.parametrize("answers", [("\u2581no", "\u2581yes"), ("\u2581false", "\u2581true")])
def test_mono_t5(tmp_path: Path, answers: tuple[str, str]) -> None:
    import torch
    from transformers import AutoTokenizer, MT5ForConditionalGeneration

    names = {
        "\u2581no": "unicamp-dl/mt5-base-mmarco-v2",
        "\u2581false": "castorini/monot5-base-msmarco",
    }
    folder = rerankers.mono_t5(tmp_path / names[answers[0]], answers=answers)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = MT5ForConditionalGeneration.from_pretrained(folder).eval()
    expected = []
    for query, document in PAIRS:
        inputs = tokenizer(f"Query: {query} Document: {document} Relevant:", return_tensors="pt")
        assert inputs["input_ids"].shape[1] <= 512
        with torch.inference_mode():
            logits = model(**inputs, decoder_input_ids=torch.tensor([[0]])).logits[0, 0]
        both = logits[tokenizer.convert_tokens_to_ids(list(answers))].log_softmax(0)
        expected.append(float(both[1]))
    assert scores(folder) == pytest.approx(expected, abs=1e-5)
    assert scores(folder, tokens=(answers[1], answers[0])) != pytest.approx(expected, abs=1e-3)


def test_a_long_document_does_not_push_the_question_of_mono_t5_out(tmp_path: Path) -> None:
    folder = rerankers.mono_t5(tmp_path / "unicamp-dl/mt5-base-mmarco-v2")
    query = "Where is the Nile?"
    one, other = scores(folder, [(query, LONG * 9), (query, LONG * 9 + "more")])
    assert one == other
    rows = scores(folder, [(query, "a b c d e f g h i j k")], max_tokens=20)
    assert rows != scores(folder, [(query, "a b c d e f g h i j k")])


def test_what_mono_t5_needs(tmp_path: Path) -> None:
    folder = rerankers.mono_t5(tmp_path / "mine")
    with pytest.raises(ConfigError, match="if it is a monoT5, set tokens to those of"):
        scores(folder)
    with pytest.raises(WeightsError, match="has no token '▁wahr'"):
        scores(folder, tokens=("\u2581no", "\u2581wahr"))
    with pytest.raises(ConfigError, match="whose input is fixed; remove prompt"):
        scores(folder, tokens=("\u2581no", "\u2581yes"), prompt="x")


def test_missing_weights_and_code_of_its_own_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = rerankers.xlm_roberta(tmp_path / "headless")
    weights = load_file(folder / "model.safetensors")
    kept = {name: rows for name, rows in weights.items() if not name.startswith("classifier.")}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(WeightsError, match="lacks 4 weights of XLMRobertaForSequenceClass"):
        scores(folder)
    auto = {"auto_map": {"AutoModelForSequenceClassification": "modeling.Reranker"}}
    own_code = rerankers.xlm_roberta(tmp_path / "jina", config=auto)
    lines: list[str] = []
    with announcing(lines.append):
        assert scores(own_code) == pytest.approx(reference(own_code), abs=1e-5)
    assert lines == [f"{own_code}: transformers' own class computes it, not the model's code"]
    save_file(kept, own_code / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(WeightsError, match="comes with code of its own, which runs only with"):
        scores(own_code)


def test_the_folder_does_not_count_but_the_tokenizer_does(tmp_path: Path) -> None:
    import shutil

    folder = rerankers.xlm_roberta(tmp_path / "one")
    shutil.copytree(folder, tmp_path / "two")

    def identity(path: Path) -> tuple[object, ...]:
        return PairClassifier(PairClassifierSettings(str(path), None, "auto")).identity

    assert identity(folder) == identity(tmp_path / "two")
    (tmp_path / "two" / "tokenizer_config.json").write_text("{}")
    assert identity(folder) != identity(tmp_path / "two")


def _id(tokenizer: object, token: str) -> int:
    return tokenizer.convert_tokens_to_ids(token)


@pytest.mark.parametrize("name", ["torch.utils.collect_env.main", "torch.cuda.init", "os.getcwd"])
def test_an_activation_that_is_none_of_torchs_classes_is_not_called(
    tmp_path: Path, name: str
) -> None:
    config = {"sentence_transformers": {"activation_fn": name}}
    folder = rerankers.xlm_roberta(tmp_path / "model", config=config)
    with pytest.raises(WeightsError, match=rf"{re.escape(name)} is no activation of torch\.nn"):
        scores(folder)
    old = rerankers.xlm_roberta(
        tmp_path / "old", config={"sbert_ce_default_activation_function": name}
    )
    with pytest.raises(WeightsError, match=r"is no activation of torch\.nn"):
        scores(old)


def test_a_model_without_a_transformer_is_no_reranker(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(WeightsError, match="is no reranker but a SentenceTransformer"):
        scores(encoders.save_static(tmp_path / "static"))
