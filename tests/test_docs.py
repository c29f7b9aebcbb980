"""The documents hold what they promise: links, commands, and code that works."""

from __future__ import annotations

import ast
import json
import re
import runpy
import shlex
import sys
import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest
from typer import Context
from typer.main import get_command

from xorqa.cli.main import app, main
from xorqa.core.types import Passage, Question
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.corpus import Corpus
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import load_settings
from xorqa.io.cache import stage_cache
from xorqa.lab.ledger.losses import make_losses
from xorqa.models.checkpoints import Checkpoint
from xorqa.reading.pairs import DEFAULT_READER

ROOT = Path(__file__).parents[1]
SHELL = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = [*SHELL, ROOT / "CONTRIBUTING.md", ROOT / "notebooks" / "README.md"]
HOW_TO = ROOT / "docs" / "how-to.md"
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`")
PLACEHOLDERS = {"...", "CONFIG", "FILE", "NAME", "OUT", "RECIPE", "RUN"}
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")

ENGLISH = Corpus(
    "w.en",
    [
        Passage("en-1", "The Nile is a river in Africa.", "Nile"),
        Passage("en-2", "The Rhine is a river in Europe.", "Rhine"),
        Passage("en-3", "Inari is a lake in Finland.", "Inari"),
    ],
)


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page that say they are in a language."""
    found = _FENCED.findall(page.read_text(encoding="utf-8"))
    return [text for name, text in found if name == language]


def experiments(page: Path) -> dict[str, str]:
    """The experiments of a page that name their file in the first line, `# NAME.toml`."""
    named = (re.match(r"# (\S+\.toml)\n", block) for block in blocks(page, "toml"))
    return {name[1]: name.string for name in named if name}


