from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.progress import Log, silent
from xorqa.core.types import Hit, Passage
from xorqa.lab.training.biencoder.data import _miners
from xorqa.lab.training.biencoder.hard_negatives import (
    HardNegatives,
    hardest_negative,
    mine_hard_negatives,
)
from xorqa.lab.training.biencoder.pairs import Item, read_items
from xorqa.lab.training.biencoder.recipe import BiencoderRecipe, BiencoderSource
from xorqa.lab.training.biencoder.samplers import Pick

BATCHES = [[Pick(0, "en", "en"), Pick(1, "en", "fi")], [Pick(0, "en", "en"), Pick(5, "sw", "sw")]]


def hits(*texts: str) -> list[Hit]:
    return [Hit(Passage(str(at), text, lang=text[:2]), -at) for at, text in enumerate(texts)]


def mine(
    items: list[Item], recipe: BiencoderRecipe, folder: Path, report: Log = silent
) -> HardNegatives:
    return mine_hard_negatives(
        items, BATCHES, _miners(recipe), unit="sentence", folder=folder, report=report
    )


def test_the_best_hit_without_an_answer_in_the_answers_language() -> None:
    item = Item("en: long", {"en": "?"}, {"en": "en: long"}, {"en": ("107 KM", "66 miles")})
    found = hits("en: 107 km", "fi: joki", "en: or 66 Miles", "en: a town", "en: a lake")
    assert hardest_negative(item, "en", found) == "en: a town"
    assert hardest_negative(item, "en", found[:3]) is None


@pytest.mark.parametrize("miner", ["bm25", "encoder"])
def test_negatives_are_mined_once(
    parallel: BiencoderSource, recipe: BiencoderRecipe, tmp_path: Path, miner: str
) -> None:
    items, _ = read_items(parallel, unit="sentence")
    mining = replace(recipe, negatives=(miner,))
    told: list[str] = []
    found = mine(items, mining, tmp_path, told.append)
    assert set(found) == {(0, "en"), (1, "fi"), (5, "sw")}
    for (at, lang), texts in found.items():
        every = {text for item in items for text in item.answers.values()}
        assert len(texts) == 1 and texts[0] in every
        assert items[at].golds[lang][0] not in texts[0]
    assert told
    told.clear()
    assert mine(items, mining, tmp_path, told.append) == found
    assert told == []


def test_two_miners_give_two_and_bm25_finds_shared_words(
    parallel: BiencoderSource, recipe: BiencoderRecipe, tmp_path: Path
) -> None:
    items, _ = read_items(parallel, unit="sentence")
    both = replace(recipe, negatives=("bm25", "encoder"))
    found = mine(items, both, tmp_path)
    assert {len(texts) for texts in found.values()} == {2}
    assert "long" in found[0, "en"][0]  # another river's length
    assert mine(items, recipe, tmp_path) == {}
