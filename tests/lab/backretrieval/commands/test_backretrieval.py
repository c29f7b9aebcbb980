import json
from pathlib import Path

import numpy as np
import pytest

from tests.lab.backretrieval.captions.emoji_packages import write_emoji_packages
from tests.pictures import write_picture


@pytest.fixture
def backretrieval(xorqa):
    """Runs the command on the made-up emoji, which have 26 texts."""
    write_emoji_packages(Path("copy/emoji"))
    assert xorqa("data", "fetch", "emoji", "--from", "copy").status == 0
    return lambda *options: xorqa("backretrieval", "emoji", "--seeds", 3, *options)


def test_tables_json_and_page(backretrieval):
    outcome = backretrieval(
        *("--source", "en", "--target", "ja", "--json", "out.json", "--html", "out.html"),
        *("--encoder", "characters", "--encoder", "bm25", "--encoder", "lexicon"),
    )
    assert (outcome.status, outcome.err) == (0, "")
    assert "Alignment of en with ja" in outcome.out and "Correlation with XLR" in outcome.out
    assert "en: 26 texts with an image; ja: 26 texts with an image." in outcome.out
    values = json.loads(Path("out.json").read_text())
    assert [values[key] for key in ("source", "target", "n", "k", "seeds", "images")] == [
        "en", "ja", 13, 10, 3, "histogram",
    ]  # fmt: skip
    assert list(values["encoders"]) == ["characters", "bm25", "lexicon"]
    row = values["encoders"]["characters"]
    assert 0 <= row["BkR"] <= 1 and 0 <= row["XLR"] <= 1
    assert set(values["correlation"]["BkR"]) == {
        "pearson", "pearson error", "spearman", "spearman error",
    }  # fmt: skip
    page = Path("out.html").read_text()
    assert page.count("<svg") == 2 and "data:image/png;base64," in page
    assert 'class="own"' in page and " ellipse" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", ""), "self-contained"


def test_the_default_encoder_is_the_bundled_one(backretrieval, monkeypatch, tiny):
    monkeypatch.setattr("xorqa.lab.backretrieval.commands.backretrieval.DEFAULT", str(tiny))
    outcome = backretrieval("--source", "en", "--target", "fi", "--texts", 12, "--images", "hash")
    assert (outcome.status, outcome.err) == (0, "")
    assert "Correlation" not in outcome.out, "one encoder has none"
    assert "Images are compared by hash." in outcome.out


def test_all_pairs_of_languages(backretrieval):
    outcome = backretrieval(
        *("--lang", "de,en,ja", "--encoder", "characters", "--encoder", "bm25"),
        *("--json", "out.json", "--html", "out.html"),
    )
    assert (outcome.status, outcome.err) == (0, "")
    assert "BkR over pairs" in outcome.out and "over the 6 directed pairs" in outcome.out
    values = json.loads(Path("out.json").read_text())
    assert len(values["pairs"]) == 6 and set(values["encoders"]) == {"characters", "bm25"}
    assert Path("out.html").read_text().count("<svg") == 2


def test_limits_and_proxies(backretrieval):
    outcome = backretrieval(
        *("--source", "en", "--target", "fi", "--images", "hash", "--csls", "--k", 3),
        *("--encoder", "characters", "--encoder", "bm25", "--encoder", "lexicon"),
        *("--proxies", "--degrade", "--sizes", "6,12", "--json", "out.json"),
    )
    assert (outcome.status, outcome.err) == (0, "")
    assert "Noise in the images" in outcome.out and "Number of texts" in outcome.out
    values = json.loads(Path("out.json").read_text())
    assert [row["setting"] for row in values["sizes"]] == [6, 12]
    assert values["noise"][-1]["setting"] == 1
    assert {"PROBE", "MUTUAL", "GAIN"} < set(values["encoders"]["bm25"])
    assert list(values["correlation"]) == ["BkR", "CORR", "PROBE", "MUTUAL", "GAIN", "p"]


