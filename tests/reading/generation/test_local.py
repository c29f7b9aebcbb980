"""Tiny random models: their answers mean nothing."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.zoo.encoders import edit_json
from xorqa.core.errors import Notice, WeightsError
from xorqa.core.types import Hit, Passage, Query, Question, ReadingFailure
from xorqa.models.thoughts import without_thoughts
from xorqa.reading.generation.endpoint import Prompt
from xorqa.reading.generation.local import LocalModel
from xorqa.reading.generation.reader import GenerativeReader
from xorqa.reading.generation.reply import read_answer, read_reply

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
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
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
    other = shutil.copytree(folder, tmp_path / "other")
    edit_json(other / "generation_config.json", repetition_penalty=1.3)
    assert LocalModel(str(other), 6, "float32").sha != model.sha


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


CHATML = (
    "{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m.content }}{{ eos_token }}"
    "{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}"
)
NO_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}"
    "{% endif %}" + CHATML
)
MESSAGES = [
    {"role": "system", "content": "Answer from the passages."},
    {"role": "user", "content": "Where is the Nile?"},
]


def with_template(folder: Path, out: Path, template: str, **files: bool) -> Path:
    """A copy of a model with a chat template, as a file of its own or in its tokenizer's."""
    from transformers import AutoTokenizer

    shutil.copytree(folder, out)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = template
    tokenizer.save_pretrained(out, **files)
    return out


def reference(folder: Path, messages: list[dict[str, str]], length: int) -> tuple[list[int], str]:
    """The prompt and the reply as transformers' documentation makes them."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype="float32").eval()
    inputs = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=True)
    ids = list(inputs["input_ids"])
    [output] = model.generate(torch.tensor([ids]), max_new_tokens=length, do_sample=False).tolist()
    return ids, str(tokenizer.decode(output[len(ids) :], skip_special_tokens=True))


@pytest.mark.parametrize("is_file", [True, False])
def test_a_conversation_is_tokenized_by_the_models_template(
    tiny_causal: Path, tmp_path: Path, is_file: bool
) -> None:
    folder = with_template(tiny_causal, tmp_path / "chat", CHATML, save_jinja_files=is_file)
    assert (folder / "chat_template.jinja").is_file() == is_file
    model, prompt = LocalModel(str(folder), 6, "float32"), Prompt(MESSAGES, "q", "en")
    ids, text = reference(folder, MESSAGES, 6)
    assert model._ids(prompt) == ids
    assert ids[0] == 0 and ids[1] != 0  # the template's BOS, and no second one
    assert model.chat([prompt], read_answer)[0].text == text


def test_a_template_that_refuses_the_system_role(tiny_causal: Path, tmp_path: Path) -> None:
    folder = with_template(tiny_causal, tmp_path / "gemma", NO_SYSTEM)
    merged = [{"role": "user", "content": "Answer from the passages.\n\nWhere is the Nile?"}]
    model, prompt = LocalModel(str(folder), 4, "float32"), Prompt(MESSAGES, "q", "en")
    with pytest.warns(Notice, match="refuses the system role; its text begins") as warned:
        replies = model.chat([prompt, prompt], read_answer)
    assert len(warned) == 1
    assert {reply.text for reply in replies} == {reference(folder, merged, 4)[1]}


def test_a_template_that_refuses_every_conversation(tiny_causal: Path, tmp_path: Path) -> None:
    folder = with_template(tiny_causal, tmp_path / "none", "{{ raise_exception('No chats') }}")
    with pytest.raises(WeightsError, match="refuses a conversation: No chats"):
        LocalModel(str(folder), 4, "float32").chat([Prompt(MESSAGES, "q", "en")], read_answer)


def test_without_a_template_the_messages_follow_each_other(tiny_causal: Path) -> None:
    model = LocalModel(str(tiny_causal), 4, "float32")
    text = "Answer from the passages.\n\nWhere is the Nile?\n"
    assert model._ids(Prompt(MESSAGES, "q", "en")) == model._tokenizer(text)["input_ids"]


def test_thoughts_that_the_template_begins(tiny_causal: Path, tmp_path: Path) -> None:
    template = CHATML.replace("[assistant] ", "[assistant] <think>")
    from transformers import AutoTokenizer

    folder = with_template(tiny_causal, tmp_path / "thinking", template)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["<think>"])
    tokenizer.save_pretrained(folder)
    model = LocalModel(str(folder), 4, "float32")
    model._model.resize_token_embeddings(len(tokenizer))
    [reply] = model.chat([Prompt(MESSAGES, "q", "en")], read_reply)
    assert reply.text.startswith("<think>")
    assert "(raise the limit of tokens?)" in reply.problem


def test_thoughts_between_special_tokens(tiny_causal: Path) -> None:
    model = LocalModel(str(tiny_causal), 4, "float32")
    model._tokenizer.add_tokens(["<think>", "</think>"], special_tokens=True)
    ids = model._tokenizer("<think>Hmm</think>Africa")["input_ids"]
    assert without_thoughts(model._text(ids)).strip(" ▁") == "Africa"
