import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import DamageWarning, DataError
from xorqa.core.stages import BaseRetriever
from xorqa.core.types import Candidate, CandidateScores, Hit, Passage, Query, Question, Span
from xorqa.datasets.corpus import Corpus
from xorqa.io.cache import Cache, NoCache


class Doubler:
    """Doubles numbers, and counts what it was asked."""

    version = 1

    def __init__(self, *, name="a", breaks_at=None):
        self.name = name
        self.breaks_at = breaks_at
        self.asked = []

    def fingerprint(self):
        return self.name

    def double(self, numbers):
        if self.breaks_at in numbers:
            raise KeyError(self.breaks_at)
        self.asked.append(list(numbers))
        return [2 * number for number in numbers]


class Newer(Doubler):
    version = 2


def through(cache, stage, numbers, **options):
    return cache.through(
        stage,
        numbers,
        stage.double,
        key=lambda n: n,
        dump=lambda n: {"is": n},
        load=lambda row, _: row["is"],
        **options,
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "stages.sqlite"


def test_a_second_pass_computes_nothing(path):
    stage = Doubler()
    assert through(Cache(path), stage, [3, 1, 2]) == [6, 2, 4]
    assert stage.asked == [[3, 1, 2]]
    again = Doubler()
    assert through(Cache(path), again, [1, 2, 3]) == [2, 4, 6]
    assert again.asked == []


def test_only_what_is_new_is_computed_and_order_is_kept(path):
    cache, stage = Cache(path), Doubler()
    through(cache, stage, [1, 3])
    assert through(cache, stage, [4, 3, 2, 1]) == [8, 6, 4, 2]
    assert stage.asked == [[1, 3], [4, 2]]


def test_no_input_no_work(path):
    stage = Doubler()
    assert through(Cache(path), stage, []) == []
    assert stage.asked == []


@pytest.mark.parametrize(
    "other",
    [Doubler(name="b"), type("Doubler", (Doubler,), {"version": 2})(), Newer()],
    ids=["fingerprint", "version", "class"],
)
def test_another_stage_computes_again(path, other):
    through(Cache(path), Doubler(), [1, 2])
    assert through(Cache(path), other, [1, 2]) == [2, 4]
    assert other.asked == [[1, 2]]


def test_an_exception_half_way_keeps_the_finished_chunks(path):
    with pytest.raises(KeyError):
        through(Cache(path), Doubler(breaks_at=5), [1, 2, 3, 4, 5, 6], chunk=2)
    stage = Doubler()
    assert through(Cache(path), stage, [1, 2, 3, 4, 5, 6], chunk=2) == [2, 4, 6, 8, 10, 12]
    assert stage.asked == [[5, 6]]


def test_a_result_too_few_is_not_stored(path):
    stage = Doubler()
    with pytest.raises(ValueError, match="shorter"):
        Cache(path).through(
            stage,
            [1, 2],
            lambda some: stage.double(some)[1:],
            key=lambda n: n,
            dump=lambda n: n,
            load=lambda row, _: row,
        )
    assert through(Cache(path), stage, [1, 2]) == [2, 4]


def test_load_gets_the_input_and_progress_is_told(path):
    told = []
    cache = Cache(path)
    through(cache, Doubler(), [1], progress=lambda done, total: told.append((done, total)))
    through(cache, Doubler(), [1, 2, 3], chunk=1, progress=lambda *counts: told.append(counts))
    assert told == [(0, 1), (1, 1), (1, 3), (2, 3), (3, 3)]
    stage = Doubler()
    loaded = cache.through(
        stage,
        [1, 2],
        stage.double,
        key=lambda n: n,
        dump=lambda n: n,
        load=lambda row, given: (given, row["is"]),
    )
    assert loaded == [(1, 2), (2, 4)]


def test_what_is_not_kept_is_computed_again(path):
    stage = Doubler()
    for _ in range(2):
        assert through(Cache(path), stage, [1, 2, 3], keep=lambda n: n != 4) == [2, 4, 6]
    assert stage.asked == [[1, 2, 3], [2]]


def corrupt(path, *, start, stop=None):
    """Overwrite a part of a file."""
    content = bytearray(path.read_bytes())
    stop = len(content) if stop is None else stop
    content[start:stop] = b"\xa5" * (stop - start)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("value", '{"is": 5}'),
        ("value", '{"is": '),
        ("value", "{}"),
        ("value", "7"),
        ("value", None),
        ("value", b"\xff\xfe"),
        ("sum", "0"),
    ],
)
def test_a_damaged_row_counts_as_absent(path, column, value):
    through(Cache(path), Doubler(), [1, 2, 3])
    with sqlite3.connect(path) as db:
        [row] = db.execute("SELECT rowid FROM outputs WHERE value = ?", ('{"is": 4}',))
        db.execute(f"UPDATE outputs SET {column} = ? WHERE rowid = ?", (value, *row))
    db.close()
    for asked in ([[2]], []):
        stage = Doubler()
        assert through(Cache(path), stage, [1, 2, 3]) == [2, 4, 6]
        assert stage.asked == asked


