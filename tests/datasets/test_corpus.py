import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.core.types import Passage
from xorqa.datasets.corpus import (
    Corpus,
    apply_changes,
    check_rewritable,
    other_fields,
    read_corpus,
    read_docids,
    read_new_passages,
    write_passages,
)

PASSAGES = [
    Passage("a", "Oulu on kaupunki Suomessa.", "Oulu", "fi"),
    Passage("b", "Oulu is a city in Finland.", "", "en"),
]


def write(tmp_path, *rows):
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_corpus_keeps_order_and_finds_by_docid():
    corpus = Corpus("c", iter(PASSAGES))
    assert list(corpus) == corpus.passages == PASSAGES
    assert len(corpus) == 2
    assert corpus["b"] is PASSAGES[1]
    assert corpus.languages == ["en", "fi"]


def test_a_corpus_has_passages_with_docids_of_their_own():
    with pytest.raises(DataError, match=r"^corpus c is empty; it needs at least one passage$"):
        Corpus("c", [])
    with pytest.raises(DataError, match=r"^corpus c: docid 'a' occurs twice$"):
        Corpus("c", [*PASSAGES, PASSAGES[0]])


@pytest.mark.parametrize(
    "other",
    [
        PASSAGES[::-1],
        PASSAGES[:1],
        [replace(PASSAGES[0], docid="z"), PASSAGES[1]],
        [replace(PASSAGES[0], title=""), PASSAGES[1]],
        [replace(PASSAGES[0], title="Oulu on", text="kaupunki Suomessa."), PASSAGES[1]],
        [replace(PASSAGES[0], text="Oulu"), PASSAGES[1]],
        [replace(PASSAGES[0], lang="en"), PASSAGES[1]],
    ],
)
def test_the_hash_changes_with_the_content(other):
    assert Corpus("c", other).sha != Corpus("c", PASSAGES).sha


def test_the_hash_is_of_the_content_alone():
    assert Corpus("d", PASSAGES).sha == Corpus("c", PASSAGES).sha == "c8f18aea31117a66"
    assert Corpus("c", [Passage("a", "\ud800")]).sha != Corpus("c", [Passage("a", "\ud801")]).sha


def test_read_corpus_uses_the_given_fields(tmp_path):
    corpus = read_corpus(
        write(
            tmp_path,
            {"docid": "a", "text": "Oulu on kaupunki Suomessa.", "title": "Oulu", "lang": "fi"},
            {"id": 0, "text": "Oulu is a city.", "url": "kept out"},
            {"text": "Турку — город в Финляндии.", "title": None, "docid": None, "lang": None},
        )
    )
    assert corpus.name == "mine"
    assert list(corpus) == [
        PASSAGES[0],
        Passage("0", "Oulu is a city.", "", "en"),
        Passage("3", "Турку — город в Финляндии.", "", "ru"),
    ]


def test_languages_are_detected_where_nothing_names_them(tmp_path):
    path = write(
        tmp_path,
        {"text": "오울루는 핀란드의 도시이다."},
        {"text": "Oulu on kaupunki Suomessa Pohjanlahden rannalla."},
        {"text": "1905"},
        {"text": "Oulu is a city in Finland.", "lang": "sw"},
    )
    assert [passage.lang for passage in read_corpus(path)] == ["ko", "fi", "en", "sw"]
    assert [passage.lang for passage in read_corpus(path, lang="sv")] == ["sv", "sv", "sv", "sw"]


GOOD = b'{"docid": "1", "text": "Oulu"}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"text": "Turku"', "line 3: not valid JSON"),
        (b'["Turku"]', "line 3: not a JSON object"),
        ('{"text": "Pälkäne"}'.encode("latin-1"), "line 3: not UTF-8 text"),
        (b'{"docid": "2", "title": "Turku"}', "line 3: needs a non-empty string 'text'"),
        (b'{"text": " "}', "line 3: needs a non-empty string 'text'"),
        (b'{"text": 5}', "line 3: needs a non-empty string 'text'"),
        (b'{"docid": 1, "text": "Turku"}', "line 3: docid '1' occurs twice"),
        (b'{"docid": "a b", "text": "Turku"}', "line 3: docid 'a b' is empty or has a space"),
    ],
)
def test_read_corpus_names_the_bad_line(tmp_path, line, message):
    path = tmp_path / "mine.jsonl"
    path.write_bytes(GOOD + b"\n\n" + line + b"\n")
    with pytest.raises(DataError, match=rf"mine\.jsonl, {message}"):
        read_corpus(path)


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_file(tmp_path, content):
    path = tmp_path / "mine.jsonl"
    path.write_text(content)
    with pytest.raises(DataError, match=r"mine\.jsonl is empty; a corpus needs at least one"):
        read_corpus(path)


def test_a_missing_file(tmp_path):
    with pytest.raises(DataError, match=r"mine\.jsonl cannot be read: No such file"):
        read_corpus(tmp_path / "mine.jsonl")


texts = st.text(st.characters(exclude_categories=["Cs"])).filter(str.strip)
docids = texts.map(lambda text: "".join(text.split()))


