"""The committed lessons: script and notebook agree, and each is built like the others."""

import ast
import builtins
import importlib
import re
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
SCRIPTS = sorted(FOLDER.glob("[0-9A][0-9]*_*.py"))
LARGEST = 600_000  # bytes of a notebook, so that clones stay small


@pytest.fixture(params=SCRIPTS, ids=lambda path: path.stem)
def script(request):
    return request.param


@pytest.fixture
def book(script):
    return nbformat.read(script.with_suffix(".ipynb"), as_version=4)


def tagged(book, tag):
    return [cell for cell in book.cells if tag in cell.metadata.get("tags", ())]


def test_these_are_the_lessons():
    numbers = " ".join(path.stem.partition("_")[0] for path in SCRIPTS)
    assert numbers == "01 02a 02b 03a 03b 04 05 06a 06b 07a 07b 08 09 10 11 12 13 14 15 A1"


def test_script_and_notebook_agree(script, book, tool):
    assert tool.agree(tool.read(script), book)


def test_all_output_is_there_and_none_is_an_error(script, book):
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    numbers = [cell.execution_count for cell in code]
    assert numbers == list(range(1, len(code) + 1))
    assert not [out for cell in code for out in cell.outputs if out.output_type == "error"]
    assert script.with_suffix(".ipynb").stat().st_size < LARGEST


def test_it_opens_with_a_question_and_closes_with_its_answer_and_exercises(book):
    first, text = book.cells[0].source, "\n".join(cell.source for cell in book.cells)
    assert "**The question of this lesson:**" in first and "?" in first
    assert text.index("## The answer\n\n**") < text.index("## Exercises")


def test_checked_cells_print_and_solutions_are_folded(book):
    assert len(tagged(book, "check")) >= 3
    assert all(out for cell in tagged(book, "check") for out in [cell.outputs])
    assert len(tagged(book, "solution")) >= 2
    assert all(cell.metadata.jupyter.source_hidden for cell in tagged(book, "solution"))


def test_every_lesson_states_what_its_text_relies_on(book):
    assert len(tagged(book, "claim")) >= 4
    for cell in tagged(book, "claim"):
        assert re.search(r"^ *claim\(", cell.source, re.MULTILINE), cell.source
        assert cell.metadata.jupyter.source_hidden
        assert not cell.outputs, cell.source  # a claim that holds is silent
        assert not re.search(r"^#", cell.source, re.MULTILINE), cell.source  # prose is Markdown


def test_it_links_the_papers_it_teaches(book):
    text = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    assert re.search(r"\[[^]]+\]\(https://(aclanthology|arxiv)\.org/[^)]+\)", text)


def test_it_says_for_whom_it_is_and_how_long_it_takes(book, minutes):
    first = book.cells[0].source
    for line in ("Level", "You need", "You will be able to"):
        assert f"- **{line}:** " in first
    stated, measured = minutes.TIME.search(first), minutes.measured(book)
    near = abs(int(stated[2]) - minutes.rounded(measured)) <= 5
    assert near and int(stated[2]) <= 55, "write it with: python notebooks/minutes.py"


def test_it_says_how_long_its_exercises_take(book, script):
    minutes = re.search(
        r"minutes of reading, (\d+) of exercises$", book.cells[0].source, re.MULTILINE
    )
    assert minutes and 3 <= int(minutes[1]) / len(tagged(book, "exercise")) <= 12


def test_it_asks_for_predictions(book):
    text = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    assert len(re.findall(r"^\*\*Predict first\.\*\* .*?\?", text, re.MULTILINE | re.DOTALL)) >= 2


def test_it_has_four_graded_exercises(book, script, versions):
    kinds = [sorted(set(cell.metadata.get("tags", ())) & KINDS) for cell in book.cells]
    exercises = [at for at, kind in enumerate(kinds) if kind == ["exercise"]]
    assert len(exercises) >= 4
    for number, at in enumerate(exercises, start=1):
        assert [kinds[at + 1], kinds[at + 2]] == [["solution"], ["grade"]]
        assert f"### Exercise {number}" in book.cells[at - 1].source
        assert "..." in book.cells[at].source
        assert book.cells[at + 2].source.startswith(f"lesson.check_{number}(")
    notes = versions.read(script, "instructor").cells
    assert sum("instructor" in versions.tags(cell) for cell in notes) >= 2


KINDS = {"exercise", "solution", "grade"}


def test_it_imports_at_most_eight_names(book):
    code = "\n".join(
        cell.source
        for cell in book.cells
        if cell.cell_type == "code" and "claim" not in cell.metadata.get("tags", ())
    )
    imports = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Import | ast.ImportFrom)]
    names = {alias.asname or alias.name for statement in imports for alias in statement.names}
    assert len(names) <= 8, sorted(names)


def test_the_student_version_needs_no_name_of_a_solution_or_claim(script, versions):
    known = set(dir(builtins))
    for cell in versions.read(script, "student").cells:
        if cell.cell_type == "code":
            bound, used = names(ast.parse(cell.source))
            known |= bound
            assert used <= known, f"{sorted(used - known)} in: {cell.source[:60]}"


