"""Tiny random models: their answers mean nothing."""

from pathlib import Path
from typing import Any

import pytest

from xorqa.core.types import Hit, Passage, Query, Question, ReadingFailure
from xorqa.reading.generation.endpoint import Prompt
from xorqa.reading.generation.local import LocalModel
from xorqa.reading.generation.reader import GenerativeReader
from xorqa.reading.generation.reply import read_answer

HITS = [Hit(Passage("nile", "The Nile is a river in Africa.", "Nile"), 2.0)]
QUERY = Query(Question("q1", "Missä Niili on?", "fi"), "Where is the Nile?", "en")


@pytest.fixture(scope="module")
def tiny_causal(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random GPT-2 with the tiny checkpoint's tokenizer."""
    import torch
    from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

    torch.manual_seed(5)
    folder = tmp_path_factory.mktemp("tiny-causal")
    tokenizer = AutoTokenizer.from_pretrained(tiny)
    tokenizer.model_max_length = 1 << 30
    tokenizer.save_pretrained(folder)
    GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=2048,
            n_embd=16,
            n_layer=1,
            n_head=2,
            initializer_range=0.5,
            bos_token_id=0,
            eos_token_id=2,
        )
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def tiny_t5(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random mT5 with the tiny checkpoint's tokenizer."""
    import torch
    from transformers import AutoTokenizer, MT5Config, MT5ForConditionalGeneration

    torch.manual_seed(6)
    folder = tmp_path_factory.mktemp("tiny-t5")
    tokenizer = AutoTokenizer.from_pretrained(tiny)
    tokenizer.save_pretrained(folder)
    MT5ForConditionalGeneration(
        MT5Config(
            vocab_size=len(tokenizer),
            d_model=16,
            d_kv=8,
            d_ff=16,
            num_layers=1,
            num_heads=2,
            decoder_start_token_id=1,
            pad_token_id=1,
            eos_token_id=2,
        )
    ).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", ["tiny_causal", "tiny_t5"])
def test_a_model_continues_a_text_as_transformers_does(
    kind: str, request: pytest.FixtureRequest
) -> None:
    import torch
    import transformers

    folder = request.getfixturevalue(kind)
    model = LocalModel(str(folder), 6, "float32")
    [reply] = model.complete(["Where is the Nile?"], read_answer)
    auto = "AutoModelForCausalLM" if kind == "tiny_causal" else "AutoModelForSeq2SeqLM"
    peer = getattr(transformers, auto).from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = tokenizer("Where is the Nile?")["input_ids"]
    with torch.inference_mode():
        [output] = peer.generate(
            input_ids=torch.tensor([ids]), max_new_tokens=6, do_sample=False
        ).tolist()
    new = output[len(ids) :] if kind == "tiny_causal" else output
    assert reply.text == tokenizer.decode(new, skip_special_tokens=True)
    again = LocalModel(str(folder), 6, "float32")
    assert again.sha == model.sha != ""


def test_mgen_reads_and_answers_without_citations(tiny_t5: Path) -> None:
    failures: list[ReadingFailure] = []
    options: dict[str, Any] = {"format": "mgen", "dtype": "float32", "max_new_tokens": 5}
    reader = GenerativeReader(model=str(tiny_t5), failed=failures.append, **options)
    [answers] = reader.read([QUERY], [HITS])
    assert failures == [] and answers is not None
    for answer in answers:  # random weights may also write nothing
        assert answer.generated and answer.generated.citations == ()
        assert (answer.docid, answer.evidence) == ("nile", "")
    assert reader.black_box == "" and reader.spent == {}
    other = GenerativeReader(model=str(tiny_t5), **{**options, "max_new_tokens": 6})
    assert reader.fingerprint() != other.fingerprint()


def test_a_reply_of_random_weights_is_counted_as_no_answer(tiny_causal: Path) -> None:
    failures: list[ReadingFailure] = []
    reader = GenerativeReader(
        model=str(tiny_causal), max_new_tokens=4, dtype="float32", failed=failures.append
    )
    assert reader.read([QUERY], [HITS]) == [None]
    assert failures[0].reason.startswith("the reply has no JSON object")


def test_a_prompt_that_is_too_long(tiny_causal: Path) -> None:
    failures: list[ReadingFailure] = []
    reader = GenerativeReader(model=str(tiny_causal), dtype="float32", failed=failures.append)
    long = [Hit(Passage("long", "The Nile. " * 2000), 1.0)]
    assert reader.read([QUERY], [long]) == [None]
    assert failures[0].reason.endswith("lower `passages`")


def test_a_chat_template_is_used(tiny_causal: Path) -> None:
    model = LocalModel(str(tiny_causal), 4, "float32")
    prompt = Prompt(
        [{"role": "system", "content": "A"}, {"role": "user", "content": "B"}], "B", "en"
    )
    assert model._as_text(prompt) == "A\n\nB\n"
    model._tokenizer.chat_template = (
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    )
    assert model._as_text(prompt) == "<system>A<user>B"
