import inspect
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from xorqa.answering.choosing.learned import LearnedChooser
from xorqa.answering.localising.localisers import CldrLocaliser
from xorqa.core.errors import ConfigError, DataError, InputError, Notice
from xorqa.core.stages import BaseRetriever, BaseTranslator
from xorqa.core.types import (
    Candidate,
    CandidateScores,
    Hit,
    Passage,
    Query,
    Question,
    Span,
    TranslationFailure,
)
from xorqa.datasets.corpus import Corpus
from xorqa.experiments.pipeline import Pipeline, Stop
from xorqa.experiments.settings import (
    EXAMPLES,
    PipelineSettings,
    Route,
    load_settings,
    only_routes,
    over_pool,
)
from xorqa.io.cache import Cache
from xorqa.lab.ledger.reduced import reader_over, with_span_reader, without_ranker
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.dense import Dense
from xorqa.retrieval.hybrid import Hybrid
from xorqa.translation.bundled import BundledTranslator
from xorqa.translation.checks import OnFailure

ENGLISH = Corpus(
    "w.en",
    [
        Passage("en-1", "The Nile is a river in Africa.", "Nile"),
        Passage("en-2", "The Rhine is a river in Europe.", "Rhine"),
        Passage("en-3", "Inari is a lake in Finland.", "Inari"),
    ],
)
FINNISH = Corpus(
    "w.fi",
    [
        Passage("fi-1", "Inari on järvi Suomessa.", "Inari", "fi"),
        Passage("fi-2", "Niili on joki Afrikassa.", "Niili", "fi"),
    ],
)
CORPORA = {"en": ENGLISH, "fi": FINNISH}
QUESTIONS = [
    Question("q1", "Missä Inari on?", "fi"),
    Question("q2", "రైన్ ఎక్కడ ఉంది?", "te"),
    Question("q3", "Where is the Nile?", "en"),
]
TRANSLATIONS = {"q1": "Where is lake Inari?", "q2": "Where is the Rhine?"}


class LastWord:
    """A reader without weights: the last word of every passage. It counts what it reads."""

    version = 1
    reads: ClassVar[list[str]] = []

    def __init__(self, *, first: int = 5) -> None:
        self.first = first

    def fingerprint(self) -> str:
        return str(self.first)

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        self.reads.extend(query.text for query in queries)
        return [[self._read(hit, at) for at, hit in enumerate(some[: self.first])] for some in hits]

    def _read(self, hit: Hit, rank: int) -> Candidate:
        text = hit.passage.text
        span = Span(text.rindex(" ") + 1, len(text) - 1)
        margin = 1.0 if rank else None
        return Candidate(hit, rank, span, CandidateScores(-0.5 - rank, -hit.score / 100, margin))


class FirstFew(LastWord):
    """The same, with the budget that a route may change."""

    def __init__(self, *, passages: int = 5) -> None:
        super().__init__(first=passages)


class CountingRetriever(BaseRetriever):
    """Finds everything, in the corpus's order, and counts the queries."""

    version = 1
    asked: ClassVar[list[str]] = []

    def __init__(self, corpus: Corpus, *, start: float = 9.0) -> None:
        self.corpus, self.start = corpus, start

    def fingerprint(self) -> str:
        return f"{self.corpus.sha} {self.start}"

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        self.asked.extend(query.text for query in queries)
        hits = [Hit(passage, self.start - at) for at, passage in enumerate(self.corpus)][:k]
        return [hits for _ in queries]


class Watched(Bm25):
    """BM25 that notes through which functions of the package a question came to it."""

    calls: ClassVar[list[list[str]]] = []

    def _search(self, lang: str, query: Query, k: int) -> list[Hit]:
        stack = [frame for frame in inspect.stack()[1:] if "/xorqa/" in frame.filename]
        names = [frame.function for frame in stack if frame.function not in ("<listcomp>",)]
        self.calls.append(names[: names.index("ask") + 1])
        return super()._search(lang, query, k)


class Dead(BaseTranslator):
    """A translator that never answers."""

    version = 1

    def __init__(self, *, failed: OnFailure) -> None:
        self.failed = failed

    def fingerprint(self) -> str:
        return ""

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        for question in questions:
            self.failed(TranslationFailure(question, "no answer"))
        return [Query(question, question.text, question.lang) for question in questions]


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    LastWord.reads.clear()
    CountingRetriever.asked.clear()


