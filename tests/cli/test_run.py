import os
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from xorqa.datasets.mini import load as load_mini
from xorqa.io.files import read_json, read_jsonl, write_jsonl
from xorqa.io.locks import lock_folder


def test_a_run_prints_scores_and_writes_a_folder(xorqa: Callable[..., Any], config: Path) -> None:
    command = ("run", config, "--lang", "fi,te", "--until", "retrieve")
    outcome = xorqa(*command)
    assert outcome.status == 0
    folder = Path("runs") / "tiny-mini"
    assert outcome.out.splitlines()[-1].startswith(f"run folder: {folder} (")
    assert len(outcome.out.splitlines()) == 6
    assert "xor-retrieve" in outcome.out and "Scorer: official." in outcome.out
    scores = read_json(folder / "scores.json")
    assert list(scores) == ["xor-retrieve"]
    assert scores["xor-retrieve"]["official"]["n"] == {"fi": 12, "te": 12}
    assert scores["xor-retrieve"]["official"]["macro"]["R@2kt"] > 50
    assert f"{scores['xor-retrieve']['official']['macro']['R@2kt']:.1f}" in outcome.out
    again = xorqa(*command, "--full")
    assert again.status == 0 and "Percent. Scorer: xor-retrieve (official)." in again.out


def test_rankings_are_scored_by_the_measures_named(xorqa: Callable[..., Any], config: Path) -> None:
    command = ("run", config, "--lang", "fi,te", "--until", "retrieve", "--measure", "nDCG@10")
    outcome = xorqa(*command, "--measure", "RR@5")
    assert outcome.status == 0
    assert re.search(r"ranking +nDCG@10 .*\n +RR@5 ", outcome.out)
    scores = read_json(Path("runs") / "tiny-mini" / "scores.json")
    assert set(scores["ranking"]["official"]["macro"]) == {"nDCG@10", "RR@5"}
    unknown = xorqa(*command[:-1], "nDGC", "--out", "other")
    assert unknown.status == 2 and "no measure is called 'nDGC'" in unknown.err


def test_a_sample_of_each_language(xorqa: Callable[..., Any], config: Path) -> None:
    command = ("run", config, "--lang", "fi,te", "--until", "retrieve", "--sample", "3")
    assert xorqa(*command, "--out", "mine").status == 0
    rows = [row["qid"].split("-")[1] for _, row in read_jsonl(Path("mine/queries.jsonl"))]
    assert sorted(rows) == ["fi"] * 3 + ["te"] * 3


def test_a_folder_with_another_run_is_rejected(xorqa: Callable[..., Any], config: Path) -> None:
    xorqa("run", config, "--lang", "fi", "--until", "retrieve", "--out", "mine")
    before = {path.name: path.read_bytes() for path in Path("mine").iterdir()}
    outcome = xorqa("run", config, "--lang", "te", "--until", "retrieve", "--out", "mine")
    assert outcome.status == 2
    message = "error: ConfigError: mine contains another run; name another folder with --out\n"
    assert outcome.err == message
    assert {path.name: path.read_bytes() for path in Path("mine").iterdir()} == before


def test_a_damaged_cache_is_one_line(xorqa: Callable[..., Any], config: Path, home: Path) -> None:
    home.mkdir()
    cache = home / "stages.sqlite"
    cache.write_text("no database, and long enough to be seen as none\n" * 9)
    outcome = xorqa("run", config, "--lang", "fi", "--until", "retrieve")
    assert outcome.status == 0
    [line] = outcome.err.splitlines()
    renamed = f"{cache} is damaged; it was renamed to stages.sqlite.damaged"
    assert line == f"note: {renamed}, and its results are computed again"


def test_all_stages_with_a_tiny_reader(xorqa: Callable[..., Any], config: Path) -> None:
    outcome = xorqa("run", config, "--lang", "fi", "--out", "mine", "--full")
    assert outcome.status == 0
    scores = read_json(Path("mine") / "scores.json")
    assert list(scores) == ["xor-retrieve", "xor-engspan", "xor-full", "measures"]
    assert scores["xor-full"]["strict"]["n"] == {"fi": 24}
    assert "xor-full, by subset" in outcome.out
    assert "character 3-gram recall" in outcome.out
    assert "xor-engspan, by subset" not in outcome.out  # its one subset is the whole
    parts = scores["xor-full"]["strict"]["parts"]
    assert {name: part["n"] for name, part in parts.items()} == {
        "cross-lingual": {"fi": 12},
        "in-language": {"fi": 12},
    }
    table = outcome.out.split("xor-full, by subset")[1]
    assert "(12)" not in table
    counts = [line.replace("│", " ").split() for line in table.splitlines() if "│ n " in line]
    assert counts == [["n", "12", "12"]] * 2


