import csv
import io
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.errors import ConfigError
from xorqa.metrics.report import Report
from xorqa.metrics.table import FORMATS, WIDEST, Grid, render, score_grid


def report(per_lang, macro, scorer="official", signature=""):
    n = dict.fromkeys(per_lang, 1)
    return Report("xor-full", scorer, per_lang, macro, n, signature)


FULL = report({"ar": {"f1": 12.34, "em": 5}, "fi": {"f1": 67.85, "em": 8}}, {"f1": 40, "em": 6.5})
PART = report(
    {"ar": {"bleu": 33.3}, "te": {"bleu": 99.96}},
    {},
    scorer="strict",
    signature="case:mixed|tok:13a",
)
BOTH = {"dense": FULL, "hybrid": PART}


def parsed(grid):
    return list(csv.reader(io.StringIO(render(grid, "csv"), newline="")))


def table_of(text):
    """A Markdown table's rows as a reader sees them."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [re.findall(r"((?:\\.|[^|\\])*)\|", line[1:]) for line in lines]
    return [[re.sub(r"\\(.)", r"\1", cell.strip()) for cell in row] for row in cells]


def test_a_row_a_system_and_metric_and_a_dash_where_a_report_has_nothing():
    assert score_grid("t", BOTH) == Grid(
        "t",
        ("system", "metric", "ar", "fi", "te", "macro"),
        (
            (
                ("dense", "f1", "12.3", "67.8", "–", "40.0"),
                ("dense", "em", "5.0", "8.0", "–", "6.5"),
            ),
            (("hybrid", "bleu", "33.3", "–", "100.0", "–"),),
        ),
        "Percent. Scorers: dense: xor-full (official); "
        "hybrid: xor-full (strict, case:mixed|tok:13a).",
        labels=2,
    )


def test_counts_stand_in_every_cell_that_has_a_score():
    [[first, *_], [last]] = score_grid("t", BOTH, counts=True).rows
    assert first == ("dense", "f1", "12.3 (1)", "67.8 (1)", "–", "40.0 (2)")
    assert last == ("hybrid", "bleu", "33.3 (1)", "–", "100.0 (1)", "–")


def test_one_scorer_is_named_once():
    grid = score_grid("t", {"a": FULL, "b": FULL}, first="road", digits=2)
    assert grid.caption == "Percent. Scorer: xor-full (official)."
    assert grid.header[0] == "road"
    assert grid.rows[1][0] == ("b", "f1", "12.34", "67.85", "40.00")


@pytest.mark.parametrize("langs", [WIDEST - 1, WIDEST])
def test_many_languages_become_the_rows(langs):
    per_lang = {f"l{at}": {"f1": at, "em": at / 2} for at in range(langs)}
    wide = report(per_lang, {"f1": 4, "em": 2})
    grid = score_grid("t", {"a": wide, "b": wide.without_macro()})
    if langs < WIDEST:
        assert len(grid.header) == WIDEST + 2
        return
    assert grid.header == ("language", "f1\na", "em\na", "f1\nb", "em\nb")
    [rows] = grid.rows
    assert rows[3] == ("l3", "3.0", "1.5", "3.0", "1.5")
    assert rows[langs:] == (("macro", "4.0", "2.0", "–", "–"),)


def test_all_formats_show_the_same_numbers():
    grid = score_grid("t", BOTH)
    expected = [cell for group in grid.rows for row in group for cell in row[2:]]
    assert len(FORMATS) == 4
    for format in FORMATS:
        text = re.sub(r"<[^>]*>|,", " ", render(grid, format))
        assert re.findall(r"(?<= )\d+\.\d|–", text) == expected


def test_a_repeated_system_is_written_once_for_readers_and_always_in_csv():
    grid = score_grid("t", BOTH)
    assert [row[0] for row in table_of(render(grid, "markdown"))[2:]] == ["dense", "", "hybrid"]
    assert "\n & em & 5.0 & " in render(grid, "latex")
    assert [row[0] for row in parsed(grid)[1:]] == ["dense", "dense", "hybrid"]


def test_latex_as_a_paper_takes_it():
    grid = Grid("Who?", ("a", "b\nc"), ((("x", "1"),), (("y", "2"),)), "A note.")
    assert render(grid, "latex") == (
        r"""\begin{table}
