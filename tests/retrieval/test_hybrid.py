from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError
from xorqa.core.stages import BaseRetriever
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.io.files import index_folder
from xorqa.retrieval.hybrid import Hybrid, in_language_order

CORPUS = Corpus("letters", [Passage(docid, docid) for docid in "abcdef"])
QUERY = Query(Question("q", "?", "en"), "?", "en")


class Fixed(BaseRetriever):
    """A retriever that always finds the same; it remembers what it was given."""

    version = 1

    def __init__(self, corpus: Corpus, folder: Path, *, finds: str) -> None:
        self.corpus, self.folder, self.finds = corpus, folder, finds
        self.built: list[bool] = []

    def fingerprint(self) -> str:
        return self.finds

    def build(self, *, rebuild: bool = False, progress: object = None) -> None:
        self.built.append(rebuild)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        hits = [Hit(self.corpus[d], 100.0 - rank) for rank, d in enumerate(self.finds)]
        return [hits[:k] if query.text else [] for query in queries]


def hybrid(*finds: str, folder: Path = Path("unused"), **settings: Any) -> Hybrid:
    parts = [{"use": f"{__name__}:Fixed", "finds": some} for some in finds]
    return Hybrid(corpus=CORPUS, folder=folder, parts=parts, **settings)


def fused(retriever: Hybrid, k: int = 10) -> list[tuple[str, float]]:
    [hits] = retriever.retrieve([QUERY], k=k)
    return [(hit.passage.docid, hit.score) for hit in hits]


def test_reciprocal_ranks_by_hand() -> None:
    found = fused(hybrid("abc", "cd"))
    assert [docid for docid, _ in found] == ["c", "a", "b", "d"]
    wanted = [1 / 63 + 1 / 61, 1 / 61, 1 / 62, 1 / 62]
    assert [score for _, score in found] == pytest.approx(wanted)


class Encoding(Fixed):
    """A retriever that encodes passages, in several processes if asked to."""

    def build(self, *, rebuild: bool = False, progress: object = None, workers: int = 0) -> None:
        self.built.append(bool(workers))


def test_workers_are_for_the_parts_that_encode() -> None:
    names = ("Fixed", "Encoding")
    parts = [{"use": f"{__name__}:{name}", "finds": "a"} for name in names]
    retriever = Hybrid(parts, corpus=CORPUS, folder=Path("unused"))
    retriever.build(workers=2)
    assert [part.built for part in retriever.parts] == [[False], [True]]  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match="--workers: no part of 'hybrid' encodes"):
        hybrid("a", "b").build(workers=2)


def test_weights_and_constant() -> None:
    found = dict(fused(hybrid("ab", "ba", weights=[3, 1], constant=1)))
    assert found == pytest.approx({"a": 3 / 2 + 1 / 3, "b": 3 / 3 + 1 / 2})


def test_equal_scores_stand_by_docid() -> None:
    assert [docid for docid, _ in fused(hybrid("fa", "af"))] == ["a", "f"]
    assert [docid for docid, _ in fused(hybrid("fa", "af"), k=1)] == ["a"]


def test_depth_is_what_each_part_gives_and_k_what_comes_out() -> None:
    assert [docid for docid, _ in fused(hybrid("abc", "def", depth=1), k=1)] == ["a"]
    assert len(fused(hybrid("abc", "def", depth=1), k=2)) == 2
    deep = hybrid("abcdef", "fedcba", depth=6)
    assert len(fused(deep, k=1)) == 1
    assert len(fused(deep, k=6)) == 6


def test_queries_keep_their_order() -> None:
    empty = Query(QUERY.question, "", "en")
    assert [len(hits) for hits in hybrid("ab", "b").retrieve([QUERY, empty, QUERY], k=5)] == [
        2,
        0,
        2,
    ]
    assert hybrid("ab").retrieve([], k=5) == []


def test_parts_have_folders_of_their_own_and_are_built(tmp_path: Path) -> None:
    made = hybrid("ab", "ba", folder=tmp_path / "hybrid")
    folders = [part.folder for part in made.parts]  # type: ignore[attr-defined]
    assert len(set(folders)) == 2
    assert {folder.parent for folder in folders} == {tmp_path}
    assert folders[0] == index_folder(tmp_path, {"use": f"{__name__}:Fixed", "finds": "ab"})
    made.build(rebuild=True)
    assert [part.built for part in made.parts] == [[True], [True]]  # type: ignore[attr-defined]


