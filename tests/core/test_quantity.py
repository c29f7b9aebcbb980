from xorqa.core.quantity import quantity


def test_one_is_singular() -> None:
    counts = [quantity(count, "question") for count in (0, 1, 2)]
    assert counts == ["0 questions", "1 question", "2 questions"]
