"""The text of inline templates."""

import pytest

from xorqa.datasets.corpora.wiki_templates import Call, bare_name, renderer

pytest.importorskip("mwparserfromhell")


def text(wikitext: str, lang: str = "en") -> str:
    from xorqa.datasets.corpora.mediawiki import clean

    return " ".join(clean(wikitext, frozenset(), lang=lang).sections[0].text.split())


@pytest.mark.parametrize(
    ("wikitext", "plain"),
    [
        ("{{convert|93|m|ft}}", "93 m"),
        ("{{Convert|2381741|km2|sqmi|abbr=on}}", "2,381,741 km²"),
        ("{{cvt|1,000|ha}}", "1,000 ha"),
        ("{{convert|5|to|10|km}}", "5 to 10 km"),
        ("{{convert|5|-|10|C|F|0}}", "5–10 °C"),
        ("{{convert|5|ft|6|in|m}}", "5 ft 6 in"),
        ("{{convert|3|x|4|sqft}}", "3 × 4 sq ft"),
        ("{{val|20.5|u=°C}}", "20.5 °C"),
        ("{{val|1.5|0.3|e=6|ul=m|up=s}}", "1.5 ± 0.3 × 10⁶ m/s"),
        ("{{formatnum:12500}} {{formatnum:12,500|R}}", "12,500 12500"),
        ("{{frac|1|2}} {{sfrac|2}} {{frac|3|1|2}}", "1/2 1/2 3 1/2"),
        ("{{birth date|1815|12|10}}", "December 10, 1815"),
        ("{{Birth date and age|1815|12|10|df=y}}", "10 December 1815"),
        ("{{death date and age|1852|11|27|1815|12|10}}", "November 27, 1852 (aged 36)"),
        ("{{start date|2001|5}} {{end date|2002}}", "May 2001 2002"),
        ("{{birth-date|10 December 1815}}", "10 December 1815"),
        ("{{age|1815|12|10|1852|11|27}} {{circa|1852}}", "36 c. 1852"),
        ("{{as of|2019|5}} {{as of|2019|lc=y}}", "As of May 2019 as of 2019"),
        ("{{lang|cy|Cae}} {{lang-cy|Cae}} {{langx|ru|Москва}}", "Cae Cae Москва"),
        ("{{nihongo|Tokyo|東京|Tōkyō}} {{zh|c=北京}}", "Tokyo (東京, Tōkyō) 北京"),
        ("{{nowrap|41 [[people|men]]}} {{ill|Ann|fi}} {{abbr|km|x}}", "41 men Ann km"),
        ("{{HMS|Victory}} {{hlist|a|b}} {{chem|H|2|O}} {{USD|5}}", "HMS Victory a, b H2O $5"),
        ("1{{snd}}2{{'}}s {{nbsp}}x{{ndash}}y {{=}} {{!}}", "1 – 2's x–y = |"),
        ("{{OldStyleDate|22 February|1732|11 February}}", "22 February [O.S. 11 February] 1732"),
        ("{{mya|66}} {{birthdate|1950}}", "66 million years ago 1950"),
        ("Algeria (/x/{{IPAc-en|a|b}}) lies", "Algeria (/x/) lies"),
        ("Algeria ({{IPAc-en|a|b}}) lies", "Algeria lies"),
        ("{{convert|2.5|e6km2}} {{convert|3|e3|ha}}", "2.5 × 10⁶ km² 3 × 10³ ha"),
        (
            "{{coord|65|1|N|25.5|E}} {{coord|60.17|24.94|display=inline}}",
            "65°1′N 25.5°E 60.17, 24.94",
        ),
        ("It lies{{coord|65|1|N|25|28|E|display=title}}.", "It lies."),
        (
            "{{AUD|5}} {{ISBN|123}} {{MV|Doulos}} {{nee|Smith}} {{BCE|50}}",
            "A$5 ISBN 123 MV Doulos née Smith 50 BCE",
        ),
        (
            "{{Unordered list|a|b}} {{native name|fi|Suomi}} {{death year and age|2000|1920}}",
            "a; b Suomi 2000",
        ),
        (
            "{{marriage|Ann|1950|1960}} {{sclass|Nimitz|carrier}} {{abs|x}}",
            "Ann (m. 1950; 1960) Nimitz-class carrier |x|",
        ),
        (
            "{{convert}} {{val}} {{marriage}} {{bd}} {{music|x}} {{sup}} {{age|2000|1|1}} {{dts}}",
            "",
        ),
        (
            "{{convert|99999999999999999|m}} {{ordinal|11}}",
            "99,999,999,999,999,999 m 11th",
        ),
    ],
)
def test_values_stay_in_the_sentence(wikitext: str, plain: str) -> None:
    assert text(wikitext) == plain


def test_dates_and_numbers_are_in_the_language_of_the_wikipedia() -> None:
    french = (
        "{{formatnum:2187526}} sur {{unité|105|km|2}}, {{XIXe siècle}}, {{date|14|juillet|1789}}"
    )
    assert text(french, "fr") == "2 187 526 sur 105 km², XIXe siècle, 14 juillet 1789"
    assert text("{{birth date|1815|12|10}} {{fecha|14|7|1789}}", "es") == (
        "10 de diciembre de 1815 14 de julio de 1789"
    )
    french = "{{s-|XIX|e}}, {{sp-|XV|e|ou|XVI|e}}, {{-s-|II|e}}, {{1er}}, 10{{exp|6}}, {{p.|5}}"
    assert text(french, "fr") == (
        "XIXe siècle, XVe ou XVIe siècle, IIe siècle av. J.-C., 1er, 10⁶, p. 5"
    )
    assert text("{{siglo|XIX||s}} {{siglo|I|a}}", "es") == "siglo XIX I a. C."
    assert text("{{年月日|2020|1|2}} {{JIS2004フォント|辻}}", "ja") == "2020年1月2日 辻"
    assert text("{{bd|1950年|1月2日|2000年|3月4日|catIdx=X}} {{tsl|en|A||乙}}", "zh") == (
        "1950年1月2日－2000年3月4日 乙"
    )
    assert text("{{한자|서울|漢城}} {{llang|en|x}}", "ko") == "서울(漢城) x"
    assert text("{{enS|text}} {{Bruch|1|2}} {{s|x}}", "de") == "text 1/2"
    assert text("{{k-en|x}} {{lainaus|y}} {{Цитата|z}} {{link-en|甲|A}}", "fi") == "x y z 甲"
    assert text("{{birth date|1815|12|10}}", "xx") == "10 12 1815"  # no language of CLDR


@pytest.mark.parametrize("name", ["cite web", "Infobox x", "sfn", "#if:a", "IPA", "x"])
def test_other_templates_carry_no_text(name: str) -> None:
    assert renderer(name) is None


def test_names_for_counts() -> None:
    assert bare_name("#invoke:a|b") == "#invoke"
    assert bare_name("Cite_web ") == "Cite web"
    assert Call({"1": "a", "3": "b", "99999999999": "c"}).values() == ["a", "", "b"]
