import json

import pytest

from xorqa.reading.generation.reply import LONGEST, MOST_CITATIONS, read_answer, read_reply

PLAIN = {"answer": "Afrikassa", "citations": [{"passage": 1, "quote": "in Africa"}]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(PLAIN),
        f"```json\n{json.dumps(PLAIN, indent=2)}\n```",
        f"Here you are: {json.dumps(PLAIN)} I hope {{this}} helps.",
        f'<think>{{"answer": "Asia"}}</think>\n{json.dumps(PLAIN)}',
        '{"note": {}} ' + json.dumps(PLAIN),
        json.dumps({**PLAIN, "citations": [{"passage": "[1]", "quote": "in Africa"}]}),
    ],
)
def test_the_answer_and_its_citations(text: str) -> None:
    reply = read_reply(text)
    assert (reply.answer, reply.citations, reply.problem) == ("Afrikassa", ((1, "in Africa"),), "")
    assert reply.text == text


@pytest.mark.parametrize("answer", [None, "", "  "])
def test_not_in_the_passages(answer: str | None) -> None:
    reply = read_reply(json.dumps({"answer": answer, "citations": []}))
    assert (reply.answer, reply.problem) == ("", "")


def test_a_number_is_an_answer() -> None:
    assert read_reply('{"answer": 1871}').answer == "1871"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the reply has no JSON object with an answer: ''"),
        ("The Nile is in Africa.", "the reply has no JSON object"),
        ('{"Answer": "x"}', "the reply has no JSON object"),
        ('["answer"]', "the reply has no JSON object"),
        ('{"answer": "x"', "the reply has no complete JSON object"),
        ("{" * 100_000, "the reply has no complete JSON object"),
        ('{"answer": ' + "[" * 100_000, "the reply has no complete JSON object"),
        ('```json\n{"answer": "x"\n```', "the reply has no complete JSON object"),
        ('```json\n{"Answer": "x"}\n```', "the reply has no JSON object"),
        ('{"answer": "\\ud800"}', "the reply has no JSON object"),
        ('{"answer": NaN}', "the reply has no JSON object"),
        ('{"answer": ["x"]}', "the reply's answer is not a text"),
        ('{"answer": true}', "the reply's answer is not a text"),
        (json.dumps({"answer": "x" * 100_000}), "the answer has 100000 characters"),
        ('{"answer": "x", "citations": "y"}', "the reply has no list of at most"),
        (json.dumps({"answer": "x", "citations": [0] * 51}), "the reply has no list of at most"),
    ],
)
def test_what_is_no_answer(text: str, problem: str) -> None:
    reply = read_reply(text)
    assert reply.problem.startswith(problem)
    assert len(reply.problem) < 200
    assert (reply.answer, reply.citations) == ("", ())


def test_an_unfinished_reply_asks_for_more_tokens() -> None:
    assert "raise the limit of tokens" in read_reply('{"answer": "on and on').problem
    assert "tokens" not in read_reply("no object").problem


def test_citations_of_other_shapes_count_as_citations_of_nothing() -> None:
    shapes = [7, "x", None, {}, {"passage": 2}, {"passage": 1.5, "quote": ["a"]}, {"passage": True}]
    reply = read_reply(json.dumps({"answer": "x", "citations": shapes}))
    assert [number for number, _ in reply.citations] == [7, 0, 0, 0, 2, 0, 0]
    assert {quote for _, quote in reply.citations} == {""}
    assert len(shapes) < MOST_CITATIONS


def test_a_reply_that_is_the_answer() -> None:
    assert read_answer(" Addis\nAbeba ").answer == "Addis Abeba"
    assert read_answer("x" * (LONGEST + 1)).problem
