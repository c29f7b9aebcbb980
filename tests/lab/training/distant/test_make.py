from __future__ import annotations

import json
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.io.cache import Cache
from xorqa.io.files import sha256
from xorqa.lab.training.distant.make import DistantRecipe, make_distant


def test_pairs_and_their_card(questions: Path, passages: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "pairs.json"
    recipe = DistantRecipe(questions, (passages,), reader=None)
    counts = make_distant(recipe, out, cache=Cache(tmp_path / "cache.sqlite"))
    card = json.loads(out.with_suffix(".card.json").read_text(encoding="utf-8"))
    assert (
        counts
        == card["counts"]
        == {
            "fi": {"kept": 2, "pairs": 2, "an evaluation question": 1, "no translation": 1},
            "ja": {
                "an evaluation question": 1,
                "yes or no": 1,
                "answer too common": 1,
                "no passage contains the answer": 1,
            },
        }
    )
    assert card["files"]["made/pairs.json"] == sha256(out)
    assert len(card["files"]) == 1 + 4 + 1 + 1 + 1
    assert str(tmp_path) not in json.dumps(card)
    first = out.read_bytes()
    make_distant(recipe, out, cache=Cache(tmp_path / "cache.sqlite"))
    assert out.read_bytes() == first


def test_a_reader_that_does_not_agree_is_counted(
    questions: Path, passages: Path, tiny_adapter: Path, tmp_path: Path
) -> None:
    out = tmp_path / "pairs.json"
    recipe = DistantRecipe(questions, (passages,), reader=str(tiny_adapter), least=1.0)
    counts = make_distant(recipe, out, cache=Cache(tmp_path / "cache.sqlite"))
    assert counts["fi"]["the reader disagrees"] == 2
    assert json.loads(out.read_text()) == {"data": []}


@pytest.mark.parametrize("wrong", [{"k": 0}, {"least": 0.0}, {"least": 1.5}])
def test_settings_that_find_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="distant pairs need"):
        DistantRecipe(Path(), (), **wrong)  # type: ignore[arg-type]
