import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.cli import data as data_verb

LINE = '{"docid": "a", "text": "The Nile is a river."}\n'


def recipe(text: str) -> str:
    return f"[reader]\nsources = [{{ files = ['./none.json'] }}]\n{text}\n"


def route(text: str) -> str:
    return f"[[routes]]\nname = 'a'\n{text}\n"


FILES = {
    "notjson.jsonl": LINE + "{oops\n",
    "array.jsonl": LINE + "[1]\n",
    "notext.jsonl": LINE + '{"docid": "b"}\n',
    "twice.jsonl": LINE + LINE,
    "empty.jsonl": "\n",
    "ok.jsonl": LINE,
    "setting.toml": "top_k = 3\n" + route("retriever = { use = 'bm25' }"),
    "stage.toml": route("retriever = { use = 'bm26' }"),
    "stagesetting.toml": route("retriever = { use = 'bm25', k2 = 1 }"),
    "corpus.toml": route("retriever = { use = 'bm25' }\ncorpus = 'xx'"),
    "type.toml": "k = 'many'\n" + route("retriever = { use = 'bm25' }"),
    "broken.toml": "[[routes]\n",
    "adapter.toml": "reader = { use = 'span', adapter = 'reader-xx' }\n"
    + route("retriever = { use = 'bm25' }\ntranslator = { use = 'human' }"),
    "epochs.toml": recipe("epochs = 3"),
    "nodata.toml": recipe("base = '/none'"),
}

MISTAKES = [
    (
        "run bm25 --data maxi",
        "no data set is called 'maxi'; valid: chooser-train, mini, questions-open, te-mixed",
    ),
    (
        "run bm25 --data xquad-open",
        "DataError: data set xquad-open is built from .*data fetch",
    ),
    ("run bm26", "ConfigError: no example config is called 'bm26'; valid: bm25, dense"),
    ("run none.toml", r"ConfigError: none\.toml cannot be read: No such file"),
    ("run broken.toml", r"ConfigError: broken\.toml is not valid TOML"),
    ("run setting.toml", r"setting\.toml has no setting 'top_k'; valid: chooser, k"),
    ("run type.toml", "k must be int, not 'many'"),
    ("run stage.toml", r"no retriever is called 'bm26'; valid: bm25, dense"),
    (
        "run stagesetting.toml",
        r"\[retriever\] 'bm25' has no setting 'k2'; valid: b, every_language, folding",
    ),
    ("run corpus.toml", "route 'a' has no corpus 'xx'; valid: ar, bn, en"),
    ("run bm25 --lang xx", "data set mini has no questions in 'xx'; valid: ar, bn"),
    ("run bm25 --lang ''", "data set mini has no questions in ''; valid: ar, bn"),
    ("ask --data xquad-open", "ConfigError: no question: type xorqa ask"),
    ("ask ''", "InputError: the question is empty: type xorqa ask"),
    ("ask ' '", "InputError: the question is empty: type xorqa ask"),
    ("ask Nile? --lang xx --config bm25 --corpus ok.jsonl", "no language is called 'xx'"),
    ("ask Nile? --data maxi", "no data set is called 'maxi'"),
    ("ask Nile? --config bm26", "no example config is called 'bm26'"),
    ("ask Nile? --corpus none.jsonl", r"DataError: none\.jsonl cannot be read: No such file"),
    ("ask Nile? --corpus notjson.jsonl", r"DataError: notjson\.jsonl, line 2: not valid JSON"),
    ("ask Nile? --corpus array.jsonl", r"array\.jsonl, line 2: not a JSON object"),
    ("ask Nile? --corpus notext.jsonl", r"notext\.jsonl, line 2: needs a non-empty string 'text'"),
    ("ask Nile? --corpus twice.jsonl", r"twice\.jsonl, line 2: docid 'a' occurs twice"),
    ("ask Nile? --corpus empty.jsonl", r"empty\.jsonl is empty; a corpus needs at least one"),
    ("index", "pass either --corpus FILE or --data NAME"),
    ("index --corpus ok.jsonl --data mini", "pass either --corpus FILE or --data NAME"),
    ("index --corpus twice.jsonl", "docid 'a' occurs twice"),
    ("index --corpus empty.jsonl", "is empty"),
    ("index --corpus ok.jsonl --retriever bm26", "no retriever is called 'bm26'"),
    ("index --data mini --lang en,xx", "mini has no corpus 'xx'; valid: ar, bn, en"),
    ("data fetch squid", "no publication is called 'squid'; valid: arcd, .*squad"),
    ("data fetch squad --from nowhere", r"train-v1\.1\.json is missing; --from needs a folder"),
    ("data show maxi", "no data set is called 'maxi'"),
    ("models show ./none", r"WeightsError: \./none is not a folder with a config\.json"),
    ("models pull owner/none", "cannot be loaded from the model hub: .* bundled weights: e5-small"),
    ("train reader none.toml --out out", r"none\.toml cannot be read"),
    ("train reader reader-xx --out out", "no recipe is called 'reader-xx'; valid: .*-en,"),
    ("train reader epochs.toml --out out", "has no setting 'epochs'; valid: alpha, base"),
    ("train reader nodata.toml --out out", "WeightsError: /none is not a folder"),
    ("eval xor-full --data none --pred none", "DataError: none cannot be read"),
]


@pytest.fixture
def files(xorqa: object) -> dict[str, str]:
    """The working folder, with files to make mistakes with."""
    for name, text in FILES.items():
        Path(name).write_text(text)
    return FILES


