"""A tiny transliterator, learned by heart, and its place in the chain."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.candidates import candidate
from xorqa.answering.localising.chain import ChainLocaliser
from xorqa.answering.transliteration.transliterate import (
    LearnedTransliterator,
    open_learned,
    spell,
    transliterate,
)
from xorqa.core.errors import ConfigError, DataError, WeightsError
from xorqa.core.types import Question
from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.transliterator.data import (
    alphabet_of,
    hash_place,
    read_names,
    target_tokens,
)
from xorqa.lab.training.transliterator.recipe import NameSource, TransliteratorRecipe
from xorqa.lab.training.transliterator.scores import edit_distance, error_rate, fit_threshold
from xorqa.lab.training.transliterator.thresholds import refit_thresholds
from xorqa.lab.training.transliterator.train import train_transliterator
from xorqa.models.transliterator import TransliteratorModel

NAMES = {  # not as the rules write them
    "Abe Oda": ("アベ オダ", "아베 오다"),
    "Nagoya": ("ナゴヤ", "나고야"),
    "Łódź": ("ウッチ", "우치"),
}


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory, tiny: Path) -> TransliteratorRecipe:
    file = tmp_path_factory.mktemp("names") / "names.tsv"
    lines = [
        f"{lang}\t{name}\ten\t{english}\n"
        for english, both in NAMES.items()
        for lang, name in zip(("ja", "ko"), both, strict=True)
    ]
    file.write_text("".join(lines), encoding="utf-8")
    return TransliteratorRecipe(
        (NameSource((str(file),)),),
        base=str(tiny),
        width=48,
        heads=2,
        feed=64,
        encoder_layers=1,
        decoder_layers=1,
        epochs=200.0,
        held_out=0.0,
        least=1,
        dropout=0.0,
        label_smoothing=0.0,
        dtype="float32",
        batch_tokens=64,
        schedule=Schedule(3e-3, log_every=10),
    )


@pytest.fixture(scope="module")
def weights(recipe: TransliteratorRecipe, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train_transliterator(recipe, tmp_path_factory.mktemp("trained"))


def test_names_are_learned_by_heart(weights: Path) -> None:
    model = TransliteratorModel(str(weights))
    for at, lang in enumerate(("ja", "ko")):
        ranked = model.transliterate(list(NAMES), lang)
        assert [row[0].text for row in ranked] == [both[at] for both in NAMES.values()]
        for row in ranked:
            probabilities = [one.probability for one in row]
            assert 0.2 < probabilities[0] <= 1
            assert sum(probabilities) < 1.001
            assert len({one.text for one in row}) == len(row)


def test_the_chain_uses_it_for_names_without_a_table(weights: Path) -> None:
    chain = ChainLocaliser(transliterator=str(weights))
    rules = ChainLocaliser(transliterator=None)
    question = Question("q", "?", "ja")
    texts = ["Abe Oda", "Albert Einstein", "Texas", "Open Door", "John Nagoya"]
    rows = chain.localise([question], [[candidate(text) for text in texts]])[0]
    assert [(answer.text, answer.method) for answer in rows[:4]] == [
        ("アベ・オダ", "transliterated"),
        ("アルベルト・アインシュタイン", "title"),
        ("テキサス州", "title"),
        ("Open Door", "copied"),
    ]
    assert rows[4].text.startswith("ジョン・")  # the table's form of a word is kept
    assert rules.localise_text("Abe Oda", "ja") != chain.localise_text("Abe Oda", "ja")
    assert chain.localise_text("Abe Oda", "ru") == (
        transliterate("Abe Oda", "ru"),
        "transliterated",
    )  # a language it was not trained on
    assert chain.fingerprint() != rules.fingerprint()


def test_uncertain_names_are_left_to_the_rules(weights: Path) -> None:
    learned = LearnedTransliterator(str(weights))
    assert learned.transliterate("Nagoya", "ja") == "ナゴヤ"
    strict = LearnedTransliterator(str(weights))
    strict.model.thresholds = {"ja": 1.1}
    assert strict.transliterate("Nagoya", "ja") is None
    assert learned.transliterate("James Brown", "ja") is None  # both words are in the table


def test_thresholds_are_refitted_on_names_that_were_not_trained_on(
    weights: Path, tmp_path: Path
) -> None:
    names, trained, out = (tmp_path / name for name in ("a.tsv", "b.tsv", "out.safetensors"))
    rows = [("ja", "ナゴア", "Nagoya"), ("ja", spell("Łódź", "ja"), "Łódź"), ("ja", "×", "Abe Oda")]
    write_pairs(names, rows)
    write_pairs(trained, rows[2:])
    scores = refit_thresholds(str(weights), [names], out, trained=[trained])["ja"]
    assert (scores["n"], scores["exact"], scores["exact_by_rule"]) == (2, 0, 50)
    refitted, before = TransliteratorModel(str(out)), TransliteratorModel(str(weights))
    assert refitted.thresholds == pytest.approx(
        before.thresholds | {"ja": scores["threshold"]}, abs=1e-4
    )
    assert LearnedTransliterator(str(out)).transliterate("Łódź", "ja") is None
    both = (model.transliterate(list(NAMES), "ko") for model in (refitted, before))
    assert next(both) == next(both)
    with pytest.raises(DataError, match="no name is left"):
        refit_thresholds(str(weights), [names], out, trained=[names])


def write_pairs(path: Path, rows: list[tuple[str, str, str]]) -> None:
    path.write_text("".join(f"{lang}\t{name}\ten\t{english}\n" for lang, name, english in rows))


def test_weights_that_are_no_transliterator(tmp_path: Path) -> None:
    assert open_learned(None) is None
    with pytest.raises(WeightsError, match="no adapter is called 'none'"):
        ChainLocaliser(transliterator="none")
    with pytest.raises(WeightsError, match="not for 'transliterator'"):
        ChainLocaliser(transliterator="reader-multi")


def test_a_stopped_training_resumes(recipe: TransliteratorRecipe, tmp_path: Path) -> None:
    recipe = replace(recipe, epochs=8.0, dropout=0.2)
    whole = train_transliterator(recipe, tmp_path / "whole")
    train_transliterator(recipe, tmp_path / "parts", stop_after=2)
    parts = train_transliterator(recipe, tmp_path / "parts")
    expected, found = load_file(whole), load_file(parts)
    assert all(torch.equal(value, found[name]) for name, value in expected.items())
    with pytest.raises(ConfigError, match="width differs"):
        train_transliterator(replace(recipe, width=64), tmp_path / "parts")


def test_held_out_names_are_those_of_a_hash(recipe: TransliteratorRecipe, tmp_path: Path) -> None:
    place = hash_place("Nagoya")
    assert place == hash_place("NAGOYA")
    data = read_names(replace(recipe, held_out=place + 1e-6))
    assert {"Nagoya"} <= {english for _, english, _ in data.held_out}
    assert not {e for _, e, _ in data.held_out} & {e for _, e, _ in data.pairs}
    plain = read_names(recipe).pairs  # Łódź is trained on without accents too
    assert len(plain) == 2 * len(NAMES) + 2
    with pytest.raises(DataError, match="no pair is left"):
        read_names(replace(recipe, held_out=1.0))


def test_the_card_has_scores_of_held_out_names(
    recipe: TransliteratorRecipe, tmp_path: Path
) -> None:
    recipe = replace(recipe, epochs=1.0, held_out=hash_place("Nagoya") + 1e-6, least=1)
    model = TransliteratorModel(str(train_transliterator(recipe, tmp_path)))
    scores = model.adapter.card["held_out"]
    assert set(scores) == {"ja", "ko"}
    assert set(scores["ja"]) >= {"n", "exact", "exact_by_rule", "error_rate", "exact_combined"}
    assert model.thresholds == {lang: scores[lang]["threshold"] for lang in scores}


def test_thresholds() -> None:
    rows = [(0.9, True, False), (0.8, True, True), (0.2, False, True), (0.1, False, False)]
    threshold, right = fit_threshold(rows)
    assert (0.2 < threshold < 0.8, right) == (True, 3)
    assert fit_threshold([(0.5, True, False)]) == (0.0, 1)
    assert fit_threshold([(0.5, False, True)]) == (0.75, 1)
    assert fit_threshold([]) == (0.0, 0)


def test_error_rates() -> None:
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance("", "ab") == 2
    assert error_rate(["ab", "cd"], ["ab", "ce"]) == 25.0


def test_alphabets() -> None:
    alphabet = alphabet_of([("ko", "Łódź", "우치")], least=1)
    assert alphabet.decode(target_tokens(alphabet, "우치")) == "우치"
    assert len(alphabet.encode("Łódź?", "ko")) == 2 + 6  # ó and ź are decomposed, ? is skipped
    with pytest.raises(ValueError, match="substring"):
        target_tokens(alphabet, "x")


@pytest.mark.parametrize(
    ("name", "parts", "spelled"),
    [
        ("Jean-Luc Picard", ["장", "뤽", "피카르"], "진 뤽 피카르"),
        ("John F. Nagoya", ["a", "b", "c"], "존 F. c"),
    ],
)
def test_words_of_the_table_replace_learned_ones(name: str, parts: list[str], spelled: str) -> None:
    assert spell(name, "ko", parts) == spelled
