"""What tests share: a home of their own, the bundled encoder, and tiny weights."""

from __future__ import annotations

import importlib.util
import io
import os
import random
import signal
import socket
import subprocess
import sys
import time
import unicodedata
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.candidates import candidate
from tests.zoo.encoders import edit_json
from tests.zoo.hub import LoopbackHub, serving
from xorqa.core.types import Candidate, Example
from xorqa.datasets.mini import load as load_mini
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.candidates import candidate_row
from xorqa.io.files import digest, models_dir, write_json, write_jsonl
from xorqa.lab.training.common.finetuning import save_adapter
from xorqa.lab.training.common.weight_files import save_translator
from xorqa.lab.training.translator.initialisation import init_weights
from xorqa.lab.training.translator.tokens import learn_vocabulary
from xorqa.models.checkpoints import Checkpoint, resolve
from xorqa.models.seq2seq import Shape

pytest_plugins = ["tests.command_line"]

os.environ.pop("COLUMNS", None)  # of a worker of pytest-xdist; consoles ask the tests' own

os.environ["HF_HUB_OFFLINE"] = "1"  # huggingface_hub reads it once, when it is imported
settings.register_profile("busy machine", deadline=None)
settings.load_profile("busy machine")

HIDDEN = 32
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")

MakeTiny = Callable[..., Path]


@pytest.fixture(scope="session", autouse=True)
def session_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """XORQA_HOME for all tests; only rebuilt weights are the user's own, to be made once."""
    models = models_dir().resolve()
    models.mkdir(parents=True, exist_ok=True)
    folder = tmp_path_factory.mktemp("session-home")
    (folder / "models").symlink_to(models, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XORQA_HOME", str(folder))
        yield folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An XORQA_HOME with nothing in it, not even weights; the folder does not exist yet."""
    folder = tmp_path / "home"
    monkeypatch.setenv("XORQA_HOME", str(folder))
    return folder


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackHub]:
    """A hub on loopback that this process uses, with an empty cache; it serves `hub.folder`."""
    served = LoopbackHub(tmp_path / "hub")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub-cache"))
    monkeypatch.setattr("xorqa.models.hub._folders", {})
    monkeypatch.setattr("xorqa.models.hub._pinned", {})
    with serving(served) as address:
        constants = "huggingface_hub.constants"
        monkeypatch.setattr(f"{constants}.ENDPOINT", address)
        monkeypatch.setattr(
            f"{constants}.HUGGINGFACE_CO_URL_TEMPLATE",
            f"{address}/{{repo_id}}/resolve/{{revision}}/{{filename}}",
        )
        yield served


@pytest.fixture(scope="session")
def e5(session_home: Path) -> Checkpoint:
    """The bundled encoder, rebuilt if it never was."""
    return resolve()


@pytest.fixture(scope="session")
def e5_tokenizer(e5: Checkpoint) -> Any:
    """The tokenizer of the unpacked checkpoint, as transformers loads it."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(e5.path)


@pytest.fixture(scope="session")
def make_tiny(tmp_path_factory: pytest.TempPathFactory) -> MakeTiny:
    """Saves a random BERT (2 layers, 32 wide) with a tokenizer of the bundled world."""

    def make(
        *, seed: int = 1, positions: int = 512, model: str = "BertModel", **options: Any
    ) -> Path:
        import torch
        import transformers

        torch.manual_seed(seed)
        folder = tmp_path_factory.mktemp("tiny")
        size = _save_tokenizer(folder, longest=positions)
        kind = "DPRConfig" if model.startswith("DPR") else "BertConfig"
        config = getattr(transformers, kind)(
            vocab_size=size,
            hidden_size=HIDDEN,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=positions,
            pad_token_id=1,
            initializer_range=0.5,
            **options,
        )
        getattr(transformers, model)(config).save_pretrained(folder)
        if model == "BertModel":  # as an encoder, of a family whose pooling is known
            edit_json(folder / "config.json", architectures=["Contriever"])
        return folder

    return make


@pytest.fixture(scope="session")
def tiny(make_tiny: MakeTiny) -> Path:
    """A tiny checkpoint's folder."""
    return make_tiny()


@pytest.fixture(scope="session")
def tiny_bert(make_tiny: MakeTiny) -> Path:
    """A tiny checkpoint whose tokenizer gives the second text of a pair segment ids, as BERT's."""
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoTokenizer

    folder = make_tiny(seed=6)
    names = ["input_ids", "token_type_ids", "attention_mask"]
    tokenizer = AutoTokenizer.from_pretrained(folder, model_input_names=names)
    ends = [(token, tokenizer.convert_tokens_to_ids(token)) for token in ("<s>", "</s>")]
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B:1 </s>:1", special_tokens=ends
    )
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_classifier(make_tiny: MakeTiny) -> Path:
    """A random cross-encoder with one logit."""
    return make_tiny(seed=4, model="BertForSequenceClassification", num_labels=1)