@settings(deadline=None, max_examples=50)
@given(
    st.lists(
        st.builds(Passage, docids, texts, texts, st.sampled_from(["en", "fi", "ja"])),
        min_size=1,
        unique_by=lambda passage: passage.docid,
    )
)
def test_passages_come_back_as_written(tmp_path_factory, passages):
    rows = [{"docid": p.docid, "text": p.text, "title": p.title, "lang": p.lang} for p in passages]
    corpus = read_corpus(write(tmp_path_factory.mktemp("corpus"), *rows))
    assert list(corpus) == passages
    assert corpus.sha == Corpus("other", passages).sha


@pytest.mark.parametrize("lang", ["xx", "english", "klingon"])
def test_a_passage_in_an_unknown_language_is_refused_with_its_line(tmp_path, lang):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": "Niili", "lang": "fi"}) + "\n")
    with path.open("a") as stream:
        stream.write(json.dumps({"text": "The Nile", "lang": lang}) + "\n")
    with pytest.raises(DataError, match=rf"line 2: no language is called '{lang}'"):
        read_corpus(path)


RIVERS = Corpus("rivers", [Passage(docid, f"River {docid}.", lang="en") for docid in "abcd"])


def test_passages_keep_their_place_and_new_ones_follow() -> None:
    given = [Passage("e", "New."), Passage("b", "Changed."), Passage("c", "River c.")]
    corpus, changes = apply_changes(RIVERS, given, ["a", "x"])
    assert [passage.text for passage in corpus] == ["Changed.", "River c.", "River d.", "New."]
    assert corpus.name == "rivers"
    assert (changes.added, changes.replaced, changes.deleted) == (("e",), ("b",), ("a",))
    assert (changes.missing, changes.unchanged) == (("x",), 2)
    assert changes


def test_applying_changes_twice_changes_nothing_more() -> None:
    given = [Passage("e", "New."), Passage("b", "Changed.")]
    once, _ = apply_changes(RIVERS, given, ["a"])
    twice, changes = apply_changes(once, given, ["a"])
    assert twice.sha == once.sha
    assert not changes


def test_a_docid_cannot_be_given_and_deleted_and_some_passage_must_stay() -> None:
    with pytest.raises(DataError, match="docid 'b' is both in --corpus and in --delete"):
        apply_changes(RIVERS, [Passage("b", "Changed.")], ["a", "b"])
    with pytest.raises(DataError, match="deletes all passages of rivers"):
        apply_changes(RIVERS, [], list("abcd"))


def test_new_passages_need_docids(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_text('{"docid": "a", "text": "One."}\n{"text": "Two."}\n')
    with pytest.raises(DataError, match=r"new\.jsonl, line 2: needs a 'docid'"):
        read_new_passages(path)
    path.write_text('{"id": 7, "text": "Joki"}\n')
    assert read_new_passages(path, lang="fi").passages == [Passage("7", "Joki", lang="fi")]


def test_docids_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "gone.txt"
    path.write_text(" b\r\n\na\nb\n")
    assert read_docids(path) == ["b", "a"]
    path.write_text("a\nb c\n")
    with pytest.raises(DataError, match="line 2: needs one docid, not 'b c'"):
        read_docids(path)
    path.write_text("\n")
    with pytest.raises(DataError, match="has no docids"):
        read_docids(path)


def test_only_jsonl_is_updated_in_place(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "One.", "title": "T", "lang": "en"}\n')
    check_rewritable(path)
    table = path.rename(tmp_path / "a.tsv")
    with pytest.raises(DataError, match=r"not a \.jsonl file; add --out"):
        check_rewritable(table)


def test_other_fields_are_kept_by_docid(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": 7, "text": "One.", "url": "x", "section": ["a"]}\n\n'
        '{"text": "Two.", "title": "T", "url": "y"}\n'
    )
    others = other_fields(path)
    assert others == {"7": {"url": "x", "section": ["a"]}, "3": {"url": "y"}}
    corpus = read_corpus(path, lang="en")
    write_passages(path, corpus, others)
    assert read_corpus(path).sha == corpus.sha
    assert other_fields(path) == others
    assert other_fields(path.rename(tmp_path / "a.tsv")) == {}


def test_written_passages_are_read_as_they_were(tmp_path: Path) -> None:
    corpus = Corpus(
        "w", [Passage("ä", "„Zitat“\n\u2028x", "T", "de"), Passage("b", "東京", "", "ja")]
    )
    path = tmp_path / "w.jsonl"
    write_passages(path, corpus)
    assert read_corpus(path).sha == corpus.sha
    assert json.loads(path.read_text("utf-8").split("\n")[1])["text"] == "東京"


def test_passages_that_a_file_cannot_hold_leave_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "w.jsonl"
    path.write_text("old")
    with pytest.raises(DataError, match="cannot hold these passages"):
        write_passages(path, Corpus("w", [Passage("a", "lone \ud800 surrogate")]))
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old"]


def test_short_and_uncertain_passages_are_in_the_language_of_their_file(tmp_path):
    texts = [
        "The library is open from Monday to Friday, and its reading room on Saturday as well.",
        "Which of the two museums did the architect build in the middle of the last century?",
        "The Kuura museum opened on 3 May 1987.",
        "Kuura, Oulu",
        "Kirjasto on avoinna maanantaista perjantaihin, ja sen lukusali myös lauantaisin.",
        "図書館は月曜日から金曜日まで開いています。",
        "東京",
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({"text": text}) for text in texts))
    langs = [passage.lang for passage in read_corpus(path)]
    assert langs[:6] == ["en", "en", "en", "en", "fi", "ja"] and langs[6] in ("ja", "zh")
