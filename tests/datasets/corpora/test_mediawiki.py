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
            "Oulu (Uleåborg) on iso kaupunki.",
        ),
        ("Se on [[Suomi]]ssa, [[:Luokka:Oulu]]", "Se on Suomissa, Luokka:Oulu"),
        ("a{{x|{{y|[[z]]}}}}b{{{1|c}}}d", "abd"),
        ("a<!-- [[b]] -->c<ref name=x>d [[e]]</ref>f<ref name=x />", "acf"),
        ("a\n{| class=x\n|+ b\n! c\n|-\n| d || {{e}}\n{|\n| f\n|}\n|}\ng", "a g"),
        ("a [[File:B.jpg|thumb|c [[d]] e]][[TIEDOSTO:x.png]] f [[luokka:G]]", "a f"),
        ("a<br>b &amp; &#1605; <nowiki>[[c]]</nowiki><math>x</math>", "a b & م [[c]]x"),
        (r"<math>\frac{1}{2}</math> <chem>H2O</chem>.", "H2O."),
        ("[http://x.y nimi] [http://x.y] http://x.y/z", "nimi http://x.y/z"),
        ("* a\n* b\n# c\n__NOTOC__", "a b c"),
        ("<div class=x>a <small>b</small></div><gallery>\nFile:a|c\n</gallery>", "a b"),
        ("{{unclosed [[b", "{{unclosed [[b"),
        ("10<sup>6</sup> m<sup>2</sup>, 1<sup>st</sup>, H<sub>2</sub>O", "10⁶ m², 1st, H2O"),
        ("[[Oulu (city)|]] [[Oulu|{{x}}]]", "Oulu (city) Oulu"),
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


@pytest.mark.parametrize(
    ("wikitext", "plain"),
    [
        (
            "A.\n{| class=x\n| b\nThe mayor is Bo.\n\n== Later ==\nA bridge.",
            "A. The mayor is Bo. A bridge.",
        ),
        ("A.\n{| x\n| b\n== C ==\nd\n{{Infobox\n|x=y\n|}}\ne", "A. d e"),
        ("A.<ref name=a>b\n\nC.\n\n== D ==\ne<ref>f</ref>g", "A.b C. eg"),
        ("A<ref>b\n== C ==\nd</ref>e", "Ab de"),
        ("A <!-- b --> c <!-- d. [[E]]", "A c d. E"),
        ("A <!-- b\n== C ==\nd <!-- e --> f", "A b d f"),
        ("<blockquote>A</blockquote><div>b</div>c", "A b c"),
    ],
)
def test_markup_without_an_end_removes_nothing_that_follows(wikitext, plain):
    assert text(wikitext) == plain


@pytest.mark.parametrize(
    ("wikitext", "plain"),
    [
        ("-{zh-hans:计算机;zh-hant:電腦}-是-{机器}-", "计算机是机器"),
        (
            "-{A|zh-tw:電腦; zh-cn:计算机}--{H|zh-cn:软件;zh-tw:軟體}--{zh-hk:一;zh-tw:二}-",
            "计算机一",
        ),
        ("A-{{x}}-b", "A--b"),
    ],
)
def test_the_forms_of_a_wikipedia_in_two_scripts(wikitext: str, plain: str) -> None:
    assert clean(wikitext, SILENT, lang="zh").sections[0].text == plain
    assert "{" in clean("e-{x}-", SILENT).sections[0].text


def test_what_is_removed_is_counted():
    article = clean(
        "A ({{IPA|x}}; {{lang|sv|B}}).{{cite_web|url=x}}{{Cite web}}<ref>{{cite web}} a</ref>\n"
        "{|\n| c\n|}\n[[File:d.jpg|thumb|A castle]]{{#if:x|y}}<gallery>e</gallery>",
        SILENT,
    )
    assert article.sections[0].text.strip() == "A (B)."
    assert article.templates == {"IPA": 1, "cite web": 1, "Cite web": 1, "#if": 1}
    assert {kind: count for kind, (count, _) in article.skipped.items()} == {
        "reference": 1,
        "table": 1,
        "picture with a caption": 1,
        "graphic": 1,
    }