def test_tasks_over_english_passages_are_not_scored_without_an_english_route(
    xorqa: Callable[..., Any], config: Path
) -> None:
    route = 'name = "target"\ncorpus = "target"\nretriever = "bm25"\n'
    config.write_text(config.read_text() + f"\n[[routes]]\n{route}")
    command = ("run", config, "--lang", "fi", "--sample", "2", "--out", "mine")
    outcome = xorqa(*command, "--routes", "target")
    assert outcome.status == 0
    assert list(read_json(Path("mine/scores.json"))) == ["xor-full", "measures"]
    assert "xor-retrieve" not in outcome.out and "xor-engspan" not in outcome.out
    assert not Path("mine/xor_retrieve.json").exists()


def test_selected_routes_with_easy_and_hard_questions(
    xorqa: Callable[..., Any], config: Path
) -> None:
    Path("mine").mkdir()
    (Path("mine") / "run.trec").write_text("mini-fi-01 Q0 nothing 1 1.0 eng\n")
    asked = [{"qid": f"mini-fi-{number:02d}"} for number in (1, 2, 3)]
    write_jsonl(Path("mine") / "queries.jsonl", asked)
    command = ("run", config, "--lang", "fi", "--until", "retrieve", "--levels", "mine")
    outcome = xorqa(*command, "--routes", "eng", "--full")
    assert outcome.status == 0
    assert "Hard: it does not." in outcome.out
    parts = read_json(Path("runs/tiny-eng-mini/scores.json"))["xor-retrieve"]["official"]["parts"]
    assert parts["hard"]["n"] == {"fi": 3}
    [folder] = Path("runs").iterdir()
    assert folder.name == "tiny-eng-mini"
    outcome = xorqa(*command, "--routes", "w_i")
    assert outcome.status == 2
    assert "tiny has no route 'w_i'; valid: eng" in outcome.err


