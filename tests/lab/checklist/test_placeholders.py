import pytest

from xorqa.core.errors import DataError
from xorqa.lab.checklist.placeholders import Word, fill, parse


def word(id, **forms):
    return Word(id, forms, next(iter(forms.values())))


WORDS = {
    "a": word("anna", text="Анна", gen="Анны", agr="f"),
    "b": word("omar", text="Омар", gen="Омара", agr="m"),
    "thing": word("box", text="коробка", agr="f"),
    "p": word("red", m="красный", f="красная", acc_f="красную", kind="colour"),
}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{a} и {b.gen}.", "Анна и Омара."),
        ("{p}", "красный"),
        ("{p@thing}", "красная"),
        ("{p.acc@thing}", "красную"),
        ("{a ? m: купил | f: купила}", "купила"),
        ("купил{b ? m: | f: а}", "купил"),
        ("{p.kind ? size: размер | *: цвет}", "цвет"),
        ("{a.id ? anna: да | *: нет}", "да"),
        ("ohne", "ohne"),
    ],
)
def test_a_template_is_filled(template, text):
    assert fill(template, WORDS) == text


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{a.dat}", r"\{a.dat\}.*'anna' has no form 'dat'"),
        ("{p@b} {thing.pl@b}", r"\{thing.pl@b\}.*'box' has no form 'pl_m'"),
        ("{a ? m: er}", r"no text for 'f'"),
        ("{a b}", r"\{a b\}: write"),
        ("{a ? er}", "lacks 'value:'"),
        ("{a", "unbalanced brace"),
    ],
)
def test_a_placeholder_that_cannot_be_filled_is_named(template, message):
    with pytest.raises(DataError, match=message):
        fill(template, WORDS)


def test_a_placeholder_lists_the_columns_of_each_slot():
    used = [
        part.used for part in parse("{a.gen} {p@thing} {b ? m: x}") if not isinstance(part, str)
    ]
    assert used == [[("a", "gen")], [("p", ""), ("thing", "agr")], [("b", "agr")]]
