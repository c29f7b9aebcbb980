from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.registry import build, table_of
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.experiments.pipeline import Pipeline, Stop
from xorqa.experiments.settings import Route, load_settings
from xorqa.io.cache import Cache
from xorqa.lab.path.ranker import PathRanker
from xorqa.ranking.by_reader import ReaderRanker
from xorqa.ranking.rerank import ScoringRanker

PASSAGES = [
    Passage("nile-1", "The Nile is a river.", "Nile"),
    Passage("nile-2", "Its source is in Burundi, they say.", "Nile"),
    Passage("nile-fi", "Niili on joki Afrikassa.", "Nile", "fi"),
    Passage("rhine-1", "The Rhine rises in Switzerland.", "Rhine"),
    Passage("rhine-2", "It ends.", "Rhine"),
    Passage("note-1", "A note."),
    Passage("note-2", "Another note."),
]
CORPUS = Corpus("rivers", PASSAGES)
BY_ID = {passage.docid: passage for passage in PASSAGES}
QUERY = Query(Question("q", "Missä Niili on?", "fi"), "Where is the Nile?", "en")


class Longest(ScoringRanker):
    """A scorer: the longer a text, the better. It counts the passages it scores."""

    version = 1

    def __init__(self, *, depth: int = 1, keep: int | None = None, sign: float = 1.0) -> None:
        self.depth, self.keep, self.sign = depth, keep, sign
        self.scored: list[str] = []

    def fingerprint(self) -> str:
        return self._digest(self.sign)

    def scores(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[float]]:
        self.scored += [hit.passage.docid for ranking in hits for hit in ranking]
        return [[self.sign * len(hit.passage.text) for hit in ranking] for ranking in hits]


LONGEST = {"use": f"{__name__}:Longest"}


@pytest.fixture
def links(tmp_path: Path) -> list[str]:
    """Two files of links; in the first, a title has moved."""
    made = {
        "a.redirects.tsv": "title\ttarget\nRhein\tRhine#Source\n",
        "a.links.tsv": "language\ttitle\ttarget\ttext\n"
        "en\tNile\tRhein\tBurundi\nen\tNile\tDanube\triver\nen\tNile\tNile\triver\n",
        "b.links.tsv": "en\tRhine\tNile\tSwitzerland\nfi\tNile\tRhine\tjoki\n",
    }
    for name, text in made.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / f"{name}.links.tsv") for name in "ab"]


def ranked(docids: str, **settings: Any) -> list[str]:
    hits = [Hit(BY_ID[docid], 9.0 - at) for at, docid in enumerate(docids.split())]
    ranker = PathRanker(scorer=LONGEST, corpus=CORPUS, **settings)
    [found] = ranker.rank([QUERY], [hits])
    scores = [(-hit.score, hit.passage.docid) for hit in found]
    assert scores == sorted(scores)
    return [hit.passage.docid for hit in found]


def test_all_paragraphs_of_the_articles_are_ranked() -> None:
    assert ranked("nile-1 rhine-2") == ["nile-2", "rhine-1", "nile-1", "rhine-2"]
    assert ranked("nile-1 rhine-2", keep=1) == ["nile-2"]


def test_the_best_articles_come_first_and_other_hits_follow_in_their_order() -> None:
    hits = "rhine-2 note-1 nile-1 rhine-1 note-2"
    assert ranked(hits, articles=1) == ["rhine-1", "rhine-2", "note-1", "nile-1", "note-2"]
    assert ranked(hits, articles=2) == ["rhine-1", "rhine-2", "note-1", "nile-1", "note-2"]
    three = ["nile-2", "rhine-1", "nile-1", "rhine-2", "note-1", "note-2"]
    assert ranked(hits, articles=3) == three


def test_only_the_first_hits_vote() -> None:
    assert ranked("rhine-2 nile-1", depth=1) == ["rhine-1", "rhine-2", "nile-1"]


def test_passages_without_a_title_and_other_languages_are_articles_of_their_own() -> None:
    assert ranked("note-1") == ["note-1"]
    assert ranked("nile-fi") == ["nile-fi"]


def test_the_scorer_reads_no_other_articles() -> None:
    ranker = PathRanker(scorer=LONGEST, corpus=CORPUS, articles=1)
    ranker.rank([QUERY], [[Hit(BY_ID["nile-1"], 2.0), Hit(BY_ID["rhine-1"], 1.0)]])
    assert isinstance(ranker.scorer, Longest)
    assert ranker.scorer.scored == ["nile-1", "nile-2"]


def test_links_of_the_best_paragraphs_are_followed_once(links: list[str]) -> None:
    nile, both = ["nile-2", "nile-1"], ["nile-2", "rhine-1", "nile-1", "rhine-2"]
    assert ranked("nile-1") == nile
    assert ranked("nile-1", links=links) == both
    assert ranked("nile-1", links=links[1:]) == nile  # another file
    assert ranked("rhine-2", links=links) == both
    assert ranked("nile-fi", links=links) == ["nile-fi"]  # in another language
    assert ranked("nile-1 note-1", links=links) == [*both, "note-1"]


def test_of_paragraphs_beyond_the_beam_they_are_not(links: list[str]) -> None:
    shortest = {**LONGEST, "sign": -1.0}
    for beam, found in ((1, ["nile-1", "nile-2"]), (2, ["rhine-2", "nile-1", "rhine-1", "nile-2"])):
        ranker = PathRanker(scorer=shortest, corpus=CORPUS, links=links, beam=beam)
        [hits] = ranker.rank([QUERY], [[Hit(BY_ID["nile-1"], 1.0)]])
        assert [hit.passage.docid for hit in hits] == found


