import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.zoo.encoders import edit_json
from xorqa.core.errors import ConfigError, WeightsError
from xorqa.core.types import Query, Question, TranslationFailure
from xorqa.translation.seq2seq import Seq2SeqTranslator

TEXTS = ["Missä Inari on?", "ナイル川はどこにありますか?", "Kuka?"]
QUESTIONS = [Question(f"q{at}", text, "ja" if at == 1 else "fi") for at, text in enumerate(TEXTS)]


def build(folder: Path, **options: Any) -> tuple[Seq2SeqTranslator, list[TranslationFailure]]:
    failures: list[TranslationFailure] = []
    given = {"beams": 2, "longest": 24, "dtype": "float32", "device": "cpu", **options}
    return Seq2SeqTranslator(model=str(folder), failed=failures.append, **given), failures


def test_what_the_guard_refuses_stays_and_is_reported(
    tiny_seq2seq: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator, failures = build(tiny_seq2seq)
    outputs = {TEXTS[0]: "Where is Inari?", TEXTS[1]: "ナイル川", TEXTS[2]: ""}

    def say(sources: list[tuple[str, str]], target: str) -> list[str]:
        return [outputs[text] for _, text in sources]

    monkeypatch.setattr(translator, "generate", say)
    english = Question("e", "Where?", "en")
    queries = translator.translate([english, *QUESTIONS], to="en")
    assert queries == [
        Query(english, "Where?", "en"),
        Query(QUESTIONS[0], "Where is Inari?", "en"),
        Query(QUESTIONS[1], TEXTS[1], "ja"),
        Query(QUESTIONS[2], TEXTS[2], "fi"),
    ]
    assert [(failure.question.qid, failure.reason) for failure in failures] == [
        ("q1", "the output is not in 'en': 'ナイル川'"),
        ("q2", "the output is empty"),
    ]


def test_batches_do_not_change_what_is_said(
    tiny_seq2seq: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator, _ = build(tiny_seq2seq)
    sources = [("", text) for text in TEXTS]
    together = translator.generate(sources, "")
    assert [translator.generate([source], "")[0] for source in sources] == together
    monkeypatch.setattr("xorqa.translation.seq2seq.BUDGET", 1)
    assert translator.generate(sources[::-1], "")[::-1] == together


def test_fingerprints(tiny_seq2seq: Path, tmp_path: Path) -> None:
    settings: list[dict[str, Any]] = [{}, {"beams": 3}, {"prefix": ""}, {"codes": {"en": "eng"}}]
    made = [build(tiny_seq2seq, **given)[0].fingerprint() for given in settings]
    assert len(set(made)) == len(settings)
    assert build(tiny_seq2seq)[0].fingerprint() == made[0]
    other = shutil.copytree(tiny_seq2seq, tmp_path / "other")
    assert build(other)[0].fingerprint() == made[0]
    edit_json(other / "generation_config.json", repetition_penalty=1.3)
    assert build(other)[0].fingerprint() != made[0]


def test_no_model(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="is not a folder with a config"):
        build(tmp_path)[0].translate(QUESTIONS, to="en")


def test_a_damaged_tokenizer(tiny_seq2seq: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(tiny_seq2seq, folder, ignore=shutil.ignore_patterns("*.spm"))
    with pytest.raises(WeightsError, match=r"the tokenizer of .* cannot be loaded: ") as told:
        build(folder)[0].translate(QUESTIONS, to="en")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("options", [{"beams": 0}, {"longest": 0}])
def test_numbers_that_cannot_be_used(options: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=r"(beams|longest) must be 1 or more, not 0"):
        Seq2SeqTranslator(model="./any", **options)
