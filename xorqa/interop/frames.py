"""PyTerrier's frames: what a stage makes of them, and rows for transformers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import DataError
from ..core.named import require
from ..core.types import Candidate, Hit, Query, Question, best_first
from .bridge import ONE_CALL, Foreign, passage_of, query_of, search

EXTRA = "pyterrier"
HIT = ["docno", "score", "rank", "text", "title", "lang"]
ANSWER = ["qanswer", "docno", "score"]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Frames:
    """A stage as functions from frame to frame, one per role."""

    stage: Any
    k: int
    lang: str | None
    to: str

    def translator(self, frame: Any) -> Any:
        """Queries in the language `to`; the texts before move to `query_0`, `query_1`, ..."""
        asked = _query_frame(frame)
        given = [Question(q.question.qid, q.text, q.lang) for q in self._queries(asked)]
        with ONE_CALL:
            translated = self.stage.translate(given, to=self.to)
        pushed = _pyterrier().model.push_queries(asked)
        rows = [
            {"qlang_0": query.question.lang, **row, "query": query.text, "qlang": query.lang}
            for row, query in zip(pushed.to_dict("records"), translated, strict=True)
        ]
        return _frame(rows, [*pushed.columns, "query", "qlang", "qlang_0"])

    def retriever(self, frame: Any) -> Any:
        """The `k` best documents of each query."""
        asked = _query_frame(frame)
        return _ranked(asked, search(self.stage, self._queries(asked), self.k))

    def ranker(self, frame: Any) -> Any:
        """The documents of each query, scored again."""
        asked = _query_frame(frame)
        with ONE_CALL:
            return _ranked(asked, self.stage.rank(self._queries(asked), _hits(asked, frame)))

    def reader(self, frame: Any) -> Any:
        """The best candidate of each query."""
        asked = _query_frame(frame)
        with ONE_CALL:
            read = self.stage.read(self._queries(asked), _hits(asked, frame))
        best = [candidates[0] if candidates else None for candidates in read]
        return _answered(asked, [(one.text if one else "", one) for one in best])

    def pipeline(self, frame: Any) -> Any:
        """The answer to each question."""
        asked = _query_frame(frame)
        with ONE_CALL:
            traces = self.stage.answer([query.question for query in self._queries(asked)])
        return _answered(asked, [(trace.answer.text, trace.answer.source) for trace in traces])

    def _queries(self, asked: Any) -> list[Query]:
        return [
            query_of(
                row["query"],
                row.get("qlang") or self.lang,
                qid=str(row["qid"]),
                question=_first_text(row),
                question_lang=row.get("qlang_0"),
            )
            for row in asked.to_dict("records")
        ]


def hit_row(hit: Hit, rank: int) -> dict[str, Any]:
    """The columns of a document."""
    passage = hit.passage
    fields = passage.docid, hit.score, rank, passage.text, passage.title, passage.lang
    return dict(zip(HIT, fields, strict=True))


def query_rows(queries: Sequence[Query]) -> list[dict[str, Any]]:
    """A row per query; qids that are not unique become positions."""
    qids = [query.question.qid for query in queries]
    if len({*qids}) < len(qids):
        qids = [str(position) for position in range(len(queries))]
    rows = []
    for qid, query in zip(qids, queries, strict=True):
        row = {"qid": qid, "query": query.text, "qlang": query.lang}
        if query.text != query.question.text:
            row |= {"query_0": query.question.text, "qlang_0": query.question.lang}
        rows.append(row)
    return rows


def scores_by_query(
    foreign: Foreign, rows: Iterable[Row], queries: Iterable[Row]
) -> list[list[tuple[str, Any]]]:
    """The (docno, score) pairs that a transformer returns for each query.

    Raises:
        DataError: for a row without docno or score, or of another qid.
    """
    scores: dict[str, list[tuple[str, Any]]] = {query["qid"]: [] for query in queries}
    given = list(rows)
    with ONE_CALL:
        returned = list(foreign.instance.transform_iter(given)) if given else []
    for row in returned:
        if not ({"docno", "score"} <= row.keys() and row.get("qid") in scores):
            raise DataError(
                f"the transformer {foreign.name} must return docno and score for the given qids; "
                f"it returned {dict(row)!r:.200}"
            )
        scores[row["qid"]].append((row["docno"], row["score"]))
    return list(scores.values())


def _query_frame(frame: Any) -> Any:
    """A row per query, with its columns only."""
    about_queries = {*_pyterrier().model.query_columns(frame)}
    columns = [name for name in frame.columns if name in about_queries]
    return frame[columns].drop_duplicates("qid")


def _first_text(row: Row) -> str | None:
    """The text of a query before it was rewritten or translated, None if it was not."""
    former = [name for name in row if name.startswith("query_") and name[6:].isdigit()]
    return row[max(former, key=lambda name: int(name[6:]))] if former else None


def _hits(asked: Any, frame: Any) -> list[list[Hit]]:
    by_qid: dict[str, list[Hit]] = {qid: [] for qid in asked["qid"]}
    for row in frame.to_dict("records"):
        passage = passage_of(row["docno"], row["text"], row.get("title"), row.get("lang"))
        by_qid[row["qid"]].append(Hit(passage, float(row["score"])))
    return [best_first(hits) for hits in by_qid.values()]


def _ranked(asked: Any, hits: Sequence[Sequence[Hit]]) -> Any:
    rows = [
        {**row, **hit_row(hit, rank)}
        for row, ranking in zip(asked.to_dict("records"), hits, strict=True)
        for rank, hit in enumerate(ranking)
    ]
    return _frame(rows, [*asked.columns, *HIT])


def _answered(asked: Any, answers: Sequence[tuple[str, Candidate | None]]) -> Any:
    rows = []
    for row, (text, source) in zip(asked.to_dict("records"), answers, strict=True):
        found = (source.docid, source.score) if source else ("", float("-inf"))
        rows.append({**row, **dict(zip(ANSWER, (text, *found), strict=True))})
    return _frame(rows, [*asked.columns, *ANSWER])


def _frame(rows: Sequence[Row], columns: Sequence[str]) -> Any:
    pandas = require("pandas", extra=EXTRA)
    return pandas.DataFrame(rows, columns=list(dict.fromkeys(columns)))


def _pyterrier() -> Any:
    return require("pyterrier", extra=EXTRA)
