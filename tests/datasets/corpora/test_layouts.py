import bz2
import gzip
import json
import re

import pytest

from xorqa.core.errors import DataError
from xorqa.core.types import Passage
from xorqa.datasets.corpora.layouts import bare_name, pages
from xorqa.datasets.corpora.records import Page
from xorqa.datasets.corpus import read_corpus
from xorqa.datasets.documents.document import Skipped

TSV = 'id\ttext\ttitle\n1\t"Aaron ""the"" prophet"\tAaron\n2\tOulu\t"Ou\tlu"\n'
TREC = """<DOC>
<DOCNO> A-1 </DOCNO>
<HEADLINE><P>Oulu</P></HEADLINE>
<TEXT>
A city &amp; a <b>port</b>
with 1 < 2
</TEXT>
</DOC>

<DOC>
<DOCNO>A-2</DOCNO>
<TEXT></TEXT>
</DOC>
"""
SQUAD = json.dumps(
    {
        "data": [
            {
                "title": "Ou_lu",
                "paragraphs": [
                    {"context": "Oulu.", "qas": []},
                    {"context": "Turku.", "qas": [{"id": 1}]},
                ],
            }
        ]
    }
)
XML = """<mediawiki xmlns="http://x/" xml:lang="fi"><siteinfo><namespaces>
<namespace key="0"/><namespace key="6">Tiedosto</namespace><namespace key="10">M</namespace>
</namespaces></siteinfo>
<page><title>Oulu</title><ns>0</ns><id>7</id>
  <revision><text>old</text></revision><revision><id>3</id><text>new &amp; '''x'''</text></revision>
</page>
<page><title>Ouluu</title><ns>0</ns><id>8</id><redirect title="Oulu"/>
  <revision><text>#OHJAUS [[Oulu]]</text></revision></page>
<page><title>Keskustelu:Oulu</title><ns>1</ns><id>9</id><revision><text>hm</text></revision></page>
</mediawiki>
"""


def write(tmp_path, name, content):
    path = tmp_path / name
    content = content.encode() if isinstance(content, str) else content
    pack = {".bz2": bz2.compress, ".gz": gzip.compress}.get(path.suffix, bytes)
    path.write_bytes(pack(content))
    return path


@pytest.mark.parametrize("packed", ["", ".bz2", ".gz"])
@pytest.mark.parametrize(
    ("name", "content", "passages"),
    [
        ("a.tsv", TSV, [("1", 'Aaron "the" prophet', "Aaron"), ("2", "Oulu", "Ou\tlu")]),
        ("a.trec", TREC, [("A-1", "A city & a  port \nwith 1 < 2", "Oulu")]),
        ("a.b.json", SQUAD, [("a.b-00001", "Oulu.", "Ou lu"), ("a.b-00002", "Turku.", "Ou lu")]),
        ("a.jsonl", '{"id": 3, "text": "Oulu"}', [("3", "Oulu", "")]),
    ],
)
def test_passages_of_others(tmp_path, name, content, passages, packed):
    corpus = read_corpus(write(tmp_path, name + packed, content), lang="fi")
    assert list(corpus) == [Passage(*passage, "fi") for passage in passages]
    assert corpus.name == name.rpartition(".")[0] == bare_name(tmp_path / (name + packed))


