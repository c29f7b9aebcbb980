import pytest

from xorqa.lab.checklist.format import read_checklist
from xorqa.lab.checklist.lint import lint


def test_a_valid_file_has_no_problems(small):
    assert lint(small, count=8) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('answer = "{b}"', 'answer = "{b}s"', r"placeholder {b}s: the answer 'Anna"),
        ("than {b}.", "than  {b}.", "two spaces in a row"),
        ("than {b}.", "than\u200f {b}.", "invisible direction mark"),
        ('old = ["old", "older"]', 'old = ["old", "старше"]', "letters of another script: с т"),
        ("f:, and she likes it | ", "", "placeholder {a ? m:, and he likes it}: has no text"),
        ('"Who is {adj.more}?"', '"Who is less {adj}?"', "is asked twice"),
        ('["It rained.", "The bus 24 was late."]', '["It rained."]', "asides: needs two"),
        ('["It rained.", "The bus 24 was late."]', '["It rained.", "Late."]', "with a number"),
        ('["a", "the"]', '["A"]', "articles: 'A' must be in lower case"),
        ('script = "Latn"', 'script = "Cyrl"', "the script of English is Latn, not Cyrl"),
        ('script = "Latn"', 'script = "Latin1"', "no script is called 'Latin1'"),
        ("[words.animal]", '[words.x]\nforms = ["t"]\ny = "y"\n\n[words.animal]', "no test uses"),
        (
            'contexts = ["{a} is',
            'only = { adj = ["old"] }\ncontexts = ["{a} is',
            "slot 'adj': no template accepts 'tall'",
        ),
        ('omar = ["Omar", "m"]', 'anna2 = ["Anna", "f"]', "its words allow 6 cases, not 8"),
    ],
)
def test_problems_are_named_with_file_language_and_test(write, old, new, message):
    path = write((old, new))
    problems = lint(read_checklist(path), count=8)
    assert any(message in problem for problem in problems), problems
    assert all(str(path) in problem and "(en)" in problem for problem in problems)


def test_every_word_is_tried(write):
    """A word that is wrong in one of two templates is found though few cases are drawn."""
    path = write(
        ('cat = ["cat", "a cat"]', 'cat = ["cat", "a feline"]'),
        ('answer = ["{p}", "{p.a}"]', 'answer = "{p}"'),
    )
    assert any("'cat' does not occur" in problem for problem in lint(read_checklist(path), count=1))
