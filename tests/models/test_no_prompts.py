"""Code of a model runs only as set, and nothing ever asks at the terminal whether it may."""

import ast
import builtins
import shutil
from pathlib import Path
from typing import Any

import pytest

import xorqa
from tests.zoo.encoders import edit_json
from xorqa.core.errors import WeightsError, XorqaError
from xorqa.core.registry import build
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.lab.training.translator.model import base_widths
from xorqa.models.checkpoints import load, load_tokenizer, resolve

LOADERS = {"from_pretrained", "SentenceTransformer", "CrossEncoder", "SparseEncoder"}
LOADERS |= {"MultiVectorEncoder", "BGEM3FlagModel", "get_class_from_dynamic_module"}
QUERY = Query(Question("q", "Where is Oulu?", "en"), "Where is Oulu?", "en")
HITS = [Hit(Passage("d", "Oulu is in Finland.", "Oulu", "en"), 1.0)]


def loading_calls(path: Path) -> list[ast.Call]:
    """The calls in a file that load a model by another library."""
    calls = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        inner = node.func.func if isinstance(node.func, ast.Call) else node.func
        name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
        is_ours = isinstance(inner, ast.Name) and name == "CrossEncoder"  # the ranker
        by_name = name == "getattr" and isinstance(node.func, ast.Call)  # getattr(library, kind)()
        keywords = {keyword.arg for keyword in node.keywords}
        if (name in LOADERS and not is_ours) or (by_name and "local_files_only" in keywords):
            calls.append(node)
    return calls


def test_every_call_says_whether_code_may_run() -> None:
    root = Path(xorqa.__file__).parent
    silent, count = [], 0
    for path in sorted(root.rglob("*.py")):
        for call in loading_calls(path):
            count += 1
            given = [k.value for k in call.keywords if k.arg == "trust_remote_code"]
            is_true = [v for v in given if isinstance(v, ast.Constant) and v.value is not False]
            if not given or is_true:
                silent.append(f"{path.relative_to(root)}:{call.lineno}")
    assert silent == [] and count >= 5


@pytest.fixture
def hostile(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model whose configuration, model and tokenizer name code of its own."""

    def ask(*_: Any) -> str:
        raise AssertionError("it asked at the terminal")

    monkeypatch.setattr(builtins, "input", ask)
    monkeypatch.setattr("transformers.dynamic_module_utils.TIME_OUT_REMOTE_CODE", 1)
    folder = shutil.copytree(tiny, tmp_path / "model")
    (folder / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass It: pass\n")
    kinds = ("Config", "Model", "ModelForMaskedLM", "ModelForCausalLM", "ModelForSeq2SeqLM")
    kinds += ("ModelForQuestionAnswering", "ModelForSequenceClassification", "Processor")
    code = {f"Auto{kind}": "code.It" for kind in kinds} | {"AutoTokenizer": ["code.It", "code.It"]}
    edit_json(folder / "config.json", auto_map=code, model_type="new", architectures=["It"])
    edit_json(folder / "tokenizer_config.json", auto_map=code, tokenizer_class="It")
    edit_json(folder / "processor_config.json", auto_map=code, processor_class="It")
    return folder


@pytest.mark.parametrize("kind", ["AutoModel", "AutoModelForMaskedLM", "AutoModelForCausalLM"])
def test_models_and_tokenizers(hostile: Path, kind: str) -> None:
    checkpoint = resolve(str(hostile))
    with pytest.raises(WeightsError, match="trust_remote_code"):
        load(checkpoint, kind)
    with pytest.raises(WeightsError):
        load_tokenizer(checkpoint, fast=False)
    with pytest.raises(WeightsError, match="trust_remote_code"):
        base_widths(checkpoint, frozen_layers=0, encoder_layers=1)
    assert not (hostile.parent / "ran").exists()


@pytest.mark.parametrize("modules", ["", "code.It", "collections.OrderedDict"])
@pytest.mark.parametrize(
    ("role", "stage"),
    [
        ("retriever", "dense"),
        ("retriever", "late-interaction"),
        ("retriever", "learned-sparse"),
        ("ranker", "cross-encoder"),
        ("ranker", "late-interaction"),
        ("reader", "span"),
        ("reader", "generate"),
        ("translator", "seq2seq"),
    ],
)
def test_stages(hostile: Path, role: str, stage: str, modules: str) -> None:
    if modules:
        named = [{"idx": 0, "name": "0", "path": "", "type": modules}]
        (hostile / "modules.json").write_text(str(named).replace("'", '"'))
    with pytest.raises(XorqaError) as error:
        made = build(role, {"use": stage, "model": str(hostile)})
        if role == "retriever":
            made.index([hit.passage for hit in HITS], hostile.parent / "index")
        elif role == "ranker":
            made.rank([QUERY], [HITS])
        elif role == "reader":
            made.read([QUERY], [HITS])
        else:
            made.translate([Question("q", "Missä Oulu on?", "fi")], to="en")
    assert "\n" not in str(error.value) and not (hostile.parent / "ran").exists()
