import importlib.util
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.zoo import translators as zoo
from xorqa.core.errors import ConfigError, MissingExtraError, WeightsError
from xorqa.core.types import Query, Question, TranslationFailure
from xorqa.translation.ctranslate2 import CTranslate2Translator
from xorqa.translation.seq2seq import Seq2SeqTranslator

TEXTS = ["Missä Inari on?", "Where is the Nile?", "Kuka?"]
QUESTIONS = [Question(text, text, "fi") for text in TEXTS]


@pytest.mark.parametrize("beams", [1, 3])
def test_it_says_what_the_original_says(
    tiny_ctranslate2: Path, tiny_seq2seq: Path, beams: int
) -> None:
    same: dict[str, Any] = {"beams": beams, "longest": 12, "device": "cpu"}
    ours = CTranslate2Translator(model=str(tiny_ctranslate2), compute="float32", **same)
    theirs = Seq2SeqTranslator(model=str(tiny_seq2seq), dtype="float32", **same)
    sources = [("", text) for text in TEXTS]
    pairs = zip(ours.generate(sources, ""), theirs.generate(sources, ""), strict=True)
    assert all(text.startswith(cut) for text, cut in pairs)  # the other one ends by force
    assert all(len(text) > 10 for text in theirs.generate(sources, ""))


def test_a_model_of_many_languages(tmp_path: Path) -> None:
    folder = zoo.converted(zoo.nllb(tmp_path / "nllb"), tmp_path / "converted")
    translator = CTranslate2Translator(model=str(folder), longest=8)
    nile, telugu = Question("q", "Missä Niili on?", "fi"), Question("te", "ఎక్కడ?", "te")
    for questions, to in (([nile, telugu], "en"), ([nile], "te"), ([], "te")):
        with pytest.raises(ConfigError, match="has no language 'te'; it has en, fi, ko, zh"):
            translator.translate(questions, to=to)
    assert "_model" not in vars(translator)
    assert [query.question for query in translator.translate([nile], to="en")] == [nile]


def test_a_model_without_a_vocabulary(tiny_ctranslate2: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(tiny_ctranslate2, folder, ignore=shutil.ignore_patterns("*vocabulary*"))
    with pytest.raises(WeightsError, match="has no vocabulary: it needs shared_vocabulary"):
        CTranslate2Translator(model=str(folder)).translate([], to="en")


def test_int8_is_the_default_and_outputs_are_guarded(
    tiny_ctranslate2: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[TranslationFailure] = []
    translator = CTranslate2Translator(
        model=str(tiny_ctranslate2), longest=8, failed=failures.append
    )
    assert len(translator.generate([("", text) for text in TEXTS], "")) == len(TEXTS)
    monkeypatch.setattr(translator, "generate", lambda sources, target: ["Who?", "", "Кто?"])
    queries = translator.translate(QUESTIONS, to="en")
    assert queries == [
        Query(QUESTIONS[0], "Who?", "en"),
        *(Query(q, q.text, "fi") for q in QUESTIONS[1:]),
    ]
    assert [failure.question for failure in failures] == QUESTIONS[1:]


def test_fingerprints(tiny_ctranslate2: Path) -> None:
    options = [{}, {"beams": 2}, {"compute": "float32"}, {"longest": 9}]
    made = [CTranslate2Translator(model=str(tiny_ctranslate2), **option) for option in options]
    assert len({translator.fingerprint() for translator in made}) == len(options)


@pytest.mark.parametrize("lost", ["model.bin", "target.spm"])
def test_a_folder_that_lacks_a_file(tiny_ctranslate2: Path, tmp_path: Path, lost: str) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(tiny_ctranslate2, folder, ignore=shutil.ignore_patterns(lost))
    with pytest.raises(WeightsError, match="is not a CTranslate2 model: it needs"):
        CTranslate2Translator(model=str(folder)).fingerprint()


def test_damaged_weights(tiny_ctranslate2: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(tiny_ctranslate2, folder)
    (folder / "model.bin").write_bytes(b"no weights")
    with pytest.raises(WeightsError, match="cannot be loaded: ") as told:
        CTranslate2Translator(model=str(folder)).translate(QUESTIONS, to="en")
    assert "\n" not in str(told.value)


def test_without_the_package(tiny_ctranslate2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"install it with: pip install 'xorqa\[mt\]'"):
        CTranslate2Translator(model=str(tiny_ctranslate2)).translate(QUESTIONS, to="en")
