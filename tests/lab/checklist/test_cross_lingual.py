from xorqa.lab.checklist.cross_lingual import cross_lingual_cases
from xorqa.lab.checklist.format import read_checklist


def test_the_question_is_of_one_language_and_the_context_of_another(small, write):
    finnish = read_checklist(
        write(
            ('lang = "en"', 'lang = "fi"'),
            ('dog = ["dog", "a dog"]', 'dog = ["koira", "koiran"]'),
            ('cat = ["cat", "a cat"]', 'mouse = ["hiiri", "hiiren"]'),
            ('"Which pet does {a} have?"', '"Mikä lemmikki on {a}?"'),
            name="fi.toml",
        )
    )
    cases = list(cross_lingual_cases(finnish, small, tests=["pets"], count=4))
    assert len(cases) == 4
    for case in cases:
        (example,) = case.examples
        assert (case.lang, case.context_lang) == ("fi", "en")
        assert case.id.startswith("fi-en/pets/")
        assert "has a dog" in example.context
        assert example.question.startswith("Mikä lemmikki")
        assert (example.answers, example.in_context) == (("koira", "koiran"), ("dog", "a dog"))


def test_tests_that_share_no_words_are_left_out(small, write):
    other = read_checklist(
        write(('dog = ["dog"', 'hund = ["dog"'), ('cat = ["cat"', 'katt = ["cat"'))
    )
    assert {case.test for case in cross_lingual_cases(small, other, count=2)} == {"comparisons"}
