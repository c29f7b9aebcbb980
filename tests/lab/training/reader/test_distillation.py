import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from xorqa.core.errors import ConfigError
from xorqa.core.types import Span
from xorqa.lab.training.bitext.translations import (
    TranslatedQuestion,
    TranslationSource,
    read_paragraphs,
)
from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.common.training_data import match_key
from xorqa.lab.training.reader.distillation import (
    Teacher,
    TeacherReading,
    agreement_questions,
    distilled_windows,
)
from xorqa.lab.training.reader.model import teacher_loss
from xorqa.lab.training.reader.recipe import Distillation, ReaderRecipe
from xorqa.lab.training.reader.samples import LabeledWindow, TeacherScores
from xorqa.lab.training.reader.train import prepare, train_reader
from xorqa.models.checkpoints import load_tokenizer, resolve
from xorqa.reading.features import make_windows
from xorqa.reading.pairs import QuestionPassage
from xorqa.reading.span import SpanReader

PASSAGE = "The Kemi is 550 km long. A town called Oulu stands on the river Oulu, and no other."
QUESTION = TranslatedQuestion("fi", "Mikä on Kemijoen pituus?", "How long is the Kemi?", PASSAGE)


def teacher(adapter: Path, max_tokens: int = 64) -> Teacher:
    return Teacher(str(adapter), max_tokens=max_tokens, dtype="float32")


def how(recipe: ReaderRecipe) -> Distillation:
    assert recipe.distillation is not None
    return recipe.distillation


def test_the_teachers_scores_are_a_readers_in_16_bits(tiny_adapter: Path, tmp_path: Path) -> None:
    pairs = [QUESTION.of_teacher, QuestionPassage("Which town?", PASSAGE), QUESTION.of_teacher]
    one = teacher(tiny_adapter)
    readings = one.read_all(pairs, tmp_path)
    assert len(readings) == 2
    reader = SpanReader(adapter=str(tiny_adapter), max_tokens=64, dtype="float32").pairs
    for pair, reading in readings.items():
        [[(window, logits)]] = reader.score_windows([pair])
        inside = slice(window.context.start, window.context.end)
        assert reading.ids.tolist() == window.ids[inside]
        np.testing.assert_allclose(reading.scores.spans, logits[inside, :2], rtol=2e-3, atol=2e-3)
        assert reading.scores.relevance == pytest.approx(float(logits[0, 2]), rel=2e-3)
        assert reading.answer == reader.read([pair])[0].best
    again = teacher(tiny_adapter)
    again.score_windows = None  # type: ignore[method-assign, assignment]
    stored = again.read_all(pairs, tmp_path)
    for pair, reading in readings.items():
        np.testing.assert_array_equal(stored[pair].scores.spans, reading.scores.spans)
        assert stored[pair].answer == reading.answer


def test_of_a_long_passage_the_most_relevant_window_is_kept(
    tiny_adapter: Path, tmp_path: Path
) -> None:
    pair = QuestionPassage("How long?", PASSAGE * 4)
    one = teacher(tiny_adapter)
    [reading] = one.read_all([pair], tmp_path).values()
    [scored] = one.score_windows([pair])
    assert len(scored) > 1
    best = max(scored, key=lambda row: float(row[1][0, 2]))[0]
    assert reading.ids.tolist() == best.ids[best.context.start : best.context.end]


def test_a_students_window_has_its_question_and_the_teachers_tokens(
    tiny: Path, tiny_adapter: Path, tmp_path: Path
) -> None:
    readings = teacher(tiny_adapter).read_all([QUESTION.of_teacher], tmp_path)
    tokenizer = load_tokenizer(resolve(str(tiny)))
    [labeled] = distilled_windows([QUESTION], readings, tokenizer, 64)
    [expected] = make_windows(tokenizer, [QUESTION.text], [PASSAGE], max_tokens=64)
    assert labeled.window.ids == expected.ids
    assert labeled.window.context == expected.context
    assert labeled.gold is None
    [reading] = readings.values()
    assert labeled.teacher is not None
    np.testing.assert_array_equal(labeled.teacher.spans, reading.scores.spans)


