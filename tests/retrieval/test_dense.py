import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import ConfigError, DataError, IndexMismatchError, LockedError, Notice
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.io.locks import lock_path, waiting
from xorqa.lab.common.transforms import fit_transform, save_transform
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings
from xorqa.models.transforms import open_transform
from xorqa.retrieval import manifest
from xorqa.retrieval.dense import Dense
from xorqa.retrieval.dpr import Dpr
from xorqa.retrieval.vectors import shards

pytest.importorskip("faiss")

CORPUS = Corpus(
    "rivers", [Passage(f"p{at:02}", f"River number {at}.", f"R{at}") for at in range(10)]
)


class Hashing:
    """An encoder without weights: a text's vector is made of its hash."""

    def __init__(self, name: str = "one", *, kill_after: int | None = None) -> None:
        self.name = name
        self.kill_after = kill_after
        self.passage_dimensions = 16
        self.encoded: list[str] = []
        self.langs: list[str] = []

    def truncated(self, texts: Sequence[str]) -> int:
        return 0

    @property
    def for_passages(self) -> "Hashing":
        return self

    def fingerprint(self) -> str:
        return self.name

    def queries(self, texts: Sequence[str], langs: Sequence[str]) -> Any:
        self.langs += langs
        return np.stack([self._vector(text) for text in texts])

    def passages(
        self,
        texts: Sequence[str],
        langs: Sequence[str],
        *,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Any:
        if self.kill_after is not None and len(self.encoded) >= self.kill_after:
            raise KeyboardInterrupt
        self.encoded += texts
        progress(len(texts), len(texts))
        return self.queries(texts, langs)

    def _vector(self, text: str) -> Any:
        seed = int.from_bytes(hashlib.sha256(f"{self.name}{text}".encode()).digest()[:8])
        return np.random.default_rng(seed).standard_normal(16).astype(np.float32)


@pytest.fixture(autouse=True)
def _shards_of_four(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SIZE", 4)


TINY: dict[str, Any] = {"pooling": "mean", "dtype": "float32"}


def retriever(
    folder: Path, encoder: Hashing | None = None, *, corpus: Corpus = CORPUS, **settings: Any
) -> Dense:
    made = Dense(corpus=corpus, folder=folder, **settings)
    made.encoder = encoder or Hashing()  # type: ignore[assignment]
    return made


def query(text: str, asked: str | None = None) -> Query:
    return Query(Question("q", asked or text, "fi"), text, "en")


def test_the_search_is_exact(tmp_path: Path) -> None:
    encoder = Hashing()
    found = retriever(tmp_path / "i", encoder)
    texts = ["Niili", "Reini", "東京", "River number 3."]
    vectors = encoder.queries([passage.titled for passage in CORPUS], [])
    scores = encoder.queries(texts, []) @ vectors.T
    for k in (1, 3, 10, 25):
        for hits, row in zip(found.retrieve([query(t) for t in texts], k=k), scores, strict=True):
            best = np.argsort(-row)[:k]
            assert [hit.passage for hit in hits] == [CORPUS.passages[at] for at in best]
            assert [hit.score for hit in hits] == pytest.approx(row[best].tolist(), rel=1e-5)


def test_blank_queries_and_no_k_find_nothing(tmp_path: Path) -> None:
    found = retriever(tmp_path / "i")
    hits = found.retrieve([query(" "), query("Niili"), query("")], k=2)
    assert [len(some) for some in hits] == [0, 2, 0]
    assert hits[1] == found.retrieve([query("Niili")], k=2)[0]
    assert found.retrieve([query("Niili")], k=0) == [[]]
    assert found.retrieve([], k=5) == []


def test_the_question_or_its_translation_is_searched_with(tmp_path: Path) -> None:
    asked = query("Nile", "Niili")
    of_question = retriever(tmp_path / "i")
    of_query = retriever(tmp_path / "i", text="query")
    assert of_question.retrieve([asked], k=3) == of_question.retrieve([query("Niili")], k=3)
    assert of_query.retrieve([asked], k=3) == of_question.retrieve([query("Nile")], k=3)
    assert of_query.fingerprint() != of_question.fingerprint()


def test_the_encoder_hears_of_every_texts_language(tmp_path: Path) -> None:
    corpus = Corpus("two", [Passage("a", "joki", lang="fi"), Passage("b", "river", lang="en")])
    for text, lang in (("question", "fi"), ("query", "en")):
        encoder = Hashing()
        made = retriever(tmp_path / text, encoder, corpus=corpus, text=text)
        made.retrieve([query("Nile", "Niili"), query(" "), query("Rhine", "Rein")], k=1)
        assert encoder.langs == ["fi", "en", lang, lang]


def test_new_settings_leave_the_indexes_of_others_valid(tmp_path: Path) -> None:
    Dense(corpus=CORPUS, folder=tmp_path / "i").build()
    assert json.loads((tmp_path / "i" / "manifest.json").read_text())["settings"] == {
        "passage_tower": None,
        "pooling": "mean",
        "query_prefix": None,
        "passage_prefix": None,
        "normalize": True,
        "max_tokens": 512,
    }


def test_an_index_belongs_to_its_transform(tiny: Path, tmp_path: Path) -> None:
    encoder = Encoder(EncoderSettings(str(tiny), pooling="mean", dtype="float32"))
    texts = [passage.titled for passage in CORPUS]
    vectors = {("en", "passage"): encoder.passages(texts), ("fi", "query"): encoder.queries(texts)}
    path = tmp_path / "a.transform"
    save_transform(path, fit_transform(vectors, "center"), encoder=encoder.fingerprint())
    settings = {"encoder": str(tiny), **TINY}
    made = Dense(corpus=CORPUS, folder=tmp_path / "i", **settings, transform=str(path))
    [hits] = made.retrieve([query("R3", "R4 River")], k=10)
    transform = open_transform(str(path), encoder=encoder.fingerprint())
    asked = transform.apply(encoder.queries(["R4 River"]), ["fi"], side="query")
    searched = transform.apply(vectors["en", "passage"], ["en"] * 10, side="passage")
    wanted = np.sort(searched @ asked[0])[::-1]
    assert [hit.score for hit in hits] == pytest.approx(wanted.tolist(), abs=1e-4)
    with pytest.raises(IndexMismatchError, match="has weights"):
        Dense(corpus=CORPUS, folder=tmp_path / "i", **settings).build()


def test_a_killed_build_goes_on_after_its_last_shard(tmp_path: Path) -> None:
    killed = Hashing(kill_after=4)
    with pytest.raises(KeyboardInterrupt):
        retriever(tmp_path / "i", killed).build()
    before = killed.encoded
    assert 0 < len(before) < 10
    assert not (tmp_path / "i" / "manifest.json").exists()

    second = Hashing()
    calls: list[tuple[int, int]] = []
    resumed = retriever(tmp_path / "i", second)
    resumed.build(progress=lambda *call: calls.append(call))
    assert sorted(before + second.encoded) == sorted(passage.titled for passage in CORPUS)
    assert calls[0] == (len(before), 10) and calls[-1] == (10, 10)
    assert sorted(p.name for p in (tmp_path / "i").iterdir()) == ["index.faiss", "manifest.json"]
    whole = retriever(tmp_path / "whole")
    assert resumed.retrieve([query("Niili")], k=9) == whole.retrieve([query("Niili")], k=9)


class Interrupted(Hashing):
    """An encoder that Ctrl-C reaches after the first batch of its second call."""

    calls = 0

    def passages(self, texts: Sequence[str], langs: Sequence[str], **options: Any) -> Any:
        self.calls += 1
        if self.calls == 2:
            options["progress"](1, len(texts))
            raise KeyboardInterrupt
        return super().passages(texts, langs, **options)


def test_ctrl_c_within_a_shard_loses_that_shard_only(tmp_path: Path) -> None:
    first, second = Interrupted(), Hashing()
    with pytest.raises(KeyboardInterrupt):
        retriever(tmp_path / "i", first).build()
    files = sorted(path.name for path in (tmp_path / "i" / "shards").iterdir())
    assert len(files) == 2 and files[1] == "of.json"
    assert [path.name for path in tmp_path.iterdir()] == ["i"]  # no lock
    retriever(tmp_path / "i", second).build()
    assert sorted(first.encoded + second.encoded) == sorted(one.titled for one in CORPUS)


def test_shards_of_another_size_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(KeyboardInterrupt):
        retriever(tmp_path / "i", Interrupted()).build()
    unfinished = tmp_path / "i" / "shards" / "of.json"
    table = json.loads(unfinished.read_text())
    del table["shard_work"]  # as an earlier version wrote it
    unfinished.write_text(json.dumps(table))
    second = Hashing()
    retriever(tmp_path / "i", second).build()
    assert len(second.encoded) == len(CORPUS)


@pytest.mark.parametrize("kind", ["flat", "sq8", "ivf-sq8"])
def test_progress_only_grows_and_follows_the_texts_lengths(tmp_path: Path, kind: str) -> None:
    texts = ["joki " * (1 + 40 * (at % 7)) for at in range(60)]
    corpus = Corpus("long", [Passage(f"p{at}", text) for at, text in enumerate(texts)])
    calls: list[tuple[int, int]] = []
    encoder = Hashing()
    made = retriever(tmp_path / "i", encoder, corpus=corpus, kind=kind)
    shares: list[tuple[int, int]] = []

    def report(done: int, total: int) -> None:
        calls.append((done, total))
        shares.append((sum(map(len, encoder.encoded)), done))

    made.build(progress=report)
    assert calls == sorted(calls) and calls[0] == (0, 60) and calls[-1] == (60, 60)
    whole = sum(map(len, texts))
    for letters, done in shares:
        assert abs(letters / whole - done / 60) < 0.15


def test_a_killed_rebuild_goes_on_too(tmp_path: Path) -> None:
    retriever(tmp_path / "i", Hashing("old")).build()
    killed, second = Hashing(kill_after=4), Hashing()
    with pytest.raises(KeyboardInterrupt):
        retriever(tmp_path / "i", killed).build(rebuild=True)
    retriever(tmp_path / "i", second).build(rebuild=True)
    assert 0 < len(second.encoded) < 10
    assert sorted(killed.encoded + second.encoded) == sorted(one.titled for one in CORPUS)


def test_shards_of_another_build_are_not_taken(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        retriever(tmp_path / "i", Hashing("one", kill_after=4)).build()
    two = Hashing("two")
    retriever(tmp_path / "i", two).build()
    assert len(two.encoded) == len(CORPUS)


def test_an_index_is_opened_again_without_encoding(tmp_path: Path) -> None:
    first = retriever(tmp_path / "i")
    hits = first.retrieve([query("Niili")], k=4)
    again = Hashing()
    second = retriever(tmp_path / "i", again)
    assert second.retrieve([query("Niili")], k=4) == hits
    assert again.encoded == []
    assert second.fingerprint() == first.fingerprint()
    second.build(rebuild=True)
    assert len(again.encoded) == len(CORPUS)


def renamed(corpus: Corpus, **changes: str) -> Corpus:
    first, *rest = corpus.passages
    return Corpus("rivers", [Passage(first.docid, **{"text": first.text, **changes}), *rest])


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"corpus": renamed(CORPUS, text="A lake.")}, "corpus_sha"),
        ({"corpus": Corpus("rivers", CORPUS.passages[:9])}, "corpus_sha"),
        ({"pooling": "cls"}, "settings"),
    ],
)
def test_an_index_of_something_else_is_refused_by_name(
    tmp_path: Path, other: dict[str, Any], named: str
) -> None:
    retriever(tmp_path / "i").build()
    settings = dict(other)
    made = Dense(corpus=settings.pop("corpus", CORPUS), folder=tmp_path / "i", **settings)
    made.encoder = Hashing()  # type: ignore[assignment]
    with pytest.raises(IndexMismatchError, match=f"i has {named} .*--rebuild") as caught:
        made.retrieve([query("Niili")], k=1)
    assert "\n" not in str(caught.value)
    made.build(rebuild=True)
    assert len(made.retrieve([query("Niili")], k=1)[0]) == 1


