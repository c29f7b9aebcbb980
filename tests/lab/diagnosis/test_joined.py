"""Pages of single systems joined into one that compares them."""

from dataclasses import replace

from tests.lab.diagnosis.made_up import random_data
from xorqa.lab.diagnosis.diagnosis import diagnose_data
from xorqa.lab.diagnosis.joined import join_pages
from xorqa.lab.diagnosis.page import page_data
from xorqa.lab.diagnosis.page_data import PageData
from xorqa.metrics.significance import Settings


def page(seed: int, **options: object) -> PageData:
    data = random_data(seed, systems=1)
    return page_data(diagnose_data(data, settings=Settings(samples=20), **options))  # type: ignore[arg-type]


def test_pages_of_the_same_questions_are_joined() -> None:
    a, b = page(1), page(2)
    [joined] = join_pages({"a": a, "b": b, "other": page(1, metrics=["em"])})
    assert joined.systems == ("a", "b") and joined.data.systems == ["a", "b"]
    assert list(joined.data.metrics) == list(a.metrics) and joined.left_out == ()
    assert joined.data.values == [a.values[0], b.values[0]]
    of = {row.name: len(row.of) for row in joined.data.features}
    assert (of["aLen"], of["gold-rank"]) == (1, 2)  # of a question, and of each system


def test_a_feature_with_other_buckets_is_left_out_and_named() -> None:
    [joined] = join_pages({"a": page(1), "b": page(2, edges={"aLen": (2,)})})
    assert joined.left_out == ("aLen",)
    assert "aLen" not in [row.name for row in joined.data.features]


def test_a_page_without_company_or_of_another_layout_is_not_joined() -> None:
    a = page(1)
    for broken in (
        replace(a, values=[]),
        replace(a, answers=[["x"]]),
        replace(a, systems=[]),
        replace(a, features=[replace(a.features[0], of=[])]),
    ):
        assert join_pages({"a": a, "broken": broken}) == []
