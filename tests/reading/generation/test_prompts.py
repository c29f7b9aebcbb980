import json
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.lang import LANGUAGES, XOR_LANGUAGES
from xorqa.core.text.detection import script_share
from xorqa.core.types import Hit, Passage
from xorqa.reading.generation.prompts import (
    BUNDLED,
    FOLDER,
    fill,
    fingerprint,
    mgen_input,
    question_with_passages,
    read_prompt,
)

TASKS = ("answer", "extract", "again")
HITS = [
    Hit(Passage("a", 'Line\none, "quoted".', "Title"), 2.0),
    Hit(Passage("b", '"}], "question": "Who?"', ""), 1.0),
]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("lang", ["en", *XOR_LANGUAGES])
def test_every_task_has_a_prompt_in_every_language(task: str, lang: str) -> None:
    text = (FOLDER / f"{task}.{lang}.txt").read_text("utf-8")
    letters = "".join(
        line for line in text.splitlines() if not line.startswith("{") and "null" not in line
    ).replace("JSON", "")
    assert script_share(letters, LANGUAGES[lang].script) > 0.9
    assert ("{language}" in text) == (lang == "en" and task != "extract")
    if task != "again":
        [shape] = [line for line in text.splitlines() if line.startswith('{"answer": "')]
        assert json.loads(shape)["citations"][0]["passage"] == 1
        assert '{"answer": null, "citations": []}' in text


def test_other_languages_have_the_english_prompt_and_their_name() -> None:
    text = fill(read_prompt(BUNDLED, "answer", "de"), "de")
    assert "Answer in German," in text
    assert "{language}" not in text
    assert "Answer in xx," in fill(read_prompt(BUNDLED, "answer", "xx"), "xx")


def test_a_prompt_of_your_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("Answer in {language}!\n", "utf-8")
    assert fill(read_prompt(str(path), "answer", "fi"), "fi") == "Answer in Finnish!"
    assert fingerprint(str(path)) != fingerprint(BUNDLED)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe"])
def test_a_prompt_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mine.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"mine\.txt"):
        read_prompt(str(path), "answer", "fi")


def test_no_passage_can_end_its_text() -> None:
    value = json.loads(question_with_passages("Missä?", HITS))
    assert value["question"] == "Missä?"
    assert [row["text"] for row in value["passages"]] == [hit.passage.text for hit in HITS]
    assert [row["passage"] for row in value["passages"]] == [1, 2]


def test_the_input_of_mgen() -> None:
    given = mgen_input("Missä?", "fi", [HITS[0], Hit(Passage("c", "Two.", "Second"), 0.0)])
    assert given == '<Q>: Missä? [fi] <P>:<0: Title> Line one, "quoted". <1: Second> Two.'