def test_a_flipped_byte_of_a_stored_result_is_not_returned(path):
    through(Cache(path), Doubler(), [1, 2, 3])
    whole = path.read_bytes()
    assert whole.count(b'{"is": 4}') == 1
    path.write_bytes(whole.replace(b'{"is": 4}', b'{"is": 5}'))
    assert through(Cache(path), Doubler(), [1, 2, 3]) == [2, 4, 6]


@pytest.mark.parametrize("start", [0, 100, 4096])
def test_a_damaged_file_is_set_aside_and_work_goes_on(path, start):
    numbers = list(range(400))
    through(Cache(path), Doubler(), numbers)
    corrupt(path, start=start)
    damaged, stage = path.read_bytes(), Doubler()
    with pytest.warns(DamageWarning) as told:
        assert through(Cache(path), stage, numbers) == [2 * number for number in numbers]
    assert [str(one.message) for one in told] == [
        f"{path} is damaged; it was renamed to stages.sqlite.damaged, and its results are "
        "computed again"
    ]
    assert path.with_name("stages.sqlite.damaged").read_bytes() == damaged
    again = Doubler()
    assert through(Cache(path), again, numbers) == [2 * number for number in numbers]
    assert again.asked == []


def test_damage_while_it_is_open_is_survived(path):
    cache, numbers = Cache(path), list(range(400))
    through(cache, Doubler(), numbers)
    other = Cache(path)
    through(other, Doubler(), [1])
    corrupt(path, start=0)
    with pytest.warns(DamageWarning) as told:
        for one in (cache, other, cache):
            assert through(one, Doubler(), numbers) == [2 * number for number in numbers]
    assert len(told) == 1
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "stages.sqlite",
        "stages.sqlite.damaged",
    ]


def test_rows_of_earlier_versions_are_used(path):
    through(Cache(path), Doubler(), [1, 2])
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE old (key TEXT PRIMARY KEY, value TEXT)")
        db.execute("INSERT INTO old SELECT key, value FROM outputs")
        db.execute("DROP TABLE outputs")
        db.execute("ALTER TABLE old RENAME TO outputs")
    db.close()
    stage = Doubler()
    assert through(Cache(path), stage, [1, 2, 3]) == [2, 4, 6]
    assert stage.asked == [[3]]


def test_another_database_is_left_alone(path):
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE outputs (name TEXT)")
        db.execute("INSERT INTO outputs VALUES ('mine')")
    db.close()
    with pytest.raises(DataError, match=r"stages\.sqlite cannot be used as a cache: "):
        through(Cache(path), Doubler(), [1])
    assert [file.name for file in path.parent.iterdir()] == ["stages.sqlite"]


CORPUS = Corpus("rivers", [Passage("a", "Nile 1 km"), Passage("b", "Rhine 2 km")])
QUESTIONS = [Question("1", "Niili?", "fi"), Question("2", "Rein?", "fi")]
QUERIES = [Query(QUESTIONS[0], "Nile", "en"), Query(QUESTIONS[1], "Rhine", "en")]
HITS = [[Hit(CORPUS["a"], 2.0)], [Hit(CORPUS["b"], 1.5), Hit(CORPUS["a"], 0.5)]]


