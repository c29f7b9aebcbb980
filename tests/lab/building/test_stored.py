"""The stored files of a data set in construction: damage is an error, and names the line."""

from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import DataError
from xorqa.core.types import Example, Gold, Question
from xorqa.datasets.dataset import Dataset
from xorqa.io.files import write_jsonl
from xorqa.lab.building.qa import check_tasks, question_tasks
from xorqa.lab.building.tasks import add_tasks, read_annotations, read_tasks
from xorqa.lab.building.units import Context, Unit, read_units, write_units
from xorqa.lab.building.xor_files import PASSAGES, add_passages, read_stored, write_questions

CONTEXT = Context("d", "", "Oulu is a town.", 0, 15)
UNIT = Unit("s1", {"en": CONTEXT, "fi": CONTEXT})
TASK = {"id": "s1.en", "round": "question", "about": "s1", "lang": "en", "shown": {}, "filled": []}


def test_what_was_stored_is_read_again(tmp_path: Path) -> None:
    write_units(tmp_path, [UNIT])
    assert read_units(tmp_path) == {"s1": UNIT}
    add_tasks(tmp_path, [task := question_tasks([UNIT], pivot="en")[0]])
    assert read_tasks(tmp_path)[task.id].shown == task.shown
    check_tasks([task], {"s1": UNIT}, "en")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shown": ["x"]}, "line 1 shown must be table, not"),
        ({"sentence": [1, "2"]}, "line 1 sentence"),
        ({"sentence": [1]}, "task 's1.en' is damaged"),
        ({"passages": {"context": "d"}}, "task 's1.en' is damaged"),
        ({"idea": "x"}, "line 1 has no field 'idea'"),
    ],
)
def test_damaged_tasks(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    write_jsonl(tmp_path / "rounds" / "question.jsonl", [TASK | changes])
    with pytest.raises(DataError, match=f"{message}.*again$"):
        read_tasks(tmp_path)


def test_damaged_annotations_sentences_and_passages(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "annotations.jsonl", [{"task": "s1.en", "annotator": ["anna"]}])
    with pytest.raises(DataError, match="line 1 annotator must be string, not"):
        read_annotations(tmp_path)
    write_jsonl(tmp_path / "sentences.jsonl", [{"id": "s1", "contexts": {"en": {"docid": "d"}}}])
    with pytest.raises(DataError, match="line 1 contexts en needs a field"):
        read_units(tmp_path)
    write_jsonl(tmp_path / PASSAGES, [{"docid": "d", "text": {"en": "x"}}])
    with pytest.raises(DataError, match="line 1 text must be string, not"):
        add_passages(tmp_path, [])


@pytest.mark.parametrize(("about", "lang", "pivot"), [("s2", "en", "en"), ("s1", "en", "de")])
def test_tasks_about_other_sentences(about: str, lang: str, pivot: str) -> None:
    [task] = question_tasks([Unit(about, {"en": CONTEXT})], pivot="en")
    with pytest.raises(DataError, match=f"no sentence for task '{about}.question' in '{pivot}'"):
        check_tasks([task], {"s1": UNIT}, pivot)


def test_questions_of_an_earlier_export_stay(tmp_path: Path) -> None:
    dataset = Dataset("own", (), {})
    first, second, third = (
        Example(Question(f"q{number}", "Missä Oulu on?", "fi"), (Gold("Suomi", "fi"),))
        for number in range(3)
    )
    write_questions(tmp_path, [first], [third], dataset)
    write_questions(tmp_path, [second, first], [], dataset)
    selected, in_language = read_stored(tmp_path)
    assert selected == (first, second) and in_language == (third,)
