"""The questions of a confidence model's training."""

from __future__ import annotations

from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.io.squad_xor import title_hash
from xorqa.lab.training.bitext.lexicon import read_lexicon
from xorqa.lab.training.common.training_data import match_key, matching, read_excluded
from xorqa.lab.training.confidence.cases import CODE_SWITCHED, CaseSet, make_cases
from xorqa.lab.training.confidence.recipe import ConfidenceRecipe


def cases_of(path: Path, *changes: str) -> CaseSet:
    recipe = ConfidenceRecipe.load(path, changes)
    return make_cases(
        recipe.sources,
        sizes=recipe.sizes,
        lexicon=read_lexicon(matching(recipe.lexicon)),
        excluded=read_excluded(matching(recipe.exclude)),
        seed=recipe.seed,
    )


def test_a_question_has_its_answer_in_one_corpus_and_not_in_the_other(recipe_file: Path) -> None:
    made = cases_of(recipe_file)
    assert {case.answerable for case in made.cases} == {True, False}
    for case in made.cases:
        [gold] = case.example.golds
        texts = [made.corpus[docid].text for docid in case.docids]
        assert any(gold.text in text for text in texts) is case.answerable


def test_the_parts_have_the_sizes_and_hold_the_rest_of_the_article(recipe_file: Path) -> None:
    made = cases_of(recipe_file)
    titles = [passage.title for passage in made.corpus]
    assert len([title for title in titles if " en " in title]) == 30  # of 40
    for case in made.cases:
        if case.answerable:
            part = [made.corpus[docid] for docid in case.docids]
            assert len(part) == (case.size or len(made.corpus))
            [gold] = [one for one in part if case.example.golds[0].text in one.text]
            assert [one.title for one in part].count(gold.title) == titles.count(gold.title)


def test_groups_and_questions_without_a_paragraph(recipe_file: Path) -> None:
    made = cases_of(recipe_file)
    groups = {case.group for case in made.cases}
    assert groups == {"en", "sw", "fi", CODE_SWITCHED}
    assert [case.answerable for case in made.cases if case.group == "fi"] == [False, False]
    for case in made.cases:
        if case.group == CODE_SWITCHED:
            assert case.example.question.lang == "fi"
            assert "joki" in case.example.question.text or "kalaa" in case.example.question.text
            assert case.example.golds[0].lang == "en"


def test_articles_are_held_out_halved_and_never_excluded(recipe_file: Path) -> None:
    made = cases_of(recipe_file)
    halves: dict[str, set[bool]] = {}
    for case in made.cases:
        for docid in case.docids if case.answerable else ():
            passage = made.corpus[docid]
            if passage.lang == "sw":
                assert title_hash(passage.title) >= 0.4
            if case.example.golds[0].text in passage.text:
                halves.setdefault(passage.title, set()).add(case.measured)
    assert {len(half) for half in halves.values()} == {1}
    assert {case.measured for case in made.cases} == {True, False}
    excluded = match_key("How many fish has river en10, part 0?")
    everything = cases_of(recipe_file, "sources.0.questions=100", "sources.0.code_switched=0")
    asked = {match_key(case.example.question.text) for case in everything.cases}
    assert len(asked) > 45 and excluded not in asked


def test_the_same_seed_gives_the_same_cases(recipe_file: Path) -> None:
    assert cases_of(recipe_file).cases == cases_of(recipe_file).cases
    assert cases_of(recipe_file).cases != cases_of(recipe_file, "seed=2").cases


def test_recipes_that_cannot_be_used(recipe_file: Path) -> None:
    with pytest.raises(DataError, match="the recipe's sources have no paragraphs"):
        cases_of(recipe_file, 'sources=[{files = ["./xor.jsonl"]}]')
    with pytest.raises(ConfigError, match="has no setting 'readers'"):
        cases_of(recipe_file, "readers=1")
    (recipe_file.parent / "other.toml").write_text("[reader]\n")
    with pytest.raises(ConfigError, match=r"has no table \[confidence\]"):
        ConfidenceRecipe.load(recipe_file.parent / "other.toml")


def test_the_shipped_recipe_reads_training_data_only(home: Path) -> None:
    recipe = ConfidenceRecipe.load("confidence")
    files = " ".join(recipe.inputs())
    assert "dev-v1.1" not in files and "xquad" not in files and "mlqa" not in files
    assert set(recipe.inputs().values()) == {"missing"}
    [japanese] = [source for source in recipe.sources if source.lang == "ja"]
    assert (japanese.articles, japanese.held_out) == ("trained", 0.2)
    assert {one.articles for one in recipe.sources if one is not japanese} == {"held-out"}
