"""Question-answering models of each family read as transformers' run_qa.py makes them read."""

import json
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.zoo import readers as zoo
from tests.zoo.encoders import edit_json
from tests.zoo.references import read_windows as reference
from xorqa.core.errors import ConfigError, Notice, WeightsError
from xorqa.core.progress import announcing
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.mini import load as load_mini
from xorqa.experiments.pipeline import Pipeline
from xorqa.models.question_answering import QuestionAnsweringModel
from xorqa.ranking.by_reader import ReaderRanker
from xorqa.reading.span import SpanReader

PASSAGES = [
    *(next(iter(load_mini().corpora[lang])) for lang in ("en", "fi", "ja", "te")),
    Passage("one", "Nile"),
    Passage("long", " ".join(p.text for p in list(load_mini().corpora["en"])[:12])),
]
QUESTIONS = ["Which river is the longest?", "나일강은 어느 대륙에 있나요?"]


def reader_of(folder: Path, **settings: Any) -> SpanReader:
    return SpanReader(model=str(folder), passages=99, dtype="float32", **settings)


def query_of(text: str) -> Query:
    return Query(Question("q", text, "en"), text, "en")


def hits_of(passages: Sequence[Passage] = PASSAGES) -> list[Hit]:
    return [Hit(passage, 1.0) for passage in passages]