def names(tree):
    """The names that code binds, at any depth, and those that it uses."""
    bound, used = set(), set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case (
                ast.Name(id=name)
                | ast.arg(arg=name)
                | ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.ExceptHandler(name=str(name))
            ):
                bound.add(name)
            case ast.alias(name=name, asname=short):
                bound.add((short or name).partition(".")[0])
    return bound, used


def test_its_pictures_are_described(book):
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    for output in outputs:
        if "image/png" in output.get("data", {}):
            assert len(output.metadata["image/png"]["alt"].split()) >= 5
    text = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    assert all(len(alt.split()) >= 5 for alt in re.findall(r"!\[([^]]*)\]", text))


def test_every_check_of_its_module_is_an_exercise_and_refuses_nonsense(book, script):
    module = importlib.import_module(f"lessons.{script.stem.split('_', 1)[1]}")
    checks = [name for name in dir(module) if re.fullmatch(r"check_\d+", name)]
    exercises = [cell for cell in book.cells if "exercise" in cell.metadata.get("tags", ())]
    assert len(checks) == len(exercises)
    for name in checks:
        for nonsense in (..., None, "nonsense", -1, {}, lambda *_, **__: ...):
            assert getattr(module, name)(nonsense).right is False, (name, nonsense)


def test_lesson_5_copies_its_published_figures_from_the_results():
    lesson = (FOLDER / "05_language_bias.py").read_text(encoding="utf-8")
    figures = r'^    \(".+?", "([\d.]+)", "([\d.]+)", "([\d.]+)", "([\d.]+)"\),$'
    copied = re.findall(figures, lesson, re.MULTILINE)
    assert len(copied) == 3
    results = (FOLDER.parent / "docs" / "results.md").read_text(encoding="utf-8")
    for overall, twenty, difference, own in copied:
        row = rf"\| {overall} \| {twenty} \| {difference} \| .+ \| {own} \|$"
        assert re.search(row, results, re.MULTILINE), row


def test_no_path_of_a_machine_is_in_it(book):
    for cell in book.cells:
        outputs = cell.get("outputs", ())
        data = [out.get("data", {}) for out in outputs]
        texts = [cell.source, *(out.get("text", "") for out in outputs)]
        texts += [one[kind] for one in data for kind in one if kind.startswith("text/")]
        for text in texts:
            assert "site-packages" not in text
            assert not re.search(r"(?<![\w.:/<~])/[A-Za-z]\w*/\w", text), text


WITHDRAWN = [  # sentences that the figures beside them did not carry, by lesson
    ("01", "about two fifths of the right spans"),
    ("01", "more right answers than Finnish, which writes"),
    ("02a", "analyzer with rules for each of these languages"),
    ("02a", "with rules for all but Korean"),
    ("02a", "trigrams help at least as much"),
    ("02b", "the plane that shows most of their variance"),
    ("02b", "most questions as asked lie further away"),
    ("02b", "nearly all questions: True"),
    ("02b", "topic are near as well"),
    ("02b", "less often than BM25 does with"),
    ("02b", "What both systems rank comes before what only one ranks"),
    ("03a", "A lone `▁` comes from the space"),
    ("03a", "what they never cost English ones"),
    ("03b", "three times as much"),
    ("03b", "not much better than a coin"),
    ("03b", "a passage with one obvious span wins over"),
    ("04", "less than half of that BLEU"),
    ("04", "the order by chrF is that of the first ten"),
    ("05", "less than half as much"),
    ("05", "Most of it is a constant shift per language"),
    ("06a", "So it does understand simple negation"),
    ("06b", "one of five or never"),
    ("06b", "what was learned is to compare"),
    ("06b", "Which two of the six tests are hardest"),
    ("06b", "nearly all cases of `comparisons`"),
    ("07b", "about forty questions would have done"),
    ("07b", "one other comparison"),
    ("07b", "eight other tests"),
    ("08", "from the English Wikipedia"),
    ("08", "They are not: `bm25` is 25 points better"),
    ("08", "no rule knows the name of a hospital"),
    ("10", "Where a question is unclear, they err together"),
    ("10", "they err together, and no agreement shows it"),
    ("11", "Try every value in `confidences` as the threshold"),
    ("11", "with five you can only gain here"),
    ("11", "With five you can only gain here"),
    ("12", "late interaction pays"),
    ("13", "are words that training has not shown"),
    ("13", "Hard negatives help only as far as"),
]


@pytest.mark.parametrize(("lesson", "sentence"), WITHDRAWN)
def test_sentences_that_were_withdrawn_do_not_return(lesson, sentence):
    (script,) = FOLDER.glob(f"{lesson}_*.py")
    text = " ".join(re.sub(r"^# ?", "", script.read_text("utf-8"), flags=re.MULTILINE).split())
    assert sentence not in text
