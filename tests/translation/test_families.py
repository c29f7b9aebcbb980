"""Each released family of translators computes what its own library computes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.zoo import translators as zoo
from tests.zoo.references import SEARCH, Case, outputs, translate, translate_ctranslate2
from xorqa.core.errors import ConfigError, Notice
from xorqa.core.progress import announcing
from xorqa.core.types import Question
from xorqa.io.cache import TEXTS, Cache
from xorqa.translation.ctranslate2 import CTranslate2Translator
from xorqa.translation.seq2seq import Seq2SeqTranslator

OPUS = ["fin", "kor_Hang", "cmn_Hans", "cmn_Hant", "ara"]
T5_TASK = {"translation_en_to_de": {"prefix": "translate English to German: "}}


CASES = {
    "opus-mt-ko-en": Case(lambda to: zoo.marian(to, pair=("ko", "en")), "ko", "en"),
    "opus-mt-mul-en": Case(lambda to: zoo.marian(to, pair=("mul", "en")), "ko", "en"),
    "opus-mt-en-mul fi": Case(lambda to: zoo.marian(to, OPUS), "en", "fi", ">>fin<< "),
    "opus-mt-en-mul ko": Case(lambda to: zoo.marian(to, OPUS), "en", "ko", ">>kor_Hang<< "),
    "opus-mt-en-mul zh": Case(lambda to: zoo.marian(to, OPUS), "en", "zh", ">>cmn_Hans<< "),
    "opus-mt-en-mul ar": Case(lambda to: zoo.marian(to, OPUS), "en", "ar", ">>ara<< "),
    "nllb-200": Case(zoo.nllb, "ko", "en", source="kor_Hang", target="eng_Latn"),
    "m2m100": Case(zoo.m2m, "ko", "en", source="ko", target="__en__"),
    "mbart-50": Case(zoo.mbart50, "ko", "en", source="ko_KR", target="en_XX"),
    "madlad400": Case(lambda to: zoo.t5(to, zoo.MADLAD), "ko", "en", "<2en> "),
    "t5": Case(
        lambda to: zoo.t5(to, task_specific_params=T5_TASK),
        "en",
        "de",
        "translate English to German: ",
    ),
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a case's model, built once."""
    root, made = tmp_path_factory.mktemp("zoo"), dict[str, Path]()

    def model(name: str) -> Path:
        if name not in made:
            made[name] = CASES[name].build(root / name.replace(" ", "-"))
        return made[name]

    return model


@pytest.mark.parametrize("name", CASES)
def test_outputs_are_those_of_transformers(name: str, models: Callable[[str], Path]) -> None:
    folder, case = models(name), CASES[name]
    ours = Seq2SeqTranslator(model=str(folder), dtype="float32", **SEARCH)
    expected = translate(folder, case)
    assert len(set(expected)) > 1
    assert outputs(ours, case) == expected


@pytest.mark.parametrize("vocabulary", ["shared_vocabulary.json", "shared_vocabulary.txt"])
@pytest.mark.parametrize("name", [name for name in CASES if name != "t5"])
def test_outputs_are_those_of_ctranslate2(
    name: str, vocabulary: str, models: Callable[[str], Path], tmp_path: Path
) -> None:
    pytest.importorskip("ctranslate2")
    folder, case = models(name), CASES[name]
    converted = zoo.converted(folder, tmp_path / folder.name)
    if vocabulary.endswith(".txt"):  # as converters before version 3 wrote it
        path = converted / "shared_vocabulary.json"
        tokens = json.loads(path.read_text("utf-8"))
        (converted / vocabulary).write_text("\n".join(tokens) + "\n", "utf-8")
        path.unlink()
    ours = CTranslate2Translator(model=str(converted), compute="float32", **SEARCH)
    expected = translate_ctranslate2(folder, converted, case)
    assert [text.strip() for text in outputs(ours, case)] == [text.strip() for text in expected]


@pytest.mark.parametrize(
    ("name", "lang", "to", "problem"),
    [
        ("opus-mt-ko-en", "ko", "de", "translates into 'en', not into 'de'"),
        ("opus-mt-ko-en", "fi", "en", "translates from 'ko', not from 'fi'"),
        ("opus-mt-en-mul fi", "en", "de", "has no language 'de'; it has ar, fi, ko, zh"),
        ("nllb-200", "te", "en", "has no language 'te'; it has en, fi, ko, zh"),
        ("nllb-200", "ko", "te", "has no language 'te'"),
        ("m2m100", "te", "en", "has no language 'te'"),
        ("mbart-50", "ko", "el", "has no language 'el'"),
        ("madlad400", "te", "en", "has no language 'te'; it has en, fi, ko"),
        ("t5", "en", "fi", "into 'fi'; its tasks: translation_en_to_de"),
    ],
)
def test_a_language_that_a_model_lacks_is_refused_before_anything_is_translated(
    name: str, lang: str, to: str, problem: str, models: Callable[[str], Path]
) -> None:
    translator = Seq2SeqTranslator(model=str(models(name)), dtype="float32", **SEARCH)
    good = Question("q1", CASES[name].texts[0], CASES[name].lang)
    with pytest.raises(ConfigError, match=problem):
        translator.translate([good, Question("q2", "?", lang)], to=to)
    assert "_model" not in vars(translator)


