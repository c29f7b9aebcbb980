from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.training.bitext.lexicon import make_lexicon, read_lexicon, write_lexicon
from xorqa.lab.training.common.training_data import Pair


def pairs(lang: str, *texts: tuple[str, str]) -> list[Pair]:
    """Each pair three times, as a word has to occur."""
    return [(lang, text, "en", english) for text, english in texts * 3]


FINNISH = pairs(
    "fi",
    ("Joki on pitkä", "The river is long"),
    ("Järvi on pitkä", "The lake is long"),
    ("Joki on lyhyt", "The river is short"),
    ("Oulu", "Oulu"),
)


def test_words_that_are_each_others_best_translation() -> None:
    lexicon = make_lexicon(FINNISH)
    wanted = {"river": "joki", "lake": "järvi", "long": "pitkä", "short": "lyhyt"}
    assert {english: lexicon["fi"].get(english) for english in wanted} == wanted
    assert "oulu" not in lexicon["fi"]  # the same in both


def test_rare_words_unknown_languages_and_those_without_blanks_are_left_out() -> None:
    rare = [("fi", "Vuori", "en", "A mountain")] * 2
    thai = pairs("th", ("แม่น้ำ", "A river"))
    swedish = [("fi", "joki", "sv", "flod")] * 3
    unknown = pairs("xx", ("abc", "A river"))
    assert make_lexicon([*rare, *thai, *swedish, *unknown]) == {}


def test_a_lexicon_written_and_read(tmp_path: Path) -> None:
    lexicon = make_lexicon([*FINNISH, *pairs("de", ("Der Fluss", "A river"))])
    assert set(lexicon) == {"de", "fi"}
    write_lexicon(tmp_path / "words.tsv", lexicon)
    assert read_lexicon([tmp_path / "words.tsv"]) == lexicon


@pytest.mark.parametrize("line", ["fi\triver", "fi\triver\t", "fi\triver\tjoki\tvirta"])
def test_lines_that_are_no_entry(tmp_path: Path, line: str) -> None:
    (tmp_path / "words.tsv").write_text(f"fi\tlake\tjärvi\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"words\.tsv, line 2: needs language, English word"):
        read_lexicon([tmp_path / "words.tsv"])
