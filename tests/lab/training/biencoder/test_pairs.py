import json
from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.training.biencoder.pairs import Paragraph, by_question, read_items, units
from xorqa.lab.training.biencoder.recipe import BiencoderSource
from xorqa.lab.training.common.training_data import read_excluded

DATA = Path(__file__).parents[5] / "shared" / "data"
LONG = " ".join(
    f"Sentence number {at} of this text has exactly eight words." for at in range(1, 31)
)


def squad(
    folder: Path, name: str, *qas: tuple[str, str, str, int], text: str = LONG
) -> BiencoderSource:
    """A source of one paragraph; `qas` are ids, questions, answers and offsets."""
    rows = [
        {"id": qid, "question": question, "answers": [{"text": answer, "answer_start": start}]}
        for qid, question, answer, start in qas
    ]
    paragraph = {"context": text, "qas": rows}
    path = folder / name
    path.write_text(json.dumps({"data": [{"title": "A_text", "paragraphs": [paragraph]}]}))
    return BiencoderSource((str(path),), held_out=0.0)


def test_the_answers_sentence_in_each_language(parallel: BiencoderSource) -> None:
    items, held_out = read_items(parallel, unit="sentence")
    assert (len(items), held_out) == (16, [])
    first = items[0]
    assert set(first.questions) == set(first.answers) == {"en", "fi", "sw"}
    assert first.questions["fi"] == "Kuinka pitkä Nile on?"
    assert first.answers["en"] == first.group == "The Nile is 107 km long."
    assert first.answers["sw"] == "Mto Nile una 107 km kwa urefu."
    for item in items:
        for lang, answer in item.answers.items():
            assert item.golds[lang][0] in answer
            assert answer in units(item.paragraphs[lang], "sentence")


def test_passages_are_whole_sentences_of_about_a_hundred_words() -> None:
    paragraph = Paragraph("A text", LONG, "en")
    passages = units(paragraph, "passage")
    assert all(passage.startswith("A text\nSentence number") for passage in passages)
    bodies = [passage.removeprefix("A text\n") for passage in passages]
    assert " ".join(bodies) == LONG
    assert all(80 < len(body.split()) <= 100 for body in bodies[:-1])
    assert units(replace(paragraph, title=""), "passage") == bodies


def test_a_question_in_another_language_than_its_passage(tmp_path: Path) -> None:
    source = squad(tmp_path, "english.json", ("a", "Mikä?", "number 2", LONG.index("number 2")))
    path = Path(source.files[0])
    path.write_text(path.read_text().replace('"id"', '"lang": "fi", "id"'))
    [item], _ = read_items(replace(source, lang="en"), unit="sentence")
    assert item.questions == {"fi": "Mikä?"}
    assert set(item.answers) == set(item.paragraphs) == {"en"}


def test_an_answer_over_the_end_of_a_sentence_is_left_out(tmp_path: Path) -> None:
    inside, over = LONG.index("number 2"), LONG.index("words. Sentence")
    source = squad(
        tmp_path,
        "english.json",
        ("a", "What?", "number 2", inside),
        ("b", "And?", "words. Sentence", over),
        ("c", "No?", "number 2", 0),
    )
    [item], _ = read_items(source, unit="sentence")
    assert item.questions == {"en": "What?"}
    [item, other], _ = read_items(source, unit="passage")
    assert item.group == other.group


def test_first_offsets_are_trusted_only_if_the_answer_stands_once(tmp_path: Path) -> None:
    source = squad(
        tmp_path,
        "english.json",
        ("a", "What?", "number 30", LONG.index("number 30")),
        ("b", "And?", "eight", LONG.index("eight")),
    )
    items, _ = read_items(replace(source, first_offsets=True), unit="sentence")
    assert [item.questions["en"] for item in items] == ["What?"]


def test_articles_are_held_out_in_all_languages_together(parallel: BiencoderSource) -> None:
    kept, held_out = read_items(replace(parallel, held_out=0.4), unit="sentence")
    assert kept and held_out and len(kept) + len(held_out) == 16
    titles = [
        {item.paragraphs[lang].title for item in part for lang in item.answers}
        for part in (kept, held_out)
    ]
    assert not titles[0] & titles[1]
    everything, _ = read_items(parallel, unit="sentence")
    assert {item.group for item in kept + held_out} == {item.group for item in everything}


def test_translated_questions_and_excluded_ones(files: dict[str, Path]) -> None:
    source = BiencoderSource((str(files["fi"]),), held_out=0.0)
    pairs = [
        ("fi", "kuinka pitkä NILE on", "en", "How long is the Nile?"),
        ("ja", "アムール川の長さは?", "fi", "Kuinka pitkä Amur on?"),
        ("fi", "Kuinka pitkä on Volga?", "en", "How long is the Volga?"),
    ]
    items, _ = read_items(source, unit="sentence", translations=by_question(pairs))
    by_langs = {tuple(item.questions): item for item in items if len(item.questions) > 1}
    assert by_langs["fi", "en"].questions["en"] == "How long is the Nile?"
    assert by_langs["fi", "ja"].questions["ja"] == "アムール川の長さは?"
    assert all(set(item.answers) == {"fi"} for item in items)
    excluded = frozenset({"howlongisthenile", "kuinkapitkärhineon"})
    rest, _ = read_items(
        source, unit="sentence", excluded=excluded, translations=by_question(pairs)
    )
    gone = {item.questions["fi"] for item in items} - {item.questions["fi"] for item in rest}
    assert gone == {"Kuinka pitkä Nile on?", "Kuinka pitkä Rhine on?"}


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    asked = ("a", "What?", "number 2", LONG.index("number 2"))
    nameless = squad(tmp_path, "train.json", asked)
    with pytest.raises(ConfigError, match=r"train\.json: its name contains no language"):
        read_items(nameless, unit="sentence")
    assert read_items(replace(nameless, lang="en"), unit="sentence")[0]
    twice = replace(nameless, files=nameless.files * 2, lang="en")
    with pytest.raises(DataError, match="id 'a' occurs twice in language 'en'"):
        read_items(twice, unit="sentence")


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the real data sets")
def test_tydi_trains_on_questions_that_xor_tydi_tests_with() -> None:
    source = BiencoderSource(
        (str(DATA / "tydiqa-goldp" / "korean_tydiqa_train.json"),), held_out=0.0
    )
    excluded = read_excluded((DATA / "xor-tydi").glob("xor_dev*.jsonl"))
    everything, _ = read_items(source, unit="sentence")
    kept, _ = read_items(source, unit="sentence", excluded=excluded)
    assert len(everything) > 1500
    assert 30 <= len(everything) - len(kept) <= 38
