"""What the libraries of released models compute, to compare with."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from xorqa.translation.model_translator import ModelTranslator

KOREAN = ["나일강은 어디에 있습니까?", "이나리는 어느 나라에 있습니까?", "누구?"]
ENGLISH = ["Where is the Nile?", "Which country is Inari in?", "Who?"]
SEARCH: dict[str, Any] = {"beams": 3, "longest": 24, "device": "cpu"}


class Expected(NamedTuple):
    """The reference's best span of a passage, its score, and the null score."""

    start: int
    end: int
    best: float
    null: float
    windows: int


@cache
def loaded(folder: Path) -> tuple[Any, Any]:
    """The tokenizer and the model as transformers loads them."""
    import torch
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    model = AutoModelForQuestionAnswering.from_pretrained(folder, dtype=torch.float32)
    return AutoTokenizer.from_pretrained(folder), model.eval()


def read_windows(
    folder: Path, question: str, passage: str, *, window: int, stride: int = 128, longest: int = 30
) -> Expected:
    """As run_qa.py: overlapping windows, argmax of start plus end, the least score at token 0."""
    import torch

    tokenizer, model = loaded(folder)
    encoded = tokenizer(
        question,
        passage,
        truncation="only_second",
        max_length=window,
        stride=stride,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        padding="max_length",
        return_tensors="pt",
    )
    names = ("input_ids", "attention_mask", "token_type_ids")
    if model.config.model_type in ("roberta", "xlm-roberta", "bart", "mt5", "distilbert"):
        names = names[:2]
    with torch.inference_mode():
        output = model(**{name: encoded[name] for name in names if name in encoded})
    found: list[tuple[float, int, int]] = []
    null = math.inf
    for row in range(len(encoded["input_ids"])):
        starts, ends = output.start_logits[row].tolist(), output.end_logits[row].tolist()
        offsets = encoded["offset_mapping"][row].tolist()
        null = min(null, starts[0] + ends[0])
        tokens = [at for at, part in enumerate(encoded.sequence_ids(row)) if part == 1]
        for first in tokens:
            for last in range(first, min(first + longest, tokens[-1] + 1)):
                text = passage[offsets[first][0] : offsets[last][1]]
                if text.strip():
                    start = offsets[first][0] + len(text) - len(text.lstrip())
                    score = starts[first] + ends[last]
                    found.append((score, start, start + len(text.strip())))
    best, start, end = max(found, key=lambda span: span[0])
    return Expected(start, end, best, null, len(encoded["input_ids"]))


@dataclass(frozen=True)
class Case:
    """A model, a direction, and how the model's documentation writes it."""

    build: Callable[[Path], Path]
    lang: str
    to: str
    before: str = ""
    source: str = ""
    target: str = ""

    @property
    def texts(self) -> list[str]:
        return KOREAN if self.lang == "ko" else ENGLISH


def _tokenizer_of(folder: Path, case: Case) -> Any:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    if case.source:
        tokenizer.src_lang = case.source
    return tokenizer


def translate(folder: Path, case: Case) -> list[str]:
    """The outputs of `generate`, one text at a time, as the families' documentation has it."""
    from transformers import AutoModelForSeq2SeqLM

    tokenizer = _tokenizer_of(folder, case)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype="float32").eval()
    target = tokenizer.convert_tokens_to_ids(case.target) if case.target else None
    options = {} if target is None else {"forced_bos_token_id": target}
    outputs = []
    for text in case.texts:
        inputs = dict(tokenizer(case.before + text, return_tensors="pt"))
        inputs.pop("token_type_ids", None)
        [ids] = model.generate(**inputs, num_beams=3, max_new_tokens=24, **options).tolist()
        ids = [number for number in ids if number != target]
        outputs.append(tokenizer.decode(ids, skip_special_tokens=True))
    return outputs


def translate_ctranslate2(folder: Path, converted: Path, case: Case) -> list[str]:
    """The outputs of CTranslate2 for the tokens of transformers' tokenizer, as its guide has it."""
    import ctranslate2

    tokenizer = _tokenizer_of(folder, case)
    engine = ctranslate2.Translator(str(converted), device="cpu", compute_type="float32")
    rows = [
        tokenizer.convert_ids_to_tokens(tokenizer(case.before + text).input_ids)
        for text in case.texts
    ]
    prefix = [[case.target]] * len(rows) if case.target else None
    results = engine.translate_batch(
        rows, target_prefix=prefix, beam_size=3, max_decoding_length=24
    )
    return [
        tokenizer.decode(
            tokenizer.convert_tokens_to_ids(
                [piece for piece in result.hypotheses[0] if piece != case.target]
            ),
            skip_special_tokens=True,
        )
        for result in results
    ]


def outputs(translator: ModelTranslator, case: Case) -> list[str]:
    """The translator's outputs before they are checked: random weights write no English."""
    pair = translator.naming.tokens(case.lang, case.to)
    return translator.generate([(pair.source, text) for text in case.texts], pair.target)
