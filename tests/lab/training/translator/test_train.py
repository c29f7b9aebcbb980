import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

from xorqa.core.errors import ConfigError
from xorqa.core.text.stems import stem
from xorqa.core.types import Question
from xorqa.lab.training.average import average_translators
from xorqa.lab.training.bitext.probability_table import write_word_probabilities
from xorqa.lab.training.translator.recipe import TranslatorRecipe, TranslatorSource
from xorqa.lab.training.translator.tokens import learn_unigrams
from xorqa.lab.training.translator.train import train_translator
from xorqa.models import translator
from xorqa.models.translator import TranslatorModel, moses_sentence, moses_words
from xorqa.models.word_translations import WordTranslations
from xorqa.translation.bundled import BundledTranslator

pytestmark = pytest.mark.filterwarnings("error::FutureWarning")


def test_twenty_pairs_are_learnt_by_heart(
    recipe: TranslatorRecipe, pairs: list[tuple[str, str]], tmp_path: Path
) -> None:
    source = replace(recipe.sources[0], passes=350.0)
    path = train_translator(replace(recipe, sources=(source,), batch_tokens=400), tmp_path)
    assert path.stat().st_size < 1e6
    questions = [Question(str(at), pair[0], "fi") for at, pair in enumerate(pairs)]
    for beams in (1, 3):
        found = BundledTranslator(model=str(path), beams=beams).translate(questions, to="en")
        assert [query.text for query in found] == [pair[1] for pair in pairs]


def test_english_is_translated_into_the_language_asked_for(
    recipe: TranslatorRecipe, pairs: list[tuple[str, str]], tmp_path: Path
) -> None:
    rows = [
        (lang, f"{mark}{there}", "en", here)
        for there, here in pairs[:3]
        for lang, mark in (("fi", ""), ("es", "Dime: "))
    ]
    rows.append(("sv", "Var ligger Nilen?", "en", "Where is the Nile?"))
    file = tmp_path / "pairs.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    path = train_translator(
        replace(
            recipe,
            sources=(TranslatorSource((str(file),), passes=400.0),),
            targets=("es", "fi"),
            batch_tokens=400,
        ),
        tmp_path / "out",
    )
    card = json.loads((tmp_path / "out" / "card.json").read_text())
    assert card["data"]["pairs_per_language"] == {"es": 3, "fi": 3}
    model = TranslatorModel(str(path))
    assert model.targets == ("es", "fi")
    for lang, text, _, english in rows[:-1]:
        [[(translation, score), *_]] = model.translate([english], langs=["en"], to=lang, beams=2)
        assert translation == text
        assert -0.5 < score < 0
    with pytest.raises(ConfigError, match="cannot translate into 'sv'; valid: es, fi"):
        model.translate(["How long is the Nile?"], langs=["en"], to="sv")
    stage = BundledTranslator(model=str(path), beams=2)
    plain = BundledTranslator(model=str(path), beams=2, similarity=0)  # nothing is compared
    assert stage.fingerprint() == plain.fingerprint()
    [query] = stage.translate([Question("1", rows[0][3], "en")], to="fi")
    assert (query.text, query.lang) == (rows[0][1], "fi")
    assert query.confidence is not None and 0.6 < query.confidence < 1
    with pytest.raises(ConfigError, match="translates from 'en', not from 'sv'"):
        stage.translate([Question("1", "Var?", "sv")], to="fi")
    with pytest.raises(ConfigError, match="cannot translate into 'en'"):
        stage.translate([], to="en")


def test_translations_of_words_are_copied_where_the_text_has_no_sense(
    recipe: TranslatorRecipe, tmp_path: Path
) -> None:
    """Made-up words, each in one pair only: what those asked mean stands in the table alone."""
    english = [f"{a}{b}{c}" for a in "bdfgk" for b in "aiou" for c in "lmnrt"]
    words = {f"{word[::-1]}xq": word for word in english}
    table = {"fi": {stem(word, "fi"): {known: 0.9} for word, known in words.items()}}
    write_word_probabilities(tmp_path / "table.tsv", table)
    rows = [("fi", f"Mikä {word}?", "en", f"What {words[word]}?") for word in words]
    asked = rows[7::15]
    trained = [row for row in rows if row not in asked]
    file = tmp_path / "pairs.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in trained), encoding="utf-8")
    first = replace(
        recipe, sources=(TranslatorSource((str(file),), passes=10.0),), batch_tokens=400
    )
    start = train_translator(first, tmp_path / "first")
    source = TranslatorSource((str(file),), passes=120.0)
    glossed = replace(first, sources=(source,), start=str(start), glosses=1, bits=6)
    ours = WordTranslations(tmp_path / "table.tsv")
    with pytest.MonkeyPatch.context() as patch:
        for module in ("xorqa.models.translator", "xorqa.lab.training.translator.train"):
            patch.setattr(f"{module}.bundled_words", lambda: ours)
        model = TranslatorModel(str(train_translator(glossed, tmp_path / "out")))
        for lang, fewest, most in (("fi", len(asked) - 2, len(asked)), ("sv", 0, 1)):
            texts = [text for _, text, _, _ in asked]
            found = [best for [(best, _), *_] in model.translate(texts, langs=[lang] * len(texts))]
            right = sum(text == row[3] for text, row in zip(found, asked, strict=True))
            assert fewest <= right <= most, (lang, found)
    codes = {
        path: max(
            int(value.abs().max()) for name, value in load_file(path).items() if name[-2:] == ".Q"
        )
        for path in (start, model.adapter.path)
    }
    assert codes == {start: 127, model.adapter.path: 31}
    with pytest.raises(ConfigError, match="another base, shape or direction"):
        train_translator(replace(glossed, decoder_layers=2), tmp_path / "other")
    with pytest.raises(ConfigError, match="glosses are hints, into English"):
        replace(glossed, hints=False)


