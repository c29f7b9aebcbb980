import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.core.types import Span
from xorqa.io.squad_xor import SquadQuestion
from xorqa.lab.training.bitext.lexicon import code_switch, make_lexicon, read_lexicon, write_lexicon
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


LEXICON = {"fi": {"river": "joki", "long": "pitkä", "is": "on"}, "de": {"river": "Fluss"}}
TEXT = "The river Kemi is long. A River is long."
WORDS = [*LEXICON["fi"], "Kemi", "a", "River", "(", ")", ".", "river's", "東京"]


def question(context: str, start: int, end: int) -> SquadQuestion:
    answers = (context[start:end],)
    return SquadQuestion("q", "How long is it?", "Kemi", context, answers, Span(start, end))


@given(st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join), st.data())
def test_the_answer_stands_where_it_stood(context: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(context) - 1))
    end = data.draw(st.integers(start + 1, len(context)))
    [found] = code_switch([question(context, start, end)], LEXICON, 1.0, random.Random(7))
    span = found.span
    assert found.context[span.start : span.end] == found.answers[0]
    back = {"joki": "river", "pitkä": "long", "on": "is", "Fluss": "river", "Joki": "River"}

    def english(text: str) -> str:
        return re.sub(r"\w+", lambda word: back.get(word[0], word[0]), text)

    if context[:start].endswith(" ") and context[end:][:1] in ("", " "):
        assert english(found.answers[0]) == context[start:end]


def test_some_words_are_said_in_one_language() -> None:
    given_question = question(TEXT, 4, 14)
    found = code_switch([given_question] * 200, LEXICON, 1.0, random.Random(1))
    contexts = {one.context for one in found}
    assert "The joki Kemi on pitkä. A Joki on pitkä." in contexts
    assert "The Fluss Kemi is long. A Fluss is long." in contexts
    assert TEXT in contexts
    assert not any("joki" in context.lower() and "Fluss" in context for context in contexts)
    assert {one.answers[0] for one in found} == {"river Kemi", "joki Kemi", "Fluss Kemi"}
    assert "How pitkä on it?" in {one.question for one in found}


def test_a_word_that_reaches_over_an_end_of_the_answer_stays() -> None:
    found = code_switch([question(TEXT, 6, 14)] * 50, LEXICON, 1.0, random.Random(1))
    assert {one.answers[0] for one in found} == {"ver Kemi"}
    assert {one.context[:9] for one in found} == {"The river"}


def test_a_share_of_the_questions() -> None:
    some = [question(TEXT, 4, 14)] * 400
    assert code_switch(some, LEXICON, 0.0, random.Random(1)) == some
    assert code_switch(some, {}, 1.0, random.Random(1)) == some
    changed = sum(one != some[0] for one in code_switch(some, LEXICON, 0.5, random.Random(1)))
    assert 130 < changed < 200  # half of them, but for those whose words all happen to stay
