import csv
import io
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError
from xorqa.io.files import unquote_cell
from xorqa.tables.grid import Grid
from xorqa.tables.render import FORMATS, render

GRID = Grid(
    "t",
    ("system", "metric", "ar", "fi", "te", "macro"),
    (
        (
            ("dense", "f1", "12.3", "67.8", "–", "40.0"),
            ("dense", "em", "5.0", "8.0", "–", "6.5"),
        ),
        (("hybrid", "bleu", "33.3", "–", "100.0", "–"),),
    ),
    "Percent. Scorers: dense: xor-full (official); hybrid: xor-full (strict, case:mixed|tok:13a).",
    labels=2,
)


def parsed(grid):
    rows = csv.reader(io.StringIO(render(grid, "csv"), newline=""))
    return [[unquote_cell(cell) for cell in row] for row in rows]


def table_of(text):
    """A Markdown table's rows as a reader sees them."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [re.findall(r"((?:\\.|[^|\\])*)\|", line[1:]) for line in lines]
    return [[re.sub(r"\\(.)", r"\1", cell.strip()) for cell in row] for row in cells]


def test_all_formats_show_the_same_numbers():
    expected = [cell for group in GRID.rows for row in group for cell in row[2:]]
    assert len(FORMATS) == 4
    for format in FORMATS:
        text = re.sub(r"<[^>]*>|,", " ", render(GRID, format))
        assert re.findall(r"(?<= )\d+\.\d|–", text) == expected


def test_a_repeated_system_is_written_once_for_readers_and_always_in_csv():
    assert [row[0] for row in table_of(render(GRID, "markdown"))[2:]] == ["dense", "", "hybrid"]
    assert "\n & em & 5.0 & " in render(GRID, "latex")
    assert [row[0] for row in parsed(GRID)[1:]] == ["dense", "dense", "hybrid"]


def test_latex_with_booktabs():
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


def test_markdown_table():
    grid = Grid("R@2|5kt", ("a|b", "n"), ((("x\ny", "1"),), (("*z*", "2"),)), "A `note`.")
    assert render(grid, "markdown") == (
        "**R@2\\|5kt**\n\n| a\\|b | n |\n| --- | ---: |\n| x y | 1 |\n| \\*z\\* | 2 |\n"
        "\nA \\`note\\`.\n"
    )


def test_an_unknown_format_raises_an_error_with_the_valid_ones():
    with pytest.raises(ConfigError, match="'pdf'; valid: csv, html, latex, markdown"):
        render(GRID, "pdf")


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
    cells = [row for group in grid.rows for row in group]
    captions = [grid.caption, *[""] * len(cells)][: len(cells)]
    assert rows == [[*row, grid.title, one] for row, one in zip(cells, captions, strict=True)]


def test_csv_quotes_formulas_and_no_numbers():
    row = ("=HYPERLINK(1)", "-0.5", "@x", "-1.0 (24)", "–")
    lines = render(Grid("+t", ("-a", *"bcde"), ((row,),), "c"), "csv").splitlines()
    assert lines == ["'-a,b,c,d,e,table,caption", "'=HYPERLINK(1),-0.5,'@x,-1.0 (24),–,'+t,c"]


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