def test_the_mean_of_two_translators(recipe: TranslatorRecipe, tmp_path: Path) -> None:
    first = train_translator(recipe, tmp_path / "first")
    further = replace(recipe, start=str(first), seed=2)
    files = [str(first), str(train_translator(further, tmp_path / "second"))]
    mean = TranslatorModel(str(average_translators(further, files, tmp_path / "mean")))
    one, other, between = (
        TranslatorModel(str(file)).weights() for file in (*files, mean.adapter.path)
    )
    assert one.keys() == other.keys() == between.keys()
    for name, found in between.items():
        step = found.abs().max() / 127
        assert ((one[name] + other[name]) / 2 - found).abs().max() <= step + 1e-6, name
    assert [part["card"]["recipe"]["seed"] for part in mean.adapter.card["average"]] == [1, 2]
    assert mean.translate(["Kuinka pitkä Nile on?"], langs=["fi"])[0][0][0]
    other_network = train_translator(replace(recipe, decoder_layers=2), tmp_path / "other")
    with pytest.raises(ConfigError, match="one vocabulary and network"):
        average_translators(recipe, [files[0], str(other_network)], tmp_path / "none")


def test_an_encoder_from_scratch_learns_too(recipe: TranslatorRecipe, tmp_path: Path) -> None:
    recipe = replace(
        recipe,
        sources=(replace(recipe.sources[0], passes=120.0),),
        batch_tokens=400,
        frozen_layers=0,
        width=32,
        heads=2,
        hints=False,
        source_vocabulary=330,
    )
    model = TranslatorModel(str(train_translator(recipe, tmp_path)))
    rows = (tmp_path / "curve.csv").read_text().split()[1:]
    losses = [float(row.split(",")[1]) for row in rows]
    assert losses[-1] < 0.5 * losses[0]
    assert (model.frozen_layers, model.shape.source_vocabulary > 256) == (0, True)
    [[(text, _)]] = model.translate(["Kuinka pitkä Nile on?"], langs=["fi"], beams=1)
    assert text
    assert not (tmp_path / "states").exists()


def test_a_stopped_training_goes_on_to_the_same_file(
    recipe: TranslatorRecipe, tmp_path: Path
) -> None:
    recipe = replace(recipe, dropout=0.3, label_smoothing=0.1)
    whole = train_translator(recipe, tmp_path / "whole")
    train_translator(recipe, tmp_path / "parts", stop_after=2)
    stopped = load_file(tmp_path / "parts" / whole.name)
    parts = train_translator(recipe, tmp_path / "parts")
    wanted, found = load_file(whole), load_file(parts)
    assert sorted(wanted) == sorted(found)
    assert all(torch.equal(value, found[name]) for name, value in wanted.items())
    assert not all(torch.equal(value, stopped[name]) for name, value in wanted.items())
    for name in ("curve.csv", "card.json"):
        assert (whole.parent / name).read_text() == (parts.parent / name).read_text()


def test_the_card_says_what_was_held_out_and_how_well_it_is_translated(
    recipe: TranslatorRecipe, tmp_path: Path
) -> None:
    source = replace(recipe.sources[0], held_out=3, validation=2)
    path = train_translator(replace(recipe, sources=(source,)), tmp_path)
    card = json.loads((tmp_path / "card.json").read_text())
    model = TranslatorModel(str(path))
    assert {name: model.adapter.card[name] for name in card} == card
    assert (card["data"]["pairs"], card["data"]["held_out"]) == (15, 3)
    [counts] = card["data"]["files"].values()
    assert (counts["kept"], counts["held out"], counts["validation"]) == (20, 3, 2)
    assert card["held_out"]["n"] == {"fi": 3}
    assert set(card["held_out"]["macro"]) == {"BLEU", "chrF", "entity recall"}
    assert len((tmp_path / "held-out.tsv").read_text().splitlines()) == 3
    assert (tmp_path / "validation.csv").is_file()


