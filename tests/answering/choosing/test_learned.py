"""The learned chooser and its weights."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.candidates import candidate
from xorqa.answering.choosing.features import FEATURES, OLD_FEATURES
from xorqa.answering.choosing.learned import (
    ChooserWeights,
    LearnedChooser,
    is_foreign,
    open_chooser,
    save_chooser,
)
from xorqa.core.errors import ConfigError, WeightsError
from xorqa.core.types import Answer, Question

QUESTION = Question("q", "?", "ko")


def weights(**named: float) -> ChooserWeights:
    names = {name.replace(" ", "_"): 0.0 for name in FEATURES} | named
    return ChooserWeights(FEATURES, tuple(names.values()), 0.5, {"answers": 3})


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "mine.json"
    save_chooser(path, weights(relevance=1.0, other_language=4.0))
    return path


def answer(text: str, p: float, lang: str = "ko", docid: str = "") -> Answer:
    source = candidate(text, lang, docid=docid or text, route=lang, passage_score=math.log(p))
    return Answer(text, lang, source.score, "span" if lang == "ko" else "copied", source)


def test_weights_are_the_same_when_read_again(path: Path) -> None:
    model = open_chooser(path)
    assert model == weights(relevance=1.0, other_language=4.0)
    assert model.card == {"answers": 3}


def test_the_shipped_weights_fit_and_tell_what_they_were_trained_on() -> None:
    chooser = LearnedChooser()
    assert [run["dataset"] for run in chooser.model.card["runs"]] == ["chooser-train"]
    own, rival = answer("나일강", 0.6), answer("한강", 0.2)
    [best] = chooser.choose([QUESTION], [[rival, own]])
    assert best.text == "나일강" and best.score < 0


def test_the_score_is_the_log_probability(path: Path) -> None:
    [best] = LearnedChooser(weights=str(path)).choose([QUESTION], [[answer("나일강", 0.5)]])
    assert best.score == pytest.approx(-math.log1p(math.exp(-0.5)))
    assert (best.text, best.method, best.lang) == ("나일강", "span", "ko")


def test_agreement_across_languages_beats_a_better_score(path: Path) -> None:
    own, english = answer("베르디 주세페", 0.3), answer("1896", 0.4, "en", "e")
    rival, same = answer("헨델", 0.5), answer("1896", 0.4, docid="k")
    [best] = LearnedChooser(weights=str(path)).choose([QUESTION], [[own, rival, english, same]])
    assert best.text == "1896"


def test_what_a_foreign_answer_is_worth(path: Path) -> None:
    rows = [[answer("Verdi", 0.5, "en"), answer("헨델", 0.2)]]
    assert LearnedChooser(weights=str(path)).choose([QUESTION], rows)[0].text == "Verdi"
    [best] = LearnedChooser(weights=str(path), foreign=0.1).choose([QUESTION], rows)
    assert best.text == "헨델"
    [only] = LearnedChooser(weights=str(path), foreign=0).choose([QUESTION], [rows[0][:1]])
    assert only.text == "Verdi" and only.score > math.log(0.5)


@pytest.mark.parametrize(
    ("text", "lang", "asked", "expected"),
    [
        ("Verdi", "en", "ko", True),
        ("Verdi", "en", "fi", False),
        ("1896", "en", "ko", False),
        ("Verdi", "ko", "ko", False),
        ("Verdi", "en", "xx", False),
        ("베르디 II", "en", "ko", False),
    ],
)
def test_foreign_answers(text: str, lang: str, asked: str, expected: bool) -> None:
    assert is_foreign(Answer(text, lang, 0, "copied"), asked) is expected


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["가나", "Verdi", "1896"]),
            st.floats(1e-3, 1),
            st.sampled_from(["ko", "en"]),
            st.sampled_from("abc"),
        ),
        min_size=1,
        max_size=6,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_does_not_matter_but_for_ties(
    path: Path, rows: list[tuple[str, float, str, str]], rng: random.Random
) -> None:
    chooser = LearnedChooser(weights=str(path))
    answers = [answer(*row) for row in rows]
    [best] = chooser.choose([QUESTION], [answers])
    [again] = chooser.choose([QUESTION], [rng.sample(answers, len(answers))])
    assert best.score == again.score
    assert best.source is not None and again.source is not None
    assert best.source.score == again.source.score
    assert chooser.choose([QUESTION], [answers]) == [best]


def test_ties_go_to_the_readers_better_score_then_to_the_earlier(tmp_path: Path) -> None:
    save_chooser(tmp_path / "flat.json", weights())
    chooser = LearnedChooser(weights=str(tmp_path / "flat.json"))
    rows = [[answer("가", 0.3), answer("나", 0.5), answer("다", 0.5)]]
    assert chooser.choose([QUESTION], rows)[0].text == "나"


def test_no_candidates_give_an_empty_answer(path: Path) -> None:
    [none] = LearnedChooser(weights=str(path)).choose([QUESTION], [[]])
    assert none == Answer("", "ko", -math.inf, method="none")


def test_the_fingerprint_knows_weights_and_settings(path: Path, tmp_path: Path) -> None:
    save_chooser(tmp_path / "other.json", weights(relevance=2.0))
    choosers = [
        LearnedChooser(weights=str(path)),
        LearnedChooser(weights=str(path), foreign=0.5),
        LearnedChooser(weights=str(tmp_path / "other.json")),
    ]
    assert len({chooser.fingerprint() for chooser in choosers}) == 3


def test_old_names_of_features_still_load(path: Path, tmp_path: Path) -> None:
    old = {new: old for old, new in OLD_FEATURES.items()}
    row = json.loads(path.read_text())
    row["features"] = [old.get(name, name) for name in row["features"]]
    (tmp_path / "old.json").write_text(json.dumps(row))
    assert set(OLD_FEATURES) <= set(row["features"])
    assert open_chooser(tmp_path / "old.json") == open_chooser(path)


def test_settings_out_of_bounds() -> None:
    with pytest.raises(ConfigError, match=r"foreign must be from 0 to 1, not 2"):
        LearnedChooser(foreign=2)


def test_weights_that_are_not_there() -> None:
    with pytest.raises(WeightsError, match=r"are called 'nobody'; valid: .*train chooser"):
        LearnedChooser(weights="nobody")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": ["rank"], "weights": [1.0]}, "other features; train again"),
        ({"weights": [1.0]}, "other features; train again"),
        ({"bias": 1}, "does not hold a chooser's weights"),
        ({"weights": "all"}, "does not hold a chooser's weights"),
    ],
)
def test_weights_that_cannot_be_used(
    path: Path, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(WeightsError, match=message):
        open_chooser(bad)
