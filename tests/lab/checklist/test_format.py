import pytest

from xorqa.core.errors import DataError
from xorqa.lab.checklist.format import read_checklist


def test_a_file_is_read(small):
    assert (small.lang, small.script, small.articles) == ("en", "Latn", ("a", "the"))
    assert [test.name for test in small.tests] == ["comparisons", "pets"]
    assert small.words["adjective"]["polite"].form("more") == "more polite"
    assert small.tests[0].templates[0].questions[1].texts == ("Who is {adj.more}?",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('script = "Latn"\n', "", "needs a key 'script'"),
        (
            "unsure = []",
            "unsure = []\nunsere = []",
            "has no key 'unsere'; valid: a",
        ),
        ("asides = [", "asides = [3, ", "asides must be string, not 3"),
        ('["tall", "taller"]', '["tall"]', "words adjective tall has 1 forms, not text, more"),
        ('forms = ["text", "agr"]\n', "", "words name needs the key 'forms'"),
        ('a = "name", b = "name"', 'a = "name", b = "person"', "'b': no word list 'person'"),
        ("{adj.more} than", "{adj.most} than", r"'comparisons': placeholder \{adj.most\}: 'adj'"),
        ("than {b}", "than {c}", r"\{c\}: no slot 'c'; valid: a, adj, b"),
        (
            'type = "MFT"',
            'type = "mft"',
            "'comparisons' type cannot be 'mft'; valid: DIR",
        ),
        ('contexts = ["{a} is', "only = { z = 'x' }\ncontexts = [\"{a} is", "only 'z': no slot"),
        ('adj = "adjective" }', 'adj = "adjective" }\ndiffer = [["a"]]', "differ: write pairs"),
        ('answer = "{b}"', 'answer = "{b"', "unbalanced brace"),
    ],
)
def test_format_errors_are_named_with_file_and_language(write, old, new, message):
    path = write((old, new))
    with pytest.raises(DataError, match=message) as error:
        read_checklist(path)
    assert str(error.value).startswith(f"{path} (en): ")


def test_only_restricts_the_words(write):
    path = write(
        ('contexts = ["{a} is', 'only = { adj = "tall", "a.agr" = ["f"] }\ncontexts = ["{a} is')
    )
    checklist = read_checklist(path)
    template, words = checklist.tests[0].templates[0], checklist.words
    tall, old = (words["adjective"][key] for key in ("tall", "old"))
    anna, omar = (words["name"][key] for key in ("anna", "omar"))
    assert template.accepts({"adj": tall, "a": anna, "b": omar})
    assert not template.accepts({"adj": old, "a": anna, "b": omar})
    assert not template.accepts({"adj": tall, "a": omar, "b": anna})
