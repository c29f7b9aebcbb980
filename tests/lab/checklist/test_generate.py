import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.lab.checklist.folder import SHIPPED
from xorqa.lab.checklist.format import read_checklist
from xorqa.lab.checklist.generate import generate

ENGLISH = read_checklist(SHIPPED / "en.toml")


def texts(cases):
    return [[(e.context, e.question, e.answers) for e in case.examples] for case in cases]


def test_each_question_is_paired_with_each_context(small):
    case = next(generate(small, count=1))
    (first, second) = case.examples
    assert first.context == second.context
    a, b = first.context.split(" is ")[0], first.context.split(" than ")[1].rstrip(".")
    assert (first.answers, second.answers) == ((b,), (a,))
    assert (case.id, case.lang, case.test) == ("en/comparisons/000", "en", "comparisons")
    assert case.articles == ("a", "the")


def test_all_cases_are_distinct(small):
    cases = list(generate(small, count=8))
    assert len(cases) == 16
    assert len({str(text) for text in texts(cases)}) == 16
    assert len({case.id for case in cases}) == 16


def test_names_of_a_case_are_two(small):
    for case in generate(small, tests=["comparisons"], count=30):
        assert case.examples[0].answers != case.examples[1].answers


def test_too_few_words_are_an_error(small):
    with pytest.raises(DataError, match=r"en.toml \(en\): test 'pets': its words allow 8 cases"):
        list(generate(small, tests=["pets"], count=9))


def test_same_and_differ_are_satisfied(write):
    path = write(('adj = "adjective" }', 'adj = "adjective" }\nsame = [["a.agr", "b.agr"]]'))
    for case in generate(read_checklist(path), tests=["comparisons"], count=18):
        assert "Omar" not in case.examples[0].context
    differ = write(('adj = "adjective" }', 'adj = "adjective" }\ndiffer = [["a.agr", "b.agr"]]'))
    for case in generate(read_checklist(differ), tests=["comparisons"], count=18):
        assert "Omar" in case.examples[0].context


def test_a_template_accepts_only_its_words(write):
    second = (
        '[[tests.templates]]\nonly = { adj = ["old"] }\n'
        'contexts = ["{b} is not as {adj} as {a}."]\n'
        'questions = [{ ask = "Who is {adj.more}?", answer = "{a}" }]\n\n[[tests]]\nname = "pets"'
    )
    path = write(
        ('contexts = ["{a} is', 'only = { adj = ["tall", "polite"] }\ncontexts = ["{a} is'),
        ('[[tests]]\nname = "pets"', second),
    )
    for case in generate(read_checklist(path), tests=["comparisons"], count=30):
        context = case.examples[0].context
        assert (" old " in context) == ("not as" in context)


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_a_seed_gives_the_same_cases_with_answers_in_the_context(seed):
    cases = list(generate(ENGLISH, count=3, seed=seed))
    assert texts(cases) == texts(generate(ENGLISH, count=3, seed=seed))
    assert all(
        any(answer in example.context for answer in example.answers)
        for case in cases
        for example in case.examples
    )


def test_another_seed_makes_other_cases():
    assert texts(generate(ENGLISH, count=5, seed=1)) != texts(generate(ENGLISH, count=5, seed=2))
