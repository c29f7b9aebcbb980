import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import xorqa
from xorqa.core.errors import DataError
from xorqa.io.files import read_json, read_jsonl
from xorqa.io.strict_json import parse_json, parse_json_pairs

UNUSABLE = {
    "[" * 100_000: "nests too deeply",
    '{"a":' * 100_000: "nests too deeply",
    "[" * 101 + "]" * 101: "nests too deeply",
    '[[], "[", {"a": ' * 60 + "1" + "}]" * 60: "nests too deeply",
    '{"text": "a\\ud800"}': "a lone surrogate, '\\ud800'",
    '{"\\udfff": 1}': "a lone surrogate",
    "[1e999]": "1e999 is out of range",
    "[-1E+999]": "out of range",
    "[1" + "0" * 400 + "]": "out of range",
    "[1" + "0" * 5000 + "]": "out of range",
    "[NaN]": "NaN is not a number",
    "[-Infinity]": "not a number",
}


@pytest.mark.parametrize("text", UNUSABLE)
def test_unusable_values_are_a_one_line_error(text, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    for read in (read_json, lambda path: list(read_jsonl(path))):
        with pytest.raises(DataError, match=r"not valid JSON") as refused:
            read(path)
        assert UNUSABLE[text] in str(refused.value) and "\n" not in str(refused.value)
        assert len(str(refused.value)) < 250 + len(str(path))
    with pytest.raises(ValueError):
        parse_json_pairs(text)


def test_pairs_of_surrogates_and_large_numbers_are_read():
    assert parse_json('["\\ud83d\\ude00", 18446744073709551615, 1e300, 0.12345678901234567890123]')
    assert parse_json(b'"\\uD83D\\uDE00"') == "\U0001f600"
    assert parse_json('[[], "[", {"a": 1}, ' * 99 + "1" + "]" * 99)
    assert parse_json_pairs('{"a": 1, "a": 2}') == [("a", 1), ("a", 2)]


@given(
    st.recursive(
        st.text(st.characters(exclude_categories=["Cs"]))
        | st.integers(-(2**63), 2**64 - 1)
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text("ab\U0001f600é"), inner),
        max_leaves=5,
    ),
    st.booleans(),
)
def test_everything_else_is_what_python_reads(value, ascii_only):
    assert parse_json(json.dumps(value, ensure_ascii=ascii_only)) == value


ELSEWHERE = {  # these parse what was written in the same call, or is damaged on purpose
    "lab/bench/fuzz/mutators.py",
    "core/config.py",
    "lab/training/common/finetuning.py",
    "retrieval/lucene.py",
    "lab/training/common/training_folder.py",
}


def test_no_other_module_parses_files_of_json_or_toml():
    package = Path(xorqa.__file__).parent
    parsing = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"\b(json|tomllib)\.loads?\(", path.read_text(encoding="utf-8"))
    }
    assert parsing <= ELSEWHERE