def test_a_paragraph_is_scored_once(links: list[str]) -> None:
    ranker = PathRanker(scorer=LONGEST, corpus=CORPUS, links=links)
    ranker.rank([QUERY], [[Hit(BY_ID["nile-1"], 2.0), Hit(BY_ID["rhine-1"], 1.0)]])
    assert isinstance(ranker.scorer, Longest)
    assert sorted(ranker.scorer.scored) == ["nile-1", "nile-2", "rhine-1", "rhine-2"]


def test_a_hit_that_the_corpus_lacks_is_kept() -> None:
    hits = [Hit(Passage("replayed", "...", "Danube"), 2.0), Hit(BY_ID["rhine-2"], 1.0)]
    [found] = PathRanker(scorer=LONGEST, corpus=CORPUS).rank([QUERY], [hits])
    assert [hit.passage.docid for hit in found] == ["rhine-1", "rhine-2", "replayed"]


def test_the_reader_scores_the_query_or_the_question(tiny_adapter: Path) -> None:
    hits = [Hit(BY_ID["nile-1"], 1.0)]
    scorer = {"use": "reader", "adapter": str(tiny_adapter)}
    scores = {}
    for text in ("query", "question"):
        ranker = PathRanker(scorer={**scorer, "text": text}, corpus=CORPUS)
        [found] = ranker.rank([QUERY], [hits])
        both = [Hit(BY_ID[docid], 0.0) for docid in ("nile-1", "nile-2")]
        reader = ReaderRanker(adapter=str(tiny_adapter), text=text)  # type: ignore[arg-type]
        assert found == reader.rank([QUERY], [both])[0]
        scores[text] = [hit.score for hit in found]
    assert scores["query"] != scores["question"]


def test_every_setting_changes_the_fingerprint(links: list[str]) -> None:
    other = Corpus("lakes", PASSAGES[:3])
    stages = [
        PathRanker(scorer=LONGEST, corpus=CORPUS),
        PathRanker(scorer=LONGEST, corpus=other),
        PathRanker(scorer={**LONGEST, "sign": -1.0}, corpus=CORPUS),
        PathRanker(scorer="balance", corpus=CORPUS),
        PathRanker(scorer=LONGEST, corpus=CORPUS, articles=3),
        PathRanker(scorer=LONGEST, corpus=CORPUS, depth=3),
        PathRanker(scorer=LONGEST, corpus=CORPUS, keep=3),
        PathRanker(scorer=LONGEST, corpus=CORPUS, links=links),
        PathRanker(scorer=LONGEST, corpus=CORPUS, links=links[:1]),
        PathRanker(scorer=LONGEST, corpus=CORPUS, links=links, beam=3),
    ]
    digests = {stage.fingerprint() for stage in stages}
    Path(links[0]).with_name("a.redirects.tsv").unlink()
    digests.add(stages[-1].fingerprint())
    assert len(digests) == len(stages) + 1


def test_mistakes_in_the_settings() -> None:
    for setting in ("depth", "keep"):
        with pytest.raises(ConfigError, match=f"set '{setting}' beside scorer, not in it"):
            build("ranker", {"use": "path", "scorer": {**LONGEST, setting: 3}})
    for scorer in ("none", "path"):
        with pytest.raises(ConfigError, match=f"cannot use the scorer '{scorer}'; valid: reader"):
            build("ranker", {"use": "path", "scorer": {"use": scorer}})
    with pytest.raises(ConfigError, match="articles must be 1 or more, not 0"):
        build("ranker", {"use": "path", "articles": 0})
    with pytest.raises(ConfigError, match="has no setting 'corpus'"):
        build("ranker", {"use": "path", "corpus": "en"}, corpus=CORPUS)
    with pytest.raises(ConfigError, match=r"has no links wiki\.links\.tsv; `xorqa corpus make`"):
        build("ranker", {"use": "path", "links": ["wiki.links.tsv"]})
    with pytest.raises(ConfigError, match="PathRanker has no corpus yet"):
        PathRanker(scorer=LONGEST).fingerprint()


def test_the_pipeline_passes_the_corpus_and_caches_added_passages(tmp_path: Path) -> None:
    ranker = PathRanker(scorer=Longest(), articles=1)
    assert table_of("ranker", PathRanker(scorer=LONGEST)) == {"use": "path", "scorer": LONGEST}
    routes = [Route("eng", retriever="bm25", translator="human")]
    found = []
    for _ in range(2):
        pipeline = Pipeline(
            routes,
            {"en": Corpus("en", [passage for passage in PASSAGES if passage.lang == "en"])},
            ranker=ranker,
            k=1,
            translations={"q": "Switzerland"},
            indexes=tmp_path,
            cache=Cache(tmp_path / "stages.sqlite"),
        )
        [trace] = pipeline.answer([QUERY.question], until=Stop.RETRIEVE)
        assert [hit.passage.docid for hit in trace.retrieved["eng"]] == ["rhine-1"]
        found.append(trace.by_route["eng"].hits)
    assert [hit.passage for hit in found[0]] == [BY_ID["rhine-1"], BY_ID["rhine-2"]]
    assert found[0] == found[1]


def test_the_example_config() -> None:
    settings = load_settings("path")
    assert settings.ranker == {"use": "path", "articles": 10, "scorer": {"use": "reader"}}