def test_held_out_texts(backretrieval):
    outcome = backretrieval(
        *("--source", "en", "--target", "fi", "--encoder", "characters"),
        *("--held-out", 0.5, "--k", 3),
    )
    assert (outcome.status, outcome.err) == (0, "")
    assert "en: 26 texts" not in outcome.out and "en: 1" in outcome.out


def test_what_is_left_out_is_counted(xorqa):
    rows = [
        {"id": name, "text": f"text {name}", "image": f"{name}.png"}
        for name in "abcdefghijklmnopqrstuvwxyz"
    ]
    for row in rows:
        write_picture(Path(row["image"]))
    Path("b.png").write_bytes(b"no picture")
    Path("c.png").unlink()
    del rows[3]["text"]
    for lang in ("en", "fi"):
        Path(f"{lang}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    outcome = xorqa(
        "backretrieval", ".", "--source", "en", "--target", "fi", "--encoder", "characters",
        "--json", "out.json", "--seeds", 1,
    )  # fmt: skip
    assert (outcome.status, outcome.err) == (0, "")
    left_out = {"missing images": 1, "images without text": 1, "broken images": 1}
    assert json.loads(Path("out.json").read_text())["left out"] == {"en": left_out, "fi": left_out}
    assert "en: 23 texts with an image, left out: missing images 1, images without" in outcome.out


def test_vectors_without_pictures_and_without_shared_ids(xorqa):
    stream = np.random.default_rng(1)
    for lang in ("en", "fi"):
        rows = [
            {
                "id": f"{lang}{number}",
                "text": f"t {number}",
                "vector": stream.normal(size=3).tolist(),
            }
            for number in range(15)
        ]
        Path(f"{lang}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    outcome = xorqa(
        "backretrieval", ".", "--source", "en", "--target", "fi", "--encoder", "characters",
        "--images", "vectors", "--html", "out.html",
    )  # fmt: skip
    assert (outcome.status, outcome.err) == (0, "")
    assert "Too few texts have the same id in both languages: no XLR." in outcome.out
    assert "<svg" not in Path("out.html").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--source", "en", "--target", "en"), "--source and --target are the same language"),
        (("--lang", "en"), "--lang needs two or more languages, and no --source or --target"),
        (("--lang", "en,fi", "--source", "en"), "--lang needs two or more languages"),
        (("--lang", "en,fi", "--degrade"), "--proxies, --degrade and --sizes need --source and"),
        (("--source", "en", "--target", "fi", "--sizes", "5,x"), "--sizes 5,x is not a list of nu"),
        (("--source", "en"), "name two languages with --source and --target, or several with --la"),
        (("--source", "en", "--target", "fi", "--held-out", 0), "is held out; raise --held-out"),
        (("--source", "en", "--target", "xx"), "has no texts in 'xx'; languages: bn, da, de"),
        (("--source", "en", "--target", "fi", "--texts", 14), "--texts 14 is too large: the data"),
        (("--source", "en", "--target", "fi", "--k", 13), "Recall@13 needs more than 13 texts a"),
        (("--source", "en", "--target", "fi", "--images", "x"), "no image encoder is called 'x'"),
        (
            ("--source", "en", "--target", "fi", "--encoder", "bm25,layer=1"),
            "encoder 'bm25,layer=1' has no option 'layer=1'; valid: none",
        ),
    ],
)
def test_mistakes(backretrieval, options, message):
    outcome = backretrieval("--encoder", "characters", *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_word_vectors_and_what_they_lack(backretrieval):
    for lang, word in (("en", "red"), ("ja", "ja")):
        Path(f"v.{lang}.vec").write_text(f"2 2\n{word} 1 0\nellipse 0 1\n", encoding="utf-8")
    for options in (("--source", "en", "--target", "ja"), ("--lang", "en,ja")):
        outcome = backretrieval(*options, "--encoder", "v.{lang}.vec", "--json", "out.json")
        assert (outcome.status, outcome.err) == (0, "")
        assert "v.{lang}.vec: left out, as they have no vector: en " in outcome.out
        counts = json.loads(Path("out.json").read_text())["word vectors"]["v.{lang}.vec"]
        assert counts["en"] == {"words": 52, "unknown": 37, "texts without a known word": 12}
        assert set(counts) == {"en", "ja"}