@pytest.fixture(scope="session")
def tiny_adapter(tiny: Path) -> Path:
    """A random reader's adapter file on the tiny checkpoint."""
    import torch

    torch.manual_seed(2)
    path = tiny.parent / "tiny-reader.safetensors"
    tensors = {
        "bert.encoder.layer.0.attention.self.query.A": torch.randn(2, HIDDEN),
        "bert.encoder.layer.0.attention.self.query.B": torch.randn(HIDDEN, 2),
        "classifier.weight": torch.randn(3, HIDDEN),
        "classifier.bias": torch.zeros(3),
    }
    save_adapter(path, tensors, task="reader", base=resolve(str(tiny)), card={"steps": 0})
    return path


@pytest.fixture(scope="session")
def tiny_translator(tiny: Path) -> Path:
    """A random translator's file on the tiny checkpoint's lower layer."""
    english = learn_vocabulary(["Where is the Nile?"] * 3, size=300)
    shape = Shape(
        width=HIDDEN,
        heads=2,
        feed=32,
        encoder_feed=64,
        encoder_layers=1,
        decoder_layers=1,
        vocabulary=english.get_vocab_size(),
    )
    path = tiny.parent / "tiny-translator.safetensors"
    save_translator(
        path,
        init_weights(shape, seed=1),
        {"english": english},
        base=resolve(str(tiny)),
        shape=shape,
        frozen_layers=1,
        card={},
    )
    return path


@pytest.fixture(scope="session")
def noida(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a local server that speaks Elasticsearch's protocol."""
    for needed in ("noida_db", "elasticsearch"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed (extra dev)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "noida_db.cli",
            "start",
            "--only",
            "elasticsearch",
            "--data-dir",
            str(tmp_path_factory.mktemp("noida")),
            "--elasticsearch-port",
            str(port),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait_for(url := f"http://127.0.0.1:{port}", server)
        yield url
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < until:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.05)
    raise RuntimeError(f"noida-db does not answer at {url} (exit status {server.poll()})")


@pytest.fixture(scope="session")
def cluster(request: pytest.FixtureRequest) -> Iterator[str]:
    """The environment's Elasticsearch, else `noida`; indexes with our prefix go at the end."""
    prefix = f"xorqa-test-{uuid.uuid4().hex[:8]}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XORQA_ELASTIC_PREFIX", prefix)
        if not os.environ.get("XORQA_ELASTIC_URL"):
            patch.setenv("XORQA_ELASTIC_URL", request.getfixturevalue("noida"))
        yield prefix
        from xorqa.retrieval.elastic.client import connect

        client = connect().client
        if names := list(client.indices.get(index=f"{prefix}-*")):
            client.indices.delete(index=names)


