"""The answers here are scripted by the tests; no model made them."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.types import Candidate, Hit, Passage, Query, Question, ReadingFailure, Span
from xorqa.io.cache import Cache
from xorqa.models.chat_client import PATIENCE
from xorqa.reading.generation.reader import GenerativeReader

KEY = "sk-secret-of-the-tests"
HITS = [
    Hit(Passage("nile", "The Nile is a river in Africa.", "Nile"), 2.0),
    Hit(Passage("rein", "Rein on joki Euroopassa.", "Rein", "fi"), 1.0),
]
FINNISH = Query(Question("q1", "Missä Niili on?", "fi"), "Where is the Nile?", "en")
KOREAN = Query(Question("q2", "나일강은 어디에 있나요?", "ko"), "Where is the Nile?", "en")
MANY = [
    Query(Question(f"m{at}", f"Missä on joki numero {at}?", "fi"), "Where?", "en")
    for at in range(8)
]
LONG = "The Nile is a long river in the north-east of Africa."

Make = Callable[..., GenerativeReader]


def said(answer: str | None, *citations: tuple[Any, Any]) -> str:
    rows = [{"passage": number, "quote": quote} for number, quote in citations]
    return json.dumps({"answer": answer, "citations": rows}, ensure_ascii=False)


def citations(candidate: Candidate) -> list[tuple[int, str, Span | None]]:
    assert candidate.generated
    return [(c.number, c.docid, c.span) for c in candidate.generated.citations]


@pytest.fixture
def failures() -> list[ReadingFailure]:
    return []


@pytest.fixture
def make(service: Any, waits: list[float], failures: list[ReadingFailure]) -> Make:
    def build(**options: Any) -> GenerativeReader:
        given = {"endpoint": service.url, "model": "scripted", "retries": 1, "backoff": 0.0}
        return GenerativeReader(**{**given, "failed": failures.append, **options})

    return build


def test_an_answer_with_its_citations(service: Any, make: Make) -> None:
    service.replies = [said("Afrikassa", (2, "Euroopassa"), (1, "in  Africa"))]
    [[answer]] = make(price_in=2.0).read([FINNISH], [HITS])
    assert (answer.text, answer.lang, answer.docid, answer.rank) == ("Afrikassa", "fi", "rein", 1)
    assert answer.evidence == "Euroopassa"
    assert citations(answer) == [(2, "rein", Span(13, 23)), (1, "nile", Span(20, 29))]
    assert answer.score == pytest.approx(math.log(3 / 4))
    [request] = service.requests
    system, user = request["messages"]
    assert (request["model"], request["temperature"]) == ("scripted", 0)
    assert "Vastaa suomeksi" in system["content"]
    value = json.loads(user["content"])
    assert value["question"] == "Missä Niili on?"
    assert [row["title"] for row in value["passages"]] == ["Nile", "Rein"]


def test_a_quotation_must_be_in_the_passage_that_is_cited(service: Any, make: Make) -> None:
    service.replies = [said("x", (1, "Euroopassa"), (11, "in Africa"), (-1, "a"), ("two", 3))]
    [[answer]] = make().read([FINNISH], [HITS])
    assert citations(answer) == [(1, "nile", None), (11, "", None), (0, "", None), (0, "", None)]
    assert answer.generated and answer.generated.supported == 0
    assert (answer.docid, answer.evidence, answer.text) == ("nile", "", "x")
    assert answer.score == pytest.approx(math.log(1 / 6))


def test_only_the_first_passages_are_sent(service: Any, make: Make) -> None:
    service.replies = [said("x", (2, "Euroopassa"))]
    [[answer]] = make(passages=1).read([FINNISH], [HITS])
    assert citations(answer) == [(2, "", None)]
    assert "Euroopassa" not in service.asked[0]


def test_not_in_the_passages_is_an_answer(
    service: Any, make: Make, failures: list[ReadingFailure]
) -> None:
    service.replies = [said(None)]
    assert make().read([FINNISH, KOREAN], [HITS, []]) == [[], []]
    assert failures == [] and len(service.requests) == 1
    assert make().read([], []) == []


def test_prompts_are_in_the_language_of_what_is_read(service: Any, make: Make) -> None:
    service.replies = [said("x")]
    for options in ({}, {"answer_in": "passage"}, {"text": "query"}):
        make(**options).read([KOREAN], [HITS])
    korean, extract, english = [one["messages"][0]["content"] for one in service.requests]
    assert korean.startswith("주어진 글을") and "한국어로 답하세요" in korean
    assert extract.startswith("주어진 글을") and "번역하지 마세요" in extract
    assert english.startswith("Answer the question") and "Answer in Korean" in english
    assert "Where is the Nile?" in service.asked[2]


def test_an_answer_in_another_language_is_marked(service: Any, make: Make) -> None:
    service.replies = [said(LONG, (1, "in Africa"))]
    [[answer]] = make().read([KOREAN], [HITS])
    assert (answer.text, answer.lang) == (LONG, "en")
    assert len(service.requests) == 1
    service.replies = [said("Nile", (1, "in Africa"))]  # a name may be in any language
    assert make(model="other").read([KOREAN], [HITS])[0][0].lang == "ko"  # type: ignore[index]


def test_and_asked_for_again_if_wished(service: Any, make: Make) -> None:
    korean = "나일강은 아프리카 북동부에 있는 매우 긴 강입니다."
    service.replies = [said(LONG, (1, "in Africa")), said(korean, (1, "in Africa"))]
    [[answer]] = make(ask_again=True).read([KOREAN], [HITS])
    assert (answer.text, answer.lang) == (korean, "ko")
    assert answer.generated and answer.generated.asked_again
    last = service.requests[1]["messages"]
    assert [message["role"] for message in last] == ["system", "user", "assistant", "user"]
    assert LONG in last[2]["content"] and "한국어가 아닙니다" in last[3]["content"]


@pytest.mark.parametrize("second", [said(LONG), "no JSON", (500, {})])
def test_once_and_the_first_answer_stays_without_a_better_one(
    service: Any, make: Make, second: Any, failures: list[ReadingFailure]
) -> None:
    service.replies = [said(LONG, (1, "in Africa")), second]
    [[answer]] = make(ask_again=True, retries=0).read([KOREAN], [HITS])
    assert (answer.text, answer.lang) == (LONG, "en")
    assert len(service.requests) == 2 and failures == []


def test_an_answer_in_the_language_of_its_passage(service: Any, make: Make) -> None:
    service.replies = [said("Euroopassa", (2, "Euroopassa"))]
    [[answer]] = make(answer_in="passage", ask_again=True).read([KOREAN], [HITS])
    assert (answer.text, answer.lang) == ("Euroopassa", "fi")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ((500, {}), "HTTP 500"),
        ((400, {}), "HTTP 400"),
        (b"<html>", "the reply is no chat completion"),
        ("The Nile is in Africa, as everybody knows.", "the reply has no JSON object"),
        (said("x" * 100_000), "the answer has 100000 characters"),
        ("x" * 100_000, "the reply has no JSON object"),
        (b'"' + b"a" * (1 << 21), "the reply is no chat completion"),
        (
            {"choices": [{"message": {"content": None, "refusal": "I will not."}}]},
            "the service refused: 'I will not.'",
        ),
        ("", "the reply has no JSON object"),
    ],
)
def test_what_is_no_answer_is_counted(
    service: Any, make: Make, failures: list[ReadingFailure], reply: Any, reason: str
) -> None:
    service.replies = [reply, said("Afrikassa", (1, "in Africa"))]
    bad, good = make(retries=0).read([FINNISH, KOREAN], [HITS, HITS])
    assert bad is None and good and good[0].text == "Afrikassa"
    [failure] = failures
    assert failure.question == FINNISH.question
    assert failure.reason.startswith(reason)


def test_a_reply_without_an_answer_is_tried_again(service: Any, make: Make) -> None:
    service.replies = ["Well...", said("Afrikassa")]
    [[answer]] = make(retries=1).read([FINNISH], [HITS])
    assert answer.text == "Afrikassa" and len(service.requests) == 2


def test_a_slow_endpoint(service: Any, make: Make, failures: list[ReadingFailure]) -> None:
    service.replies = [0.4]
    assert make(timeout=0.05, retries=0).read(MANY, [HITS] * len(MANY)) == [None] * len(MANY)
    assert len(failures) == len(MANY) and len(service.requests) == PATIENCE
    assert failures[-1].reason.startswith("not sent, the service is down: 127.0.0.1 did not answer")


def test_a_dead_endpoint(make: Make, failures: list[ReadingFailure]) -> None:
    reader = make(endpoint="http://127.0.0.1:9/v1")
    assert reader.read(MANY, [HITS] * len(MANY)) == [None] * len(MANY)
    assert reader.spent["requests"] == 2 * PATIENCE
    reader.read(MANY, [HITS] * len(MANY))
    assert reader.spent["requests"] == 2 * PATIENCE + 1


def test_each_reply_is_stored_as_it_arrives(service: Any, make: Make, tmp_path: Path) -> None:
    reader = make(cache=Cache(tmp_path / "stages.sqlite"))
    ask = reader._endpoint.service.ask  # type: ignore[union-attr]

    def interrupted(*args: Any) -> Any:
        if len(service.requests) == 3:
            raise KeyboardInterrupt
        return ask(*args)

    service.replies = [said("Afrikassa", (1, "in Africa"))]
    reader._endpoint.service.ask = interrupted  # type: ignore[union-attr, method-assign]
    with pytest.raises(KeyboardInterrupt):
        reader.read(MANY, [HITS] * len(MANY))
    resumed = make(cache=Cache(tmp_path / "stages.sqlite")).read(MANY, [HITS] * len(MANY))
    assert all(answers and answers[0].text == "Afrikassa" for answers in resumed)
    assert len(service.requests) == len(MANY) == len(set(service.asked))


def test_the_key_is_only_sent(
    service: Any,
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    failures: list[ReadingFailure],
) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    service.replies = [said("x"), (401, {}), said(f"the key is {KEY}")]
    file = tmp_path / "replies.jsonl"
    reader = make(key_env="THE_KEY", recorded=str(file), cache=Cache(tmp_path / "stages.sqlite"))
    for query in (FINNISH, KOREAN, MANY[0]):
        reader.read([query], [HITS])
    assert {headers["Authorization"] for headers in service.headers} == {f"Bearer {KEY}"}
    assert len(failures) == 2
    told = [str(failures), reader.black_box, repr(vars(reader)), file.read_text("utf-8")]
    assert KEY not in " ".join(told)
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.iterdir())
    assert reader.fingerprint() == make().fingerprint()


def test_without_the_key_a_run_ends_before_a_request(service: Any, make: Make) -> None:
    with pytest.raises(ConfigError, match="the environment variable NO_SUCH_KEY holds no key"):
        make(key_env="NO_SUCH_KEY").read([FINNISH], [HITS])
    assert service.requests == []


def test_a_key_in_escapes_reaches_no_answer_and_no_file(
    service: Any,
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    failures: list[ReadingFailure],
) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    quoted = f'{{"answer": "x", "citations": [{{"passage": 1, "quote": "{escaped}"}}]}}'
    service.replies = [f'{{"answer": "{escaped}"}}', quoted]
    file = tmp_path / "replies.jsonl"
    options = {"key_env": "THE_KEY", "recorded": str(file), "retries": 0}
    reader = make(cache=Cache(tmp_path / "stages.sqlite"), **options)
    assert reader.read([FINNISH, KOREAN], [HITS, HITS]) == [None, None]
    assert [failure.reason for failure in failures] == ["the reply repeats the API key"] * 2
    for path in tmp_path.iterdir():
        assert escaped.encode() not in path.read_bytes()


def test_replies_are_recorded_and_replayed(
    service: Any, make: Make, tmp_path: Path, failures: list[ReadingFailure]
) -> None:
    file = str(tmp_path / "replies.jsonl")
    service.replies = [said("Afrikassa", (1, "in Africa")), (500, {})]
    recorder = make(recorded=file, retries=0)
    first = recorder.read([FINNISH, KOREAN], [HITS, HITS])
    rows = [json.loads(line) for line in (tmp_path / "replies.jsonl").read_text().splitlines()]
    assert [(row["question"], row["lang"], row["origin"]) for row in rows] == [
        ("Missä Niili on?", "fi", "scripted at 127.0.0.1")
    ]
    replay = make(endpoint="", recorded=file)
    assert replay.read([FINNISH, KOREAN], [HITS, HITS]) == first
    assert failures[-1].reason == f"not recorded in {file}"
    assert replay.black_box == "scripted at 127.0.0.1" and len(service.requests) == 2
    (tmp_path / "replies.jsonl").write_text('{"hash": "x"}\n')
    with pytest.raises(DataError, match="line 1: needs a string 'origin'"):
        make(endpoint="", recorded=file).read([FINNISH], [HITS])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"endpoint": "localhost/v1"}, r"\[reader\] 'generate' needs a url such as http"),
        ({"endpoint": "http://me:sk-1@host/v1"}, "put the key into an environment variable"),
        ({"key_env": "sk-1"}, "key_env is the NAME of an environment variable"),
        ({"prompt": "no-file.txt"}, "cannot read the prompt 'no-file.txt'"),
        ({"passages": 0}, "passages must be 1 or more, not 0"),
        ({"format": "mgen"}, "is for local models"),
    ],
)
def test_settings_that_cannot_be_used(make: Make, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as told:
        make(**options)
    assert "sk-1" not in str(told.value)


def test_what_is_asked_is_in_the_fingerprint(make: Make, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("Answer!")
    kinds: list[dict[str, Any]] = [
        {},
        {"model": "n"},
        {"prompt": str(tmp_path / "mine.txt")},
        {"options": {"temperature": 1}},
        {"answer_in": "passage"},
        {"ask_again": True},
        {"passages": 3},
        {"text": "query"},
        {"endpoint": "http://127.0.0.1:9/v1"},
    ]
    assert len({make(**kind).fingerprint() for kind in kinds}) == len(kinds)
    same = make(retries=9, timeout=9.0, price_in=9.0, per_minute=9.0)
    assert same.fingerprint() == make().fingerprint()
