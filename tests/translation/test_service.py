from collections.abc import Callable
from typing import Any

import pytest

from tests.translation.conftest import Refusal
from xorqa.core.errors import ConfigError, Notice
from xorqa.core.types import Query, Question, TranslationFailure
from xorqa.models.chat_client import PATIENCE
from xorqa.models.chat_reply import ChatError, read_reply, status_error
from xorqa.translation.service import ServiceTranslator

INARI = Question("q1", "Missä Inari on?", "fi")
NILE = Question("q2", "ナイル川はどこにありますか?", "ja")
ENGLISH = {INARI.text: "Where is Inari?", NILE.text: "Where is the Nile?"}
MANY = [Question(f"m{at}", f"Missä on järvi numero {at}?", "fi") for at in range(8)]
KEY = "sk-secret-of-the-tests"

Make = Callable[..., tuple[ServiceTranslator, list[TranslationFailure]]]


@pytest.fixture
def make(service: Any, waits: list[float]) -> Make:
    def build(**options: Any) -> tuple[ServiceTranslator, list[TranslationFailure]]:
        failures: list[TranslationFailure] = []
        given = {"url": service.url, "model": "m", "retries": 1, "failed": failures.append}
        return ServiceTranslator(**{**given, **options}), failures

    return build


def test_questions_are_translated_one_by_one(service: Any, make: Make) -> None:
    service.replies = [ENGLISH.get]
    translator, failures = make(price_in=2.0, price_out=10.0)
    english = Question("q3", "Where?", "en")
    again = Question("q4", INARI.text, "fi")
    assert translator.translate([INARI, english, NILE, again], to="en") == [
        Query(INARI, "Where is Inari?", "en"),
        Query(english, "Where?", "en"),
        Query(NILE, "Where is the Nile?", "en"),
        Query(again, "Where is Inari?", "en"),
    ]
    assert failures == []
    assert service.asked == [INARI.text, NILE.text]
    first, second = service.requests
    assert (first["model"], first["temperature"]) == ("m", 0)
    assert "from Finnish into English" in first["messages"][0]["content"]
    assert "from Japanese into English" in second["messages"][0]["content"]
    assert "Authorization" not in service.headers[0]
    assert translator.spent == {"requests": 2, "tokens_in": 40, "tokens_out": 10, "cost": 0.00018}
    assert translator.translate([], to="en") == []


@pytest.mark.parametrize("said", ['"Where is Inari?"', "“Where is Inari?”", " Where is\nInari? "])
def test_quotes_and_lines_around_a_translation_are_dropped(
    service: Any, make: Make, said: str
) -> None:
    service.replies = [said]
    [query] = make()[0].translate([INARI], to="en")
    assert query.text == "Where is Inari?"


