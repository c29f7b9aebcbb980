"""The words of claims and the figures that they allow; CONTRIBUTING has the same table."""

import re
from math import inf, isinf
from pathlib import Path

import pytest
from lessons import ClaimError, claim, wording

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| ([a-z ]+) \| (-?[\d.]+) to (-?[\d.]+)(, but not (?P<but>[\d.]+))? \|$", re.M)


def rows():
    """Phrase, low, high and the figure left out, of the table in CONTRIBUTING."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, _, table = page.partition("| words | figures |\n")
    return [
        (m[1], float(m[2]), float(m[3]), m["but"] and float(m["but"])) for m in ROW.finditer(table)
    ]


def test_the_table_of_contributing_is_the_linter_s():
    table = rows()
    assert len(table) >= 18
    for phrase, low, high, but in table:
        [bound] = wording.bounds(phrase)
        assert (bound.low, bound.high) == pytest.approx((low, high), abs=5e-4), phrase
        assert bound.excluding == but, phrase


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("What the third number is worth; a third system follows.", []),
        ("A third of them, and two thirds of the others.", ["a third", "two thirds"]),
        ("Helsinki is one name three times, and twice in English.", []),
        ("It shares most with all likely ones, at most two, most often the most likely.", []),
        ("It is right for about one name in two.", ["about one name in two"]),
        (
            "Fewer than fifty of ten thousand swaps; passage 5 of two; a word in eight languages.",
            [],
        ),
        ("Three hundred of 1,000 and about 25 passages.", ["about 25"]),
        ("say next to nothing about a reader", []),
    ],
)
def test_phrases_of_a_text(text, phrases):
    assert [bound.phrase for bound in wording.bounds(text)] == phrases


def quoted():
    """Ten claims of the lessons whose words have a phrase, from all over them."""
    call = re.compile(r"^ *claim\(\"([^\"]+)\"", re.M)
    found = []
    for script in sorted((ROOT / "notebooks").glob("[0-9A][0-9]*_*.py")):
        for words in call.findall(script.read_text(encoding="utf-8")):
            bounds = wording.bounds(words)
            if len(bounds) == 1 and not isinf(bounds[0].high - bounds[0].low):
                found.append((words, bounds[0]))
    return found[:: max(1, len(found) // 10)][:10]


@pytest.mark.parametrize(("words", "bound"), quoted())
def test_ten_claims_fail_a_little_beyond_what_their_words_allow(words, bound):
    a_little = (bound.high - bound.low) / 20
    claim(words, (bound.low + bound.high) / 2)
    for figure in (bound.low - a_little, bound.high + a_little):
        with pytest.raises(ClaimError, match="no longer true"):
            claim(words, figure)


def test_there_are_ten():
    assert len(quoted()) == 10


def test_limits():
    assert [b.high for b in wording.bounds("at least half as likely")] == [inf]
    assert not wording.bounds("nearly all")[0].allows(1)
    assert wording.bounds("nearly all")[0].allows(0.95)
    assert wording.compared("Whether Russian is worse these questions cannot show.") == "chance"
    assert wording.compared("It is much better here.") == "better"
    assert wording.compared("a better translator") is None