def links(page: Path) -> list[str]:
    """The targets inside the project that a page links to, without what is code."""
    prose = _FENCED.sub("", page.read_text(encoding="utf-8"))
    targets = _LINK.findall(_CODE.sub("code", prose))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> list[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    prose = _FENCED.sub("", page.read_text(encoding="utf-8"))
    seen: Counter[str] = Counter()
    found = []
    for heading in re.findall(r"^#{1,6} (.*)$", prose, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.append(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def commands(page: Path) -> list[str]:
    """Every call of xorqa in a page's shell blocks.

    A block without a language is one if it begins with a command; where lines begin with `$`,
    the others are what was printed.
    """
    text = chain(blocks(page, "sh"), (b for b in blocks(page, "") if re.match(r"\$ |xorqa ", b)))
    lines = [line for block in text for line in _typed(block.replace("\\\n", " "))]
    bare = (re.sub(r"(^|\s+)# .*", "", line) for line in lines)
    calls = (part.strip() for line in bare for part in re.split(r" && | \| |; ", line))
    return [call for call in calls if call.startswith("xorqa ")]


def spoken(page: Path) -> list[str]:
    """Every whole call of xorqa in a page's sentences; `a|b` is two calls.

    A mere name of a command is none, and neither is one with a word like NAME to be filled in.
    """
    prose = _FENCED.sub("", page.read_text(encoding="utf-8"))
    found = []
    for code in re.findall(r"`(xorqa\s[^`]*)`", prose):
        for words in product(*(word.split("|") for word in code.split())):
            call = " ".join(words)
            if not PLACEHOLDERS.intersection(words) and _is_whole(call):
                found.append(call)
    return found


def _is_whole(call: str) -> bool:
    try:
        check(call)
    except Exception:  # what typer raises has moved between its versions
        return False
    return True


def _typed(block: str) -> list[str]:
    lines = block.splitlines()
    prompted = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return prompted or lines


@cache
def command_line() -> Any:
    """The tree of commands."""
    return get_command(app)


def check(call: str) -> None:
    """Parse a call as the command line would, without running it; `a|b` is one or the other.

    Raises what typer raises for an option, an argument or a value that the command does not take.
    """
    words = shlex.split(call)[1:]
    for choice in product(*(word.split("|") for word in words)):
        command, left = command_line(), list(choice)
        while hasattr(command, "commands"):
            if command.invoke_without_command and left and left[0].startswith("-"):
                break
            found = command.get_command(Context(command), left.pop(0)) if left else None
            assert found, f"no command: {call}"
            command = found
        command.make_context(call, left).close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_and_toml_can_be_read(page: Path) -> None:
    for block in blocks(page, "python"):
        ast.parse(block)
    for block in blocks(page, "toml"):
        tomllib.loads(block)


@pytest.mark.parametrize("call", sorted(set(chain.from_iterable(map(commands, SHELL)))))
def test_commands_are_as_the_command_line_has_them(call: str) -> None:
    check(call)


def test_commands_are_found_where_they_stand() -> None:
    typed = commands(ROOT / "docs" / "experiments.md")
    assert "xorqa run bm25" in typed and "xorqa run hybrid" in typed
    typed = commands(ROOT / "docs" / "getting-started.md")
    assert 'xorqa ask "1993년 프랑스 총리는 누구인가요?"' in typed
    assert not [call for call in typed if re.search(r"\d s$|times as fast", call)]
    assert "xorqa bench score" in spoken(ROOT / "docs" / "scoring.md")
    told = spoken(ROOT / "docs" / "results.md")
    assert "xorqa run lucene --data xquad-open" in " ".join(told)
    assert not [call for call in told if "RUN" in call or "lucene|dense" in call]


@pytest.mark.parametrize(
    "call",
    [
        "xorqa walk",
        "xorqa run",
        "xorqa run dense --dada mini",
        "xorqa eval xor-half --k 2",
        "xorqa run dense --until noon",
        "xorqa data list|walk",
    ],
)
def test_a_wrong_command_is_noticed(call: str) -> None:
    with pytest.raises(Exception, match=r"no command|Missing|No such option|is not one of"):
        check(call)


def test_stages_of_the_how_to_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    retriever, stages, *_ = blocks(HOW_TO, "python")
    (tmp_path / "my_package.py").write_text(f"{retriever}\n\n{stages}", encoding="utf-8")
    (tmp_path / "my.toml").write_text(blocks(HOW_TO, "toml")[0], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    settings = load_settings(tmp_path / "my.toml", changes=["reader.use=my_package:MyReader"])
    [route] = settings.routes
    own = replace(route, translator={"use": "my_package:MyTranslator"})
    asked = [Question("q1", "Missä on Inari", "fi"), Question("q2", "Missä on Niili", "fi")]
    human = {"q1": "Where is lake Inari?", "q2": "Where is the Nile?"}
    try:
        for routes in ((route,), (own,)):
            pipeline = Pipeline.from_config(
                replace(settings, routes=routes, k=2),
                {"en": ENGLISH},
                translations=human,
                indexes=tmp_path,
            )
            traces = pipeline.answer(asked)
            hits = [trace.by_route["eng"].hits for trace in traces]
            assert [some[0].passage.docid for some in hits] == ["en-3", "en-1"]
            assert [len(some) for some in hits] == [2, 2]
            assert all(some[0].score > some[1].score > 0 for some in hits)
            answers = [trace.answer.text for trace in traces if trace.answer]
            assert answers == ["Suomi", "Afrikka"]  # put into Finnish by the localiser
    finally:
        sys.modules.pop("my_package", None)


def test_the_task_and_the_data_set_of_the_how_to_work(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, _, task, data, _ = blocks(HOW_TO, "python")
    (tmp_path / "my_package.py").write_text(f"{task}\n\n{data}", encoding="utf-8")
    rows = {"id": "1", "question": "Missä?", "lang": "fi", "answers": ["New York City"]}
    (tmp_path / "mine.jsonl").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "theirs.json").write_text(json.dumps({"1": "new jersey"}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    calls = [call for call in commands(HOW_TO) if re.search(r"my_package:[^U]", call)]
    assert len(calls) == 4
    monkeypatch.setenv("COLUMNS", "200")
    for call in calls:
        monkeypatch.setattr(sys, "argv", shlex.split(call))
        with pytest.raises(SystemExit, match=r"^0$"):
            main()
    sys.modules.pop("my_package")
    printed = capsys.readouterr().out
    assert printed.count("first word") == 2 and "Questions about rivers." in printed
    assert "xor-retrieve" in printed


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks(ROOT / "docs" / "python.md", "python"), ids=len)
def test_python_of_the_documents_runs(
    block: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(block, "python.md", "exec"), names)
    printed = capsys.readouterr().out
    shown = blocks(ROOT / "docs" / "python.md", "text")
    if "xorqa.ask" in block:
        assert printed == "아프리카\nThe Nile is a river in Africa.\n"
    elif "xorqa.compare" in block:
        assert printed in shown
    else:
        *drawing, scores = printed.splitlines(keepends=True)
        assert "".join(drawing) in shown
        assert set(ast.literal_eval(scores)) == {"f1", "em", "bleu"}


def test_the_readme_has_the_shortest_answer() -> None:
    [readme] = blocks(ROOT / "README.md", "python")
    shortest = blocks(ROOT / "docs" / "python.md", "python")[0]
    assert readme.replace("  # 아프리카", "") == shortest


def test_the_readme_is_one_page() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 140


def test_figures_of_the_readme_are_those_of_the_results() -> None:
    results = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|.*?((?:\| [\d.]+ )+)\|$", _readme(), re.MULTILINE)
    systems = ["lucene", "lucene-translated", "dense", "dense-late", "hybrid-late", "hybrid-lucene"]
    assert [name for name, _ in rows] == systems
    for name, figures in rows:
        for metric, figure in zip(
            ("R@2kt", "R@5kt", "F1", "EM"), figures.split("|")[1:], strict=True
        ):
            assert re.search(
                rf"^\| {name} {metric} .*\| {figure.strip()} \|$", results, re.MULTILINE
            )
    readers = re.search(
        r"has F1 ([\d.]+) .*and ([\d.]+) .*\n.*: ([\d.]+) and ([\d.]+)\)", _readme()
    )
    assert readers
    ours, large = readers.groups()[:2], readers.groups()[2:]
    row = rf"^\| `{DEFAULT_READER}` .*\| {ours[0]} \| {ours[1]} \|$"
    assert re.search(row, results, re.MULTILINE)
    assert re.search(rf"^\| XLM-R Large.*\| {large[0]} \| {large[1]} \|$", results, re.MULTILINE)


def test_the_learned_chooser_is_best_in_every_table_of_choosers() -> None:
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    table = text.partition("| all questions |")[2].partition("\n\n")[0]
    rows = {
        name: re.findall(r"([\d.]+|–)(?: \(\d+\)| %| \|)", cells)
        for name, cells in re.findall(r"^\| ([^|]+) \|(.*)$", table, re.MULTILINE)
    }
    for rule in ("the paper's rule", "with the reader's threshold"):
        for learned, other in zip(rows["learned"], rows[rule], strict=True):
            assert other == "–" or float(learned) > float(other), rule
    assert rows["with the reader's threshold"][-1] != "–"  # the bundled world


def _readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_chart_of_losses_shows_what_the_ledger_wrote() -> None:
    chart = runpy.run_path(str(ROOT / "docs" / "images" / "losses.py"))
    ledger = json.loads(chart["DATA"].read_text(encoding="utf-8"))["losses"]
    assert chart["draw"](ledger) == chart["CHART"].read_text(encoding="utf-8")
    for name in chart["TRANSLATORS"]:
        assert sum(ledger[name]["macro"].values()) == pytest.approx(100)
    human, bundled, none = (ledger[name]["macro"] for name in chart["TRANSLATORS"])
    assert max(human, key=lambda part: human[part] * (part != "f1")) == "back-translation"
    assert round(bundled["translation"]) == 32
    assert none["translation"] > 50  # most
    with pytest.raises(ValueError, match="the loss of reading is negative"):
        worse = ledger["human"]["macro"] | {"reading": -1.0}
        chart["draw"](ledger | {"human": {"macro": worse}})


@pytest.mark.slow
def test_the_ledger_of_the_chart_is_what_the_shipped_weights_get(e5: Checkpoint) -> None:
    path = ROOT / "docs" / "images" / "losses.json"
    ledger = json.loads(path.read_text(encoding="utf-8"))["losses"]
    found = make_losses(
        load_settings("bm25"),
        load_dataset("mini").only(["fi"]),
        {name: {"use": name} for name in ledger},
        cache=stage_cache(),
    )
    for name, report in found.reports.items():
        for part, value in report.per_lang["fi"].items():
            stored = ledger[name]["per_lang"]["fi"][part]
            assert value == pytest.approx(stored, abs=100 / 12 + 0.1)  # a question of twelve


def test_the_site_has_every_module_and_command(tmp_path: Path) -> None:
    runpy.run_path(str(ROOT / "docs" / "build.py"))["write_sources"](tmp_path)
    api = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "api").glob("*.rst"))
    modules = set(re.findall(r"automodule:: (\S+)", api))
    for path in ROOT.glob("xorqa/**/*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if path.stem == "__init__" else parts)
        assert name in modules or path.stem == "__main__", name
    told = (tmp_path / "commands.md").read_text(encoding="utf-8")
    for call in chain.from_iterable(map(commands, SHELL)):
        assert f"`xorqa {shlex.split(call)[1]}" in told
    contents = (tmp_path / "index.md").read_text(encoding="utf-8").partition("```{toctree}")[2]
    for page in (ROOT / "docs").glob("*.md"):
        assert f"\n{page.stem}\n" in contents or page.stem == "README", page


def test_the_citation_names_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {project['version']}" in citation
    assert f"license: {project['license']}" in citation