ENG = Route("eng", {"use": "bm25"}, {"use": "human"})
OWN = Route("target", {"use": "bm25"}, corpus="target")
BOTH = PipelineSettings((ENG, OWN), reader={"use": f"{__name__}:LastWord"})
COUNTED = replace(
    BOTH,
    routes=tuple(
        replace(route, retriever={"use": f"{__name__}:CountingRetriever"}) for route in (ENG, OWN)
    ),
)


def pipeline(settings: PipelineSettings = BOTH, **options: Any) -> Pipeline:
    given = {"translations": TRANSLATIONS, "indexes": Path("unused"), **options}
    return Pipeline.from_config(settings, given.pop("corpora", CORPORA), **given)


def test_candidates_of_two_routes_are_merged(tmp_path: Path) -> None:
    best = replace(BOTH, chooser={"use": "rule"})
    traces = pipeline(best, indexes=tmp_path).answer(QUESTIONS)
    assert [trace.question for trace in traces] == QUESTIONS
    first, second, third = traces
    assert list(first.by_route) == ["eng", "target"]
    assert first.by_route["eng"].query.text == "Where is lake Inari?"
    assert first.by_route["target"].query.text == "Missä Inari on?"
    assert first.by_route["eng"].hits[0].passage.docid == "en-3"
    assert first.by_route["target"].hits[0].passage.docid == "fi-1"
    assert {c.route for c in first.candidates} == {"eng", "target"}
    assert {c.lang for c in first.candidates if c.route == "target"} == {"fi"}
    for trace in (second, third):  # no corpus in Telugu; English has no route of its own
        assert list(trace.by_route) == ["eng"]
    assert second.by_route["eng"].hits[0].passage.docid == "en-2"
    for trace in traces:
        assert trace.answer is not None
        assert trace.answer.source in trace.candidates
        assert trace.answer.score == max(c.score for c in trace.candidates)
    assert third.answer is not None and (third.answer.text, third.answer.lang) == ("Africa", "en")


def test_the_default_answer_is_the_most_probable(tmp_path: Path) -> None:
    traces = pipeline(indexes=tmp_path).answer(QUESTIONS)
    chooser = LearnedChooser()
    for trace in traces:
        answers = CldrLocaliser().localise([trace.question], [trace.candidates])
        assert [trace.answer] == chooser.choose([trace.question], answers)


def test_indexes_are_in_folders_by_corpus_and_retriever(tmp_path: Path) -> None:
    pipeline(indexes=tmp_path).answer(QUESTIONS)
    folders = sorted(str(p.parent.relative_to(tmp_path)) for p in tmp_path.rglob("manifest.json"))
    assert [folder.partition("-")[0] for folder in folders] == ["w.en", "w.fi"]
    assert {Path(folder).name for folder in folders} == {"bm25"}


def test_a_pipeline_that_stops_early(tmp_path: Path) -> None:
    made = pipeline(indexes=tmp_path)
    for trace in made.answer(QUESTIONS, until=Stop.RETRIEVE):
        assert list(trace.by_route) == (
            ["eng", "target"] if trace.question.lang == "fi" else ["eng"]
        )
        assert trace.by_route["eng"].hits
        assert (trace.candidates, trace.answer) == ((), None)
    assert LastWord.reads == []
    for trace in made.answer(QUESTIONS, until=Stop.READ):
        assert list(trace.by_route) == ["eng"]
        assert trace.candidates and trace.answer is None


def test_reading_alone_is_of_english() -> None:
    made = pipeline(replace(COUNTED, routes=COUNTED.routes[1:]))
    with pytest.raises(ConfigError, match="needs a route over 'en', and the config has none"):
        made.answer(QUESTIONS, until=Stop.READ)


def test_timings_name_every_step() -> None:
    [trace] = pipeline(COUNTED).answer(QUESTIONS[:1])
    steps = {
        f"{route}.{step}"
        for route in ("eng", "target")
        for step in ("translate", "index", "retrieve", "read")
    }
    assert set(trace.timings) == {*steps, "answer"}
    assert all(seconds >= 0 for seconds in trace.timings.values())