def arguments(command: str) -> list[str]:
    return ["" if part == "''" else part for part in command.replace("' '", "\u3000").split(" ")]


@pytest.mark.parametrize(("command", "message"), MISTAKES, ids=[c for c, _ in MISTAKES])
def test_an_error_is_one_line_and_status_2(
    xorqa: Callable[..., Any], files: dict[str, str], home: Path, command: str, message: str
) -> None:
    outcome = xorqa(*arguments(command))
    assert outcome.status == 2
    assert outcome.out == ""
    [line] = outcome.err.splitlines()
    assert line.startswith("error: ")
    assert outcome == xorqa(*arguments(command))
    assert re.search(message, line), line
    assert sorted(path.name for path in Path().iterdir()) == sorted(files)
    left = [path for path in home.rglob("*") if path.is_file()] if home.exists() else []
    assert left == []


def test_a_missing_adapter_is_one_line_too(
    xorqa: Callable[..., Any], files: dict[str, str]
) -> None:
    outcome = xorqa("run", "adapter.toml", "--lang", "fi", "--out", "out")
    assert outcome.status == 2
    [line] = outcome.err.splitlines()
    assert "WeightsError: no adapter is called 'reader-xx'; valid:" in line
    assert not (Path("out") / "scores.json").exists()


def test_an_unknown_command_or_option_is_rejected(xorqa: Callable[..., Any]) -> None:
    for wrong in (["asks"], ["ask", "--langs", "fi", "x"], ["run", "bm25", "--until", "lunch"]):
        assert xorqa(*wrong).status == 2


def test_help_names_every_command(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("--help")
    assert outcome.status == 0
    for verb in (
        "demo",
        "ask",
        "index",
        "run",
        "read",
        "eval",
        "compare",
        "mlqa",
        "submission",
        "data",
        "models",
        "train",
        "bench",
        "ledger",
        "lareqa",
        "translate",
        "transform",
    ):
        assert verb in outcome.out


def test_an_interruption_reports_that_the_command_resumes(
    xorqa: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(data_verb, "load_dataset", stop)
    outcome = xorqa("data", "show", "mini")
    assert outcome.status == 130
    assert "interrupted; run the same command again to resume" in outcome.err


def test_a_process_interrupted_while_it_executes_a_string_ends_with_that_status(
    tmp_path: Path,
) -> None:
    (tmp_path / "stopped.py").write_text(
        "from xorqa.cli import main\n"
        "def stop():\n"
        "    try:\n"
        "        exec('raise KeyboardInterrupt')\n"
        "    except KeyboardInterrupt:\n"
        "        raise SystemExit(main.INTERRUPTED)\n"
        "main.app = stop\n"
        "main.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "stopped"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert (done.returncode, done.stderr) == (
        130,
        "interrupted; run the same command again to resume\n",
    )


def test_the_process_ends_with_the_same_status(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from xorqa.cli.main import main; main()", "ask", ""],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == 'error: InputError: the question is empty: type xorqa ask "..."\n'


def test_an_old_name_in_a_config_is_one_line(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text(
        '[[routes]]\nname = "eng"\nretriever = { use = "bm25" }\n'
        'translator = { use = "human" }\n[chooser]\nuse = "learnt"\n'
    )
    done = xorqa("run", tmp_path / "old.toml", "--lang", "fi", "--until", "retrieve")
    assert done.status == 0
    assert done.err.count("is now called 'learned'") == 1


def test_a_path_that_is_not_utf8_is_one_line_of_an_error_and_no_traceback(tmp_path):
    folder = tmp_path / os.fsdecode(b"b\xffd")
    folder.mkdir()
    (folder / "pred.json").write_text('{"q": 1}')
    command = [sys.executable, "-m", "xorqa", "submission", "check", str(folder / "pred.json")]
    command += ["--task", "xor-full", "--json", str(folder / "out.json")]
    outcome = subprocess.run(command, capture_output=True, check=False)
    assert outcome.returncode == 1 and b"Traceback" not in outcome.stderr
    assert b"\xef\xbf\xbd" in (folder / "out.json").read_bytes()
    command = [sys.executable, "-m", "xorqa", "index", "--corpus", str(folder / "none.jsonl")]
    outcome = subprocess.run(command, capture_output=True, check=False)
    assert outcome.returncode == 2
    assert outcome.stderr.startswith(b"error: DataError:") and outcome.stderr.count(b"\n") == 1


def test_files_whose_names_are_not_utf8_are_searched(xorqa, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / os.fsdecode(b"B\xfcro.txt")).write_text("The office is in Cologne.\n")
    asked = xorqa("ask", "--corpus", folder, "Where is the office?", "--json")
    assert asked.status == 0 and "Cologne" in asked.out
    one = folder / os.fsdecode(b"B\xfcro.txt")
    asked = xorqa("ask", "--corpus", one, "Where is the office?", "--json")
    assert asked.status == 0 and "Cologne" in asked.out


def test_indexes_below_a_path_that_is_not_utf8_are_refused(xorqa, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "The office is in Cologne."}\n')
    folder = tmp_path / os.fsdecode(b"b\xffd")
    outcome = xorqa("index", "--corpus", tmp_path / "a.jsonl", "--indexes", folder)
    assert outcome.status == 2 and "the path of indexes must be UTF-8" in outcome.err