def test_a_dump_has_articles_and_redirects(tmp_path):
    path = write(tmp_path, "w.xml.bz2", XML)
    silent = frozenset({"file", "image", "media", "category", "tiedosto"})
    heard = []
    assert list(pages(path, report=heard.append)) == [
        Page("7", "new & '''x'''", "Oulu", "", "page 1", "", silent, default_lang="fi"),
        Page(
            *("8", "", "Ouluu", "", "page 2", "Oulu", silent),
            default_lang="fi",
            skipped=Skipped({"page of another namespace": (1, 0)}),
        ),
    ]
    assert heard[-1] == path.stat().st_size
    with pytest.raises(
        DataError, match=r"holds articles; split them into passages: xorqa corpus make"
    ):
        read_corpus(path)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("#REDIRECT [[Oulu]]", "Oulu"),
        ("#OHJAUS: [[oulu#Historia|x]]\n{{R from move}} [[Luokka:A]]", "Oulu"),
        ("#重定向[[奥卢]]", "奥卢"),
        ("#See [[Oulu]]", ""),
        ("#REDIRECT [[Oulu]] and text", ""),
        ("#A [[" + "a" * 99_999, ""),
    ],
)
def test_redirects_of_dumps_without_an_element_for_them(tmp_path, text, target):
    path = write(tmp_path, "w.xml.bz2", XML.replace("new &amp; '''x'''", text))
    first = next(pages(path))
    assert (first.redirect, first.text) == (target, "" if target else text)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.doc", "x", "a.doc: no layout has the suffix '.doc'; valid: .csv, .docx"),
        ("a.xml", "", "a.xml is truncated or damaged XML (no element found"),
        ("a.xml", "<rss></rss>", "a.xml is not a MediaWiki dump: its root is <rss>"),
        ("a.xml", '{"text": "a"}', "a.xml is truncated or damaged XML (not well-formed"),
        ("a.xml", XML[:-30], "a.xml is truncated or damaged XML"),
        ("a.xml", XML.replace("<id>7</id>", ""), "a.xml, page 1: needs <id> and <title>"),
        ("a.xml", "<mediawiki></mediawiki>", "a.xml is empty"),
        ("a.tsv", "", "a.tsv is empty"),
        ("a.tsv", "text\tid\n", "a.tsv: the first line must be id text title, separated by tabs"),
        ("a.tsv", TSV + "3\tx\n", "a.tsv, line 4: needs three columns, not 2"),
        ("a.tsv", TSV + "a b\tx\ty\n", "a.tsv, line 4: docid 'a b' is empty or has a space"),
        ("a.tsv", TSV + "1\tx\ty\n", "a.tsv, line 4: docid '1' occurs twice"),
        ("a.tsv", TSV.encode() + b"3\t\xff\tb\n", "a.tsv is not UTF-8 text"),
        ("a.trec", "", "a.trec is empty"),
        ("a.trec", TREC[:-8], "a.trec, line 10: the document has no </DOC>; the file is truncated"),
        ("a.trec", "x\n", "a.trec, line 1: needs TREC documents, <DOC>"),
        ("a.trec", "<DOC>\n<DOC>\n", "a.trec, line 2: needs TREC documents, <DOC>"),
        ("a.trec", "<DOC>\n</DOC>\n", "a.trec, line 1: the document has no <DOCNO>"),
        ("a.json", "", "a.json is not valid JSON"),
        ("a.json", "[1]", "a.json is not SQuAD-style JSON"),
        ("a.json", b"\xff", "a.json is not UTF-8 text"),
        ("a.bz2", "x", "no layout has the suffix ''"),
    ],
)
def test_errors_name_the_problem_in_one_line(tmp_path, name, content, message):
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        path = write(tmp_path, name, content)
        list(pages(path))
        read_corpus(path, lang="fi")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda packed: packed[:-20], "is truncated or damaged"),
        (lambda packed: packed[:30] + b"zzzz" + packed[34:], "w.xml"),
        (lambda packed: b"no archive", "w.xml"),
        (lambda packed: b"", "w.xml"),
    ],
)
@pytest.mark.parametrize("packed", [".bz2", ".gz"])
def test_damaged_archives(tmp_path, packed, spoil, message):
    path = write(tmp_path, f"w.xml{packed}", XML)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(DataError, match=re.escape(message)):
        list(pages(path))


def test_a_missing_file(tmp_path):
    with pytest.raises(DataError, match=r"a\.tsv cannot be read: No such file"):
        list(pages(tmp_path / "a.tsv"))


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"docid": "1", "text": "Niili"}\r\n\r\n'),
        ("a.tsv", "id\ttext\ttitle\r\n1\tNiili\tÄ\r\n"),
        ("a.tsv", "\r\nsep=\t\r\nID\tText\tTitle\r\n\r\n1\tNiili\tÄ\r\n\r\n"),
        ("a.trec", "<DOC>\r\n<DOCNO>1</DOCNO>\r\n<TEXT>Niili</TEXT>\r\n</DOC>\r\n"),
        ("a.json", '{"data": [{"paragraphs": [{"context": "Niili"}]}]}\r\n'),
        ("a.txt", "Niili\r\n"),
        ("a.md", "Niili\r\n"),
        ("a.csv", "text\r\nNiili\r\n"),
        ("a.html", "<p>Niili\r\n"),
    ],
)
def test_byte_order_marks_and_crlf_in_every_text_layout(tmp_path, mark, name, text):
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(text.encode(mark)))
    assert [page.text for page in pages(path)] == ["Niili"]


def test_a_given_encoding_counts_for_more_than_a_declared_one(tmp_path):
    path = tmp_path / "a.html"
    path.write_bytes('<meta charset="windows-1252"><p>Привет'.encode("cp866"))
    assert [page.text for page in pages(path, encoding="cp866")] == ["Привет"]


def test_records_in_another_encoding_are_refused_with_a_hint(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes("id\ttext\ttitle\n1\tПривет\t\n".encode("cp1251"))
    with pytest.raises(DataError, match=r"not UTF-8 text .* --encoding NAME"):
        [*pages(path)]
    assert [page.text for page in pages(path, encoding="cp1251")] == ["Привет"]


@pytest.mark.parametrize("key", ["docid", "_id", "doc_id", "id"])
def test_ids_of_other_collections_are_kept(tmp_path, key):
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"{key}": "12#0", "text": "Niili"}}\n')
    assert [page.page_id for page in pages(path)] == ["12#0"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"text": "Die Mühle", "lang": "%s"}\n'),
        ("a.csv", "text,lang\nDie Mühle,%s\n"),
    ],
)
def test_language_tags_are_read_or_refused(tmp_path, name, text):
    path = tmp_path / name
    for tag in ("de-DE", "DE", "deu", "ger"):
        path.write_text(text % tag)
        assert [page.lang for page in pages(path)] == ["de"]
    path.write_text(text % "klingon")
    with pytest.raises(DataError, match=r"(line 1|row2): no language is called 'klingon'"):
        [*pages(path)]