def test_an_index_of_other_weights_or_another_count_is_refused_by_name(tmp_path: Path) -> None:
    retriever(tmp_path / "i").build()
    with pytest.raises(IndexMismatchError, match="has weights 'one', not 'two'"):
        retriever(tmp_path / "i", Hashing("two")).build()
    path = tmp_path / "i" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "passages": 11}))
    with pytest.raises(IndexMismatchError, match="has passages 11, not 10"):
        retriever(tmp_path / "i").build()


def test_a_damaged_index_is_one_clear_line(tmp_path: Path) -> None:
    import faiss

    retriever(tmp_path / "i").build()
    path = tmp_path / "i" / "index.faiss"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DataError, match=r"damaged \(index\.faiss .*--rebuild") as caught:
        retriever(tmp_path / "i").retrieve([query("Niili")], k=1)
    assert "\n" not in str(caught.value)
    manifest_path = tmp_path / "i" / "manifest.json"  # from here on of an earlier version
    table = json.loads(manifest_path.read_text())
    manifest_path.write_text(json.dumps({k: table[k] for k in table.keys() - {"files", "sum"}}))
    with pytest.raises(DataError, match=r"index\.faiss is damaged; .*--rebuild"):
        retriever(tmp_path / "i").retrieve([query("Niili")], k=1)
    few = faiss.IndexFlatIP(16)
    few.add(np.ones((3, 16), np.float32))
    faiss.write_index(few, str(path))
    with pytest.raises(DataError, match=r"has 3 vectors for 10 passages; .*--rebuild"):
        retriever(tmp_path / "i").retrieve([query("Niili")], k=1)
    path.unlink()
    with pytest.raises(DataError, match="--rebuild"):
        retriever(tmp_path / "i").retrieve([query("Niili")], k=1)


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_folder_with_other_things_is_left_alone(tmp_path: Path, rebuild: bool) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(DataError, match="not an index"):
        retriever(tmp_path).build(rebuild=rebuild)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_rebuilt_index_is_what_is_searched(tmp_path: Path) -> None:
    made = retriever(tmp_path / "i", Hashing("one"))
    made.retrieve([query("Niili")], k=1)
    other = retriever(tmp_path / "i", Hashing("two"))
    other.build(rebuild=True)
    assert other.retrieve([query("Niili")], k=3) == retriever(
        tmp_path / "j", Hashing("two")
    ).retrieve([query("Niili")], k=3)


