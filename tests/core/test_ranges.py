"""Every number in a stage's settings has a range, and what is out of it is one line of an error."""

import math
from typing import Annotated, get_args, get_origin

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.registry import STAGES, build, find
from xorqa.core.stages import GIVEN, signature_of
from xorqa.core.validation import MOST, SETTINGS, Range, has_range
from xorqa.experiments.settings import PipelineSettings, Route, load_settings
from xorqa.models.encoder_settings import EncoderSettings
from xorqa.reading.span import SpanReader
from xorqa.retrieval.hybrid import Hybrid

LIMITED = {
    *("k", "passages", "depth", "longest", "max_tokens", "weights", "constant", "timeout"),
    *("beams", "retries", "backoff", "per_minute", "price_in", "price_out", "k1", "b", "foreign"),
}


def numbers(hint):
    """The numeric types in a hint, with their ranges."""
    if get_origin(hint) is Annotated:
        kind, *limits = get_args(hint)
        yield kind, next((limit for limit in limits if isinstance(limit, Range)), None)
    elif hint in (int, float):
        yield hint, None
    else:
        for inner in get_args(hint):
            yield from numbers(inner)


SETTINGS_OF_STAGES = [
    (role, name, setting, parameter.annotation)
    for role, names in STAGES.items()
    for name in names
    for setting, parameter in signature_of(find(role, name)).parameters.items()
    if setting not in GIVEN and any(numbers(parameter.annotation))
]


def test_all_settings_of_all_stages_are_checked():
    seen = {setting for _, _, setting, _ in SETTINGS_OF_STAGES}
    assert seen >= LIMITED - {"k"}


@pytest.mark.parametrize(("role", "name", "setting", "hint"), SETTINGS_OF_STAGES)
def test_every_number_of_every_registered_stage_has_a_range(role, name, setting, hint):
    for kind, limits in numbers(hint):
        assert limits or (kind is float and setting not in LIMITED), f"{role} {name} {setting}"
        wrong = [math.nan, math.inf, -math.inf, "5", True, 10**400]
        if limits:
            wrong.append(limits.least if limits.above else limits.least - 1)
            wrong += [limits.most + 1] if limits.most < math.inf else []
        for each in wrong:
            value = [each] if setting == "weights" else each
            with pytest.raises(ConfigError) as refused:
                build(role, {"use": name, setting: value})
            assert setting in str(refused.value) and "\n" not in str(refused.value)
            assert len(str(refused.value)) < 300


@pytest.mark.parametrize("k", [-1, 0, True, 1.5, MOST + 1])
def test_the_numbers_of_an_experiment_have_ranges_in_configs_and_python(k):
    with pytest.raises(ConfigError, match=r"e k must be"):
        PipelineSettings((Route("r", "bm25"),), name="e", k=k)
    for setting in ("k", "passages"):
        with pytest.raises(ConfigError, match=f"route 'r' {setting} must be"):
            Route("r", "bm25", **{setting: k})
    with pytest.raises(ConfigError, match=r"k must be"):
        load_settings("bm25", changes=[f"k={str(k).lower()}"])


def test_objects_have_the_ranges_of_configs():
    with pytest.raises(ConfigError, match=r"SpanReader passages must be 1 or more, not -1"):
        SpanReader(passages=-1)
    with pytest.raises(ConfigError, match=r"weights must be 0 or more, not -1"):
        Hybrid([{"use": "bm25"}], weights=[-1])
    with pytest.raises(ConfigError, match=r"max_tokens must be"):
        SETTINGS.fill(EncoderSettings, {"max_tokens": 0}, where="encoder")


def test_ranges_as_text():
    assert str(Range(1, MOST)) == "1 or more"
    assert str(Range(0, above=True)) == "more than 0"
    assert str(Range(0, 1)) == "from 0 to 1"
    assert 0 not in Range(0, above=True) and 1 in Range(0, 1)
    assert has_range(Annotated[int, Range(1)] | None) and not has_range(int)