def check(folder: Path, *, window: int, max_tokens: int | None = None, **lengths: int) -> None:
    """Compare spans, scores and order of all passages with the reference."""
    reader = reader_of(folder, max_tokens=max_tokens, **lengths)
    queries = list(map(query_of, QUESTIONS))
    for query, found in zip(queries, reader.read(queries, [hits_of()] * 2), strict=True):
        expected = {
            passage.docid: reference(folder, query.text, passage.text, window=window, **lengths)
            for passage in PASSAGES
        }
        assert expected["long"].windows > 1
        ranking = sorted(expected, key=lambda docid: expected[docid].null - expected[docid].best)
        assert [candidate.docid for candidate in found] == ranking
        for candidate in found:
            start, end, best, null, _ = expected[candidate.docid]
            assert (candidate.span.start, candidate.span.end) == (start, end)
            log_p = -float(np.logaddexp(0.0, null - best))
            assert candidate.scores.passage == pytest.approx(log_p, abs=1e-5)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a family, built once."""
    return cache(lambda family: zoo.build(tmp_path_factory.mktemp(family), family))


@pytest.mark.parametrize("family", zoo.FAMILIES)
def test_each_family_reads_as_the_reference(family: str, made: Callable[[str], Path]) -> None:
    check(made(family), window=384)


@pytest.mark.parametrize(
    ("max_tokens", "lengths"), [(64, {"stride": 20, "longest": 5}), (200, {"stride": 9})]
)
def test_windows_and_spans_have_the_lengths_that_are_set(
    max_tokens: int, lengths: dict[str, int], made: Callable[[str], Path]
) -> None:
    check(made("mbert"), window=max_tokens, max_tokens=max_tokens, **lengths)


@pytest.mark.parametrize(
    ("family", "length", "positions", "window"),
    [
        ("xlm-roberta", 512, 514, 384),
        ("xlm-roberta", 10**30, 514, 384),  # the first position of XLM-R is 2
        ("xlm-roberta", 600, 402, 400),
        ("mbert", 160, 512, 160),
        ("mbert", 2048, 1024, 1024),
        ("mt5", 10**30, None, 384),
    ],
)
def test_a_window_is_the_models_limit_and_384_where_that_is_512(
    family: str, length: int, positions: int | None, window: int, tmp_path: Path
) -> None:
    config = {"max_position_embeddings": positions} if positions else {}
    folder = zoo.build(tmp_path, family, length=length, config=config)
    lines: list[str] = []
    reader = reader_of(folder)
    with announcing(lines.append):
        reader.read([query_of("Who?")] * 2, [hits_of()] * 2)
    [line] = lines
    assert f"windows of {window} tokens" in line and "null score: the first token's" in line
    if window < 2000:
        with pytest.raises(ConfigError, match=r"max_tokens = 2000, but .* at most"):
            reader_of(folder, max_tokens=2000).read([query_of("Who?")], [hits_of()])


@pytest.mark.parametrize("saved", ["sharded", "bin", "half"])
def test_weights_of_each_layout_are_read(saved: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"max_shard_size": "60KB"} if saved == "sharded" else {}
    folder = zoo.build(tmp_path, "mbert", half=saved == "half", **options)
    if saved == "bin":
        zoo.bin_only(folder)
    assert saved != "sharded" or len(list(folder.glob("*.safetensors"))) > 1
    check(folder, window=384)


def test_segments_matter_where_the_model_has_them(made: Callable[[str], Path]) -> None:
    model = QuestionAnsweringModel(str(made("mbert")), dtype="float32")
    ids = model.tokenizer("Who?", "Nile")["input_ids"]
    one, two = (model.logits([ids], [[kind] * len(ids)]) for kind in (0, 1))
    assert not np.allclose(one, two)


def test_scores_are_log_probabilities_and_the_margin_is_of_logits(
    made: Callable[[str], Path],
) -> None:
    [found] = reader_of(made("xlm-roberta")).read([query_of(QUESTIONS[0])], [hits_of()])
    for candidate in found:
        assert candidate.scores.span <= 0 and candidate.scores.passage <= 0
        assert candidate.scores.margin is None or candidate.scores.margin >= 0
    assert {c.docid for c in found if c.scores.margin is None} <= {"one"}


def test_without_no_answer_the_null_score_is_0(made: Callable[[str], Path]) -> None:
    folder = made("xlm-roberta")
    [found] = reader_of(folder, no_answer=False).read([query_of(QUESTIONS[0])], [hits_of()])
    for candidate in found:
        text = candidate.hit.passage.text
        best = reference(folder, QUESTIONS[0], text, window=384).best
        log_p = -float(np.logaddexp(0.0, -best))
        assert candidate.scores.passage == pytest.approx(log_p, abs=1e-5)


def test_passages_without_text_have_no_candidate(made: Callable[[str], Path]) -> None:
    empty = [Passage("e", ""), Passage("b", " \n")]
    reader = reader_of(made("mbert"))
    assert reader.read([query_of("Who?")], [hits_of(empty)]) == [[]]
    [ranked] = ReaderRanker(model=str(made("mbert"))).rank(
        [query_of("Who?")], [hits_of([*empty, PASSAGES[0]])]
    )
    assert ranked[0].passage == PASSAGES[0]


def test_a_ranker_ranks_by_the_same_score(made: Callable[[str], Path]) -> None:
    folder = str(made("distilbert"))
    queries = [query_of(QUESTIONS[0])]
    [ranked] = ReaderRanker(model=folder, dtype="float32").rank(queries, [hits_of()])
    [found] = SpanReader(model=folder, passages=99, dtype="float32").read(queries, [hits_of()])
    assert [hit.passage.docid for hit in ranked] == [candidate.docid for candidate in found]


def test_a_question_that_leaves_no_room_is_cut_and_reported_once(
    made: Callable[[str], Path],
) -> None:
    reader, question = reader_of(made("mbert"), max_tokens=64), query_of("Where is it? " * 40)
    with pytest.warns(Notice, match=r"1 question cut to 39 tokens, to leave room"):
        [found] = reader.read([question], [hits_of()])
    assert len(found) == len(PASSAGES)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)
        reader.read([question], [hits_of([Passage("new", "A new passage.")])])


@pytest.mark.parametrize(
    ("family", "head", "message"),
    [
        ("mbert", "ForMaskedLM", "is a BertForMaskedLM, not a reader"),
        ("mbert", "Model", "is a BertModel, not a reader"),
        ("xlm-roberta", "ForSequenceClassification", "ForSequenceClassification, not a reader"),
        ("bart", "ForConditionalGeneration", "is a BartForConditionalGeneration, not a reader"),
    ],
)
def test_other_models_are_refused_in_one_line(
    family: str, head: str, message: str, tmp_path: Path
) -> None:
    refused(zoo.build(tmp_path, family, head=head), message)


def refused(folder: Path, message: str) -> None:
    with pytest.raises(WeightsError, match=message) as error:
        SpanReader(model=str(folder)).read([query_of("Who?")], [hits_of()])
    assert "\n" not in str(error.value)


def test_missing_weights_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    path = zoo.build(tmp_path, "mbert") / "model.safetensors"
    weights = load_file(path)
    del weights["qa_outputs.weight"]
    save_file(weights, path, metadata={"format": "pt"})
    refused(tmp_path, "lacks 1 weights of BertForQuestionAnswering, among them qa_outputs.weight")


def test_a_body_that_calls_itself_a_reader_is_refused(tmp_path: Path) -> None:
    zoo.build(tmp_path, "mbert", head="Model")
    path = tmp_path / "config.json"
    config = json.loads(path.read_text())
    path.write_text(json.dumps(config | {"architectures": ["BertForQuestionAnswering"]}))
    refused(tmp_path, "lacks .* weights of BertForQuestionAnswering")


CODE = """
from transformers import BertForQuestionAnswering

class Swapped(BertForQuestionAnswering):
    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        output = super().forward(input_ids, attention_mask, token_type_ids)
        output.start_logits, output.end_logits = output.end_logits, output.start_logits
        return output
