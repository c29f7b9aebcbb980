import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError, WeightsError
from xorqa.core.types import Query, Question, TranslationFailure
from xorqa.translation.seq2seq import Seq2SeqTranslator

TEXTS = ["Missä Inari on?", "ナイル川はどこにありますか?", "Kuka?"]
QUESTIONS = [Question(f"q{at}", text, "ja" if at == 1 else "fi") for at, text in enumerate(TEXTS)]


@pytest.fixture(scope="session")
def tiny_nllb(tmp_path_factory: pytest.TempPathFactory, save_m2m: Callable[..., None]) -> Path:
    """A random NLLB model that spells letter by letter."""
    from transformers import NllbTokenizer

    folder = tmp_path_factory.mktemp("tiny-nllb")
    letters = sorted({*"".join(TEXTS), "▁"} - {" "})
    vocab = {token: at for at, token in enumerate(["<s>", "<pad>", "</s>", "<unk>", *letters])}
    tokenizer = NllbTokenizer(vocab=vocab, merges=[])
    tokenizer.save_pretrained(folder)
    save_m2m(folder, size=len(tokenizer), seed=5)
    return folder


def build(folder: Path, **options: Any) -> tuple[Seq2SeqTranslator, list[TranslationFailure]]:
    failures: list[TranslationFailure] = []
    given = {"beams": 2, "longest": 24, "dtype": "float32", "device": "cpu", **options}
    return Seq2SeqTranslator(model=str(folder), failed=failures.append, **given), failures


def peer(folder: Path, text: str, codes: tuple[str, str] | None) -> str:
    """The translation as transformers' own documentation makes it, one text at a time."""
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype="float32").eval()
    options = {}
    if codes:
        tokenizer.src_lang = codes[0]
        target = f"__{codes[1]}__" if len(codes[1]) == 2 else codes[1]
        options["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(target)
    inputs = tokenizer(text, return_tensors="pt")
    [output] = model.generate(**inputs, num_beams=2, max_new_tokens=24, **options).tolist()
    drop = {*tokenizer.all_special_ids, options.get("forced_bos_token_id")}
    return str(tokenizer.decode([number for number in output if number not in drop]))


@pytest.mark.parametrize(
    ("kind", "codes", "marks"),
    [
        ("tiny_seq2seq", None, ("", "")),
        ("tiny_m2m", ("fi", "en"), ("__fi__", "__en__")),
        ("tiny_nllb", ("jpn_Jpan", "eng_Latn"), ("jpn_Jpan", "eng_Latn")),
    ],
)
def test_it_says_what_transformers_says(
    kind: str, codes: Any, marks: tuple[str, str], request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(kind)
    translator, _ = build(folder)
    said = [peer(folder, text, codes) for text in TEXTS]
    assert len({*said}) > 1 and not any("en" in text.split("_") for text in said)
    assert translator.generate([(marks[0], text) for text in TEXTS], marks[1]) == said


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


def test_a_language_that_the_model_does_not_have(tiny_m2m: Path) -> None:
    translator, failures = build(tiny_m2m)
    telugu = Question("te", "గోదావరి ఎక్కడ ఉంది?", "te")
    unknown = Question("xx", "Nile?", "xx")
    queries = translator.translate([telugu, unknown], to="en")
    assert [(query.text, query.lang) for query in queries] == [(telugu.text, "te"), ("Nile?", "xx")]
    assert [failure.reason for failure in failures] == [
        f"{tiny_m2m} has no language 'te'",
        f"{tiny_m2m} has no language 'xx'",
    ]
    with pytest.raises(ConfigError, match="the model does not translate into 'te'"):
        translator.translate(QUESTIONS, to="te")
    with pytest.raises(ConfigError, match="the model does not translate into 'te'"):
        translator.translate([], to="te")


def test_batches_do_not_change_what_is_said(
    tiny_seq2seq: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator, _ = build(tiny_seq2seq)
    sources = [("", text) for text in TEXTS]
    together = translator.generate(sources, "")
    assert [translator.generate([source], "")[0] for source in sources] == together
    monkeypatch.setattr("xorqa.translation.seq2seq.BUDGET", 1)
    assert translator.generate(sources[::-1], "")[::-1] == together


def test_fingerprints(tiny_seq2seq: Path, tiny_m2m: Path) -> None:
    made = [build(tiny_seq2seq), build(tiny_seq2seq, beams=3), build(tiny_m2m)]
    assert len({translator.fingerprint() for translator, _ in made}) == 3
    assert build(tiny_seq2seq)[0].fingerprint() == made[0][0].fingerprint()


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