def test_the_key_is_sent_and_told_to_nobody_else(
    service: Any, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", f"{KEY}\n")
    service.replies = ["Where is Inari?", (401, {}), (500, {}), (400, {})]
    translator, failures = make(key_env="THE_KEY", retries=0)
    for question in (INARI, NILE, *MANY[:2]):
        translator.translate([question], to="en")
    assert {headers["Authorization"] for headers in service.headers} == {f"Bearer {KEY}"}
    assert len(failures) == 3  # the service said the key in each of their bodies
    told = [*map(str, failures), translator.black_box, repr(vars(translator))]
    assert KEY not in " ".join(told)
    other, _ = make()
    assert translator.fingerprint() == other.fingerprint()


@pytest.mark.parametrize("key", ["", " ", "sk-\nsecret", "sk-é"])
def test_a_key_that_is_none_is_refused_without_being_said(
    make: Make, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("THE_KEY", key)
    with pytest.raises(ConfigError, match="the environment variable THE_KEY holds no key") as told:
        make(key_env="THE_KEY")[0].translate([INARI], to="en")
    assert "sk-" not in str(told.value)


def test_a_busy_service_is_asked_again_when_it_wishes(
    service: Any, make: Make, waits: list[float]
) -> None:
    service.replies = [
        (429, {"Retry-After": "7"}),
        (503, {}),
        (500, {"Retry-After": "soon"}),
        "Where is Inari?",
    ]
    translator, failures = make(retries=3, backoff=0.5)
    [query] = translator.translate([INARI], to="en")
    assert (query.text, failures) == ("Where is Inari?", [])
    assert [wait for wait in waits if wait] == [7.0, 1.0, 2.0]
    service.replies = [(429, {"Retry-After": "86400"}), "Where is the Nile?"]
    service.requests.clear()
    translator.translate([NILE], to="en")
    assert max(waits) == 60.0


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ((429, {}), "HTTP 429"),
        ((500, {}), "HTTP 500"),
        (b"<html>", "the reply is no chat completion"),
        (b'{"choices": []}', "the reply is no chat completion"),
        ({"choices": [{"message": None}]}, "the reply is no chat completion"),
        ("", "the output is empty"),
        ({"choices": [{"message": {"content": None}}]}, "the output is empty"),
        ("Inari on järvi Suomessa, lähellä Ivaloa.", "the output is not in 'en'"),
        ("Где находится Инари?", "the output is not in 'en'"),
        ("I'm sorry, but I can't help with that.", "the output is a refusal: \"I'm sorry"),
        ("where " * 100, "the output has 599 characters, the question 15"),
    ],
)
def test_what_may_pass_is_tried_again_and_then_reported(
    service: Any, make: Make, reply: Any, reason: str
) -> None:
    service.replies = [reply, reply, "Where is the Nile?"]
    translator, failures = make()
    queries = translator.translate([INARI, NILE], to="en")
    assert queries == [Query(INARI, INARI.text, "fi"), Query(NILE, "Where is the Nile?", "en")]
    assert service.asked == [INARI.text, INARI.text, NILE.text]
    [failure] = failures
    assert failure.question == INARI
    assert failure.reason.startswith(reason)
    service.replies = ["Where is Inari?"]
    assert translator.translate([INARI], to="en")[0].text == "Where is Inari?"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ((400, {}), "HTTP 400"),
        (
            {"choices": [{"message": {"content": None, "refusal": "I will not."}}]},
            "the service refused: 'I will not.'",
        ),
        (
            {"choices": [{"message": {"content": "x"}, "finish_reason": "content_filter"}]},
            "the service refused: 'content filter'",
        ),
    ],
)
def test_what_will_not_pass_is_not_tried_again(
    service: Any, make: Make, reply: Any, reason: str
) -> None:
    service.replies = [reply, "Where is the Nile?"]
    translator, failures = make(retries=5)
    queries = translator.translate([INARI, NILE], to="en")
    assert [query.text for query in queries] == [INARI.text, "Where is the Nile?"]
    assert service.asked == [INARI.text, NILE.text]
    assert failures[0].reason.startswith(reason)


@pytest.mark.parametrize("status", [401, 403, 404, 302])
def test_a_service_that_lets_nobody_in_is_asked_once_a_batch(
    service: Any, make: Make, status: int
) -> None:
    service.replies = [(status, {"Location": f"{service.url}/elsewhere"})]
    translator, failures = make()
    queries = translator.translate(MANY, to="en")
    assert [query.text for query in queries] == [question.text for question in MANY]
    assert [failure.question for failure in failures] == MANY
    assert all(f"HTTP {status}" in failure.reason for failure in failures)
    assert len(service.requests) == 1
    translator.translate(MANY, to="en")
    assert len(service.requests) == 2
    service.replies = ["Where is the lake?"]
    assert {query.lang for query in translator.translate(MANY, to="en")} == {"en"}


def test_a_reply_is_read_up_to_a_limit(service: Any, make: Make) -> None:
    service.replies = [b'"' + b"a" * (1 << 21), "Where is the Nile?"]
    translator, failures = make(retries=0)
    translator.translate([INARI, NILE], to="en")
    assert [failure.reason for failure in failures] == ["the reply is no chat completion"]
    assert service.asked == [INARI.text, NILE.text]


def test_a_slow_service_is_given_up_in_time(service: Any, make: Make) -> None:
    service.replies = [0.4]
    translator, failures = make(timeout=0.05, retries=0)
    translator.translate(MANY, to="en")
    assert len(failures) == len(MANY)
    assert failures[0].reason == "127.0.0.1 did not answer within 0.05 s"
    assert failures[-1].reason.endswith(f"the service is down: {failures[0].reason}")
    assert len(service.requests) == PATIENCE


