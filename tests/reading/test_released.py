"""Question-answering models of each family read as transformers' run_qa.py makes them read."""

import math
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.zoo import readers as zoo
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.mini import load as load_mini
from xorqa.reading.span import SpanReader

PASSAGES = [
    *(next(iter(load_mini().corpora[lang])) for lang in ("en", "fi", "ja", "te")),
    Passage("one", "Nile"),
    Passage("long", " ".join(p.text for p in list(load_mini().corpora["en"])[:12])),
]
QUESTIONS = ["Which river is the longest?", "나일강은 어느 대륙에 있나요?"]


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


def reference(
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


def reader_of(folder: Path, **settings: Any) -> SpanReader:
    return SpanReader(model=str(folder), passages=99, dtype="float32", **settings)


def check(folder: Path, *, window: int, **settings: Any) -> None:
    """Compare all passages and questions with the reference."""
    reader = reader_of(folder, **settings)
    hits = [Hit(passage, 1.0) for passage in PASSAGES]
    queries = [Query(Question("q", text, "en"), text, "en") for text in QUESTIONS]
    for query, candidates in zip(queries, reader.read(queries, [hits] * 2), strict=True):
        assert {candidate.docid for candidate in candidates} == {p.docid for p in PASSAGES}
        differences = {}
        for candidate in candidates:
            text = candidate.hit.passage.text
            expected = reference(folder, query.text, text, window=window, **settings)
            assert (candidate.span.start, candidate.span.end) == (expected.start, expected.end)
            differences[candidate.docid] = expected.best - expected.null
            passage = -math.log1p(math.exp(expected.null - expected.best))
            assert candidate.scores.passage == pytest.approx(passage, abs=1e-5)
        assert [candidate.docid for candidate in candidates] == sorted(
            differences, key=lambda docid: -differences[docid]
        )


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a family, built once."""
    folders: dict[str, Path] = {}

    def make(family: str) -> Path:
        if family not in folders:
            folders[family] = zoo.build(tmp_path_factory.mktemp(family), family)
        return folders[family]

    return make


@pytest.mark.parametrize("family", zoo.FAMILIES)
def test_each_family_reads_as_the_reference(family: str, made: Callable[[str], Path]) -> None:
    check(made(family), window=384)


@pytest.mark.parametrize(
    "settings", [{"max_tokens": 64, "stride": 20, "longest": 5}, {"max_tokens": 200, "stride": 9}]
)
def test_windows_and_spans_have_the_lengths_of_the_settings(
    settings: dict[str, int], made: Callable[[str], Path]
) -> None:
    check(made("mbert"), window=settings["max_tokens"], **_without(settings, "max_tokens"))


@pytest.mark.parametrize(("length", "window"), [(512, 384), (600, 510), (400, 400), (10**30, 510)])
def test_a_window_is_the_models_limit_and_384_where_that_is_512(
    length: int, window: int, tmp_path: Path
) -> None:
    """XLM-R has two positions more than it can read."""
    folder = zoo.build(tmp_path, "xlm-roberta", length=length, positions=window + 2)
