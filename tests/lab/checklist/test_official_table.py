import pytest

from xorqa.core.errors import DataError
from xorqa.lab.checklist.official_cases import People, generate_official
from xorqa.lab.checklist.official_table import (
    Entry,
    Variant,
    complete_languages,
    fill_in_keys,
    pick_form,
    read_official_table,
)

ROWS = [
    ["Field", "en", "de", "xx", "xx-placeholders", "xx", "xx-placeholders"],
    ["Name", "Pets", "", "", "", "", ""],
    ["Capability", "Taxonomy", "", "", "", "", ""],
    [
        "Context",
        "{first_name} has {animal}.",
        "{first_name} hat {a:animal}.",
        "{first_name} ka {animal}.",
        "",
        "",
        "",
    ],
    ["Question", "What has {first_name}?", "Was hat {first_name}?", "Mi {first_name}?", "", "", ""],
    ["Answer", "{animal}", "{animal}", "{animal}", "", "", ""],
    ["animal", "a dog", "einen Hund", "hun", "{animal}", "huni", "{first_name} has {animal}."],
    ["animal", "a cat", "eine Katze", "kat", "", "", ""],
]


@pytest.fixture
def sheet(tmp_path):
    def written(*rows):
        path = tmp_path / "sheet.tsv"
        path.write_text("\n".join("\t".join(row) for row in rows), encoding="utf-8")
        return path

    return written


def test_a_form_may_depend_on_the_template(sheet):
    blocks = read_official_table(sheet(*ROWS))
    assert complete_languages(blocks) == ["de", "en", "xx"]
    people = dict.fromkeys(["de", "en", "xx"], People(["Anna", "Omar", "Rose", "Adam"], ()))
    cases = list(generate_official(blocks, people, count=3))
    assert [case.lang for case in cases] == ["de"] * 3 + ["en"] * 3 + ["xx"] * 3
    assert {e.answers[0] for case in cases[:3] for e in case.examples} <= {
        "einen Hund",
        "eine Katze",
    }
    for case in cases[6:]:
        (example,) = case.examples
        assert "huni" not in example.answers
        assert ("huni" in example.context) == (example.answers == ("hun",))


def test_a_form_must_name_a_chosen_fill_in_of_every_list_that_it_names():
    entry = Entry(
        "old",
        {
            "xx": (
                Variant("m", "age, a sofa, the sofa"),
                Variant("n", "color"),
                Variant("f", "age, Wall"),
            )
        },
    )
    lists = [frozenset({"age", "color"}), frozenset({"sofa", "wall"})]
    for chosen, wanted in (
        ({"age", "wall"}, "f"),
        ({"age", "sofa"}, "m"),
        ({"color", "wall"}, "n"),
        ({"size", "wall"}, "m"),
    ):
        assert pick_form(entry, "xx", chosen, lists, "") == wanted
    assert pick_form(entry, "yy", set(), lists, "") is None


def test_keys_leave_articles_and_case_out():
    assert fill_in_keys("A wall,the  wall, TV,, an SUV") == {"wall", "tv", "suv"}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["Field", "de"]], "must begin with the columns Field and en"),
        ([*ROWS[:3], ["Context", "x"]], "line 4: 2 columns, not 7"),
        ([ROWS[0], ROWS[3]], "line 2: 'Context' comes before the first Name"),
        (ROWS[:5], "'Pets' lacks a context, a question or an answer"),
    ],
)
def test_format_errors_are_named(sheet, rows, message):
    with pytest.raises(DataError, match=message):
        read_official_table(sheet(*rows))


def test_a_placeholder_without_fill_ins_and_a_language_without_names_are_errors(sheet):
    blocks = read_official_table(sheet(*ROWS[:6]))
    with pytest.raises(
        DataError, match="en, test 'comparisons': the table has no fill-ins 'animal'"
    ):
        list(generate_official(blocks, {"en": People(["A", "B"], ())}, langs=["en"]))
    with pytest.raises(DataError, match="no checklist of 'de' to take names from"):
        list(generate_official(blocks, {}))


def test_cells_that_a_spreadsheet_quoted_are_read_without_the_apostrophe(sheet):
    rows = [[cell.replace("hat", "'hat") for cell in row] for row in ROWS]
    rows[6][1], rows[7][1] = "'-dog", "'s cat"
    (block,) = read_official_table(sheet(*rows))
    assert [entry.english for entry in block.lists["animal"]] == ["-dog", "'s cat"]
