"""XOR QA's systems run on the bundled world, with tiny weights at the paths of the configs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.candidates import candidate
from tests.lab.papers.made_up import recorded, write_files_of_systems
from xorqa.core.errors import ConfigError, Notice
from xorqa.core.types import Question
from xorqa.datasets.dataset import Dataset
from xorqa.datasets.mini import load as load_mini
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import load_settings, only_routes
from xorqa.lab.papers.translated_answers import TranslatedAnswers

SYSTEMS = [
    ("xor-full-gmt-gs-dpr", ("target", "eng")),
    ("xor-full-mt-gs-dpr", ("target", "eng")),
    ("xor-full-mt-bm25-dpr", ("target", "eng")),
    ("xor-full-none-gs-mdpr", ("target", "eng")),
    ("xor-full-gmt-gs-dpr", ("eng",)),
    ("xor-full-mt-gs-dpr", ("eng",)),
    ("xor-full-none-gs-mdpr", ("eng",)),
    ("xor-full-gmt-gs-dpr", ("target",)),
    ("xor-full-mt-bm25-dpr", ("target",)),
]
"""The nine rows of Tables 15 to 17."""


@pytest.fixture(scope="module")
def few() -> Dataset:
    dataset = load_mini()
    by_lang = {example.question.lang: example for example in dataset.examples}
    return replace(dataset, examples=tuple(by_lang.values()))


@pytest.fixture(scope="module")
def folder(few: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the configs name, where they name them."""
    folder = tmp_path_factory.mktemp("xor-full")
    write_files_of_systems(folder, few)
    return folder


@pytest.mark.parametrize(("name", "routes"), SYSTEMS)
def test_a_system_of_the_tables_runs(
    name: str,
    routes: tuple[str, ...],
    few: Dataset,
    folder: Path,
    make_tiny: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    retriever = "routes.eng.retriever"
    towers = {
        f"{side}_tower": make_tiny(seed=seed, model=kind)
        for seed, (side, kind) in enumerate(
            (("question", "DPRQuestionEncoder"), ("passage", "DPRContextEncoder"))
        )
    }
    changes = [f"{retriever}.{tower}={path}" for tower, path in towers.items()]
    if "bm25" in name:  # a cluster is elsewhere
        changes.append("routes.target.retriever={use='bm25', k1=1.2, b=0.75}")
    settings = only_routes(load_settings(name, changes=changes), routes)
    pipeline = Pipeline.from_config(
        settings, few.corpora, indexes=folder / "indexes" / "-".join([name, *routes])
    )
    traces = pipeline.answer([example.question for example in few.examples])
    assert len(traces) == len(few.examples)
    for trace in traces:
        assert trace.answer is not None
        assert [result.candidates for result in trace.by_route.values()]


def test_answers_are_translated_by_the_translator_alone(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    recorded(path, "gmt", [("en", "1871", "ko", "1871년"), ("en", "Verdi", "ko", "베르디")])
    translator = {"use": "recorded", "file": str(path)}
    localiser = TranslatedAnswers(translator=translator, answers=2)
    questions = [Question("q", "누구?", "ko"), Question("r", "Kuka?", "fi")]
    found = [[candidate("1871"), candidate("Verdi")], [candidate("Verdi")]]
    with pytest.warns(Notice, match="1 English answer left untranslated and copied"):
        korean, finnish = localiser.localise(questions, found)
    assert [answer.text for answer in korean] == ["1871년", "베르디"]
    assert {answer.method for answer in korean} == {"translated"}
    assert [(answer.text, answer.method) for answer in finnish] == [("Verdi", "copied")]
    [one] = TranslatedAnswers(translator=translator).localise(
        questions[:1],
        [[candidate("1871", passage_score=-2.0), candidate("Verdi", passage_score=-1.0)]],
    )
    assert [answer.method for answer in one] == ["copied", "translated"]
    with pytest.raises(ConfigError, match="translations of questions, not of answers"):
        TranslatedAnswers(translator={"use": "human"})
