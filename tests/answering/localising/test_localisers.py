"""Localisers: what every one of them keeps, and how they say what they did."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.candidates import candidate
from xorqa.answering.localising.chain import ChainLocaliser
from xorqa.answering.localising.localisers import CldrLocaliser, NoLocalisation
from xorqa.core.lang import LANGUAGES
from xorqa.core.types import Answer, Question

LOCALISERS = [NoLocalisation, CldrLocaliser, ChainLocaliser]


def question(lang="fi", qid="q"):
    return Question(qid, "?", lang)


@pytest.mark.parametrize("make", LOCALISERS)
def test_length_order_scores_and_sources_are_kept(make):
    rows = [
        [candidate("8 May 1980", span_score=-3.0), candidate("Paul"), candidate("Helsinki", "fi")],
        [],
        [candidate("1896")],
    ]
    answers = make().localise([question("fi"), question("ko"), question("ja")], rows)
    assert [[answer.source for answer in row] for row in answers] == rows
    assert [[a.score for a in row] for row in answers] == [[c.score for c in row] for row in rows]


@pytest.mark.parametrize("make", LOCALISERS)
def test_empty_input(make):
    assert make().localise([], []) == []


@pytest.mark.parametrize("make", LOCALISERS)
def test_questions_and_candidates_must_pair(make):
    with pytest.raises(ValueError):
        make().localise([question()], [])


@pytest.mark.parametrize("make", LOCALISERS)
def test_unknown_language_is_copied(make):
    given_one = candidate("8 May 1980")
    [[answer]] = make().localise([question("xx")], [[given_one]])
    assert answer == Answer("8 May 1980", "en", 0.0, "copied", given_one)


@pytest.mark.parametrize("make", LOCALISERS)
@pytest.mark.parametrize("unit", ["x", "1", "1,", "8 May 1980 ", " ", "٣", "న"])
def test_a_very_long_candidate_is_copied(make, unit):
    text = (unit * 10_000)[:10_000]
    [[answer]] = make().localise([question()], [[candidate(text)]])
    assert (answer.text, answer.lang, answer.method) == (text, "en", "copied")


@pytest.mark.parametrize("make", LOCALISERS)
@pytest.mark.parametrize("lang", ["fi", "en", "xx"])
def test_the_same_language_stays_as_it_stands(make, lang):
    [[answer]] = make().localise([question(lang)], [[candidate("11,680 km", lang)]])
    assert (answer.text, answer.lang, answer.method) == ("11,680 km", lang, "span")


@pytest.mark.parametrize("make", [CldrLocaliser, ChainLocaliser])
@pytest.mark.parametrize(
    ("lang", "text"),
    [("en", "December 27, 1919"), ("ja", "1919年12月27日"), ("sw", "27 Desemba 1919")],
)
def test_a_third_language_is_localised_too(make, lang, text):
    [[answer]] = make().localise([question(lang)], [[candidate("27. joulukuuta 1919", "fi")]])
    assert (answer.text, answer.lang, answer.method) == (text, lang, "rule:date")


def test_a_language_without_rules_is_copied():
    [row] = CldrLocaliser().localise([question("ja")], [[candidate("1980", "xx")]])
    assert [(a.text, a.lang, a.method) for a in row] == [("1980", "xx", "copied")]


def test_rules_change_text_language_and_made():
    [row] = CldrLocaliser().localise(
        [question("ja")], [[candidate("8 May 1980"), candidate("France"), candidate("Nokia")]]
    )
    assert [(a.text, a.lang, a.method) for a in row] == [
        ("1980年5月8日", "ja", "rule:date"),
        ("フランス", "ja", "rule:territory"),
        ("Nokia", "en", "copied"),
    ]


def test_a_year_that_looks_the_same_is_still_said_in_the_language():
    [[answer]] = CldrLocaliser().localise([question("ru")], [[candidate("1896")]])
    assert (answer.text, answer.lang, answer.method) == ("1896", "ru", "rule:number")


def test_no_localisation_copies_english():
    [[answer]] = NoLocalisation().localise([question("ja")], [[candidate("8 May 1980")]])
    assert (answer.text, answer.lang, answer.method) == ("8 May 1980", "en", "copied")


def test_fingerprints_tell_localisers_and_cldr_releases_apart(monkeypatch):
    ours = CldrLocaliser().fingerprint()
    assert ours == CldrLocaliser().fingerprint() != NoLocalisation().fingerprint()
    monkeypatch.setattr("babel.__version__", "0.0")
    assert CldrLocaliser().fingerprint() != ours
    assert (CldrLocaliser.version, NoLocalisation.version) == (6, 1)


PIECES = st.sampled_from(
    [
        "8",
        "May",
        "1,980",
        "-",
        "–",
        ".",
        ",",
        " ",
        "%",
        "km",
        "million",
        "the ",
        "US",
        "year",
        "s",
        "°C",
        "feet",
        "(",
        ")",
        "'",
        "{0}",
        "\\1",
        "0",
        "9" * 15,
        "square",
        "per hour",
        "language",
        "BC",
        "to",
        "about ",
        "1990s",
        "early ",
        "18th century",
        "half",
        "people",
        "$",
        "pm",
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=8).map("".join))


@given(st.lists(TEXTS, max_size=4), st.sampled_from([*LANGUAGES, "xx"]))
def test_any_text_is_kept_or_said_never_lost(texts, lang):
    given_ones = [candidate(text) for text in texts]
    [row] = CldrLocaliser().localise([question(lang)], [given_ones])
    assert [answer.source for answer in row] == given_ones
    for text, answer in zip(texts, row, strict=True):
        if answer.method in ("copied", "span"):
            assert (answer.text, answer.lang) == (text, "en")
        else:
            assert answer.lang == lang
            assert answer.text.strip()
