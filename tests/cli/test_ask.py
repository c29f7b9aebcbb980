import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.candidates import candidate
from xorqa.cli.answer import show_answer
from xorqa.core.types import Answer, Question, Trace

ALWAYS = ("--min-confidence", "0")
"""An answer at any confidence."""


def strict(text: str) -> Any:
    """JSON without Python's Infinity and NaN, which other readers refuse."""

    def refuse(name: str) -> Any:
        raise ValueError(name)

    return json.loads(text, parse_constant=refuse)


def read(outcome: Any) -> Any:
    """The candidates of a printed answer."""
    return strict(outcome.out)["trace"]["candidates"]


def test_json_has_the_answer_and_its_evidence(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    outcome = xorqa(
        "ask",
        "--json",
        "--config",
        config,
        "--corpus",
        corpus,
        "--lang",
        "en",
        *ALWAYS,
        "Is the Nile a river?",
    )
    assert (outcome.status, outcome.err) == (0, "")
    shown = strict(outcome.out)
    assert set(shown) == {"answer", "evidence", "lang", "trace", "milliseconds"}
    assert set(shown["answer"]) == {"text", "lang", "original", "confidence", "made"}
    trace, [passage, other] = shown["trace"], shown["evidence"]
    assert (trace["question"], shown["lang"]) == ("Is the Nile a river?", "en")
    assert set(passage) == {"docid", "title", "text", "start", "end", "score"}
    assert shown["answer"]["text"] == passage["text"][passage["start"] : passage["end"]] != ""
    assert shown["answer"]["made"] == "span"
    assert {passage["docid"], other["docid"]} == {"n", "r"}
    assert {candidate["docid"] for candidate in trace["candidates"]} == {"n", "r"}
    best = max(trace["candidates"], key=lambda c: c["span_score"] + c["passage_score"])
    assert best["docid"] == passage["docid"]
    assert set(trace["milliseconds"]) == {
        *("pool.translate", "pool.index", "pool.retrieve", "pool.read"),
        "answer",
    }
    assert shown["milliseconds"] == pytest.approx(sum(trace["milliseconds"].values()), abs=0.1)
    assert shown["answer"].items() <= trace["answers"][0].items()
    assert (trace["found"], trace["min_confidence"]) == (True, 0)
    [route] = trace["routes"]
    assert route["query"] == {"text": "Is the Nile a river?", "lang": "en"}
    assert [hit["docid"] for hit in route["hits"]] == ["n", "r"] and route["parts"] == []


def test_a_question_without_candidates_is_not_found(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    asked = ("ask", "--config", config, "--corpus", corpus, "--lang", "en", "unheard words")
    shown = strict(xorqa(*asked, "--json").out)
    trace = shown["trace"]
    assert (shown["answer"], trace["found"], trace["answers"]) == (None, False, [])
    assert (shown["evidence"], trace["candidates"]) == ([], [])
    outcome = xorqa(*asked)
    assert outcome.status == 0
    assert outcome.out.startswith("not found in these documents (the passages have no candidate)")


def test_the_passage_is_printed_literally(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    corpus.write_text(
        '{"docid": "[b]", "text": "A [red]Nile[/red] :river: of 6650 km.", "lang": "en"}'
    )
    outcome = xorqa("ask", "--config", config, "--corpus", corpus, "--lang", "en", *ALWAYS, "Nile")
    assert outcome.status == 0
    assert "A [red]Nile[/red] :river: of 6650 km." in outcome.out
    assert "[[b]]" in outcome.out
    assert outcome.out.startswith("confidence ")
    assert "route" not in outcome.out and " ms" not in outcome.out


def test_verbose_shows_the_details(xorqa: Callable[..., Any], config: Path, corpus: Path) -> None:
    asked = ("--config", config, "--corpus", corpus, "--lang", "en", *ALWAYS, "Nile")
    details = xorqa("ask", "--verbose", *asked).out
    assert "P(passage answers) " in details and "route pool)" in details
    assert "pool.retrieve " in details and " ms" in details
    assert "-0.0" not in details


def test_verbose_shows_what_the_ranker_did(
    xorqa: Callable[..., Any], config: Path, corpus: Path, tiny_adapter: Path
) -> None:
    ranker = f'ranker = {{ use = "reader", adapter = "{tiny_adapter}", keep = 1 }}\n'
    config.write_text(ranker + config.read_text())
    asked = ("ask", "--config", config, "--corpus", corpus, "--lang", "en", *ALWAYS)
    details = xorqa(*asked, "--verbose", "river Nile Rhine").out
    assert re.search(r"ranker -\d\.\d+ \(rank 1, retrieved at [12], route pool\)", details)
    assert "pool.rank " in details and "not calibrated" in details


def test_the_confidence_is_marked_if_it_is_not_calibrated(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    asked = ("ask", "--corpus", corpus, "--lang", "en", *ALWAYS, "Nile", "--config", config)
    [percent] = re.findall(r"^confidence (\d+)%, not calibrated: ", xorqa(*asked).out)
    [answer, *_] = strict(xorqa(*asked, "--json").out)["trace"]["answers"]
    assert percent == f"{100 * answer['confidence']:.0f}"
    assert answer["calibrated"] is False


def test_below_the_least_confidence_the_best_passages_are_shown(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    asked = ("ask", "--corpus", corpus, "--lang", "en", "Nile river", "--config", config)
    outcome = xorqa(*asked, "--min-confidence", "1")
    assert outcome.status == 0
    first, *rest = outcome.out.splitlines()
    assert re.fullmatch(
        r"not found in these documents \(the best candidate has a confidence of \d+%, not "
        r"calibrated; --min-confidence is 100%\)",
        first,
    )
    assert "Nile [n]" in rest and "Rhine [r]" in rest
    shown = strict(xorqa(*asked, "--min-confidence", "1", "--json").out)
    assert (shown["answer"], shown["trace"]["found"]) == (None, False)
    assert shown["trace"]["answers"] and shown["trace"]["min_confidence"] == 1
    assert [passage["docid"] for passage in shown["evidence"]] == ["n", "r"]
    listed = xorqa(*asked, "--min-confidence", "1", "--answers", "2").out.splitlines()
    assert [line.startswith("confidence ") for line in listed[1:3]] == [True, True]
    refused = xorqa(*asked, "--min-confidence", "30")
    assert refused.status == 2 and "--min-confidence" in refused.err


def test_other_candidates_follow_the_answer(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    asked = ("ask", "--corpus", corpus, "--lang", "en", *ALWAYS, "Nile river", "--config", config)
    alone, two = xorqa(*asked).out, xorqa(*asked, "--answers", "2").out
    assert [line.startswith("confidence ") for line in alone.splitlines()[:2]] == [True, False]
    first, second, *_ = two.splitlines()
    assert first == alone.splitlines()[0]
    assert re.fullmatch(r"confidence \d+%, not calibrated: .+ \[[nr]\]", second)
    details = xorqa(*asked, "--answers", "2", "--verbose").out
    assert details.count("P(passage answers) ") == 2


def traced(text: str, *, source: str, lang: str, asked: str, method: str) -> Trace:
    """A trace whose answer to a question in `asked` was read as `source` in `lang`."""
    read = candidate(source, lang)
    answer = Answer(text, lang if method == "copied" else asked, -1.0, method, read, 0.5)
    return Trace(Question("q", "?", asked), {}, (read,), answer, {}, (answer,))


@pytest.mark.parametrize(
    ("text", "source", "lang", "asked", "method", "shown", "remark"),
    [
        ("Nokia", "Nokia", "fi", "fi", "span", "Nokia", ""),
        ("Nokia", "Nokia", "en", "fi", "copied", "Nokia", ""),
        ("1896", "1896", "en", "fi", "copied", "1896", ""),
        ("a bridge", "a bridge", "en", "fi", "copied", "a bridge", "in English"),
        (
            *("a bridge", "a bridge", "en", "ko", "copied", "a bridge"),
            "English, not localised into Korean",
        ),
        ("미국", "USA", "en", "ko", "rule:territory", "미국 (USA)", ""),
        ("1896", "1896", "en", "ko", "rule:number", "1896", ""),
        ("Lake", "Lake", "xx", "yy", "copied", "Lake", "in xx"),
    ],
)
def test_an_answer_is_shown_with_its_original_and_its_language_if_unexpected(
    text: str,
    source: str,
    lang: str,
    asked: str,
    method: str,
    shown: str,
    remark: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_answer(traced(text, source=source, lang=lang, asked=asked, method=method))
    expected = f"confidence 50%: {shown}{f' ({remark})' if remark else ''}"
    assert capsys.readouterr().out.splitlines()[0] == expected


def test_a_question_per_line(
    xorqa: Callable[..., Any], config: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Where is the Rhine?\n\n joki Suomessa \n"))
    outcome = xorqa("ask", "-i", "--json", "--config", config, "--corpus", corpus, "the Nile?")
    assert outcome.status == 0
    asked = [strict(line)["trace"]["question"] for line in outcome.out.splitlines()]
    assert asked == ["the Nile?", "Where is the Rhine?", "joki Suomessa"]


def test_an_error_does_not_end_an_interactive_session(
    xorqa: Callable[..., Any], config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Missä?\n"))
    outcome = xorqa("ask", "-i", "--config", config, "--lang", "fi")
    assert outcome.status == 0
    assert "has no human translation" in outcome.err


def test_a_session_ends_at_quit_and_its_status_tells_whether_a_question_failed(
    xorqa: Callable[..., Any], config: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("the Nile?\nhelp\nquit\nthe Rhine?\n"))
    asked = ("ask", "-i", "--json", "--config", config, "--corpus", corpus)
    outcome = xorqa(*asked, "--lang", "en")
    assert outcome.status == 0 and len(outcome.out.splitlines()) == 1
    assert "ends the session" in outcome.err
    monkeypatch.setattr("sys.stdin", io.StringIO("\ud800\nthe Nile?\n"))
    outcome = xorqa(*asked, "--lang", "en")
    assert outcome.status == 1 and len(outcome.out.splitlines()) == 1
    assert "error: " in outcome.err


def test_without_a_question_three_examples_are_suggested(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("ask")
    assert outcome.status == 2 and "no question" in outcome.err
    lines = outcome.out.splitlines()
    assert len(lines) == 3
    assert all(re.fullmatch(r'xorqa ask "[^"]+"', line) for line in lines)


def test_passages_may_change_between_questions(
    xorqa: Callable[..., Any],
    config: Path,
    corpus: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = ("--config", config, "--corpus", corpus, "--lang", "en", "the lake?")
    command = ("ask", "--json", *ALWAYS, *asked)
    first = xorqa(*command)
    whole = corpus.read_text()
    corpus.write_text('{"docid": "l", "text": "Inari is a lake.", "lang": "en"}')
    assert strict(xorqa(*command).out)["evidence"][0]["docid"] == "l"
    corpus.write_text(whole)
    assert read(xorqa(*command)) == read(first)
    assert len(list((home / "indexes").glob("rivers-*/bm25/manifest.json"))) == 2
    corpus.write_text('{"docid": "l", "text": "Inari is a lake.", "lang": "en"}')
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.delenv("XORQA_HOME")
    assert strict(xorqa(*command).out)["evidence"][0]["docid"] == "l"
    corpus.write_text('{"docid": "i", "text": "Inari is a deep lake.", "lang": "en"}')
    assert strict(xorqa(*command).out)["evidence"][0]["docid"] == "i"


def test_the_users_folder_stays_as_it_was(
    xorqa: Callable[..., Any], config: Path, corpus: Path, home: Path
) -> None:
    xorqa("ask", "--config", config, "--corpus", corpus, "--lang", "en", "Where is the Nile?")
    assert list(Path().iterdir()) == []
    assert len(list(home.glob("indexes/rivers-*/bm25/manifest.json"))) == 1


def test_two_files_of_the_same_name_have_separate_indexes(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    other = Path("elsewhere") / corpus.name
    other.parent.mkdir()
    other.write_text('{"docid": "n", "text": "The lake of Nile Town is small.", "lang": "en"}')
    command = ("ask", "--json", *ALWAYS, "--config", config, "--lang", "en", "Where is the Nile?")
    found = []
    for path in (corpus, other, corpus, other):
        outcome = xorqa(*command, "--corpus", path)
        assert outcome.status == 0, outcome.err
        found.append(strict(outcome.out)["evidence"][0]["text"])
    assert "river" in found[0] and "lake" in found[1]
    assert found[2:] == found[:2]


def test_an_index_named_without_its_hash_is_still_opened(
    xorqa: Callable[..., Any], config: Path, corpus: Path, home: Path
) -> None:
    indexes, command = home / "indexes", ("index", "--corpus", corpus, "--retriever", "bm25")
    assert xorqa(*command).status == 0
    [named] = indexes.iterdir()
    named.rename(indexes / "rivers")
    assert xorqa(*command).out.startswith(f"{indexes / 'rivers' / 'bm25'}: ")
    asked = ("ask", "--json", "--config", config, "--corpus", corpus, "--lang", "en", "the Nile?")
    assert xorqa(*asked).status == 0
    assert [path.name for path in indexes.iterdir()] == ["rivers"]


def test_a_folder_of_documents_is_searched_and_a_long_passage_shown_in_part(
    xorqa: Callable[..., Any], config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder := tmp_path / "docs").mkdir()
    words = " ".join(f"word{n}" for n in range(50))
    (folder / "rivers.md").write_text(f"# Rivers\n\n{words} the Nile {words.upper()}\n", "utf-8")
    given = ("--config", config, "--corpus", folder, "--lang", "en", "--min-confidence", "0")
    asked = ("ask", *given, "Nile")
    [passages] = strict(xorqa(*asked, "--json").out)["evidence"]
    assert passages["docid"].startswith("rivers.md#rivers.")
    monkeypatch.setenv("COLUMNS", "20")
    shown = xorqa(*asked).out
    assert f"[{passages['docid']}]" in shown.replace("\n", "")
    assert "…" in shown