def test_hits_and_candidates_are_computed_once(tmp_path: Path) -> None:
    path = tmp_path / "stages.sqlite"
    first = pipeline(COUNTED, cache=Cache(path)).answer(QUESTIONS)
    asked, read = list(CountingRetriever.asked), list(LastWord.reads)
    assert sorted(asked) == sorted(read)
    assert len(asked) == 4
    again = pipeline(COUNTED, cache=Cache(path)).answer(QUESTIONS)
    assert (CountingRetriever.asked, LastWord.reads) == (asked, read)
    assert [replace(t, timings={}) for t in again] == [replace(t, timings={}) for t in first]

    other_reader = replace(COUNTED, reader={"use": f"{__name__}:LastWord", "first": 1})
    pipeline(other_reader, cache=Cache(path)).answer(QUESTIONS)
    assert CountingRetriever.asked == asked
    assert len(LastWord.reads) == 8

    pipeline(replace(COUNTED, k=1), cache=Cache(path)).answer(QUESTIONS)
    assert len(CountingRetriever.asked) == 8


class Shortest:
    """A ranker: the shortest passages first. It counts its queries."""

    version = 1
    ranked: ClassVar[list[str]] = []

    def __init__(self, *, keep: int = 9) -> None:
        self.keep = keep

    def fingerprint(self) -> str:
        return str(self.keep)

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        self.ranked.extend(query.text for query in queries)
        shortest = [sorted(row, key=lambda hit: len(hit.passage.text)) for row in hits]
        return [
            [Hit(hit.passage, -float(len(hit.passage.text))) for hit in row[: self.keep]]
            for row in shortest
        ]


SHORTEST = {"use": f"{__name__}:Shortest"}


def test_the_reader_gets_ranked_hits(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "stages.sqlite")
    plain = pipeline(COUNTED, cache=cache).answer(QUESTIONS)
    assert all(trace.retrieved == {} for trace in plain)
    Shortest.ranked.clear()
    ranked = replace(COUNTED, ranker={**SHORTEST, "keep": 2})
    for _ in range(2):
        traces = pipeline(ranked, cache=cache).answer(QUESTIONS)
    assert sorted(Shortest.ranked) == sorted(LastWord.reads[4:]) and len(Shortest.ranked) == 4
    assert len(CountingRetriever.asked) == 4  # retrieval is reused
    for before, after in zip(plain, traces, strict=True):
        assert "eng.rank" in after.timings and "eng.rank" not in before.timings
        for route, result in after.by_route.items():
            assert after.retrieved[route] == before.by_route[route].hits
            hits = result.hits
            assert result.query == before.by_route[route].query
            lengths = [len(hit.passage.text) for hit in hits]
            assert lengths == sorted(lengths) and len(hits) == 2
            read = [c for c in after.candidates if c.route == route]
            assert [c.hit for c in read] == hits and [c.rank for c in read] == [0, 1]


def test_a_ranker_is_a_setting_of_a_route_or_of_all() -> None:
    first, second = COUNTED.routes
    one = replace(COUNTED, routes=(replace(first, ranker=SHORTEST), second))
    assert [one.is_ranked(route) for route in one.routes] == [True, False]
    other = replace(COUNTED, ranker=SHORTEST, routes=(replace(first, ranker="none"), second))
    assert [other.is_ranked(route) for route in other.routes] == [False, True]
    [trace] = pipeline(one).answer(QUESTIONS[:1], until=Stop.RETRIEVE)
    assert set(trace.retrieved) == {"eng"}
    assert trace.by_route["eng"].hits != trace.retrieved["eng"]
    pool = over_pool(one, {"en"})
    assert pool.is_ranked(pool.routes[0])
    unranked = without_ranker(other)
    assert not any(map(unranked.is_ranked, unranked.routes))


def test_settings_without_a_ranker_are_written_as_before() -> None:
    table = replace(BOTH, routes=(replace(ENG, ranker=SHORTEST), OWN)).to_json()
    assert [route.get("ranker") for route in table["routes"]] == [SHORTEST, None]
    assert "ranker" not in table and "ranker" not in table["routes"][1]
    assert replace(BOTH, ranker=SHORTEST).to_json()["ranker"] == SHORTEST
    ranker = {"use": "cross-encoder", "depth": 20, "retrieval": 120}
    assert load_settings("dense-ranked").ranker == ranker
    assert load_settings("dense-ranked").reader == {"use": "span", "ranking": 1}
    with pytest.raises(ConfigError, match="'reader' has no setting 'deep'"):
        pipeline(replace(BOTH, ranker={"use": "reader", "deep": 3}))


