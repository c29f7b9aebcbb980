import pytest

from xorqa.datasets.corpora.mediawiki import clean

SILENT = frozenset({"file", "tiedosto", "category", "luokka"})


def text(wikitext):
    return " ".join(" ".join(s.text for s in clean(wikitext, SILENT).sections).split())


@pytest.mark.parametrize(
    ("wikitext", "plain"),
    [
        (
            "'''Oulu''' ({{lang-sv|Uleåborg}}) on [[kaupunki|''iso'' kaupunki]].",
            "Oulu on iso kaupunki.",
        ),
        ("Se on [[Suomi]]ssa, [[:Luokka:Oulu]]", "Se on Suomissa, Luokka:Oulu"),
        ("a{{x|{{y|[[z]]}}}}b{{{1|c}}}d", "abd"),
        ("a<!-- [[b]] -->c<ref name=x>d [[e]]</ref>f<ref name=x />", "acf"),
        ("a\n{| class=x\n|+ b\n! c\n|-\n| d || {{e}}\n{|\n| f\n|}\n|}\ng", "a g"),
        ("a [[File:B.jpg|thumb|c [[d]] e]][[TIEDOSTO:x.png]] f [[luokka:G]]", "a f"),
        ("a<br>b &amp; &#1605; <nowiki>[[c]]</nowiki><math>x</math>", "a b & م [[c]]"),
        ("[http://x.y nimi] [http://x.y] http://x.y/z", "nimi http://x.y/z"),
        ("* a\n* b\n# c\n__NOTOC__", "a b c"),
        ("<div class=x>a <small>b</small></div><gallery>\nFile:a|c\n</gallery>", "a b"),
        ("{{unclosed [[b", "{{unclosed [[b"),
        ("", ""),
    ],
)
def test_what_a_reader_reads_is_left(wikitext, plain):
    assert text(wikitext) == plain


def test_sections_know_their_headings():
    article = clean("Lead.\n== A ==\na\n=== ''B'' [[c|C]] ===\nb\n== D{{x}} ==\nd", SILENT)
    assert [(s.title, s.text.strip()) for s in article.sections] == [
        ("", "Lead."),
        ("A", "a"),
        ("A / B C", "b"),
        ("D", "d"),
    ]


def test_interlanguage_links_are_no_text():
    wikitext = "a [[sv:Uleåborg]] [[te:ఔలు]] [[zh-min-nan:Oulu]] [[:en:Oulu]] [[Star Wars: IV]]"
    article = clean(wikitext, SILENT)
    assert article.links == {"sv": "Uleåborg", "te": "ఔలు", "zh-min-nan": "Oulu"}
    assert article.sections[0].text.split() == ["a", "en:Oulu", "Star", "Wars:", "IV"]
