import gzip
from pathlib import Path

import numpy as np
import pytest

from xorqa.core.errors import DataError
from xorqa.lab.common.word_vectors import Coverage, WordVectors, coverage_note, read_word_vectors

ENGLISH = {
    "the": (0.5, 0.25, -1.0),
    "red": (1.0, 0.0, 0.0),
    "cat": (0.0, 1.0, 0.5),
    "Paris": (0.0, 0.125, 1.0),
    "paris": (9.0, 9.0, 9.0),
    "1987": (2.0, 0.0, -2.0),
    ",": (7.0, 7.0, 7.0),
}


def write(path, rows, *, header=True, end=" \n"):
    """A file as fastText writes it, with a space at the end of each line."""
    lines = [f"{len(rows)} {len(next(iter(rows.values())))}\n"] if header else []
    lines += [f"{word} {' '.join(map(str, values))}{end}" for word, values in rows.items()]
    data = "".join(lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def encode(name, texts, lang="en"):
    return WordVectors(str(name)).encode(texts, lang)


def ten_lines(path, texts):
    """The mean of word vectors, transcribed plainly."""
    table = {}
    with path.open(encoding="utf-8", newline="\n") as lines:
        next(lines)
        for line in lines:
            word, *values = line.rstrip().split(" ")
            table.setdefault(word, np.array(values, np.float64))
    means = []
    for text in texts:
        words = text.replace(",", " ").replace(".", " ").split()
        forms = [word if word in table else word.lower() for word in words]
        means.append(np.mean([table[form] for form in forms if form in table], axis=0))
    return np.stack(means)


def test_the_mean_of_the_words_that_the_file_has(tmp_path):
    path = write(tmp_path / "wiki.en.vec", ENGLISH)
    texts = ["The red, red cat.", "Paris", "PARIS in 1987", "an unknown cat"]
    assert np.abs(encode(path, texts) - ten_lines(path, texts)).max() < 1e-6


def test_the_mean_of_random_vectors(tmp_path):
    stream = np.random.default_rng(3)
    words = [f"word{number}" for number in range(200)]
    path = write(tmp_path / "v.vec", {word: stream.normal(size=50).tolist() for word in words})
    texts = [" ".join(stream.choice(words, 12)) for _ in range(30)]
    assert np.abs(encode(path, texts) - ten_lines(path, texts)).max() < 1e-6


def test_the_mean_is_gensims(tmp_path):
    gensim = pytest.importorskip("gensim.models")
    path = write(tmp_path / "wiki.en.vec", ENGLISH)
    loaded = gensim.KeyedVectors.load_word2vec_format(str(path))
    mean = loaded.get_mean_vector(["the", "red", "red", "cat"], pre_normalize=False)
    assert encode(path, ["The red, red cat."])[0] == pytest.approx(mean, abs=1e-6)


def test_a_file_per_language_and_what_it_lacks(tmp_path):
    write(tmp_path / "wiki.en.vec", ENGLISH)
    write(tmp_path / "wiki.fi.vec", {"kissa": (0, 1, 0)})
    vectors = WordVectors(str(tmp_path / "wiki.{lang}.vec"))
    vectors.encode(["The grey cat", "grey", "!"], "en")
    finnish = vectors.encode(["Kissa"], "fi")
    assert finnish.tolist() == [[0, 1, 0]]
    assert vectors.coverage == {"en": Coverage(4, 2, 2), "fi": Coverage(1, 0, 0)}
    note = {"en": {"words": 4, "unknown": 2, "texts without a known word": 2}}
    assert coverage_note("v", note).endswith("no vector: en 50.0 % and 2 whole texts of the words.")


def test_texts_without_a_known_word_are_zero(tmp_path):
    path = write(tmp_path / "v.vec", ENGLISH)
    assert not encode(path, ["cat", "unheard of"])[1].any()


def test_glove_has_no_first_line_and_words_with_spaces(tmp_path):
    rows = {"the": (1, 1, 1), "cat name@example.com": (8, 8, 8), **ENGLISH}
    path = write(tmp_path / "glove.txt.gz", rows, header=False, end="\n")
    assert encode(path, ["cat"])[0].tolist() == [0, 1, 0.5]


@pytest.mark.parametrize(
    ("lang", "words", "text", "mean"),
    [
        ("ja", {"東京": 1.0, "東": 5.0, "タワー": 3.0, "の": 0.5}, "東京のタワー。", 1.5),
        ("zh", {"北": 8.0, "北京": 2.0, "大学": 4.0}, "北京大学", 3.0),
        ("th", {"แมว": 1.0, "แม": 9.0, "สีแดง": 2.0}, "แมวสีแดง", 1.5),
        ("ko", {"빨간": 1.0, "고양이": 2.0, "고": 9.0}, "빨간 고양이", 1.5),
        ("tr", {"ılık": 1.0, "iyi": 2.0}, "ILIK İYİ", 1.5),
        ("hi", {"बिल्ली": 1.0}, "बिल्ली", 1.0),
        ("fr", {"e\u0301te\u0301": 9.0, "\u00e9t\u00e9": 1.0}, "E\u0301te\u0301", 1.0),
    ],
)
def test_words_of_languages(tmp_path, lang, words, text, mean):
    path = write(tmp_path / "v.vec", {word: (value, 1.0) for word, value in words.items()})
    assert encode(path, [text], lang)[0].tolist() == [mean, 1.0]


def test_only_line_feeds_end_lines_and_the_first_of_a_word_counts(tmp_path):
    path = tmp_path / "v.vec"
    path.write_bytes("4 2\na\u0085b 9 9\na\u00a0b 8 8\ncat 1 2\ncat 5 5\n".encode())
    assert encode(path, ["cat"]).tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1: neither a count of words nor a word and its values"),
        ("{\n}", "line 1: neither a count of words"),
        ("3 2\ncat 1 2\n", "is truncated: it has 1 of the 3 words of its first line; download it"),
        ("2 3\ndog 1 2 3\ncat 1 2\n", r"line 3: 2 values; needed are 3 finite numbers"),
        ("cat 1 nan\n", r"line 1: 2 values; needed are 2 finite numbers"),
        ("1 2\ncat 1 x\n", "line 2: could not convert"),
        ("1 1\ndog 2\n", "has none of the 1 words of the texts in 'en'"),
    ],
)
def test_files_that_are_damaged(tmp_path, content, message):
    path = tmp_path / "v.vec"
    path.write_text(content)
    with pytest.raises(DataError, match=message):
        encode(path, ["cat"])