def test_encoders_are_shared_by_settings(tmp_path: Path) -> None:
    one, two = (Dense(corpus=CORPUS, folder=tmp_path / name) for name in "ab")
    assert one.encoder is two.encoder
    assert Dense(corpus=CORPUS, folder=tmp_path, pooling="cls").encoder is not one.encoder


@pytest.mark.parametrize("kind", ["sq8", "ivf-sq8", "hnsw-sq8"])
def test_a_compressed_index_finds_almost_the_same(tmp_path: Path, kind: str) -> None:
    exact, small = retriever(tmp_path / "i"), retriever(tmp_path / "j", kind=kind)
    asked = [query("Niili"), query(" "), query("River number 3.")]
    for some, others in zip(exact.retrieve(asked, k=25), small.retrieve(asked, k=25), strict=True):
        assert {hit.passage.docid for hit in some} == {hit.passage.docid for hit in others}
        scores = {hit.passage.docid: hit.score for hit in some}
        for hit in others:
            assert hit.score == pytest.approx(scores[hit.passage.docid], abs=0.2)
    written = json.loads((tmp_path / "j" / "manifest.json").read_text())
    assert (written["kind"], written["index"]) == ("dense", kind)
    assert written["recall@100"] > 0.98 and written["measured_with"] == len(CORPUS)
    assert exact.fingerprint() != small.fingerprint()


