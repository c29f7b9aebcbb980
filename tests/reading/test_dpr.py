"""Readers of DPR read as transformers' `DPRReader` and its tokenizer do."""

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.zoo import readers as zoo
from xorqa.core.errors import Notice
from xorqa.core.progress import announcing
from xorqa.core.types import Candidate, Hit, Passage, Query, Question, Span
from xorqa.datasets.mini import load as load_mini
from xorqa.io.cache import Cache
from xorqa.reading.pairs import QuestionPassage
from xorqa.reading.span import SpanReader

PASSAGES = list(load_mini().corpora["en"])[:12]
QUERY = Query(Question("q", "Mikä joki?", "fi"), "Which river is the longest?", "en")


@pytest.fixture(scope="module", params=["cased", "uncased"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return zoo.build_dpr(tmp_path_factory.mktemp("dpr"), cased=request.param == "cased")


def reader_of(folder: Path, **settings: Any) -> SpanReader:
    return SpanReader(model=str(folder), passages=99, dtype="float32", **settings)


def read(reader: SpanReader, passages: list[Passage]) -> list[Candidate]:
    [candidates] = reader.read([QUERY], [[Hit(passage, 1.0) for passage in passages]])
    return candidates


class Expected(NamedTuple):
    """The best span of a passage, which is named by its number, and the passage's relevance."""

    number: int
    start: int
    end: int
    relevance: float


def reference(folder: Path, passages: list[Passage], longest: int) -> list[Expected]:
    """The best span of each passage, the most relevant passage first."""
    import torch
    from transformers import DPRReader, DPRReaderTokenizerFast

    tokenizer = DPRReaderTokenizerFast.from_pretrained(folder)
    encoded = tokenizer(
        questions=[QUERY.text] * len(passages),
        titles=[passage.title for passage in passages],
        texts=[passage.text for passage in passages],
        padding=True,
        return_tensors="pt",
    )
    with torch.inference_mode():
        output = DPRReader.from_pretrained(folder).eval()(**encoded)
    expected = []
    for number, passage in enumerate(passages):
        head = len(tokenizer(QUERY.text, passage.title)["input_ids"])
        offsets = tokenizer(passage.text, add_special_tokens=False, return_offsets_mapping=True)
        characters = offsets["offset_mapping"]
        inside = slice(head, head + len(characters))
        [(first, last)] = tokenizer._get_best_spans(
            output.start_logits[number][inside].tolist(),
            output.end_logits[number][inside].tolist(),
            max_answer_length=longest,
            top_spans=1,
        )
        relevance = float(output.relevance_logits[number])
        expected.append(Expected(number, characters[first][0], characters[last][1], relevance))
    return sorted(expected, key=lambda one: -one.relevance)


@pytest.mark.parametrize("longest", [3, 30])
def test_spans_relevance_and_order_are_those_of_transformers(folder: Path, longest: int) -> None:
    found = read(reader_of(folder, longest=longest), PASSAGES)
    expected = reference(folder, PASSAGES, longest)
    assert len(found) == len(PASSAGES)
    for candidate, (number, start, end, relevance) in zip(found, expected, strict=True):
        assert candidate.docid == PASSAGES[number].docid
        assert candidate.span == Span(start, end)
        log_p = -float(np.logaddexp(0.0, -relevance))
        assert candidate.scores.passage == pytest.approx(log_p, abs=1e-5)


def test_titles_are_read_and_are_part_of_the_cached_input(folder: Path, tmp_path: Path) -> None:
    reader, cache = reader_of(folder), Cache(tmp_path / "stages")
    renamed = replace(PASSAGES[0], title="Another title")
    [[one]] = cache.read(reader, [QUERY], [[Hit(PASSAGES[0], 1.0)]])
    [[two]] = cache.read(reader, [QUERY], [[Hit(renamed, 1.0)]])
    assert one.scores.passage != two.scores.passage
    assert cache.read(reader, [QUERY], [[Hit(renamed, 1.0)]]) == [[two]]
    untitled = reader.pairs.read([QuestionPassage(QUERY.text, PASSAGES[0].text)])
    assert untitled[0].passage_score != one.scores.passage


def test_a_passage_that_is_too_long_is_cut_and_reported_once(folder: Path) -> None:
    long = Passage("long", " ".join(passage.text for passage in PASSAGES), "Rivers")
    reader, lines = reader_of(folder, longest=9), list[str]()
    cut = pytest.warns(Notice, match=r"1 passage cut to 512 tokens, all that it reads")
    with cut, announcing(lines.append):
        [candidate] = read(reader, [long])
    assert candidate.span.end < len(long.text)
    assert "windows of 512 tokens (it allows 512), with titles" in lines[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)
        reader.read([replace(QUERY, text="Who?")], [[Hit(long, 1.0)]])


def test_parameters_are_counted(folder: Path) -> None:
    counts = reader_of(folder).pairs.parameters()
    assert counts["body"] > 0 and counts["word embeddings"] > 0 and counts["adapter"] == 0
