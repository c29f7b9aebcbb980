import pytest

from xorqa.core.progress import disk_size, duration, quantity


def test_one_is_singular() -> None:
    counts = [quantity(count, "question") for count in (0, 1, 2)]
    assert counts == ["0 questions", "1 question", "2 questions"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"),
        (59.4, "59 s"),
        (61, "1 min"),
        (240, "4 min"),
        (5399, "90 min"),
        (9000, "2.5 h"),
    ],
)
def test_durations_are_rough(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"), [(4_608_000, "4.6 MB"), (1.25e9, "1.2 GB"), (2e12, "2,000.0 GB")]
)
def test_sizes_are_in_megabytes_or_gigabytes(count: float, text: str) -> None:
    assert disk_size(count) == text
