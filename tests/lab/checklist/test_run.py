import pytest

from xorqa.core.errors import DataError
from xorqa.core.types import Candidate, CandidateScores, Passage, Span
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.cache import Cache
from xorqa.lab.checklist.run import by_callable, by_pipeline, by_reader
from xorqa.lab.checklist.suite import Case, Example
from xorqa.reading.span import SpanReader

WHOSE = Example("Anna has a dog.", "Whose dog?", ("Anna",))
WHAT = Example("Anna has a dog.", "What has Anna?", ("dog",))
CASES = [
    Case("en/x/0", "en", "x", "c", "MFT", (), (WHOSE, WHAT)),
    Case("en/x/1", "en", "x", "c", "MFT", (), (WHOSE,)),
]


class FirstWord:
    """Reads the first word of the best passage that speaks of Anna."""

    version = 1

    def fingerprint(self):
        return ""

    def read(self, queries, hits):
        return [[self._read(hit) for hit in row] for row in hits]

    def _read(self, hit):
        word, score = hit.passage.text.split()[0], float("Anna" in hit.passage.text)
        return Candidate(hit, 0, Span(0, len(word)), CandidateScores(score, score))


@pytest.fixture
def settings():
    route = Route("any", {"use": "bm25"})
    return PipelineSettings(
        (route,),
        reader={"use": f"{__name__}:FirstWord"},
        localiser={"use": "none"},
        chooser={"use": "rule"},
    )


def test_equal_pairs_are_read_once_and_all_examples_are_answered():
    pairs, reports = [], []

    def answer(question, context):
        pairs.append((question, context))
        return f"{question} {context}"

    predictions = by_callable(CASES, answer, progress=lambda *counts: reports.append(counts))
    assert predictions["en/x/0/1"] == "What has Anna? Anna has a dog."
    assert predictions["en/x/0/0"] == predictions["en/x/1/0"]
    assert len(pairs) == 2
    assert reports == [(1, 2), (2, 2)]


def test_a_reader_reads_through_the_cache(tmp_path, tiny_adapter):
    reader = SpanReader(adapter=str(tiny_adapter))
    predictions = by_reader(CASES, reader, cache=Cache(tmp_path / "c.sqlite"))
    assert set(predictions) == {"en/x/0/0", "en/x/0/1", "en/x/1/0"}
    assert all(text in "Anna has a dog." for text in predictions.values())
    reports = []
    again = by_reader(
        CASES,
        reader,
        cache=Cache(tmp_path / "c.sqlite"),
        progress=lambda *counts: reports.append(counts),
    )
    assert again == predictions
    assert reports == [(2, 2)]


def test_a_pipeline_must_find_the_context_among_others(settings):
    others = [Passage(f"d{n}", f"Words dog number {n}.") for n in range(30)]
    predictions = by_pipeline(CASES, settings, others, distractors=5)
    assert predictions == dict.fromkeys(["en/x/0/0", "en/x/0/1", "en/x/1/0"], "Anna")


def test_contexts_need_passages_of_their_language(settings):
    with pytest.raises(DataError, match=r"no passages in en to .* \(--lang\): fi$"):
        by_pipeline(CASES, settings, [Passage("d", "Sanoja.", lang="fi")])
