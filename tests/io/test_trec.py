import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import read_trec_qrels, read_trec_run

from xorqa.core.errors import DataError
from xorqa.io.trec import ranked, read_qrels, read_run, write_qrels, write_run, write_runs

BLANKS = " \t\n\r\f\v"
MARK = "\ufeff"  # at the beginning of a file it belongs to the encoding
ids = st.text(min_size=1, max_size=5).filter(lambda text: not set(text) & {*BLANKS, MARK})
scores = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [0.0, 0.1, 0.1 + 1e-16, 1 / 3]
)
runs = st.dictionaries(ids, st.dictionaries(ids, scores, min_size=1), max_size=4)
qrels = st.dictionaries(ids, st.dictionaries(ids, st.integers(-2, 9), min_size=1), max_size=4)


def order(run):
    """Dictionaries compare equal in any order; lists do not."""
    return [(qid, list(docs.items())) for qid, docs in run.items()]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("trec") / "file"


@given(runs)
def test_a_run_comes_back_digit_for_digit_and_ranked(path, run):
    write_run(path, run)
    back = read_run(path)
    assert back == run
    assert order(back) == order({qid: ranked(docs) for qid, docs in run.items()})


@given(runs, st.randoms())
def test_the_order_of_docids_and_lines_does_not_matter(path, run, rng):
    write_run(path, run)
    lines = path.read_bytes().splitlines(keepends=True)
    shuffled = {qid: dict(rng.sample(sorted(d.items()), len(d))) for qid, d in run.items()}
    write_run(path, shuffled)
    assert path.read_bytes().splitlines(keepends=True) == lines
    rng.shuffle(lines)
    path.write_bytes(b"".join(lines))
    back = read_run(path)
    assert order({qid: back[qid] for qid in run}) == order(
        {qid: ranked(docs) for qid, docs in run.items()}
    )


@given(qrels)
def test_qrels_come_back(path, judged):
    write_qrels(path, judged)
    assert order(read_qrels(path)) == order(judged)


def test_the_lines_of_a_run(path):
    write_run(path, {"q2": {"b": 1, "a": 1.0, "c": 2.5}, "q1": {}}, tag="bm25")
    assert path.read_text().splitlines() == [
        "q2 Q0 c 1 2.5 bm25",
        "q2 Q0 a 2 1.0 bm25",
        "q2 Q0 b 3 1.0 bm25",
    ]


def test_other_readers_read_the_same(path):
    write_run(path, {"q": {"a": 0.1, "b": 1e-300}})
    assert [tuple(row) for row in read_trec_run(str(path))] == [("q", "a", 0.1), ("q", "b", 1e-300)]
    write_qrels(path, {"q": {"a": 2}})
    assert [tuple(row)[:3] for row in read_trec_qrels(str(path))] == [("q", "a", 2)]


def test_ranks_and_blank_lines_are_ignored(path):
    path.write_text("q Q0 a 1 1e-1 t\r\n\n  q\tQ0  b 2 .5 t")
    assert order(read_run(path)) == [("q", [("b", 0.5), ("a", 0.1)])]


def test_several_runs_in_one_file(path):
    first, second = {"q": {"a": 1.0}}, {"q": {"a": 7.0, "b": 8.0}}
    write_runs(path, {"eng": first, "target": second})
    assert read_run(path, tag="eng") == first
    assert read_run(path, tag="target") == second
    with pytest.raises(DataError, match=r"several runs; .* \(--tag, .*: eng, target"):
        read_run(path)
    with pytest.raises(DataError, match="no run tagged 'xyz'; valid: eng, target"):
        read_run(path, tag="xyz")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"q Q0 b 2 1.0", r"line 2: 5 columns, not 6 \(qid Q0 docid rank score tag\)"),
        (b"q Q0 b 2 1.0 t t", "line 2: 7 columns, not 6"),
        (b"q Q0 b 2 high t", "line 2: the score 'high' is not a finite number"),
        (b"q Q0 b 2 nan t", "line 2: the score 'nan' is not a finite number"),
        (b"q Q0 b 2 -inf t", "line 2: the score '-inf' is not a finite number"),
        (b"q Q0 b 2 1e999 t", "line 2: the score '1e999' is not a finite number"),
        (b"q Q0 a 2 1.0 t", "line 2: docid 'a' occurs twice for query 'q'"),
        (b"q Q0 \xe4 2 1.0 t", "line 2: not UTF-8 text"),
    ],
)
def test_read_run_names_the_bad_line(path, line, message):
    path.write_bytes(b"q Q0 a 1 2.0 t\n" + line)
    with pytest.raises(DataError, match=message):
        read_run(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q 0 b", r"line 2: 3 columns, not 4 \(qid 0 docid grade\)"),
        ("q 0 b 1.5", "line 2: the grade '1.5' is not an integer"),
        ("q 0 a 0", "line 2: docid 'a' occurs twice for query 'q'"),
    ],
)
def test_read_qrels_names_the_bad_line(path, line, message):
    path.write_text(f"q 0 a 1\n{line}\n")
    with pytest.raises(DataError, match=message):
        read_qrels(path)


def test_missing_and_empty_files(tmp_path):
    for read in (read_run, read_qrels):
        with pytest.raises(DataError, match="gone cannot be read"):
            read(tmp_path / "gone")
        (tmp_path / "empty").write_bytes(b"")
        assert read(tmp_path / "empty") == {}


@pytest.mark.parametrize("bad", ["", "a b", " a", "a\n", "\t"])
def test_invalid_values_are_rejected_and_the_old_file_is_kept(tmp_path, bad):
    path = tmp_path / "file"
    path.write_text("old")
    for write in (
        lambda: write_run(path, {"q": {"a": 1.0, bad: 0.0}}),
        lambda: write_run(path, {bad: {"a": 1.0}}),
        lambda: write_run(path, {"q": {"a": 1.0}}, tag=bad),
        lambda: write_qrels(path, {"q": {bad: 1}}),
    ):
        with pytest.raises(DataError, match="cannot be written to a TREC file"):
            write()
    assert path.read_text() == "old"


def test_a_score_that_is_not_finite_cannot_be_ranked(path):
    docs = {"a": 1.0, "bad": float("nan"), "c": 2.0}
    with pytest.raises(DataError, match="docid 'bad' cannot be ranked: its score is nan"):
        write_run(path, {"q": docs})


def test_a_byte_order_mark_is_not_part_of_the_first_id(path):
    path.write_bytes(b"\xef\xbb\xbfq Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n")
    assert read_run(path) == {"q": {"a": 2.0, "b": 1.0}}
    path.write_bytes(b"\xef\xbb\xbfq 0 a 1\n")
    assert read_qrels(path) == {"q": {"a": 1}}


@pytest.mark.parametrize("grade", ["2147483648", "-99999999999999999999", "9" * 5000])
def test_grades_beyond_32_bits_are_refused(path, grade):
    path.write_text(f"q 0 a 1\nq 0 b {grade}\n")
    with pytest.raises(DataError, match=r"line 2: the grade .* (32 bits|not an integer)") as error:
        read_qrels(path)
    assert len(str(error.value)) < len(str(path)) + 100