def test_an_index_of_another_kind_is_refused_by_name(tmp_path: Path) -> None:
    retriever(tmp_path / "i").build()
    with pytest.raises(IndexMismatchError, match="has index 'flat', not 'sq8'"):
        retriever(tmp_path / "i", kind="sq8").build()
    retriever(tmp_path / "i", kind="sq8").build(rebuild=True)
    with pytest.raises(IndexMismatchError, match="has index 'sq8', not 'flat'"):
        retriever(tmp_path / "i").retrieve([query("Niili")], k=1)
    with pytest.raises(ConfigError, match="called 'sq4'; valid: flat, "):
        retriever(tmp_path / "i", kind="sq4")


def test_an_index_from_before_there_were_kinds_is_opened(tmp_path: Path) -> None:
    import faiss

    encoder = Hashing()
    made = retriever(tmp_path / "i", encoder)
    flat = faiss.IndexFlatIP(16)
    flat.add(encoder.queries([passage.titled for passage in CORPUS], []))
    (tmp_path / "i").mkdir()
    faiss.write_index(flat, str(tmp_path / "i" / "index.faiss"))
    manifest.write(tmp_path / "i", made.index_manifest())
    assert "index" not in made.index_manifest()
    hits = made.retrieve([query("Niili")], k=9)
    assert encoder.encoded == []
    assert hits == retriever(tmp_path / "j").retrieve([query("Niili")], k=9)


