import json

from xorqa.datasets.corpora.page import Page
from xorqa.datasets.corpora.rows import HEADERS, LINKS, PASSAGES, REDIRECTS, TITLES, lines_of

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