def test_a_dead_service(service: Any, make: Make, waits: list[float]) -> None:
    translator, failures = make(url="http://127.0.0.1:9/v1", retries=2)
    queries = translator.translate(MANY, to="en")
    assert [query.lang for query in queries] == ["fi"] * len(MANY)
    assert failures[0].reason.startswith("127.0.0.1 cannot be reached (")
    assert translator.spent["requests"] == 3 * PATIENCE
    assert [wait for wait in waits if wait] == [1.0, 2.0] * PATIENCE


def test_requests_keep_their_distance(service: Any, make: Make, waits: list[float]) -> None:
    service.replies = [ENGLISH.get]
    make(per_minute=20)[0].translate([INARI, NILE], to="en")
    assert sorted(waits)[-1] == 3.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": "localhost/v1"}, "needs a url such as http"),
        ({"url": "file:///etc/passwd"}, "needs a url such as http"),
        ({"url": "http://me:sk-1@host/v1"}, "put the key into an environment variable"),
        ({"url": "http://host/v1?key=sk-1"}, "put the key into an environment variable"),
        ({"key_env": "sk-1"}, "key_env is the NAME of an environment variable"),
        ({"prompt": "Translate {question}"}, "prompt may have {source}, {target} and {text}"),
        ({"retries": -1}, "retries must be 0 or more, not -1"),
        ({"timeout": 0.0}, "timeout must be more than 0"),
        ({"prompt": "Translate {"}, "prompt may have {source}, {target} and {text}"),
    ],
)
def test_settings_that_cannot_be_used(make: Make, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as told:
        make(**options)
    assert "sk-1" not in str(told.value)


def test_what_is_asked_is_in_the_fingerprint(make: Make) -> None:
    kinds = [{}, {"model": "n"}, {"prompt": "Into {target}!"}, {"options": {"temperature": 1}}]
    assert len({make(**kind)[0].fingerprint() for kind in kinds}) == len(kinds)
    same = make(retries=9, timeout=9.0, price_in=9.0, per_minute=9.0)[0]
    assert same.fingerprint() == make()[0].fingerprint()


@pytest.mark.parametrize("wait", ["\u00b2", "\u0663", "1e999", "-1", "nan", ""])
def test_a_wait_that_is_no_number_is_no_wait(wait: str) -> None:
    class Response:
        status_code, reason_phrase, headers = 429, "Too Many Requests", {"Retry-After": wait}

    assert status_error(Response(), b"").retry_after == 0.0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "reply",
    [
        b"[" * 100_000,
        b'{"choices": [{"message": {"content": "a\\ud800"}}]}',
        b'{"choices": [{"message": {"content": ["a"]}}]}',
        b'{"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": 1e999}}',
        b'{"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": -5}}',
        b'{"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": "5"}}',
        b'{"choices": [{"message": {"content": "a"}}], "usage": [1]}',
        b'{"choices": {"0": 1}}',
        b"[[[[",
    ],
)
def test_a_reply_of_another_shape_is_no_chat_completion(reply: bytes) -> None:
    with pytest.raises(ChatError, match="the reply is no chat completion"):
        read_reply(reply)


THOUGHT = "<think>\nThe user asks where Inari is.\n</think>\n\n"
REFUSALS = {
    "temperature": "Unsupported value: 'temperature' does not support 0 with this model.",
    "system": "System role not supported",
    "o1": "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    "mistral": "Conversation roles must alternate user/assistant/user/assistant/...",
    "gemini": "Developer instruction is not enabled for models/gemma-3-27b-it",
}


def refusing(service: Any, *refused: str, status: int = 400) -> Callable[[str], Any]:
    """A service whose model refuses `temperature = 0`, the system role, or both."""

    def reply(_: str) -> Any:
        request = service.requests[-1]
        for name in refused:
            is_temperature = name == "temperature"
            has_system = request["messages"][0]["role"] == "system"
            if "temperature" in request if is_temperature else has_system:
                return Refusal(status, {"error": {"message": REFUSALS[name]}})
        return "Where is Inari?"

    return reply