def test_the_folder_of_other_data_is_left_alone(recipe: TranslatorRecipe, tmp_path: Path) -> None:
    train_translator(recipe, tmp_path, stop_after=1)
    other = replace(recipe, sources=(TranslatorSource(recipe.sources[0].files, held_out=1),))
    with pytest.raises(ConfigError, match="another recipe"):
        train_translator(other, tmp_path)


def test_layers_that_the_base_has_not(recipe: TranslatorRecipe, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="encoder_layers must be 1 or fewer"):
        train_translator(replace(recipe, encoder_layers=2), tmp_path)


@pytest.mark.parametrize("pieces", ["moses-bpe", "sentencepiece", "bpe"])
def test_ten_updates_of_the_recipe_of_xor_qa(
    pieces: str, recipe: TranslatorRecipe, tmp_path: Path
) -> None:
    table = TranslatorRecipe.load("xor-mt", [f"pieces={pieces}"])
    assert TranslatorRecipe.load("xor-mt").pieces == "moses-bpe"
    assert (table.width, table.feed, table.heads, table.updates) == (512, 2048, 8, 300_000)
    assert (table.longest, table.batch_tokens) == (10_000, 4096)
    small = replace(
        table,
        sources=recipe.sources,
        base=recipe.base,
        exclude=(),
        encoder_layers=1,
        decoder_layers=1,
        width=32,
        feed=32,
        heads=2,
        vocabulary=330 if pieces == "bpe" else 120,
        source_vocabulary=330 if pieces == "bpe" else 120,
        updates=10,
    )
    lines: list[str] = []
    path = train_translator(small, tmp_path, report=lines.append)
    assert json.loads((tmp_path / "card.json").read_text())["steps"] == 10
    assert any(line.startswith("10 updates in ") for line in lines)
    [[(text, _), *_]] = TranslatorModel(str(path)).translate(
        ["Kuinka pitkä Niili on?"], langs=["fi"]
    )
    assert isinstance(text, str)


def test_moses_words_are_learnt_and_joined_again(
    recipe: TranslatorRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [
        (
            "fi",
            f"Missä (esim. {river}-joki) virtaa?",
            "en",
            f"Where (e.g.) doesn't the {river} flow?",
        )
        for river in ("Nile", "Rhine", "Volga", "Ganges", "Amur", "Kemi")
    ]
    file = tmp_path / "pairs.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in pairs), encoding="utf-8")
    words = replace(
        recipe,
        sources=(TranslatorSource((str(file),), passes=2.0),),
        pieces="moses-bpe",
        frozen_layers=0,
        width=32,
        heads=2,
        hints=False,
        source_vocabulary=150,
        vocabulary=150,
        batch_tokens=400,
    )
    path = train_translator(words, tmp_path / "out")
    model = TranslatorModel(str(path))
    assert model.moses == ("fi", "en")
    text = pairs[0][3]
    tokenizer = Tokenizer.from_file(str(tmp_path / "out" / "target.json"))
    encoded = tokenizer.encode(moses_words(text, "en"))
    assert encoded.tokens[-1] == "?</w>"
    assert moses_sentence(tokenizer.decode(encoded.ids), "en") == text
    monkeypatch.setattr(translator, "hypotheses", lambda *_, **__: [[(encoded.ids, -1.0)]])
    assert model.translate([pairs[0][1]], langs=["fi"])[0][0][0] == text


def test_moses_words_of_several_directions_are_refused(
    recipe: TranslatorRecipe, tmp_path: Path
) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("fi\tMissä?\ten\tWhere?\nja\tどこ？\ten\tIn which place?\n", encoding="utf-8")
    several = replace(
        recipe, sources=(TranslatorSource((str(file),)),), pieces="moses-bpe", frozen_layers=0
    )
    with pytest.raises(ConfigError, match="not fi-en, ja-en; set pieces=sentencepiece"):
        train_translator(several, tmp_path / "out")
    with pytest.raises(ConfigError, match="set frozen_layers = 0"):
        replace(recipe, pieces="moses-bpe")


def test_pairs_over_the_greatest_length_are_reported(
    recipe: TranslatorRecipe, tmp_path: Path
) -> None:
    lines: list[str] = []
    train_translator(replace(recipe, longest=9), tmp_path, report=lines.append, stop_after=1)
    assert any("of 9 tokens or more: skipped" in line for line in lines)


def test_pieces_as_sentencepiece_learns_them_restore_their_texts(
    pairs: list[tuple[str, str]],
) -> None:
    tokenizer = learn_unigrams([there for there, _ in pairs], size=150)
    ids = tokenizer.encode("Missä  maassa Niili virtaa?").ids
    assert tokenizer.decode(ids) == "Missä maassa Niili virtaa?"
