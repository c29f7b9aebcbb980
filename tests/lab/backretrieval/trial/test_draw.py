import numpy as np
import pytest

from xorqa.core.errors import ConfigError
from xorqa.lab.backretrieval.trial.draw import draw_trial

STREAM = np.random.default_rng(5)
SOURCE, TARGET = STREAM.normal(size=(30, 4)), STREAM.normal(size=(40, 4))
ENCODERS = {"a": (SOURCE, TARGET), "b": (SOURCE[:, :2], TARGET[:, :2])}


def test_the_suggestions_are_the_nearest_texts_of_each_encoder():
    shown = draw_trial(ENCODERS, queries=20, suggestions=5)
    assert len({one.query for one in shown}) == len(shown) == 20
    for one in shown:
        for name, (source, target) in ENCODERS.items():
            lengths = np.linalg.norm(target, axis=1)
            nearest = np.argsort(-(target @ source[one.query]) / lengths)[:5]
            suggested = {each.target for each in one.suggestions if name in each.by}
            assert suggested == set(nearest.tolist())
        assert len({each.target for each in one.suggestions}) == len(one.suggestions)


def test_the_order_is_random_and_that_of_the_seed():
    shown = draw_trial(ENCODERS)
    assert shown == draw_trial(ENCODERS) != draw_trial(ENCODERS, seed=2)
    first = [each.by for one in shown for each in one.suggestions[:1]]
    assert {("a",), ("b",)} <= set(first)
    assert any(
        [each.target for each in one.suggestions] != sorted(each.target for each in one.suggestions)
        for one in shown
    )


@pytest.mark.parametrize(
    ("encoders", "options", "message"),
    [
        ({"a": (SOURCE, TARGET)}, {}, "name two or more with --encoder"),
        (ENCODERS, {"queries": 31}, "the data has 30 queries and 40 texts to suggest, fewer than"),
        (ENCODERS, {"suggestions": 41}, "fewer than 20 and 41"),
        ({"a": (SOURCE, TARGET), "b": (SOURCE, TARGET)}, {}, "have the same suggestions"),
    ],
)
def test_mistakes(encoders, options, message):
    with pytest.raises(ConfigError, match=message):
        draw_trial(encoders, **options)
