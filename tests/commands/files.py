"""The files that the documents name, small, in the folder where a page's commands are typed."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.commands.publications import RIVERS, TOWNS, write_squad, xor_rows
from tests.lab.leaderboard.systems import write_system
from tests.test_docs import HOW_TO, ROOT, blocks
from tests.zoo.late import sentence_transformer, splade
from xorqa.core.lang import XOR_LANGUAGES
from xorqa.datasets.mini import load as load_mini
from xorqa.io.files import data_dir, write_json, write_jsonl, write_text
from xorqa.io.squad_xor import read_squad
from xorqa.lab.bench.fuzz.documents import pdf
from xorqa.lab.training.common.recipe import RECIPES

TRANSLATOR = '''"""A translator of one's own that says everything in capitals."""

from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Query


class MyTranslator(BaseTranslator):
    version = 1

    def fingerprint(self):
        return ""

    def translate(self, questions, *, to):
        return [Query(question, question.text.upper(), to) for question in questions]

    def links(self, pairs):
        return [{(at, at): 1.0 for at in range(len(source.words))} for source, _ in pairs]
'''
TEMPLATES = """\
Field\ten\tfi
Name\tPets\t
Capability\tTaxonomy\t
Context\t{first_name} has {animal}.\tHenkilöllä {first_name} on {animal}.
Question\tWhat has {first_name}?\tMitä on henkilöllä {first_name}?
Answer\t{animal}\t{animal}
animal\ta dog\tkoira
animal\ta cat\tkissa
"""
BIENCODER = """
[biencoder]
steps = 2
batch_size = 4
validation = 0
rank = 2
[[biencoder.sources]]
files = ["squad/train-v1.1.json"]
lang = "en"
held_out = 0
"""
PAIRS = """
[translator]
[[translator.sources]]
files = ["xor-tydi/question-translations/fi-en/fi.txt"]
held_out = 3
"""


def write_files(folder: Path, page: Path, datasets: Path) -> None:
    """Whatever a page's commands are given; `datasets` is a copy of the publications.

    `my.toml` is the page's own first example in TOML, `my_package.py` the code of the how-to.
    """
    folder.mkdir()
    for name in ("xquad", "xquad-r", "tydiqa-goldp", "mkqa"):
        (folder / name).symlink_to(data_dir() / name)
    (folder / "DIR").symlink_to(datasets)
    (folder / "checklists").symlink_to(ROOT / "checklists")
    _write_passages(folder)
    _write_documents(folder / "handbooks")
    _write_manuals(folder / "documentation")
    _write_questions(folder)
    _write_predictions(folder)
    _write_retrieval(folder)
    _write_sentences(folder)
    if "wiki.{lang}" in page.read_text(encoding="utf-8"):
        _write_word_vectors(folder)
    _write_checklists(folder)
    _write_code_and_recipes(folder)
    if "./my-encoder" in page.read_text(encoding="utf-8"):
        _write_models(folder)
    write_system(folder / "systems" / "dense", 0.5)
    for experiment in blocks(page, "toml")[:1]:
        write_text(folder / "my.toml", experiment)


def _write_passages(folder: Path) -> None:
    path = ROOT / "tests" / "datasets" / "corpora" / "dump.py"
    spec = importlib.util.spec_from_file_location("dump", path)
    assert spec and spec.loader
    dump = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(dump)
    dump.write_dump(folder / "fiwiki-pages-articles.xml.bz2", 100_000)
    write_jsonl(folder / "wiki.en.jsonl", map(asdict, load_mini().corpora["en"]))
    write_jsonl(folder / "new.jsonl", [{"docid": "new", "text": "Oulu on kaupunki.", "lang": "fi"}])
    write_text(folder / "gone.txt", "old\n")


def _write_manuals(folder: Path) -> None:
    """A page of each manual that `bench documents-day` asks about."""
    for page in ("exim4-doc-html/spec_html/ch-locks.html", "aptitude/html/fi/ch01.html"):
        path = folder / page
        path.parent.mkdir(parents=True)
        path.write_text("<html lang='en'><p>The daemon waits for a lock.</p></html>", "utf-8")


def _write_documents(folder: Path) -> None:
    rules = "# Rules\n\n## Holidays\n\nThe holiday year of the company begins on 1 April.\n"
    write_text(folder / "rules.md", rules)
    write_text(folder / "history.txt", "Yhtiö perustettiin Oulussa vuonna 1987.\n")
    (folder / "handbook.pdf").write_bytes(pdf([["The office is open from nine to five."]]))


def _write_questions(folder: Path) -> None:
    for name in ("dev.jsonl", "mine.jsonl", "questions.jsonl"):
        write_jsonl(folder / name, xor_rows(TOWNS, XOR_LANGUAGES))
    for lang in ("fi", "te"):
        lines = [row["question"] for row in xor_rows(TOWNS, [lang])]
        write_text(folder / f"questions.{lang}.txt", "\n".join(lines))
    write_squad(folder / "train-v1.1.json", RIVERS, "en")
    for name in ("test-context-de-question-de.json", "xquad.de.json", "mine.fi.json"):
        write_squad(folder / name, TOWNS, "fi" if "fi" in name else "de")


def _write_predictions(folder: Path) -> None:
    for name in ("pred.json", "theirs.json"):
        write_json(
            folder / name, {row["id"]: row["answers"][0] for row in xor_rows(TOWNS, XOR_LANGUAGES)}
        )
    rows = read_squad(folder / "xquad.de.json")
    write_json(folder / "de.json", {row.qid: row.answers[0] for row in rows})
    write_json(folder / "mine.json", {})
    for path in sorted((folder / "xquad").glob("xquad.*.json")):
        answers = {row.qid: row.answers[0] for row in read_squad(path)}
        for name in ("ours", "theirs"):
            file = f"{name}.{path.name.split('.')[1]}.json"
            write_json(folder / "predictions" / name / file, answers)
            write_json(folder / file, answers)
    qrels = "".join(f"q{at} 0 d{at} 1\n" for at in range(3))
    found = "".join(
        f"q{at} Q0 d{rank} {rank + 1} {9 - rank} ours\n" for at in range(3) for rank in range(3)
    )
    for name, text in (("qrels.txt", qrels), ("run.trec", found), ("theirs.trec", found)):
        write_text(folder / name, text)


def _write_retrieval(folder: Path) -> None:
    sentences = "The Nile is long.\nOulu is a town.\nInari is a lake.\n"
    for name in (
        "flores.fi",
        "flores.en",
        *(f"tatoeba/tatoeba.fin-eng.{x}" for x in ("fin", "eng")),
    ):
        write_text(folder / name, sentences)
    for kind in ("test", "train"):
        write_text(folder / f"{kind}-de.tsv", "de-1\ten-1\nde-2\ten-2\n")
    for name in ("mined-de.tsv", "mined-train-de.tsv"):
        write_text(folder / name, "1.25\tde-1\ten-1\n1.0\tde-2\ten-1\n")
    mention = {"example_id": "m1", "entity_id": "Q42"}
    mention |= {"mention_span": {"start": 0, "end": 4, "text": "Oulu"}}
    context = {"language": "fi", "text": "Oulu on kaupunki.", "sentence_spans": []}
    article = {"context": context, "mentions": [mention]}
    write_jsonl(folder / "wikinews_mentions-test.jsonl", [article])
    entity = {"entity_id": "Q42", "description_language": "en", "description": "A town."}
    write_jsonl(folder / "candidate_set_entities.jsonl", [entity])
    write_json(folder / "test-pl.json", {"m1": ["Q42"]})
    write_json(folder / "entities-pl.json", {"m1": ["Q1", "Q42"]})


def _write_word_vectors(folder: Path) -> None:
    """A vector for each word of the made-up emoji and sentences."""
    files = (path for kind in ("json", "jsonl") for path in data_dir().rglob(f"*.{kind}"))
    texts = (path.read_text(encoding="utf-8") for path in files)
    words = sorted({word for text in texts for word in re.findall(r"[^\W\d_]+", text)})
    rows = [f"{word} {len(word)} {ord(word[0]) % 97} 1\n" for word in words]
    for lang in ("de", "en", "es"):
        for name in (f"wiki.{lang}.align.vec", f"wiki.multi.{lang}.vec"):
            write_text(folder / name, f"{len(rows)} 3\n" + "".join(rows))


def _write_sentences(folder: Path) -> None:
    english = ["The Nile flows north through Egypt.", "Oulu is a town on the coast."]
    finnish = ["Niili virtaa pohjoiseen Egyptin halki.", "Oulu on kaupunki rannikolla."]
    korean = ["나일강은 이집트를 지나 북쪽으로 흐른다.", "오울루는 해안에 있는 도시이다."]
    files = {"wiki.en": english, "wiki.fi": finnish, "wiki.ko": korean}
    for name, lines in files.items():
        write_text(folder / name, "".join(f"{line}\n" for line in lines))
    for lang, lines in {"de": ["Der Nil ist lang."], "en": english}.items():
        rows = [f"{lang}-{at}\t{line}\n" for at, line in enumerate(lines, 1)]
        write_text(folder / f"de-en.{lang}", "".join(rows))
    labelled = [f"1\t{one}\t{other}\n" for one in english for other in finnish]
    write_text(folder / "labelled.tsv", "".join(labelled))
    write_text(folder / "lexicon.tsv", "fi\triver\tjoki\n")
    passage, question = blocks(ROOT / "docs" / "data.md", "")[0].splitlines()[::-1]
    write_text(folder / "rivers" / "questions.fi.jsonl", question + "\n")
    write_text(folder / "rivers" / "passages.fi.jsonl", passage + "\n")
    write_jsonl(folder / "rivers" / "passages.en.jsonl", map(asdict, load_mini().corpora["en"]))
    (folder / "sample").symlink_to("rivers")


def _write_checklists(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "fi.toml").write_bytes((folder / "checklists" / "fi.toml").read_bytes())
    write_text(folder / "checklist_templates.tsv", TEMPLATES)


def _write_models(folder: Path) -> None:
    pytest.importorskip("sentence_transformers")
    sentence_transformer(folder / "my-encoder")
    splade(folder / "splade")


def _write_code_and_recipes(folder: Path) -> None:
    *my_package, _ = blocks(HOW_TO, "python")
    write_text(folder / "my_package.py", "\n\n".join(my_package))
    write_text(folder / "my_mt.py", TRANSLATOR)
    shipped = RECIPES["reader-low-rank"].read_text(encoding="utf-8")
    short = re.sub(r"questions = \d+", "questions = 16", shipped)
    write_text(folder / "short-reader.toml", short)
    write_text(folder / "my-reader.toml", short.replace('"squad/train', '"./train'))
    write_text(folder / "short-biencoder.toml", BIENCODER)
    write_text(folder / "short-translator.toml", PAIRS)
