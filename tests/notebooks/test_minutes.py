"""The rule of reading minutes, and the rows that follow from it."""

from nbformat import v4


def test_words_code_what_is_shown_and_predictions_count(minutes):
    shown = v4.new_output("display_data", data={"text/html": "<table></table>"})
    cells = [
        v4.new_markdown_cell("# Title\n\n" + "word " * 97 + "\n\n**Predict first.** Why?"),
        v4.new_code_cell("x = 1\n\n" * 20, outputs=[shown]),
    ]
    book = v4.new_notebook(cells=cells)
    assert abs(minutes.measured(book) - (1 + 1 + 2 + 1)) < 0.05
    apart = v4.new_code_cell("claim(1)\n" * 50, metadata={"tags": ["claim"]})
    exercise = v4.new_markdown_cell("### Exercise 1\n\n" + "word " * 200)
    longer = v4.new_notebook(cells=[*cells, apart, exercise])
    assert minutes.measured(longer) == minutes.measured(book)
    after = v4.new_markdown_cell("## The answer\n\n" + "word " * 98)
    with_text = v4.new_notebook(cells=[*longer.cells, after])
    assert minutes.measured(with_text) - minutes.measured(book) == 1


def test_minutes_are_rounded_up_to_five(minutes):
    assert [minutes.rounded(one) for one in (20.0, 20.1, 24.9)] == [20, 25, 25]


def test_lessons_of_the_same_minutes_share_a_row(minutes):
    stated = {"01": (25, 20), "02a": (20, 20), "03a": (25, 20)}
    assert minutes.table(stated) == "| 02a | 20 | 20 |\n| 01, 03a | 25 | 20 |\n"
