from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.types import Query, Question
from xorqa.translation.lexicon import LexiconTranslator, cldr_names, read_dictionary, split_phrases

pytest.importorskip("anyascii")
INDIAN = Path(__file__).parents[3] / "shared" / "data" / "parallel" / "indian"
TITLES = """fi\tSuuri pohjan sota\ten\tGreat Northern War
fi\tsota\ten\twar
fi\tsota\ten\tbattle
fi\tsota\ten\twar
ja\tナイル川\ten\tNile
en\tNile\tko\t나일강
"""


@pytest.fixture
def titles(tmp_path: Path) -> str:
    path = tmp_path / "titles.tsv"
    path.write_text(TITLES)
    return str(path)


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        ("Milloin Suuri Pohjan sota oli?", "fi", "Milloin Great Northern War oli?"),
        ("Mikä sota? Sotaväki!", "fi", "Mika war? Sotavaki!"),
        ("ナイル川は?", "ja", "Nile ha?"),
        ("나일강의 길이", "ko", "Nile Ui GilI"),
        ("프랑스의 수도", "ko", "France Ui SuDo"),
        ("Где Франция? 2 января", "ru", "Gde France? 2 January"),
        ("১৯৭১ বাংলাদেশ", "bn", "1971 Bangladesh"),
        ("Where?", "en", "Where?"),
        ("Nile?", "xx", "Nile?"),
        ("\u200d", "fi", "\u200d"),
    ],
)
def test_phrases_and_transliteration(titles: str, text: str, lang: str, said: str) -> None:
    question = Question("q", text, lang)
    translator = LexiconTranslator(files=[titles])
    assert translator.translate([question], to="en") == [Query(question, said, "en")]


def test_into_another_script_the_unknown_stays(titles: str) -> None:
    question = Question("q", "Is the Nile in France?", "en")
    [query] = LexiconTranslator(files=[titles]).translate([question], to="ko")
    assert query.text == "Is the 나일강 in 프랑스?"


def test_the_first_dictionary_wins_and_cldr_comes_last(titles: str, tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("fi\tRanska\ten\tGaul\nfi\tsota\ten\tquarrel")
    question = Question("q", "sota Ranska", "fi")
    texts = [
        LexiconTranslator(files=files, cldr=cldr).translate([question], to="en")[0].text
        for files, cldr in [
            ([titles, str(other)], True),
            ([str(other), titles], True),
            ([titles], True),
            ([], False),
        ]
    ]
    assert texts == ["war Gaul", "quarrel Gaul", "war France", "sota Ranska"]


def test_fingerprints_follow_the_files(titles: str) -> None:
    before = LexiconTranslator(files=[titles]).fingerprint()
    assert before == LexiconTranslator(files=[titles]).fingerprint()
    assert before != LexiconTranslator(files=[titles], cldr=False).fingerprint()
    Path(titles).write_text(TITLES.replace("war", "War"))
    assert before != LexiconTranslator(files=[titles]).fingerprint()


WORDS = st.lists(st.sampled_from(["a", "b", "ab", "b a", "c?", " "]), max_size=8).map(" ".join)


@given(
    WORDS,
    st.sets(st.sampled_from(["a", "b", "a b", "ab", "b a b"])),
    st.sampled_from(["fi", "ja", "ko"]),
)
def test_the_pieces_are_the_text(text: str, known: set[str], lang: str) -> None:
    phrases = dict.fromkeys(known, "x")
    pieces = split_phrases(text, phrases, lang)
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece in known for piece, found in pieces if found)


def test_names_of_the_cldr() -> None:
    names = cldr_names("fi", "en")
    assert (names["suomi"], names["saksa"], names["eurooppa"]) == ("Finland", "Germany", "Europe")
    assert (names["tammikuuta"], names["venäjä"]) == ("January", "Russia")
    assert cldr_names("fi", "xx") == cldr_names("xx", "en") == {}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"x.tsv": "fi\tsota\twar"}, "x.tsv, line 1: needs four columns"),
        ({"x.bn-en.bn": "a\nb", "x.bn-en.en": "a"}, "has 2 lines, and .* has 1"),
        ({}, "cannot be read"),
    ],
)
def test_dictionaries_that_cannot_be_used(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    name = "x.bn-en" if len(files) == 2 else "x.tsv"
    with pytest.raises(DataError, match=message):
        read_dictionary(str(tmp_path / name), "bn", "en")


def test_a_pair_of_files_serves_both_directions(tmp_path: Path) -> None:
    (tmp_path / "x.bn-en.bn").write_text("নদী\nনদী\nনদী\n\n")
    (tmp_path / "x.bn-en.en").write_text("stream\nriver\nriver\nnothing\n")
    name = str(tmp_path / "x.bn-en")
    assert read_dictionary(name, "bn", "en") == {"নদী": "river"}
    assert read_dictionary(name, "en", "bn") == {"stream": "নদী", "river": "নদী"}
    assert read_dictionary(name, "te", "en") == {}


def test_an_unknown_target() -> None:
    with pytest.raises(ConfigError, match="no language is called 'xx'"):
        LexiconTranslator().translate([Question("q", "a", "fi")], to="xx")


@pytest.mark.skipif(not INDIAN.is_dir(), reason="the dictionaries are not beside the checkout")
def test_the_dictionaries_of_indian_languages() -> None:
    for lang, most in (("bn", 4000), ("te", 12000)):
        words = read_dictionary(str(INDIAN / f"{lang}-en" / f"dict.{lang}-en"), lang, "en")
        assert len(words) > most
    assert words["నది"] == "River"
