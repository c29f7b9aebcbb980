"""Three first days from an empty home, each command in a process of its own."""

import json
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

from xorqa.datasets.mini import load as load_mini
from xorqa.datasets.user_data import question_row
from xorqa.io.files import write_jsonl
from xorqa.lab.bench.fuzz.documents import docx, pdf
from xorqa.lab.bench.watched_command import WatchedCommand, environment

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs a pty")]

MY_SEARCH = """
from xorqa.core.stages import BaseRetriever
from xorqa.core.types import Hit

class WordOverlap(BaseRetriever):
    version = 1

    def __init__(self, corpus, *, least=0):
        self.corpus, self.least = corpus, least

    def fingerprint(self):
        return f"{self.corpus.sha} {self.least}"

    def retrieve(self, queries, *, k):
        return [self._rank(set(query.text.lower().split()))[:k] for query in queries]

    def _rank(self, words):
        hits = [Hit(p, len(words & set(p.text.lower().split()))) for p in self.corpus]
        return sorted(hits, key=lambda hit: (-hit.score, hit.passage.docid))
"""
MINE = """
[[routes]]
name = "eng"
translator = { use = "none" }
retriever = { use = "my_search:WordOverlap" }
[reader]
passages = 2
"""
FINNISH = (
    "Metsälän kirjasto avattiin vuonna 1987. Sen suunnitteli arkkitehti Aino Lehtonen. "
    "Kirjasto on avoinna arkisin kello 10-18."
)
ENGLISH = (
    "The Harbour Museum was founded in 1921 by Margaret Doyle. It shows ships and maps. "
    "Admission costs six pounds."
)
JAPANESE = "桜町駅は1935年に開業した。駅長は田中一郎である。駅の近くに市立図書館がある。"


def xorqa(folder: Path, *arguments: str, status: int = 0) -> str:
    """Run a command in an empty home below `folder`; its output."""
    done = subprocess.run(
        [sys.executable, "-m", "xorqa", *arguments],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done.stdout


def test_a_teacher_asks_the_bundled_world(tmp_path: Path) -> None:
    suggested = xorqa(tmp_path, "ask", status=2)
    assert suggested.count('xorqa ask "') == 3
    answer = xorqa(tmp_path, "ask", "1993년 프랑스 총리는 누구인가요?")
    assert "confidence" in answer and "Édouard Balladur [" in answer
    assert not (tmp_path / "xorqa_home" / "models").exists()
    scores = xorqa(tmp_path, "run", "dense", "--lang", "fi", "--sample", "3", "--out", "lesson")
    assert "xor-full" in scores and "run folder: lesson" in scores
    assert "questions" in xorqa(tmp_path, "ledger", "lesson")
    code = (
        "import xorqa; trace = xorqa.ask('Where does the Nile end?', "
        "['The Nile flows into the Mediterranean.', 'Oulu is a town in Finland.'], lang='en'); "
        "print(trace.answer.text)"
    )
    lesson = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Mediterranean" in lesson.stdout


def test_a_researcher_compares_a_retriever_of_her_own(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    mini = load_mini().only(["fi"]).sample(12)
    write_jsonl(tmp_path / "questions.jsonl", map(question_row, mini.examples))
    golds = {gold.docid for example in mini.examples for gold in example.golds}
    corpora = []
    for lang in ("en", "fi"):
        passages = [
            p for number, p in enumerate(mini.corpora[lang]) if number < 30 or p.docid in golds
        ]
        write_jsonl(tmp_path / f"{lang}.jsonl", map(asdict, passages))
        corpora.append(f"--corpus={lang}={lang}.jsonl")
    (tmp_path / "my_search.py").write_text(MY_SEARCH)
    (tmp_path / "mine.toml").write_text(MINE)
    data = ("--questions", "questions.jsonl", *corpora)
    for config, out in (("mine.toml", "one"), ("dense", "two")):
        shown = xorqa(tmp_path, "run", config, *data, "--out", out)
        assert "macro" in shown and f"run folder: {out}" in shown
    assert "macro" in xorqa(tmp_path, "compare", "one", "two", "--samples", "20")
    xorqa(tmp_path, "report", "one", "two", status=2)  # her class runs only if she trusts it
    trusted = ("--samples", "20", "--trust")
    assert "one" in xorqa(tmp_path, "report", "one", "two", *trusted)
    assert "by bucket" in xorqa(tmp_path, "diagnose", "one", "two", *trusted)
    assert "gold passage" in xorqa(tmp_path, "ledger", "one", "--trust")
    xorqa(tmp_path, "train", "chooser", "one", "two", "--out", "chooser.json", "--trust")
    assert json.loads((tmp_path / "chooser.json").read_text())["card"]["runs"]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Six kinds of files in three languages."""
    pytest.importorskip("pypdf")
    pytest.importorskip("docx")
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "kirjasto.txt").write_text(FINNISH, encoding="utf-8")
    (folder / "museum.md").write_text(f"# The Harbour Museum\n\n{ENGLISH}\n", encoding="utf-8")
    (folder / "eki.html").write_text(
        f"<html><head><title>桜町駅</title></head><body><p>{JAPANESE}</p></body></html>",
        encoding="utf-8",
    )
    (folder / "boats.csv").write_text(
        "title,text\nAurora,The Aurora is a sailing boat that was built in Turku in 1904.\n"
    )
    lines = ["The lighthouse of Grey Point is 31 metres high.", "Its keeper was Samuel Finch."]
    (folder / "lighthouse.pdf").write_bytes(pdf([lines], title="The lighthouse"))
    (folder / "saari.docx").write_bytes(
        docx(
            [
                "# Koivusaari",
                "Koivusaaren silta rakennettiin vuonna 1962 ja se on 240 metriä pitkä.",
            ]
        )
    )
    return folder


def test_a_practitioner_asks_documents(tmp_path: Path, documents: Path) -> None:
    ask = ["ask", "--corpus", "documents"]
    interrupted = WatchedCommand([*ask, "Who founded the Harbour Museum?"], tmp_path)
    while interrupted.is_running and not interrupted.err:
        time.sleep(0.05)
    assert interrupted.interrupt() < 10
    assert interrupted.wait() == 130
    assert "run the same command again to resume" in interrupted.terminal

    questions = {
        "Who founded the Harbour Museum?": "Margaret Doyle",
        "Kuka oli Grey Pointin majakan vartija?": "Finch",
        "桜町駅は何年に開業しましたか?": "1935",
    }
    typed = "".join(
        f"{question}\n" for question in [*questions, "What does a ticket to Mars cost?"]
    )
    session = WatchedCommand([*ask, "-i", "--json"], tmp_path, typed=typed)
    assert session.wait() == 0
    *traces, mars = [json.loads(line) for _, line in session.out]
    for trace, expected in zip(traces, questions.values(), strict=True):
        best = trace["trace"]["answers"][0]
        assert expected in f"{best['text']} {best['original']}"
    assert traces[0]["answer"]["made"] == "span"
    assert mars["answer"] is None
    assert "not found in these documents" in xorqa(
        tmp_path, *ask, "Who won the chess championship of Bolivia in 1955?"
    )

    xorqa(tmp_path, "corpus", "make", "documents", "--out", "passages.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "passages.jsonl").read_text().splitlines()]
    assert Counter(row["lang"] for row in rows) == {"en": 3, "fi": 2, "ja": 1}
    assert {re.split(r"[#]", row["docid"])[0] for row in rows} == {
        path.name for path in documents.iterdir()
    }