def test_a_truncated_archive_and_a_missing_file(tmp_path):
    path = write(tmp_path / "v.vec.gz", ENGLISH)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, match="is truncated or damaged"):
        encode(path, ["cat"])
    with pytest.raises(DataError, match=r"wiki.en.vec cannot be read: No such file"):
        encode(tmp_path / "wiki.{lang}.vec", ["cat"])


def test_languages_of_different_dimensions(tmp_path):
    write(tmp_path / "v.en.vec", ENGLISH)
    write(tmp_path / "v.fi.vec", {"kissa": (1, 2)})
    vectors = WordVectors(str(tmp_path / "v.{lang}.vec"))
    vectors.encode(["cat"], "en")
    with pytest.raises(DataError, match=r"v.fi.vec has vectors of 2 dimensions, .* 'en' of 3"):
        vectors.encode(["kissa"], "fi")


def test_the_fingerprint_is_that_of_the_files(tmp_path):
    def fingerprint():
        vectors = WordVectors(str(path))
        vectors.encode(["cat"], "en")
        return vectors.fingerprint

    path = write(tmp_path / "a.vec", ENGLISH)
    first = fingerprint()
    path = write(tmp_path / "b.vec", ENGLISH)
    assert fingerprint() == first
    write(Path(path), ENGLISH | {"the": (0, 0, 1)})
    assert fingerprint() != first


def test_words_that_are_not_wanted_are_not_kept(tmp_path):
    assert list(read_word_vectors(write(tmp_path / "v.vec", ENGLISH), {"cat"}).vectors) == ["cat"]
