from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.progress import announce
from xorqa.datasets.corpus import Corpus, read_corpus
from xorqa.experiments.ask import over_passages
from xorqa.experiments.pipeline import Pipeline
from xorqa.io.files import read_json
from xorqa.io.locks import lock_path
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.dense import Dense


def test_an_index_of_the_users_passages(
    xorqa: Callable[..., Any], corpus: Path, home: Path
) -> None:
    outcome = xorqa("index", "--corpus", corpus, "--retriever", "bm25")
    [folder] = home.glob("indexes/rivers-*/bm25")
    assert outcome.status == 0
    assert outcome.out.startswith(f"{folder}: 3 passages, ")
    assert read_json(folder / "manifest.json")["passages"] == 3


def test_another_folder_and_languages_of_a_data_set(xorqa: Callable[..., Any], home: Path) -> None:
    outcome = xorqa(
        "index", "--data", "mini", "--lang", "fi,te", "--retriever", "bm25", "--indexes", "mine"
    )
    assert outcome.status == 0
    fi, te = sorted(path.name for path in Path("mine").iterdir())
    assert fi.startswith("mini.fi-") and te.startswith("mini.te-")
    assert not home.exists()


def test_passages_that_are_all_in_one_language(xorqa: Callable[..., Any], corpus: Path) -> None:
    """`run --corpus te=FILE` finds the index that was built of the same file."""
    corpus.write_text('{"text": "La Paz", "docid": "a"}\n{"text": "Rio", "docid": "b"}\n')
    command = ("index", "--retriever", "bm25", "--indexes", "mine", "--corpus")
    for count, given in enumerate((f"te={corpus}", f"sw={corpus}"), 1):
        assert xorqa(*command, given).status == 0
        assert len(list(Path("mine").iterdir())) == count
    assert "no language" in xorqa("index", "--corpus", f"xx={corpus}").err


def test_changed_passages_have_another_index(xorqa: Callable[..., Any], corpus: Path) -> None:
    command = ("index", "--corpus", corpus, "--retriever", "bm25", "--indexes", "mine")
    assert xorqa(*command).status == 0
    [first] = Path("mine").glob("rivers-*/bm25/manifest.json")
    before = first.read_bytes()
    corpus.write_text('{"text": "Another river.", "lang": "en"}')
    assert xorqa(*command).status == 0
    manifests = {*Path("mine").glob("rivers-*/bm25/manifest.json")}
    [second] = manifests - {first}
    assert first.read_bytes() == before
    assert read_json(second)["passages"] == 1


def test_the_commands_and_python_share_an_index(
    xorqa: Callable[..., Any], corpus: Path, config: Path, home: Path, tmp_path: Path
) -> None:
    """Neither the file's name nor the working folder matters."""
    assert xorqa("index", "--corpus", corpus, "--retriever", "bm25").status == 0
    [manifest] = home.glob("indexes/*/bm25/manifest.json")
    before = manifest.stat().st_mtime_ns
    renamed = corpus.rename(tmp_path / "streams.jsonl")
    asked = ("ask", "--config", config, "--lang", "en", "--corpus", renamed, "Where is the Nile?")
    assert xorqa(*asked).status == 0
    over_passages(Corpus("mine", read_corpus(renamed)), config=config).ask("the Nile", lang="en")
    table = config.read_text("utf-8").replace('name = "eng"', 'name = "all"\ncorpus = "pool"')
    config.write_text(table, "utf-8")
    Pipeline.from_config(config, {"pool": read_corpus(renamed)}).ask("the Nile", lang="en")
    assert [*home.glob("indexes/*/bm25/manifest.json")] == [manifest]
    assert manifest.stat().st_mtime_ns == before
    assert not Path("indexes").exists()


def test_by_default_the_index_is_the_one_that_ask_searches(
    xorqa: Callable[..., Any], corpus: Path, home: Path
) -> None:
    assert xorqa("index", "--corpus", corpus).status == 0
    built = {path: path.stat().st_mtime_ns for path in home.glob("indexes/*/*/manifest.json")}
    assert built
    assert xorqa("ask", "--lang", "en", "--corpus", corpus, "Where is the Nile?").status == 0
    after = home.glob("indexes/*/*/manifest.json")
    assert {path: path.stat().st_mtime_ns for path in after} == built