@pytest.mark.parametrize("said", [THOUGHT + "Where is Inari?", "Hmm.</think>Where is Inari?"])
def test_thoughts_are_no_translation(service: Any, make: Make, said: str) -> None:
    service.replies = [said]
    assert make()[0].translate([INARI], to="en")[0].text == "Where is Inari?"


@pytest.mark.parametrize("message", [{"reasoning_content": "Hmm"}, {"content": "<think>\nHmm"}])
def test_a_reply_that_ends_in_its_thoughts(
    service: Any, make: Make, message: dict[str, str]
) -> None:
    choice = {"message": {"content": None, **message}, "finish_reason": "length"}
    usage = {"prompt_tokens": 9, "completion_tokens": 40}
    service.replies = [{"choices": [choice], "usage": usage}]
    translator, failures = make()
    assert translator.translate([INARI], to="en")[0].text == INARI.text
    [failure] = failures
    reason = "the reply ended in its thoughts after 40 tokens; options can raise the limit"
    assert failure.reason == reason
    assert translator.spent["tokens_out"] == 40


def test_a_reply_in_parts(service: Any, make: Make) -> None:
    parts = [{"type": "text", "text": "Where is "}, {"type": "text", "text": "Inari?"}]
    service.replies = [{"choices": [{"message": {"content": parts}}]}]
    assert make()[0].translate([INARI], to="en")[0].text == "Where is Inari?"


@pytest.mark.parametrize(
    ("refused", "status", "requests"),
    [
        (["temperature"], 400, 3),
        (["system"], 500, 3),
        (["o1"], 400, 3),
        (["mistral"], 422, 3),
        (["gemini"], 400, 3),
        (["temperature", "system"], 400, 4),
    ],
)
def test_what_a_model_refuses_is_left_out_and_reported_once(
    service: Any, make: Make, refused: list[str], status: int, requests: int
) -> None:
    service.replies = [refusing(service, *refused, status=status)]
    translator, failures = make(retries=0)
    with pytest.warns(Notice) as warned:
        queries = translator.translate([INARI, NILE], to="en")
    assert ([query.text for query in queries], failures) == (["Where is Inari?"] * 2, [])
    assert translator.spent["requests"] == len(service.requests) == requests
    assert len(warned) == len(refused)
    assert all("m at 127.0.0.1 refuses " in str(notice.message) for notice in warned)
    last = service.requests[-1]
    assert ("temperature" in last) == ("temperature" not in refused)
    if refused != ["temperature"]:
        [message] = last["messages"]
        assert message["role"] == "user"
        assert message["content"].startswith("You translate questions from Japanese")
        assert message["content"].endswith(f"\n\n{NILE.text}")


def test_other_refusals_are_quoted(service: Any, make: Make) -> None:
    text = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    service.replies = [Refusal(400, {"error": {"message": text}})]
    translator, failures = make(options={"temperature": 0, "max_tokens": 9})
    translator.translate([INARI], to="en")
    assert failures[0].reason.startswith("HTTP 400 Bad Request: 'max_tokens' is not supported")
    assert len(service.requests) == 1


def test_azure(service: Any, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    service.replies = ["Where is Inari?"]
    url = service.url.removesuffix("/v1") + "/openai/deployments/mine/?api-version=2024-06-01"
    translator, _ = make(url=url, key_env="THE_KEY")
    assert translator.translate([INARI], to="en")[0].text == "Where is Inari?"
    path = "/openai/deployments/mine/chat/completions?api-version=2024-06-01"
    assert service.paths == [path]
    assert service.headers[0]["api-key"] == KEY
    assert "Authorization" not in service.headers[0]
    other = make(url=url.replace("2024", "2025"), key_env="THE_KEY")[0]
    assert other.fingerprint() != translator.fingerprint()


def test_a_prompt_with_a_place_for_the_text(service: Any, make: Make) -> None:
    service.replies = ["Where is Inari?"]
    prompt = "Translate from {source} into {target}.\n{source}: {text}\n{target}:"
    make(prompt=prompt)[0].translate([INARI], to="en")
    content = f"Translate from Finnish into English.\nFinnish: {INARI.text}\nEnglish:"
    assert service.requests[0]["messages"] == [{"role": "user", "content": content}]