def test_the_users_passages(
    xorqa: Callable[..., Any], config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("my_questions.py").write_text(
        "from dataclasses import replace\n"
        "from xorqa.datasets.mini import load\n"
        "def bare():\n"
        "    return replace(load(), corpora={})\n"
    )
    bare = "my_questions:bare"
    outcome = xorqa("run", config, "--data", bare, "--until", "retrieve")
    assert outcome.status == 2
    assert f"data set {bare} has no passages; add yours: --corpus en=FILE" in outcome.err
    for lang in ("en", "fi"):
        write_jsonl(Path(f"{lang}.jsonl"), map(asdict, load_mini().corpora[lang]))
    command = ("run", config, "--data", bare, "--lang", "fi", "--until", "retrieve")
    outcome = xorqa(*command, "--corpus", "en=en.jsonl", "--corpus", "fi=fi.jsonl")
    assert outcome.status == 0
    assert read_json(Path("runs/tiny-my_questions.bare/manifest.json"))["corpora"].keys() == {
        "en",
        "fi",
    }
    outcome = xorqa(*command, "--corpus", "en=en.jsonl", "--corpus", "fi.jsonl", "--out", "same")
    assert read_json(Path("same/scores.json")) == read_json(
        Path("runs/tiny-my_questions.bare/scores.json")
    )


def test_a_run_waits_for_another_in_its_folder(xorqa: Callable[..., Any], config: Path) -> None:
    command = ("run", config, "--lang", "fi", "--until", "retrieve", "--out", "mine")
    locked, release = threading.Event(), threading.Event()

    def hold() -> None:
        with lock_folder(Path("mine"), "run folder"):
            locked.set()
            release.wait(timeout=60)

    holder = threading.Thread(target=hold)
    holder.start()
    assert locked.wait(timeout=10)
    refused = xorqa(*command)
    assert refused.status == 2
    holds = rf"run folder mine is being written by process {os.getpid()} on \S+"
    assert re.fullmatch(rf"error: LockedError: {holds}; repeat .* add --wait\n", refused.err)
    threading.Timer(0.5, release.set).start()
    waited = xorqa(*command, "--wait")
    holder.join()
    assert waited.status == 0
    assert re.match(rf"{holds}; waiting\n", waited.err)
    assert not list(Path("mine").glob(".*"))


def test_a_run_can_verify_its_indexes(xorqa: Callable[..., Any], config: Path, home: Path) -> None:
    command = ("run", config, "--lang", "fi", "--until", "retrieve", "--out", "mine", "--verify")
    assert xorqa(*command).status == 0
    path = sorted(home.glob("indexes/*/*/*/vocab*.json"))[0]
    path.write_bytes(path.read_bytes().replace(b"a", b"b"))
    outcome = xorqa(*command)
    assert outcome.status == 2
    assert re.fullmatch(r"error: DataError: index \S+ is damaged \(.*--rebuild\n", outcome.err)


def test_items_of_a_list_are_set_by_name(xorqa: Callable[..., Any], config: Path) -> None:
    command = ("run", config, "--lang", "fi", "--until", "retrieve", "--out", "mine")
    assert (
        xorqa(*command, "--set", "routes.0.k=3", "--set", "routes.eng.retriever.k1=2.0").err == ""
    )
    [route] = read_json(Path("mine/config.json"))["routes"]
    assert (route["k"], route["retriever"]) == (3, {"use": "bm25", "k1": 2.0})
    for other in (("ledger", config), command):
        outcome = xorqa(*other, "--set", "routes.target.k=3")
        assert outcome.status == 2
        assert "--set routes.target.k=3: there is no item 'target'; valid: 0, " in outcome.err
    recipe = ("train", "reader", "reader-en", "--out", "a", "--set", "sources.9.lang=fi")
    assert "there is no item '9'; valid: 0" in xorqa(*recipe).err


def test_a_run_folder_stays_below_runs(xorqa: Callable[..., Any], config: Path) -> None:
    route = config.read_text().replace('name = "eng"', 'name = "../../x"')
    for number, text in enumerate(('name = "../../x"\n' + config.read_text(), route)):
        path = config.with_name(f"{number}.toml")
        path.write_text(text)
        outcome = xorqa("run", path, "--lang", "fi", "--until", "retrieve")
        assert outcome.status == 2
        assert "name must be a plain name without" in outcome.err and "'../../x'" in outcome.err
    assert not list(Path().iterdir()) and not Path("../x-mini").exists()


def test_a_run_prints_one_short_table_with_the_macro_average(
    xorqa: Callable[..., Any], config: Path
) -> None:
    command = ("run", config, "--lang", "fi", "--lang", "te", "--sample", "2", "--out", "mine")
    outcome = xorqa(*command)
    lines = outcome.out.splitlines()
    assert len(lines) <= 12
    assert lines[0].split() == ["task", "metric", "fi", "te", "macro"]
    assert [line[:12].strip() for line in lines[2:9]] == [
        *("xor-retrieve", "", "xor-engspan", "", "xor-full", "", "")
    ]
    scores = read_json(Path("mine/scores.json"))
    macro = scores["xor-full"]["official"]["macro"]["f1"]
    assert lines[6].split()[-1] == f"{macro:.1f}"
    assert "--full prints all tables" in lines[-1]
    assert "| xor-full | F1 |" in xorqa(*command, "--format", "markdown").out


def test_a_stage_in_the_current_directory_is_found_by_a_config(
    xorqa: Callable[..., Any], config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("my_search.py").write_text(
        "from xorqa.retrieval.bm25 import Bm25\nclass Mine(Bm25):\n    pass\n"
    )
    config.write_text(config.read_text().replace('"bm25"', '"my_search:Mine"'))
    command = ("run", config, "--lang", "fi", "--sample", "2", "--out", "mine")
    assert xorqa(*command).status == 0
    sys.path.remove(str(Path.cwd()))
    sys.modules.pop("my_search")
    refused = xorqa("report", "mine", "--trust", "--choose", "rule")
    assert str(Path.cwd()) not in sys.path, refused