def test_run_finds_the_index_of_a_data_set(
    xorqa: Callable[..., Any], config: Path, home: Path
) -> None:
    assert xorqa("index", "--data", "mini", "--retriever", "bm25").status == 0
    command = ("run", config, "--lang", "fi", "--until", "retrieve", "--out", "mine")
    assert xorqa(*command).status == 0
    assert len([*home.glob("indexes/*/bm25/manifest.json")]) == 1


def test_a_long_build_is_announced_and_ctrl_c_is_one_line(
    xorqa: Callable[..., Any], corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(self: Bm25, *, rebuild: bool = False, progress: Any) -> None:
        announce("Indexing 3 passages (bm25): about 4 min, 5.0 MB on disk, once")
        raise KeyboardInterrupt

    monkeypatch.setattr(Bm25, "build", build)
    outcome = xorqa("index", "--corpus", corpus, "--retriever", "bm25")
    assert outcome.status == 130
    first, *rest = outcome.err.splitlines()
    assert first == "Indexing 3 passages (bm25): about 4 min, 5.0 MB on disk, once"
    assert rest[-1] == "interrupted; run the same command again to resume"


def test_the_default_kind_is_the_same_index_as_none(
    xorqa: Callable[..., Any], corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Dense, "build", lambda self, **options: None)
    command = ("index", "--corpus", corpus, "--retriever", "dense")
    first = xorqa(*command).out
    assert xorqa(*command, "--kind", "flat").out.split(":")[0] == first.split(":")[0]


def test_each_kind_of_index_has_its_own_folder(
    xorqa: Callable[..., Any], corpus: Path, home: Path
) -> None:
    command = ("index", "--corpus", corpus, "--retriever", "bm25")
    outcome = xorqa(*command, "--workers", "2")
    assert outcome.status == 2 and "not for bm25" in outcome.err
    dense = ("index", "--corpus", corpus, "--devices")
    outcome = xorqa(*dense, "cpu,cuda:99")
    assert outcome.status == 2 and "no device 'cuda:99'; valid: cpu" in outcome.err
    outcome = xorqa(*dense, "cpu", "--workers", "2")
    assert outcome.status == 2 and "either --workers or --devices" in outcome.err
    outcome = xorqa(*dense, "cpu", "--on", "ray")
    assert outcome.status == 2 and "remove --on ray" in outcome.err
    outcome = xorqa(*command[:-2], "--kind", "sq4")
    assert outcome.status == 2 and "valid: flat, hnsw-sq8" in outcome.err
    assert not (home / "indexes").exists()


def test_a_retriever_without_an_index_has_nothing_to_build(
    xorqa: Callable[..., Any], corpus: Path
) -> None:
    name = "tests.experiments.test_pipeline:CountingRetriever"
    outcome = xorqa("index", "--corpus", corpus, "--retriever", name)
    assert outcome.status == 2
    assert f"{name} has no index on disk" in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_a_changed_byte_is_found_by_verify(
    xorqa: Callable[..., Any], corpus: Path, home: Path
) -> None:
    command = ("index", "--corpus", corpus, "--retriever", "bm25", "--verify")
    assert "files of" in xorqa(*command).out
    path = sorted(home.glob("indexes/rivers-*/bm25/**/data*.npy"))[0]
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    cut = xorqa("index", "--corpus", corpus, "--retriever", "bm25")
    assert re.fullmatch(r"error: DataError: index \S+ is damaged \(.* has .*--rebuild\n", cut.err)
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    outcome = xorqa(*command)
    assert outcome.status == 2
    assert re.fullmatch(r"error: DataError: index \S+ is damaged \(.*--rebuild\n", outcome.err)
    assert xorqa(*command, "--rebuild").status == 0


@pytest.fixture
def given(corpus: Path, xorqa: Callable[..., Any]) -> tuple[str, ...]:
    """An update of indexed passages: the command without its file."""
    assert xorqa("index", "--corpus", corpus, "--retriever", "bm25").status == 0
    first = read_corpus(corpus).passages[0]
    Path("new.jsonl").write_text(
        f'{{"docid": "{first.docid}", "text": "It dried up.", "lang": "en"}}\n'
        '{"docid": "lena", "text": "The Lena is in Siberia.", "lang": "en"}\n'
    )
    Path("gone.txt").write_text("nowhere\n")
    return ("index", "update", "--corpus", "new.jsonl", "--delete", "gone.txt")


def test_the_file_and_its_indexes_are_updated(
    xorqa: Callable[..., Any], corpus: Path, given: tuple[str, ...], config: Path, home: Path
) -> None:
    count = len(read_corpus(corpus))
    outcome = xorqa(*given, corpus)
    assert outcome.status == 0, outcome.err
    *_, last = outcome.out.splitlines()
    assert last == (
        f"{corpus}: {count + 1} passages: 1 added, 1 replaced, 1 to delete not found, "
        f"{count - 1} unchanged"
    )
    new = read_corpus(corpus)
    assert new["lena"].text == "The Lena is in Siberia."
    before = sorted(home.glob("indexes/*/bm25"))
    question = ("--config", config, "--lang", "en", "--corpus", corpus, "Where is the Lena?")
    asked = xorqa("ask", *question)
    assert asked.status == 0, asked.err
    assert sorted(home.glob("indexes/*/bm25")) == before  # nothing was indexed again
    [folder] = home.glob(f"indexes/*-{new.sha}/bm25")
    assert xorqa("doctor", folder, "--corpus", corpus).status == 0
    [old] = {*before} - {folder}
    checked = xorqa("doctor", old, "--corpus", corpus)
    assert checked.status == 0 and "before an update" in checked.out


def test_json_and_the_same_update_again(
    xorqa: Callable[..., Any], corpus: Path, given: tuple[str, ...]
) -> None:
    first = json.loads(xorqa(*given, corpus, "--json").out)
    assert (first["added"], first["replaced"], first["deleted"], first["missing"]) == (1, 1, 0, 1)
    [index] = first["indexes"]
    assert index["passages"] == index["written"] == len(read_corpus(corpus))
    before = corpus.read_bytes()
    again = json.loads(xorqa(*given, corpus, "--json").out)
    assert again["indexes"] == [] and again["unchanged"] == index["passages"]
    assert corpus.read_bytes() == before


def test_another_file_gets_the_updated_passages(
    xorqa: Callable[..., Any], corpus: Path, given: tuple[str, ...]
) -> None:
    rows = [json.loads(line) | {"url": "x"} for line in corpus.read_text("utf-8").splitlines()]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    before = corpus.read_bytes()
    assert xorqa(*given, corpus, "--out", "updated.jsonl").status == 0
    assert corpus.read_bytes() == before
    lines = Path("updated.jsonl").read_text("utf-8").splitlines()
    first, *others, added = map(json.loads, lines)
    assert added["docid"] == "lena"
    assert {row["url"] for row in others} == {"x"}
    assert "url" not in first and "url" not in added  # their lines have none


def test_of_two_updates_the_second_is_refused(
    xorqa: Callable[..., Any], corpus: Path, given: tuple[str, ...]
) -> None:
    before = corpus.read_bytes()
    with lock_path(corpus, "corpus"):
        outcome = xorqa(*given, corpus)
    assert outcome.status == 2
    [line] = outcome.err.splitlines()
    assert "is being written by process" in line and "add --wait" in line
    assert corpus.read_bytes() == before


def test_mistakes_are_one_line(xorqa: Callable[..., Any], corpus: Path) -> None:
    Path("gone.txt").write_text("nowhere\n")
    row = {"docid": "lena", "text": "The Lena is in Siberia.", "lang": "en"}
    Path("new.jsonl").write_text(json.dumps(row) + "\n")
    for command, error in (
        ((corpus,), "nothing to update; pass --corpus FILE, --delete FILE or both"),
        ((corpus, "--corpus", "new.jsonl"), "has no index of the passages of rivers"),
        (("missing.jsonl", "--delete", "gone.txt"), "missing.jsonl cannot be updated in place"),
        (
            (corpus, "--corpus", "new.jsonl", "--retriever", "lucid"),
            "no retriever is called 'lucid'",
        ),
    ):
        outcome = xorqa("index", "update", *command)
        assert outcome.status == 2
        assert error in outcome.err and len(outcome.err.splitlines()) == 1
    outcome = xorqa("index", "--corpus", corpus, "update", corpus, "--delete", "gone.txt")
    assert outcome.status == 2 and "write the options after 'update'" in outcome.err
