import bz2
import csv
import importlib.util
import json
from itertools import islice
from pathlib import Path

import pytest

from xorqa.answering.transliteration.name_table import read_titles
from xorqa.core.errors import ConfigError, DataError
from xorqa.datasets.corpora import make
from xorqa.datasets.corpora.layouts import pages
from xorqa.datasets.corpora.make import (
    HEADERS,
    LINKS,
    PASSAGES,
    REDIRECTS,
    TITLES,
    lines_of,
    make_corpus,
)
from xorqa.datasets.corpora.records import Page
from xorqa.datasets.corpora.resumable_writer import Counts, ResumableWriter
from xorqa.datasets.corpus import read_corpus
from xorqa.datasets.documents.document import Skipped

spec = importlib.util.spec_from_file_location("dump", Path(__file__).with_name("dump.py"))
assert spec is not None and spec.loader is not None
dump = importlib.util.module_from_spec(spec)
spec.loader.exec_module(dump)

NAMES = ["p.jsonl", "p.links.tsv", "p.redirects.tsv", "p.titles.tsv"]


@pytest.fixture(scope="module")
def wiki(tmp_path_factory):
    """A dump of some ten pages."""
    path = tmp_path_factory.mktemp("wiki") / "w.xml.bz2"
    dump.write_dump(path, 120_000)
    return path


@pytest.fixture(scope="module")
def whole(wiki, tmp_path_factory):
    """The files made of it at one go, by name."""
    folder = tmp_path_factory.mktemp("whole")
    make_corpus([wiki], folder / "p.jsonl", lang="fi", size=20)
    return contents(folder)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(make, "_BATCH", 10_000)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def lines(whole):
    return [json.loads(line) for line in whole["p.jsonl"].decode().splitlines()]


def test_the_dump_is_the_same_for_the_same_seed():
    assert list(islice(dump.pages(1), 9)) == list(islice(dump.pages(1), 9))
    assert list(islice(dump.pages(1), 9)) != list(islice(dump.pages(2), 9))


def test_passages_of_a_dump(whole):
    assert list(whole) == NAMES
    some = lines(whole)
    first = [row for row in some if row["docid"].startswith("1-")]
    assert [row["docid"] for row in first] == [f"1-{n}" for n in range(1, len(first) + 1)]
    assert {row["title"] for row in first} == {first[0]["title"]}
    assert "section" not in first[0] and first[-1]["section"]
    assert all(0 < len(row["text"].split()) <= 20 for row in some)
    assert not any(mark in row["text"] for row in some for mark in ("SECRET", "{", "[", "<", "''"))
    numbers = {int(row["docid"].partition("-")[0]) for row in some}
    assert numbers == {n for n in range(1, max(numbers) + 1) if n % 5 and n % 7}
    for first_letter, last_letter in ("az", "\u0600\u06ff", "\u0c00\u0c7f"):
        assert any(first_letter <= char <= last_letter for row in some for char in row["text"])