@pytest.fixture(scope="session")
def tiny_seq2seq(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random OPUS-MT model with SentencePiece files of the bundled world."""
    spm = pytest.importorskip("sentencepiece")
    import torch
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    torch.manual_seed(3)
    folder = tmp_path_factory.mktemp("tiny-marian")
    paths = [folder / name for name in ("source.spm", "target.spm")]
    texts = [passage.text for corpus in load_mini().corpora.values() for passage in corpus][:100]
    pieces = io.BytesIO()
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=pieces,
        vocab_size=300,
        hard_vocab_limit=False,
        num_threads=1,
        minloglevel=2,
    )
    for path in paths:
        path.write_bytes(pieces.getvalue())
    model = spm.SentencePieceProcessor(model_file=str(paths[0]))
    names = [model.id_to_piece(number) for number in range(3, model.vocab_size())]
    vocab = {token: at for at, token in enumerate(["</s>", "<unk>", *names, "<pad>"])}
    write_json(folder / "vocab.json", vocab)
    MarianTokenizer(*map(str, paths), str(folder / "vocab.json")).save_pretrained(folder)
    MarianMTModel(
        MarianConfig(
            vocab_size=len(vocab),
            d_model=HIDDEN,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=64,
            decoder_ffn_dim=64,
            max_position_embeddings=128,
            init_std=0.5,
            activation_function="swish",
            static_position_embeddings=True,
            eos_token_id=0,
            forced_eos_token_id=0,
            pad_token_id=len(vocab) - 1,
            decoder_start_token_id=len(vocab) - 1,
        )
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_ctranslate2(tiny_seq2seq: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model for CTranslate2."""
    pytest.importorskip("ctranslate2")
    from ctranslate2.converters import TransformersConverter

    folder = tmp_path_factory.mktemp("tiny-ctranslate2") / "model"
    names = ["source.spm", "target.spm"]
    TransformersConverter(str(tiny_seq2seq), copy_files=names).convert(str(folder))
    return folder


def _save_tokenizer(folder: Path, *, longest: int) -> int:
    """A Unigram tokenizer like the bundled one; returns the size of its vocabulary."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    passages = chain.from_iterable(load_mini().corpora.values())
    text = unicodedata.normalize("NFKC", " ".join(passage.text for passage in passages))
    words = [word for word, count in Counter(text.split()).most_common(1500) if count > 2]
    pieces = dict.fromkeys([*sorted({*text, "▁"} - {" "}), *(f"▁{word}" for word in words)])
    vocab = [(token, 0.0) for token in SPECIAL] + [(piece, -9.0) for piece in pieces]
    tokenizer = Tokenizer(models.Unigram(vocab, unk_id=3, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=longest,
        model_input_names=["input_ids", "attention_mask"],
    ).save_pretrained(folder)
    return tokenizer.get_vocab_size()


@pytest.fixture
def saved_mini(tmp_path: Path) -> Path:
    """A finished run over three languages of the bundled world.

    Its candidates are made up; the right ones are likely to have the better scores.
    """
    dataset = load_mini().only(["fi", "ko", "te"])
    folder = tmp_path / "saved"
    routes = (
        Route("eng", {"use": "bm25"}, {"use": "human"}),
        Route(
            "target",
            {"use": "hybrid", "parts": [{"use": "bm25"}, {"use": "dense"}]},
            corpus="target",
        ),
    )
    settings = PipelineSettings(routes, name="made-up", chooser={"use": "rule"})
    write_json(folder / "config.json", asdict(settings))
    write_json(
        folder / "manifest.json",
        {
            "dataset": "mini",
            "until": "full",
            "finished": True,
            "questions": digest([asdict(example.question) for example in dataset.examples]),
        },
    )
    rng = random.Random(1)
    write_jsonl(
        folder / "spans.jsonl",
        (
            {
                "qid": example.question.qid,
                "candidates": [
                    candidate_row(made_up(example, route, rank, rng))
                    for route in ("eng", "target")
                    for rank in range(3)
                ],
            }
            for example in dataset.examples
        ),
    )
    return folder


def made_up(example: Example, route: str, rank: int, rng: random.Random) -> Candidate:
    """The first of the three candidates is right where its route's Wikipedia has the answer."""
    lang = "en" if route == "eng" else example.question.lang
    right = rank == 0 and example.answered_in == ("en" if route == "eng" else "target")
    passage_score = -rng.expovariate(4 if right else 0.7)
    text = example.answers(lang)[0] if right else f"{route} {rank}"
    docid, span_score = f"{route}-{example.question.qid}-{rank}", -rng.expovariate(2)
    return candidate(
        text,
        lang,
        docid=docid,
        route=route,
        span_score=span_score,
        passage_score=passage_score,
        retrieval_score=rng.random() - rank,
        rank=rank,
    )


@pytest.fixture(scope="session")
def rivers(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a small collection of `ir_datasets`; see `tests/ir_collections.py`."""
    pytest.importorskip("ir_datasets")
    from tests.ir_collections import register

    return register(tmp_path_factory.mktemp("rivers"))