\centering
\caption{Who? A note.}
\begin{tabular}{lr}
\toprule
a & \shortstack[r]{b \\ c} \\
\midrule
x & 1 \\
\midrule
y & 2 \\
\bottomrule
\end{tabular}
\end{table}
"""
    )


@pytest.mark.parametrize(
    ("cell", "escaped"),
    [
        ("a&b 5% $3 #1 x_y {z}", r"a\&b 5\% \$3 \#1 x\_y \{z\}"),
        ("~^\\", r"\textasciitilde{}\textasciicircum{}\textbackslash{}"),
        ("p<1|q>2", r"p\textless{}1\textbar{}q\textgreater{}2"),
        ("[eng]*", "{[}eng]{*}"),  # after a line's end these would be its options
    ],
)
def test_latex_escapes(cell, escaped):
    text = render(Grid(cell, (cell, "n"), (((cell, "1"),),), cell), "latex")
    assert f"\n{escaped} & n \\\\\n" in text
    assert f"\n{escaped} & 1 \\\\\n" in text
    assert f"\\caption{{{escaped}. {escaped}}}\n" in text


def test_markdown_as_a_page_takes_it():
    grid = Grid("R@2|5kt", ("a|b", "n"), ((("x\ny", "1"),), (("*z*", "2"),)), "A `note`.")
    assert render(grid, "markdown") == (
        "**R@2\\|5kt**\n\n| a\\|b | n |\n| --- | ---: |\n| x y | 1 |\n| \\*z\\* | 2 |\n"
        "\nA \\`note\\`.\n"
    )


def test_an_unknown_format_is_told_the_others():
    with pytest.raises(ConfigError, match="'pdf'; there are: csv, html, latex, markdown"):
        render(score_grid("t", BOTH), "pdf")


texts = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]))
cells = texts.map(lambda text: " ".join(text.split()))
grids = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Grid,
        title=cells,
        header=st.tuples(*[cells] * width),
        rows=st.lists(st.lists(st.tuples(*[cells] * width), min_size=1).map(tuple)).map(tuple),
        caption=cells,
    )
)


@given(grids)
def test_csv_gives_every_cell_back(grid):
    header, *rows = parsed(grid)
    assert header == [*grid.header, "table", "caption"]
    assert rows == [[*row, grid.title, grid.caption] for group in grid.rows for row in group]


@given(grids)
def test_markdown_gives_every_cell_back(grid):
    header, _, *rows = table_of(render(grid, "markdown"))
    assert header == list(grid.header)
    assert rows == [list(row) for group in grid.readable for row in group]


@given(grids)
def test_latex_has_no_sign_left_that_could_break_a_row(grid):
    text = render(grid, "latex").partition("\\toprule\n")[2].partition("\\bottomrule")[0]
    rows = [line for line in text.splitlines() if line != "\\midrule"]
    for line in rows:
        bare = re.sub(r"\\[&%$#_{}]|\\text[a-z]+\{\}|\{[\[*]\}|\\\\$", "", line)
        assert bare.count("&") == len(grid.header) - 1
        assert not set(bare) & set("\\{}%$#_~^[*")


class Cells(HTMLParser):
    """The rows of an HTML table, and the ends of tags in their order."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.open = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in {"th", "td"}:
            assert ("dir", "auto") in attrs
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in {"th", "td"}:
            self.rows[-1][-1] += data


@given(st.lists(st.text(alphabet='<&">ab م', min_size=1), min_size=2, max_size=2))
def test_html_has_every_cell_as_it_is_each_in_its_own_direction(row):
    grid = Grid("<t>", ("system", "f1"), ((tuple(row),),), "a & b")
    text = render(grid, "html")
    assert Cells(text).rows == [["system", "f1"], row]
    assert "&lt;t&gt;" in text and "a &amp; b" in text