def test_a_run_checks_all_languages_before_its_first_chunk(
    models: Callable[[str], Path], tmp_path: Path
) -> None:
    translator = Seq2SeqTranslator(model=str(models("madlad400")), dtype="float32", **SEARCH)
    questions = [Question(f"q{number}", f"누구? {number}", "ko") for number in range(TEXTS + 1)]
    questions.append(Question("te", "?", "te"))
    with pytest.raises(ConfigError, match="has no language 'te'"):
        Cache(tmp_path / "cache").translate(translator, questions, to="en")
    assert "_model" not in vars(translator)


def test_codes_without_weights_are_no_languages(tmp_path: Path) -> None:
    """transformers' tokenizer adds codes of its class, also to a model that lacks them."""
    folder = zoo.nllb(tmp_path / "nllb", ["eng_Latn", "kor_Hang"])
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["fin_Latn"], special_tokens=True)
    tokenizer.save_pretrained(folder)
    translator = Seq2SeqTranslator(model=str(folder), **SEARCH)
    with pytest.raises(ConfigError, match="has no language 'fi'; it has en, ko"):
        translator.check_languages({"fi"}, to="en")


def test_mbart_into_one_language(tmp_path: Path) -> None:
    folder = zoo.mbart50(tmp_path / "many-to-one")
    from transformers import AutoTokenizer

    english = AutoTokenizer.from_pretrained(folder).convert_tokens_to_ids("en_XX")
    settings = json.loads((folder / "generation_config.json").read_text("utf-8"))
    (folder / "generation_config.json").write_text(
        json.dumps({**settings, "forced_bos_token_id": english}), "utf-8"
    )
    translator = Seq2SeqTranslator(model=str(folder), dtype="float32", **SEARCH)
    case = Case(zoo.mbart50, "ko", "en", source="ko_KR")
    assert outputs(translator, case) == translate(folder, case)
    with pytest.raises(ConfigError, match="translates into en_XX only, not into 'fi'"):
        translator.check_languages({"ko"}, to="fi")


def test_a_prefix_names_what_a_model_does_not_say(tmp_path: Path) -> None:
    folder = zoo.t5(tmp_path / "t5")
    with pytest.raises(ConfigError, match=r"\(t5\) does not say how it names languages; set pref"):
        Seq2SeqTranslator(model=str(folder), **SEARCH).translate([], to="en")
    case = Case(zoo.t5, "ko", "en", before="translate Korean to English: ")
    prefix = "translate {source} to {target}: "
    ours = Seq2SeqTranslator(model=str(folder), prefix=prefix, dtype="float32", **SEARCH)
    assert outputs(ours, case) == translate(folder, case)
    pytest.importorskip("ctranslate2")
    converted = zoo.converted(folder, tmp_path / "converted")
    with pytest.raises(ConfigError, match="has no language tokens; set prefix"):
        CTranslate2Translator(model=str(converted), **SEARCH).translate([], to="en")
    fast = CTranslate2Translator(model=str(converted), prefix=prefix, compute="float32", **SEARCH)
    assert outputs(fast, case) == translate_ctranslate2(folder, converted, case)


def test_what_is_set_otherwise_or_cut_is_reported_once(models: Callable[[str], Path]) -> None:
    folder = models("opus-mt-en-mul fi")
    (folder / "generation_config.json").write_text(
        json.dumps({**json.loads((folder / "generation_config.json").read_text()), "num_beams": 6})
    )
    said: list[str] = []
    translator = Seq2SeqTranslator(model=str(folder), dtype="float32", **SEARCH)
    with announcing(said.append), pytest.warns(Notice) as warned:
        translator.generate([(">>fin<<", "Where is the Nile? " * 9)] * 2, "")
    assert said == [f"{folder}: beams = 3 instead of 6"]
    [notice] = warned
    assert "reads only the first 24 tokens of a question; set `longest`" in str(notice.message)
    [ids] = [translator.source_ids(">>fin<<", "Where is the Nile? " * 9)]
    assert len(ids) == SEARCH["longest"] + 2
    assert ids[-1] == translator.tokenizer.eos_token_id