"""


def test_code_of_a_model_runs_only_if_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import dynamic_module_utils

    monkeypatch.setattr(dynamic_module_utils, "HF_MODULES_CACHE", str(tmp_path / "modules"))
    monkeypatch.setattr("sys.path", [*sys.path])
    folder = zoo.build(tmp_path / "coded", "mbert")
    (folder / "modeling.py").write_text(CODE)
    code = {"AutoModelForQuestionAnswering": "modeling.Swapped"}
    edit_json(folder / "config.json", auto_map=code, architectures=["Swapped"])
    refused(folder, "comes with code of its own, which runs only with trust_remote_code = true")
    edit_json(folder / "config.json", architectures=["BertForQuestionAnswering"])
    own, swapped = (
        QuestionAnsweringModel(str(folder), dtype="float32", trust_remote_code=trust)
        for trust in (False, True)
    )
    lines, windows = list[str](), [[2, 9, 8, 3]]
    with announcing(lines.append):
        logits = [model.logits(windows, [[0] * 4]) for model in (own, swapped)]
    assert lines == [f"{folder}: transformers' own class computes it, not its code"]
    assert np.array_equal(logits[0][..., ::-1], logits[1])
    assert not np.allclose(*logits)
    trusted = reader_of(folder, trust_remote_code=True)
    assert trusted.fingerprint() != reader_of(folder).fingerprint()


def test_a_tokenizer_that_pads_on_the_left_is_refused(tmp_path: Path) -> None:
    zoo.build(tmp_path, "mbert")
    path = tmp_path / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"padding_side": "left"}))
    refused(tmp_path, "pads on the left")


def test_a_reader_has_an_adapter_or_a_model(tiny_adapter: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="an adapter or a model"):
        SpanReader(adapter=str(tiny_adapter), model="./xlm-r")
    with pytest.raises(ConfigError, match="no_answer = false is for released models"):
        SpanReader(no_answer=False)
    with pytest.raises(ConfigError, match="trust_remote_code is for released models"):
        SpanReader(adapter=str(tiny_adapter), trust_remote_code=True)
    with pytest.raises(WeightsError, match="is not a folder with"):
        SpanReader(model=str(tmp_path / "none")).fingerprint()


def test_the_fingerprint_covers_the_tokenizer_and_the_settings(tmp_path: Path) -> None:
    folder = zoo.build(tmp_path / "a", "mbert")
    other = zoo.build(tmp_path / "b", "mbert")
    settings: list[dict[str, Any]] = [{}, {"no_answer": False}, {"longest": 9}, {"stride": 9}]
    settings += [{"max_tokens": 99}, {"passages": 3}]
    prints = [SpanReader(model=str(folder), **given).fingerprint() for given in settings]
    assert len(set(prints)) == len(settings)
    assert SpanReader(model=str(other)).fingerprint() == prints[0]
    path = other / "tokenizer.json"
    path.write_text(path.read_text().replace('"[MASK]"', '"[MASC]"'))
    assert SpanReader(model=str(other)).fingerprint() != prints[0]


def test_the_experiment_of_the_how_to_reads_each_route_with_its_model(
    made: Callable[[str], Path], tmp_path: Path
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to.md").read_text(encoding="utf-8")
    section = page.partition("## Read with a question-answering model")[2]
    config = section.partition("```toml\n")[2].partition("```")[0]
    folders = {
        "timpal0l/mdeberta-v3-base-squad2": made("mdeberta"),
        "deepset/xlm-roberta-large-squad2": made("xlm-roberta"),
    }
    for name, folder in folders.items():
        assert name in config
        config = config.replace(name, str(folder))
    (tmp_path / "my.toml").write_text(config, encoding="utf-8")
    corpora = {lang: load_mini().corpora[lang] for lang in ("en", "fi")}
    pipeline = Pipeline.from_config(tmp_path / "my.toml", corpora, indexes=tmp_path)
    question = Question("q", "Missä maassa Helsinki on?", "fi")
    [trace] = pipeline.answer([question])
    assert {candidate.route for candidate in trace.candidates} == {"eng", "target"}
    for name, folder in zip(("eng", "target"), folders.values(), strict=True):
        result = trace.by_route[name]
        alone = SpanReader(model=str(folder), passages=10 if name == "eng" else 5)
        [read] = alone.read([result.query], [result.hits])
        assert [replace(candidate, route=name) for candidate in read] == list(result.candidates)
    assert trace.answer is not None
    assert trace.answer.score == max(candidate.score for candidate in trace.candidates)


def test_the_command_read_takes_a_model(
    made: Callable[[str], Path], tmp_path: Path, home: Path
) -> None:
    from xorqa.cli.main import app

    question = {"id": "q", "question": QUESTIONS[0]}
    paragraphs = [{"context": PASSAGES[0].text, "qas": [question]}]
    data = tmp_path / "data.json"
    data.write_text(json.dumps({"version": "1", "data": [{"paragraphs": paragraphs}]}))
    pred = tmp_path / "pred.json"
    folder = made("xlm-roberta")
    command = ["read", "--data", str(data), "--pred", str(pred), "--reader", str(folder)]
    assert CliRunner().invoke(app, command).exit_code == 0
    expected = reference(folder, QUESTIONS[0], PASSAGES[0].text, window=384)
    assert json.loads(pred.read_text()) == {"q": PASSAGES[0].text[expected.start : expected.end]}
