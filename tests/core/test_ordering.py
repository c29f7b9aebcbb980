import ast
from pathlib import Path

from xorqa.core import types
from xorqa.core.types import Hit, Passage, best_first, rank_key

PACKAGE = Path(types.__file__).parents[1]


def test_equal_scores_are_ordered_by_docid():
    hits = [Hit(Passage(docid, ""), score) for docid, score in [("b", 1.0), ("c", 2.0), ("a", 1.0)]]
    assert [hit.passage.docid for hit in best_first(iter(hits))] == ["c", "a", "b"]
    assert rank_key(2.0, "c") < rank_key(1.0, "a") < rank_key(1.0, "b")


def test_no_other_module_orders_by_score_and_docid():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Tuple) and path.name != "types.py":
                parts = [ast.unparse(part) for part in node.elts]
                pair = len(parts) == 2 and parts[0].startswith("-") and "docid" in parts[1]
                assert not pair, f"{path}, line {node.lineno}: use core.types.rank_key"