@pytest.mark.parametrize("best", [0, 10, 25, 39])
def test_a_longer_question_leaves_the_tokens_around_the_teachers_best(
    tiny: Path, best: int
) -> None:
    spans = np.zeros((40, 2), np.float16)
    spans[best] = 5
    reading = TeacherReading(TeacherScores(spans, 1.0), np.arange(100, 140, dtype=np.int32), None)
    tokenizer = load_tokenizer(resolve(str(tiny)))
    readings = {QUESTION.of_teacher: reading}
    [labeled] = distilled_windows([QUESTION], readings, tokenizer, 48)
    first, last = labeled.window.context.start, labeled.window.context.end
    assert len(labeled.window.ids) == 48
    assert last == 47
    assert labeled.teacher is not None
    assert len(labeled.teacher.spans) == last - first < 40
    at = int(labeled.teacher.spans[:, 0].argmax())
    assert labeled.window.ids[first + at] == 100 + best


def window(tiny: Path, spans: np.ndarray, relevance: float) -> LabeledWindow:
    [one] = make_windows(load_tokenizer(resolve(str(tiny))), ["?"], ["A town"])
    scores = TeacherScores(spans.astype(np.float16), relevance)
    return LabeledWindow(one, None, scores)


def test_the_divergence_by_hand(tiny: Path) -> None:
    one = window(tiny, np.zeros((1, 2)), 0.0)
    first, last = one.window.context.start, one.window.context.end
    rng = np.random.default_rng(1)
    theirs = rng.normal(0, 3, (last - first, 2)).astype(np.float16)
    one = window(tiny, theirs, 1.5)
    logits = torch.randn(1, 32, 3, generator=torch.Generator().manual_seed(1))

    def kl(p: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
        return (p * (p.log() - q.log())).sum()

    soft = torch.from_numpy(theirs).float() / 2
    ours = logits[0, first:last, :2] / 2
    spans = sum(kl(soft[:, at].softmax(0), ours[:, at].softmax(0)) for at in (0, 1)) / 2
    p, q = torch.tensor(1.5 / 2).sigmoid(), (logits[0, 0, 2] / 2).sigmoid()
    relevance = kl(torch.stack([p, 1 - p]), torch.stack([q, 1 - q]))
    found = teacher_loss(logits, [one], weight=0.5, temperature=2.0)
    assert float(found) == pytest.approx(4 * float(spans + 0.5 * relevance), rel=1e-4)
    same = torch.zeros(1, 32, 3)
    same[0, first:last, :2], same[0, 0, 2] = torch.from_numpy(theirs).float(), 1.5
    assert float(teacher_loss(same, [one], weight=0.5, temperature=2.0)) == pytest.approx(
        0, abs=1e-5
    )


def test_answers_that_the_teacher_finds_likely_are_agreed_with() -> None:
    def reading(relevance: float, answer: Span | None) -> TeacherReading:
        scores = TeacherScores(np.zeros((1, 2), np.float16), relevance)
        return TeacherReading(scores, np.zeros(1, np.int32), answer)

    questions = [QUESTION._replace(english=str(at)) for at in range(3)]
    given = (reading(2.0, Span(12, 18)), reading(-2.0, Span(0, 3)), reading(2.0, None))
    found = agreement_questions(
        questions, dict(zip((one.of_teacher for one in questions), given, strict=True))
    )
    assert [(one.question, one.lang, one.answers) for one in found] == [
        (QUESTION.text, "fi", ("550 km",))
    ]


def test_nothing_held_out_or_excluded_is_distilled(
    distilling: ReaderRecipe, file: Path, tiny: Path, tmp_path: Path
) -> None:
    excluded = tmp_path / "dev.jsonl"
    excluded.write_text(json.dumps({"question": "Where of the Danube?"}) + "\n")
    tokenizer = load_tokenizer(resolve(str(tiny)))
    data = prepare(replace(distilling, exclude=(str(excluded),)), tokenizer, tmp_path / "out")
    taught = [one for batch in data.batches for one in batch if one.teacher is not None]
    texts = [tokenizer.decode(one.window.ids) for one in taught]
    assert 12 <= len(taught) == data.counts["distilled_windows"] <= 24
    assert data.counts["windows"] > 24
    paragraphs = read_paragraphs([file], 0.3)
    held = {river for river in ("Nile", "Rhine", "Volga") if _held(river, paragraphs.held_out)}
    assert held
    assert not any(river.lower() in text.lower() for river in held for text in texts)
    assert not any("missä danube" in text.lower() for text in texts)
    assert data.validation is not None
    assert {question.lang for question in data.validation.agreement} <= {"fi", "ko"}


def _held(river: str, held_out: frozenset[str]) -> bool:
    return match_key(f"where of the {river}?") in held_out


def test_the_student_moves_to_the_teacher(
    distilling: ReaderRecipe, tiny: Path, tmp_path: Path
) -> None:
    schedule = Schedule(3e-3, log_every=1)
    recipe = replace(
        distilling,
        questions=1,
        negatives=0.0,
        distillation=replace(how(distilling), windows=120),
        schedule=schedule,
    )
    path = train_reader(recipe, tmp_path)
    losses = [
        float(line.split(",")[1]) for line in (tmp_path / "curve.csv").read_text().splitlines()[1:]
    ]
    assert len(losses) >= 16
    assert sum(losses[-8:]) < 0.8 * sum(losses[:8])
    card = json.loads(path.with_name("card.json").read_text())
    made = card["recipe"]["distillation"]
    assert made["teacher"] == "tiny-reader.safetensors"
    assert made["passages"] == ["train.json"]
    assert 0 <= card["distilled_relevant_windows"] <= card["distilled_windows"]


def test_an_interrupted_distillation_ends_the_same(
    distilling: ReaderRecipe, tmp_path: Path
) -> None:
    whole = train_reader(distilling, tmp_path / "whole")
    train_reader(distilling, tmp_path / "parts", stop_after=2)
    parts = load_file(train_reader(distilling, tmp_path / "parts"))
    expected = load_file(whole)
    assert sorted(expected) == sorted(parts)
    assert all(torch.equal(value, parts[name]) for name, value in expected.items())


def test_a_teacher_of_another_base_is_refused(
    distilling: ReaderRecipe, make_tiny: Callable[..., Path], tmp_path: Path
) -> None:
    recipe = replace(distilling, base=str(make_tiny(seed=9)), start=None)
    with pytest.raises(ConfigError, match="was trained on"):
        train_reader(recipe, tmp_path / "out")


@pytest.mark.parametrize(("langs", "words"), [((), {"joki", "fluss"}), (("de",), {"fluss"})])
def test_english_questions_are_code_switched(
    distilling: ReaderRecipe,
    file: Path,
    tiny: Path,
    tmp_path: Path,
    langs: tuple[str, ...],
    words: set[str],
) -> None:
    (tmp_path / "words.tsv").write_text("fi\tof\tjoki\nde\tof\tFluss\n")
    changed = replace(
        how(distilling),
        sources=(TranslationSource((str(file),)),),
        code_switched_langs=langs,
        windows=60,
    )
    recipe = replace(distilling, lexicon=(str(tmp_path / "words.tsv"),), distillation=changed)
    tokenizer = load_tokenizer(resolve(str(tiny)))
    data = prepare(recipe, tokenizer, tmp_path / "out")
    texts = [
        tokenizer.decode(one.window.ids[: one.window.context.start]).lower().replace(" ", "")
        for batch in data.batches
        for one in batch
        if one.teacher is not None
    ]
    assert {word for word in ("joki", "fluss") if any(word in text for text in texts)} == words
    assert data.validation is not None
    assert {one.lang for one in data.validation.agreement} <= {"fi", "de"} & (
        set(langs) or {"fi", "de"}
    )
    missing = replace(changed, code_switched_langs=("ko",))
    with pytest.raises(ConfigError, match="the lexicon has no 'ko'; valid: "):
        prepare(replace(recipe, distillation=missing), tokenizer, tmp_path / "none")


def test_without_questions_nothing_is_distilled(
    distilling: ReaderRecipe, tiny: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.tsv"
    empty.write_text("")
    changed = replace(how(distilling), sources=(TranslationSource((str(empty),)),))
    with pytest.raises(ConfigError, match="no question is left; see sources"):
        prepare(
            replace(distilling, distillation=changed),
            load_tokenizer(resolve(str(tiny))),
            tmp_path / "out",
        )
