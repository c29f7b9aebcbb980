from dataclasses import replace
from math import exp
from pathlib import Path

import pytest
import torch

from tests.lab.training.ranker.conftest import HELD_OUT
from xorqa.core.types import Passage
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.bitext.translations import TranslationSource
from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.common.training_data import is_held_out, match_key
from xorqa.lab.training.ranker.data import prepare
from xorqa.lab.training.ranker.distillation import PassageList
from xorqa.lab.training.ranker.recipe import RankerRecipe
from xorqa.lab.training.ranker.train import _wanted, train_ranker
from xorqa.lab.training.reader.distillation import Teacher
from xorqa.lab.training.reader.recipe import Distillation
from xorqa.reading.pairs import QuestionPassage

TEMPERATURE = 2.0


@pytest.fixture
def pairs(file: Path, tmp_path: Path) -> Path:
    """Each English question of the file beside its "translation"."""
    path = tmp_path / "questions.tsv"
    questions = {row.question: None for row in read_squad(file)}
    lines = [f"fi\tkysymys: {one}\ten\t{one}\n" for one in questions]
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def distilling(recipe: RankerRecipe, file: Path, pairs: Path, tiny_adapter: Path) -> RankerRecipe:
    how = Distillation(
        (TranslationSource((str(pairs),), license="CC0"),),
        (str(file),),
        teacher=str(tiny_adapter),
        retriever="bm25",
        depth=4,
        windows=20,
        max_tokens=96,
        english=0.0,
        temperature=TEMPERATURE,
        held_out=HELD_OUT,
        validation=20,
    )
    return replace(recipe, questions=4, validation=2, distillation=how)


def distilled(distilling: RankerRecipe, out: Path) -> tuple[list[PassageList], list[PassageList]]:
    data = prepare(distilling, out)
    trained = [one for batch in data.batches for one in batch if one.probabilities]
    assert data.counts["distilled"] == len(trained)
    return trained, [one for one in data.held_out if one.probabilities]


def test_a_teacher_ranks_for_the_translation(
    distilling: RankerRecipe, file: Path, tiny_adapter: Path, tmp_path: Path
) -> None:
    trained, held_out = distilled(distilling, tmp_path / "out")
    rows = list(read_squad(file))
    texts = {Passage("", row.context, row.title).titled: row.context for row in rows}
    teacher = Teacher(str(tiny_adapter), max_tokens=96, dtype="float32")
    assert trained and held_out
    for one in trained + held_out:
        english = one.question.removeprefix("kysymys: ")
        assert english != one.question
        pairs = [QuestionPassage(english, texts[passage]) for passage in one.passages]
        readings = teacher.read_all(pairs, tmp_path / "teacher")
        logits = [readings[pair].scores.relevance for pair in pairs]
        assert logits == sorted(logits, reverse=True)
        assert logits[0] > 0
        powers = [exp((logit - logits[0]) / TEMPERATURE) for logit in logits]
        wanted = [power / sum(powers) for power in powers]
        assert one.probabilities == pytest.approx(wanted)


def test_questions_and_paragraphs_of_held_out_articles_are_apart(
    distilling: RankerRecipe, file: Path, tmp_path: Path
) -> None:
    trained, held_out = distilled(distilling, tmp_path / "out")
    held = [row for row in read_squad(file) if is_held_out(row, HELD_OUT)]
    asked = {match_key(row.question) for row in held}
    titles = tuple(row.title for row in held)
    for one in trained:
        assert match_key(one.question.removeprefix("kysymys: ")) not in asked
        assert not any(passage.startswith(titles) for passage in one.passages)
    assert not {one.question for one in trained} & {one.question for one in held_out}


def test_the_first_passage_is_wanted_or_what_the_teacher_wants() -> None:
    scores = torch.tensor([3.0, 1.0])
    assert float(_wanted(scores, ())) == 3.0
    assert float(_wanted(scores, (0.25, 0.75))) == 1.5


def test_the_ranker_moves_to_the_teacher(distilling: RankerRecipe, tmp_path: Path) -> None:
    assert distilling.distillation is not None
    more = replace(distilling.distillation, windows=300)
    schedule = Schedule(1e-2, log_every=5)
    path = train_ranker(replace(distilling, distillation=more, schedule=schedule), tmp_path)
    [_, *rows] = (tmp_path / "curve.csv").read_text("utf-8").splitlines()
    losses = [float(row.split(",")[1]) for row in rows]
    assert losses[-1] < losses[0]
    assert path.is_file()
