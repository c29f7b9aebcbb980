import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.lab.common.transforms import fit_transform
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings
from xorqa.models.transforms import open_transform

FINNISH, ENGLISH = ["Niili on joki", "Ivalo on kylä", "joki"], ["a river", "a lake"]


@pytest.fixture
def files(xorqa: object) -> list[Path]:
    """The working folder, with texts in two layouts."""
    paths = [Path("tatoeba.fin-eng.fin"), Path("tatoeba.fin-eng.eng"), Path("train.jsonl")]
    paths[0].write_text("\n".join([*FINNISH, "", FINNISH[0]]) + "\n", encoding="utf-8")
    paths[1].write_text("\n".join(ENGLISH), encoding="utf-8")
    rows = [
        {"id": f"{lang}{at}", "question": text, "lang": lang}
        for lang, texts in (("fi", FINNISH), ("en", ENGLISH))
        for at, text in enumerate(texts)
    ]
    paths[2].write_text("\n".join(json.dumps(row) for row in rows))
    return paths


def test_languages_by_name_and_both_sides(
    xorqa: Callable[..., Any], files: list[Path], tiny: Path
) -> None:
    outcome = xorqa("transform", "fit", *files[:2], "--encoder", tiny, "--out", "a.transform")
    assert outcome.status == 0, outcome.err
    assert "fi passage: 3 texts" in outcome.out and "en query: 2 texts" in outcome.out
    encoder = Encoder(EncoderSettings(str(tiny)))
    made = open_transform("a.transform", encoder=encoder.fingerprint())
    assert made.card["encoder"] == tiny.name  # and not where it stands
    wanted = fit_transform({("fi", "query"): encoder.queries(FINNISH)}, "center").entries
    np.testing.assert_allclose(made.entries["fi", "query"], wanted["fi", "query"], atol=1e-6)
    assert set(made.entries) == {(lang, s) for lang in ("en", "fi") for s in ("query", "passage")}
    assert made.card["en.query"]["texts"] == 2
    assert list(made.card["en.query"]["files"].values()) == ["tatoeba.fin-eng.eng"]


def test_a_second_call_adds_only_new_languages(
    xorqa: Callable[..., Any], files: list[Path], tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = ("transform", "fit", "--encoder", tiny, "--out", "a.transform", "--kind", "remove:1")
    encoded: list[str] = []
    original = Encoder.queries
    monkeypatch.setattr(
        Encoder, "queries", lambda self, texts: encoded.extend(texts) or original(self, texts)
    )
    assert xorqa(*common, "--side", "passage", files[0]).status == 0
    assert encoded == []
    for _ in range(2):
        assert xorqa(*common, "--side", "query", files[2]).status == 0
        assert sorted(encoded) == sorted(FINNISH + ENGLISH)
    made = open_transform("a.transform", encoder=Encoder(EncoderSettings(str(tiny))).fingerprint())
    assert set(made.entries) == {("fi", "passage"), ("fi", "query"), ("en", "query")}


def test_errors_are_one_line(xorqa: Callable[..., Any], files: list[Path], tiny: Path) -> None:
    Path("texts").write_text("joki\n")
    Path("empty.fi.txt").write_text("\n")
    common = ("transform", "fit", "--encoder", tiny, "--out", "a.transform")
    assert xorqa(*common, "fi=texts").status == 0
    for arguments, message in (
        ((*common, "texts"), "ConfigError: texts does not name its language; write fi=texts"),
        ((*common, "fi=none"), "DataError: none cannot be read"),
        ((*common, "empty.fi.txt"), "DataError: empty.fi.txt has no texts"),
        ((*common, "fi=texts", "--kind", "remove:1"), "a.transform is of kind center, not remove"),
        ((*common, "fi=texts", "--kind", "middle"), "a.transform is of kind center, not middle"),
    ):
        outcome = xorqa(*arguments)
        assert outcome.status == 2
        [line] = outcome.err.splitlines()
        assert message in line


def test_long_texts_of_sentence_pairs(
    xorqa: Callable[..., Any], files: list[Path], tiny: Path
) -> None:
    long = [f"joki numero {at} on pitkä ja leveä" for at in range(9)]
    rows = [("fi", text, "en", "a river") for text in (*FINNISH, *long)]
    Path("pairs.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    common = (
        "transform",
        "fit",
        "pairs.tsv",
        "--encoder",
        tiny,
        "--out",
        "a.transform",
        "--side",
        "passage",
        "--min-tokens",
        "20",
    )
    encoder = Encoder(EncoderSettings(str(tiny)))
    lengths = dict(encoder.tokens([*FINNISH, *long, "a river"]))
    assert {text for text, tokens in lengths.items() if tokens >= 20} == set(long)
    assert "fi passage: 9 texts" in xorqa(*common).out  # and no English one
    made = open_transform("a.transform", encoder=encoder.fingerprint())
    wanted = fit_transform({("fi", "passage"): encoder.passages(long)}, "center").entries
    np.testing.assert_allclose(made.entries["fi", "passage"], wanted["fi", "passage"], atol=1e-6)
    assert set(made.entries) == {("fi", "passage")}
    outcome = xorqa(*common, "--at-most", "4")
    assert "fi passage: 4 texts" in outcome.out
    made = open_transform("a.transform", encoder=encoder.fingerprint())
    assert made.card["fi.passage"] | {"files": None} == {
        "texts": 4,
        "min_tokens": 20,
        "files": None,
    }
    outcome = xorqa(*common, "--min-tokens", "999")
    assert outcome.status == 2
    assert "DataError: no text has 999 tokens; lower --min-tokens" in outcome.err
    assert "fi passage: 12 texts" in xorqa(*common[:2], "fi=pairs.tsv", *common[3:9]).out