def test_the_corpus_opens(whole, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(whole["p.jsonl"])
    corpus = read_corpus(path)
    assert [p.docid for p in corpus] == [row["docid"] for row in lines(whole)]
    assert corpus.languages == ["fi"]


def test_titles_and_redirects(whole, tmp_path):
    path = tmp_path / "titles.tsv"
    path.write_bytes(whole["p.titles.tsv"])
    titles = read_titles(path)
    name = lines(whole)[0]["title"]
    assert titles["fi", "place 1"] == name
    assert titles["ru", "place 1"] == "Место 1"
    redirects = list(csv.reader(whole["p.redirects.tsv"].decode().splitlines(), delimiter="\t"))
    assert redirects[0] == ["title", "target"]
    assert [target for _, target in redirects[1:3]] == ["Place 4", "Place 9"]


def test_links_between_articles(whole):
    header, *rows = csv.reader(whole["p.links.tsv"].decode().splitlines(), delimiter="\t")
    assert header == ["language", "title", "target", "text"]
    texts = {}
    for row in lines(whole):
        texts[row["title"]] = f"{texts.get(row['title'], '')} {row['text']}"
    assert rows and all(lang == "fi" and text in texts[title] for lang, title, _, text in rows)


@pytest.mark.usefixtures("small")
def test_workers_change_nothing(wiki, whole, tmp_path):
    make_corpus([wiki], tmp_path / "p.jsonl", lang="fi", size=20, workers=2)
    assert contents(tmp_path) == whole


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("deaths", [[0], [1], [2, 1]])
def test_a_killed_call_resumes(wiki, whole, tmp_path, monkeypatch, deaths):
    out = tmp_path / "p.jsonl"
    done = []

    def work(pages, **settings):
        if deaths and len(done) == deaths[0]:
            raise KeyboardInterrupt
        done.append([page.page_id for page in pages])
        return lines_of(pages, **settings)

    monkeypatch.setattr(make, "lines_of", work)
    before = []
    while deaths:
        with pytest.raises(KeyboardInterrupt):
            make_corpus([wiki], out, lang="fi", size=20)
        assert contents_names(tmp_path) == ["p.jsonl.part"]
        with (tmp_path / "p.jsonl.part" / make.PASSAGES).open("ab") as stream:
            stream.write(b'{"docid": "half')
        before += done
        done.clear()
        deaths = deaths[1:]
    counts = make_corpus([wiki], out, lang="fi", size=20)
    assert contents(tmp_path) == whole
    ids = [number for batch in before + done for number in batch]
    assert len(ids) == len(set(ids)) == counts.pages  # nothing was done twice
    assert counts.passages == whole["p.jsonl"].count(b"\n")
    assert counts.redirects == whole["p.redirects.tsv"].count(b"\n") - 1


def interrupt(*args, **options):
    raise KeyboardInterrupt


def contents_names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.usefixtures("small")
def test_other_content_is_not_resumed(wiki, whole, tmp_path, monkeypatch):
    out = tmp_path / "p.jsonl"
    broken = tmp_path / "w.xml.bz2"
    packed = wiki.read_bytes()
    broken.write_bytes(bz2.compress(bz2.decompress(packed)[:-5000]))
    with monkeypatch.context() as killed, pytest.raises(KeyboardInterrupt):
        killed.setattr(ResumableWriter, "finish", interrupt)
        killed.setattr(make, "all_pages", lambda *args, **options: iter([Page("1", "Oulu")]))
        make_corpus([broken], out, lang="fi", size=20)
    assert contents_names(tmp_path) == ["p.jsonl.part", "w.xml.bz2"]
    with pytest.raises(DataError, match=r"w\.xml\.bz2 is truncated or damaged XML"):
        make_corpus([broken], out, lang="fi", size=40)
    assert contents_names(tmp_path) == ["w.xml.bz2"]
    broken.write_bytes(packed)  # fetched again
    make_corpus([broken], out, lang="fi", size=20)
    broken.unlink()
    assert contents(tmp_path) == whole


def test_progress_is_in_bytes_of_all_files(wiki, tmp_path):
    other = tmp_path / "a.jsonl"
    other.write_text('{"docid": "x", "text": "Oulu"}\n')
    heard = []
    counts = make_corpus(
        [wiki, other],
        tmp_path / "out" / "p.jsonl",
        lang="fi",
        progress=lambda done, total: heard.append((done, total)),
    )
    total = wiki.stat().st_size + other.stat().st_size
    assert heard == sorted(heard) and heard[-1] == (total, total)
    assert counts.pages == len(list(pages(wiki))) + 1


def test_plain_files_have_no_titles_and_may_be_cut_again(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("id\ttext\ttitle\n7\tyksi kaksi kolme\tLuvut\n")
    counts = make_corpus([path], tmp_path / "p.jsonl", lang="fi", size=2)
    assert counts == Counts(pages=1, passages=2)
    assert contents_names(tmp_path) == ["a.tsv", "p.jsonl"]
    assert [(p.docid, p.text, p.title) for p in read_corpus(tmp_path / "p.jsonl")] == [
        ("7-1", "yksi kaksi", "Luvut"),
        ("7-2", "kolme", "Luvut"),
    ]


def test_lines_of_several_files_have_names_of_their_own(tmp_path):
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in files:
        named = json.dumps({"text": "kaksi", "docid": f"k-{path.stem}"})
        path.write_text(f'{{"text": "yksi"}}\n{named}\n')
    make_corpus(files, tmp_path / "p.jsonl", lang="fi")
    docids = [passage.docid for passage in read_corpus(tmp_path / "p.jsonl")]
    assert docids == ["a-1-1", "k-a", "b-1-1", "k-b"]
    make_corpus(files[:1], tmp_path / "q.jsonl", lang="fi")
    assert next(iter(read_corpus(tmp_path / "q.jsonl"))).docid == "1-1"


@pytest.mark.parametrize("key", ["docid", "_id", "doc_id", "id"])
def test_a_record_that_is_one_passage_keeps_its_id(tmp_path, key):
    rows = [{key: "5#0", "title": "Oulu", "text": "yksi kaksi"}, {key: "MED-10", "text": "a b c"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    make_corpus([tmp_path / "a.jsonl"], tmp_path / "p.jsonl", lang="fi", size=2)
    docids = [passage.docid for passage in read_corpus(tmp_path / "p.jsonl")]
    assert docids == ["5#0", "MED-10-1", "MED-10-2"]


def test_kept_ids_are_not_those_of_the_passages_of_others(tmp_path):
    rows = [{"id": "a", "text": "yksi kaksi kolme"}, {"id": "a-1", "text": "b"}]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    make_corpus([path], tmp_path / "p.jsonl", lang="fi", size=2)
    assert [p.docid for p in read_corpus(tmp_path / "p.jsonl")] == ["a-1", "a-2", "a-1-1"]
    path.write_text("".join(json.dumps(row) + "\n" for row in reversed(rows)))
    with pytest.raises(DataError, match=r"line 2: docid 'a' follows 'a-1' or the like"):
        make_corpus([path], tmp_path / "q.jsonl", lang="fi", size=2)


def test_a_lone_surrogate_is_rejected_with_its_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"docid": "x", "text": "a\\ud800"}\n')
    with pytest.raises(DataError, match=r"a.jsonl, line 1: .*a lone surrogate, '.ud800'"):
        make_corpus([path], tmp_path / "p.jsonl", lang="fi")
    with pytest.raises(DataError, match="a lone surrogate"):
        read_corpus(path)


def test_a_lone_surrogate_in_wikitext_becomes_a_question_mark(tmp_path):
    pytest.importorskip("mwparserfromhell")
    path = tmp_path / "a.xml"
    path.write_text(
        "<mediawiki><page><title>A</title><ns>0</ns><id>1</id>"
        "<revision><text>yksi &amp;#xD800; kaksi</text></revision></page></mediawiki>"
    )
    make_corpus([path], tmp_path / "p.jsonl", lang="fi")
    text = next(iter(read_corpus(tmp_path / "p.jsonl"))).text
    assert text.startswith("yksi ") and text.endswith(" kaksi")


def test_corpora_that_cannot_be_written(wiki, tmp_path):
    out = tmp_path / "p.jsonl"
    with pytest.raises(ConfigError, match=r"no language is called 'xx'"):
        make_corpus([wiki], out, lang="xx")
    with pytest.raises(DataError, match=r"w\.xml cannot be read: No such file"):
        make_corpus([tmp_path / "w.xml"], out, lang="fi")
    (empty := tmp_path / "a.tsv").write_text("id\ttext\ttitle\n1\t \tx\n")
    with pytest.raises(DataError, match=r"a\.tsv: no text in 1 pages"):
        make_corpus([empty], out, lang="fi")
    with pytest.raises(ConfigError, match=r"passages are written as JSONL; its name must end in"):
        make_corpus([wiki], tmp_path / "p.tsv", lang="fi")
    out.write_text("precious")
    with pytest.raises(ConfigError, match=r"p\.jsonl exists"):
        make_corpus([wiki], out, lang="fi")
    assert out.read_text() == "precious"


WIKI = frozenset({"file"})


def titles(page, lang):
    header = HEADERS[TITLES].rstrip("\n").split("\t")
    rows = lines_of([page], lang=lang, size=9)[TITLES].splitlines()
    return [{c: n for c, n in zip(header, row.split("\t"), strict=True) if n} for row in rows]


def test_a_title_is_in_the_table_if_english_has_it():
    linked = Page("1", "[[fi:Oulu]] [[nds:Oulu]] [[en:Oulu, Finland]]", "Uleåborg", markup=WIKI)
    assert titles(linked, "sv") == [{"en": "Oulu, Finland", "fi": "Oulu", "sv": "Uleåborg"}]
    assert titles(Page("1", "[[fi:Oulu]]", "Oulu (city)", markup=WIKI), "en") == [
        {"en": "Oulu (city)", "fi": "Oulu"}
    ]
    assert titles(Page("1", "[[fi:Oulu]]", "Uleåborg", markup=WIKI), "sv") == []
    assert titles(Page("1", "a", "Oulu", markup=WIKI), "en") == []
    assert titles(Page("1", "[[fi:Oulu]]", "Oulu"), "en") == []  # plain text has no links


def test_a_passage_lies_in_one_section():
    page = Page("7", "a b c\n== S ==\n=== T ===\nd", "Oulu", markup=WIKI)
    rows = [json.loads(r) for r in lines_of([page], lang="fi", size=2)[PASSAGES].splitlines()]
    assert rows == [
        {"docid": "7-1", "title": "Oulu", "text": "a b", "lang": "fi"},
        {"docid": "7-2", "title": "Oulu", "text": "c", "lang": "fi"},
        {"docid": "7-3", "title": "Oulu", "text": "d", "lang": "fi", "section": "S / T"},
    ]


def test_a_page_may_have_a_language_of_its_own():
    made = lines_of([Page("1", "a", lang="xx"), Page("2", "b")], lang="fi", size=9)
    assert [json.loads(row)["lang"] for row in made[PASSAGES].splitlines()] == ["xx", "fi"]


def test_redirects_are_one_line_each():
    made = lines_of([Page("1", "", "A\tb", redirect="C#d", markup=WIKI)], lang="fi", size=9)
    assert made == {PASSAGES: "", TITLES: "", LINKS: "", REDIRECTS: "A b\tC#d\n"}


def test_a_link_is_a_title_and_the_text_that_shows_it():
    text = "[[oulujoki|The river]] [[Kemi_(city)#Port|Kemi]] [[Oulu]] [[]] {{a|[[b]]}} [[sv:C]]"
    made = lines_of([Page("1", text, "Oulu", markup=WIKI)], lang="fi", size=9)
    assert made[LINKS] == "fi\tOulu\tOulujoki\tThe river\nfi\tOulu\tKemi (city)\tKemi\n"


def test_counts_add_up_and_keep_the_commonest_names():
    some = Counts(1, 2, 0, Skipped({"table": (1, 5)}), {f"t{n}": n for n in range(1, 2002)})
    total = some + Counts(1, 1, 1, Skipped({"table": (2, 3)}), {"t2001": 1})
    assert (total.pages, total.passages, total.skipped) == (2, 3, {"table": (3, 8)})
    assert len(total.templates) == 1001 and total.templates["t2001"] == 2002
    assert sum(total.templates.values()) == sum(range(2002)) + 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (['{"docid": "a", "text": "x"}', '{"docid": "a", "text": "y"}'], "docid 'a' occurs twice"),
        (['{"text": "x", "lang": "klingon"}'], "no language is called 'klingon'"),
        (['{"text": "x"}', "{"], "not valid JSON"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(tmp_path, rows, message):
    (path := tmp_path / "a.jsonl").write_text("\n".join(rows))
    with pytest.raises(DataError, match=message):
        make_corpus([path], tmp_path / "p.jsonl")
    assert {file.name for file in tmp_path.iterdir()} <= {"a.jsonl", "p.jsonl.lock"}


def test_ids_differ_between_files_too(tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text('{"docid": "a", "text": "Niili"}')
    with pytest.raises(DataError, match="line 1: docid 'a' occurs twice"):
        make_corpus([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], tmp_path / "p.jsonl")


def test_a_given_encoding(tmp_path):
    (path := tmp_path / "a.txt").write_bytes("Привет".encode("koi8-r"))
    make_corpus([path], tmp_path / "p.jsonl", encoding="koi8-r")
    assert json.loads((tmp_path / "p.jsonl").read_text())["text"] == "Привет"
    with pytest.raises(ConfigError, match="no encoding is called 'klingon'"):
        make_corpus([path], tmp_path / "q.jsonl", encoding="klingon")


def test_a_finished_or_empty_call_leaves_no_partial_files(tmp_path, monkeypatch):
    (text := tmp_path / "a.txt").write_text("Inari on järvi.\n\nOulu on joki.\n")
    (blank := tmp_path / "blank.jsonl").write_text('{"text": " "}\n')
    (damaged := tmp_path / "damaged.jsonl").write_bytes(b"\xff\n")
    out = tmp_path / "p.jsonl"
    for file in (blank, damaged):
        with pytest.raises(DataError):
            make.make_corpus([file], out)
    with monkeypatch.context() as patched:  # killed between its last file and its last deletion
        patched.setattr("xorqa.datasets.corpora.resumable_writer.shutil.rmtree", _killed)
        with pytest.raises(KeyboardInterrupt):
            make.make_corpus([text], out)
    assert out.is_file() and (tmp_path / "p.jsonl.part").is_dir()
    with pytest.raises(ConfigError, match="exists"):
        make.make_corpus([text], out)
    assert contents_names(tmp_path) == ["a.txt", "blank.jsonl", "damaged.jsonl", "p.jsonl"]


def _killed(folder, **_):
    if Path(folder).is_dir():
        raise KeyboardInterrupt