@pytest.mark.slow
def test_workers_make_the_same_index(tiny: Path, tmp_path: Path) -> None:
    files = []
    ways: list[dict[str, Any]] = [{}, {"workers": 1}, {"workers": 2}, {"devices": ["cpu", "cpu"]}]
    for number, way in enumerate(ways):
        made = Dense(
            corpus=CORPUS,
            folder=tmp_path / str(number),
            encoder=str(tiny),
            pooling="mean",
            dtype="float32",
        )
        made.build(**way)
        files.append((made.folder / "index.faiss").read_bytes())
    assert files[1] == files[2] == files[3]
    assert len(files[0]) == len(files[1])


def test_real_vectors_of_a_tiny_model(tiny: Path, tmp_path: Path) -> None:
    made = Dense(corpus=CORPUS, folder=tmp_path / "i", encoder=str(tiny), **TINY)
    asked = [query("R3\nRiver number 3.")]
    [hits] = made.retrieve(asked, k=3)
    assert hits[0].passage.docid == "p03"
    assert hits[0].score == pytest.approx(1, abs=1e-4)


class Waiting(Hashing):
    """An encoder that goes on once it may."""

    def __init__(self) -> None:
        super().__init__()
        self.started, self.may_end = threading.Event(), threading.Event()

    def passages(self, texts: Sequence[str], langs: Sequence[str], **options: Any) -> Any:
        self.started.set()
        assert self.may_end.wait(timeout=30)
        return super().passages(texts, langs, **options)


def test_two_builds_of_one_index_do_not_meet(tmp_path: Path) -> None:
    first = Waiting()
    builder = threading.Thread(target=retriever(tmp_path / "i", first).build)
    builder.start()
    assert first.started.wait(timeout=30)
    second = Hashing()
    with pytest.raises(
        LockedError, match=rf"index {tmp_path}/i is being written by process \d+ on"
    ):
        retriever(tmp_path / "i", second).build()
    with waiting(lambda line: first.may_end.set()):
        hits = retriever(tmp_path / "i", second).retrieve([query("Niili")], k=4)
    builder.join()
    assert second.encoded == []
    assert hits == retriever(tmp_path / "alone").retrieve([query("Niili")], k=4)
    assert sorted(p.name for p in (tmp_path / "i").iterdir()) == ["index.faiss", "manifest.json"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["alone", "i"]


def test_a_build_killed_before_its_first_file_goes_on(tmp_path: Path) -> None:
    (tmp_path / "i" / "shards").mkdir(parents=True)
    (tmp_path / "i" / "shards" / ".of.json.a1b2c3d4.tmp").write_text("{")
    retriever(tmp_path / "i").build()
    assert sorted(p.name for p in (tmp_path / "i").iterdir()) == ["index.faiss", "manifest.json"]


def test_shards_of_a_build_killed_at_its_very_end_are_deleted(tmp_path: Path) -> None:
    retriever(tmp_path / "i").build()
    (tmp_path / "i" / "shards").mkdir()
    with lock_path(tmp_path / "i", "index"):  # perhaps it is deleting them now
        retriever(tmp_path / "i").build()
        assert (tmp_path / "i" / "shards").is_dir()
    retriever(tmp_path / "i").build()
    assert sorted(p.name for p in (tmp_path / "i").iterdir()) == ["index.faiss", "manifest.json"]


def test_passages_longer_than_the_encoder_reads_are_counted(tmp_path: Path) -> None:
    passages = [Passage("long", "river " * 600), Passage("short", "A river.")]
    dense = Dense(corpus=Corpus("long", passages), folder=tmp_path / "i")
    with pytest.warns(Notice, match="1 passage of 2 longer than the encoder reads") as issued:
        dense.build()
    [notice] = [each.message for each in issued if isinstance(each.message, Notice)]
    assert (notice.kind, notice.count) == ("passage longer than the encoder reads", 1)


def test_passages_longer_than_a_tower_of_dpr_reads_are_counted(tmp_path: Path) -> None:
    corpus = Corpus("long", [Passage("l", "river " * 300, "River"), Passage("s", "A river.")])
    dpr = Dpr("e5-small-q4", "e5-small-q4", corpus=corpus, folder=tmp_path / "i")
    with pytest.warns(Notice, match="1 passage of 2 longer than the encoder reads"):
        dpr.build()