def test_without_a_cache_everything_is_computed_again() -> None:
    made = pipeline(COUNTED)
    assert made.answer(QUESTIONS)[0].candidates == made.answer(QUESTIONS)[0].candidates
    assert len(CountingRetriever.asked) == 8


def test_k_and_progress(tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    made = pipeline(
        replace(COUNTED, k=2),
        cache=Cache(tmp_path / "c"),
        progress=lambda *call: calls.append(call),
    )
    traces = made.answer(QUESTIONS)
    assert {len(r.hits) for trace in traces for r in trace.by_route.values()} == {2}
    assert ("eng: retrieve", 3, 3) in calls and ("target: read", 1, 1) in calls


def test_one_question_in_a_language_that_is_detected() -> None:
    made = pipeline(replace(COUNTED, routes=COUNTED.routes[1:]))
    trace = made.ask("Missä järvi nimeltä Inari oikein sijaitsee?")
    assert trace.question.lang == "fi"
    assert trace.answer is not None and trace.answer.lang == "fi"
    assert made.ask("Missä?", lang="fi").question == Question("asked", "Missä?", "fi")
    with pytest.raises(ConfigError, match="no language is called 'xx'"):
        made.ask("Missä?", lang="xx")


def test_failures_are_those_of_the_last_answers() -> None:
    dead = replace(COUNTED.routes[0], translator={"use": f"{__name__}:Dead"})
    asked = pipeline(replace(COUNTED, routes=(dead,)))
    for question in QUESTIONS[:2]:
        asked.answer([question])
        assert asked.failures == {"eng": [TranslationFailure(question, "no answer")]}


def test_no_candidate_is_an_empty_answer() -> None:
    own = replace(COUNTED, routes=COUNTED.routes[1:])
    [trace] = pipeline(own).answer(QUESTIONS[1:2])
    assert (dict(trace.by_route), trace.candidates) == ({}, ())
    assert trace.answer is not None and (trace.answer.text, trace.answer.source) == ("", None)
    assert pipeline(own).answer([]) == []


@pytest.mark.parametrize("text", ["", " \n", "\u3000"])
def test_an_empty_question_is_refused_before_any_work(text: str) -> None:
    with pytest.raises(InputError, match="question q9 is empty; type one"):
        pipeline(COUNTED).answer([QUESTIONS[0], Question("q9", text, "fi")])
    assert CountingRetriever.asked == []


def test_a_lone_surrogate_is_rejected() -> None:
    with pytest.raises(InputError, match="question q9 is not Unicode text: surrogates"):
        pipeline(COUNTED).answer([Question("q9", "Niili \ud83d", "fi")])


def test_a_question_without_its_translation_is_named() -> None:
    with pytest.raises(DataError, match="question q2 has no human translation"):
        pipeline(COUNTED, translations={"q1": "Where?"}).answer(QUESTIONS)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"routes": (replace(ENG, corpus="sv"),)},
            "route 'eng' has no corpus 'sv'; valid: en, fi, pool, target",
        ),
        (
            {"routes": (replace(ENG, translator={"use": "babel"}),)},
            r"no translator is called 'babel'; valid: bundled, ctrans",
        ),
        ({"reader": {"use": "spam"}}, r"no reader is called 'spam'; valid: generate, span"),
        ({"reader": {"use": "span", "top": 3}}, r"\[reader\] 'span' has no setting 'top'; valid"),
        ({"localiser": {}}, r"\[localiser\] needs use = one of: chain, cldr, none"),
        ({"chooser": {"use": "rule", "prefer": "best"}}, "prefer cannot be 'best'"),
        (
            {"routes": (ENG, OWN, replace(OWN, name="eng"))},
            "routes need different names, not eng, target, eng",
        ),
    ],
)
def test_unknown_names_are_rejected_at_once(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        pipeline(replace(BOTH, **changes))
    assert "\n" not in str(caught.value)


def test_a_retriever_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    bad = replace(BOTH, routes=(replace(ENG, retriever={"use": "bm26"}),))
    with pytest.raises(ConfigError, match="no retriever is called 'bm26'; valid: bm25"):
        pipeline(bad, indexes=tmp_path)
    bad = replace(BOTH, routes=(replace(ENG, retriever={"use": "bm25", "k2": 1}),))
    with pytest.raises(
        ConfigError, match="'bm25' has no setting 'k2'; valid: b, every_language, folding"
    ):
        pipeline(bad, indexes=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_over_a_pool_there_is_one_untranslated_route() -> None:
    pool = Corpus("pool", [*ENGLISH, *FINNISH])
    made = pipeline(over_pool(COUNTED, pool.languages), corpora={"pool": pool}, translations={})
    [trace, *_] = made.answer(QUESTIONS)
    assert trace.by_route["pool"].query.text == QUESTIONS[0].text
    assert {c.lang for c in trace.candidates} == {"en", "fi"}


def test_a_pool_is_searched_like_the_passages_of_its_languages() -> None:
    settings = load_settings("dense")
    english, target = (route.retriever for route in settings.routes)
    assert english["adapter"] == "encoder-questions" and "adapter" not in target
    for langs, expected in (({"en"}, english), ({"en", "fi"}, target), ({"fi"}, target)):
        assert over_pool(settings, langs).routes[0].retriever == expected
    [first] = over_pool(replace(settings, routes=settings.routes[:1]), {"fi"}).routes
    assert first.retriever == english


def test_each_route_has_its_budget() -> None:
    eng, own = COUNTED.routes
    routes = (replace(eng, k=2, passages=1), replace(own, passages=2))
    reader = {"use": f"{__name__}:FirstFew", "passages": 9}
    [trace] = pipeline(replace(COUNTED, routes=routes, reader=reader)).answer(QUESTIONS[:1])
    assert {name: len(result.hits) for name, result in trace.by_route.items()} == {
        "eng": 2,
        "target": 2,
    }
    assert [c.route for c in trace.candidates] == ["eng", "target", "target"]


def test_routes_may_have_readers_and_translators_of_their_own(tmp_path: Path) -> None:
    eng, target = COUNTED.routes
    few = {"use": f"{__name__}:FirstFew"}
    routes = (replace(eng, reader=LastWord(first=1)), replace(target, reader=few, passages=2))
    settings = replace(COUNTED, routes=routes)
    made = pipeline(settings, cache=Cache(tmp_path / "stages"))
    [trace] = made.answer(QUESTIONS[:1])
    assert [c.route for c in trace.candidates] == ["eng", "target", "target"]
    assert LastWord.reads == [TRANSLATIONS["q1"], QUESTIONS[0].text]
    changed = replace(settings, routes=(routes[0], replace(routes[1], passages=1)))
    [other] = pipeline(changed, cache=Cache(tmp_path / "stages")).answer(QUESTIONS[:1])
    assert [c.route for c in other.candidates] == ["eng", "target"]
    assert len(LastWord.reads) == 3  # what the other route read came from the cache
    assert "LastWord" in repr(made).splitlines()[1]
    assert "FirstFew(passages=2)" in repr(made).splitlines()[2]


def test_a_routes_reader_is_written_and_counts_as_a_stage() -> None:
    one, two = (
        replace(BOTH, routes=(replace(ENG, reader=LastWord(first=first)), OWN)) for first in (1, 2)
    )
    assert one.live_fingerprints() != two.live_fingerprints()
    written = one.to_json()["routes"]
    assert written[0]["reader"] == {"use": f"{__name__}:LastWord"}
    assert "reader" not in written[1]
    generated = replace(BOTH, reader="span", routes=(replace(ENG, reader="generate"), OWN))
    assert generated.generates and not with_span_reader(generated).generates
    assert reader_over(generated, "en") == {"use": "generate"}
    assert reader_over(generated, "target") == {"use": "span"}
    [pool] = over_pool(generated, {"en"}).routes
    assert pool.reader == {"use": "generate"}


def test_a_config_names_the_reader_of_a_route(tmp_path: Path) -> None:
    config = tmp_path / "my.toml"
    config.write_text("""
[[routes]]
name = "eng"
retriever = { use = "bm25" }
translator = { use = "bundled" }
reader = { use = "span", adapter = "reader-multi" }

[[routes]]
name = "target"
corpus = "target"
retriever = { use = "bm25" }

[reader]
passages = 3
""")
    settings = load_settings(config, changes=["routes.eng.reader.passages=7"])
    english, target = map(settings.reader_of, settings.routes)
    assert english == {"use": "span", "adapter": "reader-multi", "passages": 7}
    assert target == {"use": "span", "passages": 3}
    with pytest.raises(ConfigError, match="'span' has no setting 'pages'"):
        Pipeline.from_config(config, CORPORA, changes=["routes.eng.reader.pages=7"])


def test_a_budget_that_the_reader_does_not_know_is_refused() -> None:
    routes = (replace(ENG, passages=1),)
    with pytest.raises(ConfigError, match="LastWord' has no setting 'passages'; valid: first"):
        pipeline(replace(BOTH, routes=routes))


def test_a_pool_contains_all_corpora(tmp_path: Path) -> None:
    routes = (replace(COUNTED.routes[0], name="all", corpus="pool"), COUNTED.routes[1])
    made = pipeline(replace(COUNTED, routes=routes), indexes=tmp_path)
    first, second, _ = made.answer(QUESTIONS)
    assert {hit.passage.docid for hit in first.by_route["all"].hits} == {
        "en-1",
        "en-2",
        "en-3",
        "fi-1",
        "fi-2",
    }
    assert {hit.passage.docid for hit in first.by_route["target"].hits} == {"fi-1", "fi-2"}
    assert list(second.by_route) == ["all"]
    double = {"en": ENGLISH, "sv": Corpus("w.sv", list(ENGLISH))}
    with pytest.raises(DataError, match="docid 'en-1' occurs twice"):
        pipeline(replace(COUNTED, routes=routes), corpora=double)


def test_selected_routes_of_an_experiment() -> None:
    assert only_routes(COUNTED, ["target"]) == replace(
        COUNTED, routes=COUNTED.routes[1:], name="experiment-target"
    )
    assert only_routes(COUNTED, ["target", "eng"]).routes == COUNTED.routes
    with pytest.raises(ConfigError, match="experiment has no route 'w_i'; valid: eng, target"):
        only_routes(COUNTED, ["w_i"])


@pytest.mark.parametrize("path", EXAMPLES.values(), ids=lambda path: path.stem)
def test_examples_load_by_name_and_by_path(path: Path) -> None:
    by_name = load_settings(path.stem)
    assert by_name == load_settings(path)
    assert by_name.name == path.stem
    assert by_name.routes


def test_configs_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no example config is called 'bm26'; valid: bm25, "):
        load_settings("bm26")
    for text, message in {
        "routes = 3": "routes must be list",
        "": "needs a setting 'routes'",
        "[[routes]]\nname = 'a'": "needs a setting 'retriever'",
        "kk = 1\n[[routes]]": "has no setting 'kk'; valid: chooser, k, localiser, name",
        "[[routes]": "is not valid TOML",
    }.items():
        (tmp_path / "mine.toml").write_text(text)
        with pytest.raises(ConfigError, match=message) as caught:
            load_settings(tmp_path / "mine.toml")
        assert "\n" not in str(caught.value)
        assert "mine.toml" in str(caught.value)


def test_a_language_that_the_localiser_cannot_serve_is_refused_before_searching() -> None:
    def pipeline(*corpora: str) -> Pipeline:
        retriever = {"use": f"{__name__}:CountingRetriever"}
        routes = [Route(corpus, retriever, corpus=corpus) for corpus in corpora]
        localiser = {"use": "chain", "translator": {"use": "bundled"}}
        reader = {"use": f"{__name__}:LastWord"}
        return Pipeline(routes, CORPORA, localiser=localiser, reader=reader, chooser="rule")

    for corpora in (("en",), ("target", "en"), ("pool",)):
        message = "'chain' cannot write answers in 'fi': .* cannot translate into 'fi'; valid: en"
        with pytest.raises(ConfigError, match=message):
            pipeline(*corpora).answer(QUESTIONS[:1])
        assert CountingRetriever.asked == [] == LastWord.reads
    [trace] = pipeline("target").answer(QUESTIONS[:1])
    assert trace.answer is not None and trace.answer.method == "span"
    assert len(pipeline("en").answer(QUESTIONS[:1], until=Stop.READ)[0].candidates) == 3


def test_a_typed_question_needs_no_human_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    def louder(self: object, questions: Sequence[Question], *, to: str) -> list[Query]:
        return [Query(question, question.text.upper(), to) for question in questions]

    monkeypatch.setattr(BundledTranslator, "translate", louder)
    retriever = {"use": f"{__name__}:CountingRetriever"}
    routes = [
        Route("eng", retriever, translator="human"),
        Route("finnish", retriever, translator="human", corpus="fi"),
    ]
    pipeline = Pipeline(routes, CORPORA, reader=LastWord(), chooser="rule")
    with pytest.warns(Notice, match="no human translation") as notices:
        trace = pipeline.ask("Wo ist Inari?", lang="de")
    said = [str(notice.message) for notice in notices]
    assert [text.partition(";")[2] for text in said] == [
        " searched with the bundled translator",
        " searched with the original question",
    ]
    queries = {route: result.query for route, result in trace.by_route.items()}
    assert (queries["eng"].text, queries["eng"].lang) == ("WO IST INARI?", "en")
    assert (queries["finnish"].text, queries["finnish"].lang) == ("Wo ist Inari?", "de")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        english = Pipeline(routes[:1], CORPORA, reader=LastWord(), chooser="rule")
        assert english.ask("Where is it?", lang="en").by_route["eng"].query.text == "WHERE IS IT?"


@pytest.mark.parametrize("name", ["two words", "", "tab\t", "a/b", "..", "new\nline", "\ud800"])
def test_a_route_has_a_plain_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a route's name must be a plain name without white"):
        Pipeline([Route(name, "bm25")], CORPORA)
    path = tmp_path / "mine.toml"
    path.write_text('[[routes]]\nname = "x"\nretriever = "bm25"\n')
    if name.isprintable():
        with pytest.raises(ConfigError, match="routes name must be a plain name without white"):
            load_settings(path, changes=[f"routes.0.name='{name}'"])


@pytest.mark.parametrize("name", ["../../x", "/tmp/x", "a\\\\b", "..", ""])
def test_a_config_has_a_plain_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "{name}"\n[[routes]]\nname = "x"\nretriever = "bm25"\n')
    with pytest.raises(ConfigError, match=r"mine\.toml name must be a plain name without slashes"):
        load_settings(path)
    assert load_settings(path, changes=["name='my own'"]).name == "my own"


def test_a_pipeline_draws_its_routes() -> None:
    retriever = Hybrid([Bm25(k1=1.2), Dense("e5-small-q4")])
    routes = [
        Route("eng", retriever, "human", k=20, ranker="cross-encoder"),
        Route("target", "bm25", corpus="target", passages=3),
    ]
    drawn = repr(Pipeline(routes, CORPORA, name="rivers", reader="span", indexes=Path("unused")))
    assert drawn.splitlines() == [
        "Pipeline rivers",
        "  eng:    human ─▶ hybrid(bm25(k1=1.2), dense) over en, k=20 ─▶ cross-encoder ─▶ span ─┐",
        "  target: bm25 over target, k=100 ─▶ span(passages=3) ─────────────────────────────────┴"
        "▶ chain ─▶ learned",
    ]


def test_a_single_route_of_live_objects_is_drawn() -> None:
    made = Pipeline([Route("eng", CountingRetriever(ENGLISH))], CORPORA, reader=LastWord())
    assert repr(made).splitlines()[1:] == [
        "  eng: CountingRetriever over en, k=100 ─▶ LastWord ──▶ chain ─▶ learned"
    ]


def test_a_pipeline_caches_only_with_a_cache(tmp_path: Path) -> None:
    cached, uncached = pipeline(COUNTED, cache=Cache(tmp_path / "stages")), pipeline(COUNTED)
    for made, counted in ((uncached, 2), (cached, 1)):
        CountingRetriever.asked.clear()
        LastWord.reads.clear()
        first, again = made.answer(QUESTIONS[1:2]), made.answer(QUESTIONS[1:2])
        assert [trace.answer for trace in first] == [trace.answer for trace in again]
        assert len(CountingRetriever.asked) == len(LastWord.reads) == counted


def test_options_of_a_pipeline_can_be_changed(tmp_path: Path) -> None:
    made = pipeline()
    assert made.with_options() is made
    cache = Cache(tmp_path / "stages")
    other = made.with_options(cache=cache)
    assert (other.cache, other.translations) == (cache, made.translations)
    assert (other.settings, other.indexes) == (made.settings, made.indexes)


def test_few_calls_lie_between_a_question_and_its_search(tmp_path: Path) -> None:
    Watched.calls.clear()
    route = Route("eng", {"use": f"{__name__}:Watched"})
    Pipeline([route], CORPORA, reader=LastWord(), indexes=tmp_path).ask("Nile?", lang="en")
    [calls] = Watched.calls
    assert len(calls) + 1 <= 8, calls  # with the search itself