def test_progress_only_grows_and_is_mostly_the_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(self: Fixed, *, rebuild: bool = False, progress: Any) -> None:
        for done in range(0, 1001, 100):
            progress(done, 1000)

    monkeypatch.setattr(Fixed, "build", build)
    monkeypatch.setattr(Fixed, "ranks_each_language", property(lambda self: self.finds == "ab"))
    calls: list[tuple[int, int]] = []
    hybrid("ab", "ba").build(progress=lambda *call: calls.append(call))
    assert calls == sorted(calls) and calls[0] == (0, 1000) and calls[-1] == (1000, 1000)
    assert calls[10] == (19, 1000)  # the lexical part is built


def test_a_part_need_not_keep_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = hybrid("ab", folder=tmp_path)
    monkeypatch.setattr(Fixed, "build", BaseRetriever.build)
    made.build()
    assert made.retrieve([], k=1) == []


def test_the_fingerprint_knows_the_parts_and_the_fusion() -> None:
    made = [
        hybrid("ab", "ba"),
        hybrid("ab", "bc"),
        hybrid("ab", "ba", weights=[1, 2]),
        hybrid("ab", "ba", constant=1),
        hybrid("ab", "ba", depth=5),
    ]
    assert len({one.fingerprint() for one in made}) == len(made)
    assert hybrid("ab", "ba").fingerprint() == made[0].fingerprint()


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="needs parts = a list of tables"):
        hybrid()
    with pytest.raises(ConfigError, match="has 2 parts but 1 weights"):
        hybrid("ab", "ba", weights=[1])
    with pytest.raises(ConfigError, match="no retriever is called 'bm26'"):
        Hybrid(corpus=CORPUS, folder=Path("unused"), parts=[{"use": "bm26"}])


class Lexical(Fixed):
    """A retriever whose ranks of different languages are not comparable."""

    ranks_each_language = True


def test_a_lexical_part_does_not_decide_between_languages() -> None:
    corpus = Corpus("mixed", [Passage(docid, docid, lang="en") for docid in "abc"])
    finnish = Corpus("mixed", [*corpus, *(Passage(docid, docid, lang="fi") for docid in "xyz")])
    parts = [
        {"use": f"{__name__}:Lexical", "finds": "cba"},
        {"use": f"{__name__}:Fixed", "finds": "xaybzc"},
    ]
    retriever = Hybrid(parts, corpus=finnish, folder=Path("unused"))
    first = [docid for docid, _ in fused(retriever, k=2)]
    assert first == ["x", "y"]  # by reciprocal ranks alone: a, b

    retriever = Hybrid([parts[0], parts[0]], corpus=finnish, folder=Path("unused"))
    assert [docid for docid, _ in fused(retriever, k=2)] == ["c", "b"]


def hits(docids: str) -> list[Hit]:
    """One passage per letter: capitals are English, others Finnish."""
    return [
        Hit(Passage(docid, docid, lang="en" if docid.isupper() else "fi"), 9.0 - rank)
        for rank, docid in enumerate(docids)
    ]


def ordered(ranking: str, guide: str) -> str:
    return "".join(hit.passage.docid for hit in in_language_order(hits(ranking), hits(guide)))


def test_the_guide_decides_the_languages_and_the_ranking_their_passages() -> None:
    assert ordered("abcXYZ", "XaYb") == "XaYbcZ"
    assert ordered("baX", "XaYb") == "Xba"


def test_a_language_without_lexical_hits_keeps_the_order_of_the_guide() -> None:
    assert ordered("cb", "XYaZb") == "XYcZb"
    assert ordered("", "XaY") == "XaY"


def test_without_a_guide_a_ranking_stays() -> None:
    assert ordered("aXb", "") == "aXb"


PASSAGES = st.lists(st.sampled_from("abcdeVWXYZ"), unique=True).map("".join)


@given(PASSAGES, PASSAGES)
def test_every_passage_once_and_each_language_in_its_order(ranking: str, guide: str) -> None:
    found = ordered(ranking, guide)
    assert len(set(found)) == len(found)
    for is_lang in (str.isupper, str.islower):
        own = [one for one in ranking if is_lang(one)]
        assert [one for one in found if is_lang(one)] == (own or [*filter(is_lang, guide)])