class Stage(BaseRetriever):
    """All of the road in one, which counts what it is asked."""

    version = 1

    def __init__(self, *, english: str = "Nile Rhine") -> None:
        self.english = english.split()
        self.asked: list[str] = []

    def fingerprint(self) -> str:
        return "stage"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        self.asked += [question.text for question in questions]
        said = dict(zip(["Niili?", "Rein?"], self.english, strict=False))
        return [
            Query(q, said[q.text], to) if q.text in said else Query(q, q.text, q.lang)
            for q in questions
        ]

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        self.asked += [query.text for query in queries]
        found = dict(zip(["Nile", "Rhine"], HITS, strict=True))
        return [found[query.text][:k] for query in queries]

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        self.asked += [query.text for query in queries]
        return [[_candidate(hit, rank) for rank, hit in enumerate(ranking)] for ranking in hits]


def _candidate(hit: Hit, rank: int) -> Candidate:
    return Candidate(hit, rank, Span(1, 3), CandidateScores(-1.0, -2.0))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "stages.sqlite")


def test_what_is_kept_is_what_was_computed(cache: Cache) -> None:
    first, again = Stage(), Stage()
    for stage in (first, again):
        assert cache.translate(stage, QUESTIONS, to="en") == QUERIES
        assert cache.retrieve(stage, QUERIES, CORPUS, k=2) == HITS
        computed = stage.read(QUERIES, HITS) if stage is first else None
        found = cache.read(stage, QUERIES, HITS)
        assert computed is None or found == computed
    assert again.asked == []


def test_other_depths_and_other_passages_are_computed(cache: Cache) -> None:
    stage = Stage()
    cache.retrieve(stage, QUERIES, CORPUS, k=2)
    assert cache.retrieve(stage, QUERIES, CORPUS, k=1) == [ranking[:1] for ranking in HITS]
    cache.read(stage, QUERIES, HITS)
    other = [[replace(hit, score=9.0) for hit in ranking] for ranking in HITS]
    [[first], _] = cache.read(stage, QUERIES, other)
    assert first.hit.score == 9.0


@pytest.mark.parametrize("texts", [False, True])
def test_what_was_not_translated_is_tried_again(cache: Cache, texts: bool) -> None:
    def translated(stage: Stage) -> list[tuple[str, str]]:
        twice = [question.text for question in QUESTIONS] * 2
        found = (
            cache.translate_texts(stage, twice, lang="fi", to="en")
            if texts
            else cache.translate(stage, QUESTIONS, to="en")
        )
        return [(query.text, query.lang) for query in found]

    assert translated(Stage(english="Nile")) == [("Nile", "en"), ("Rein?", "fi")]
    better = Stage()
    assert translated(better) == [("Nile", "en"), ("Rhine", "en")]
    assert better.asked == ["Rein?"]


@pytest.mark.parametrize("texts", [False, True])
def test_translations_of_earlier_versions_are_used(cache: Cache, texts: bool) -> None:
    """A translation was a text with its language, that of a text the text alone."""
    cache.through(
        Stage(),
        QUESTIONS,
        lambda questions: Stage().translate(questions, to="en"),
        key=lambda q: ("text" if texts else q.qid, q.text, q.lang, "en"),
        dump=lambda query: query.text if texts else (query.text, query.lang),
        load=lambda row, question: Query(question, row, "en"),
    )
    stage = Stage()
    assert cache.translate(stage, QUESTIONS, to="en", by_qid=not texts) == QUERIES
    assert stage.asked == []


def test_without_a_cache_everything_is_computed() -> None:
    stage = Stage()
    for _ in range(2):
        assert NoCache().translate(stage, QUESTIONS, to="en") == QUERIES
    assert len(stage.asked) == 4


def test_ranked_hits_are_computed_once(cache: Cache) -> None:
    titled = [
        [Hit(replace(hit.passage, title="River"), hit.score) for hit in hits] for hits in HITS
    ]
    for _ in range(2):
        stage = Backwards()
        assert cache.rank(stage, QUERIES, HITS, CORPUS) == stage.rank(QUERIES, HITS)
    assert stage.ranked == 2  # by the line above, not through the cache
    cache.rank(stage, QUERIES, titled, CORPUS)
    assert stage.ranked == 4  # a title may change the order


class Backwards:
    """A ranker that turns lists around."""

    version = 1

    def __init__(self) -> None:
        self.ranked = 0

    def fingerprint(self) -> str:
        return "backwards"

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        self.ranked += len(queries)
        return [
            [Hit(hit.passage, float(at)) for at, hit in enumerate(ranking)][::-1]
            for ranking in hits
        ]
