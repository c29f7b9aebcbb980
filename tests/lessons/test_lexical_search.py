"""The checks of lesson 2a accept right answers, however written, and reject the usual mistakes."""

import pytest
from lessons import lexical_search as lesson

from xorqa.core.text.search_tokens import tokens


def runs(words, length=3):
    return [
        word[at : at + length] for word in words for at in range(max(1, len(word) - length + 1))
    ]


def zipped(words):
    return [
        "".join(run) for word in words for run in zip(*(word[i:] for i in range(3)), strict=False)
    ] or words


def verdict(check, answer):
    return repr(check(answer))


def test_trigrams_by_hand_are_accepted():
    assert lesson.check_1(runs)
    assert lesson.check_1(lambda words: tuple(run for word in words for run in runs([word])))
    assert runs(tokens("In Helsingissä", "fi")) == lesson.trigrams("In Helsingissä", "fi")


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (
            lambda words: [w[i : i + 3] for w in words for i in range(max(1, len(w) - 3))],
            "The last run of 'retrieval' is missing",
        ),
        (lambda words: [w[i : i + 3] for w in words for i in range(len(w) - 2)], "stays whole"),
        (
            lambda words: [w[i : i + 3] for w in words for i in range(len(w))],
            "that two more follow",
        ),
        (lambda words: runs(["".join(words)]), "never crosses from one word to the next"),
        (lambda words: list(dict.fromkeys(runs(words))), "Keep runs that repeat"),
        (lambda words: runs(words, 2), "'retrieval' becomes"),
        (zipped, "stays whole"),
        (lambda words: ..., "Replace the `...`"),
    ],
)
def test_trigrams_with_a_mistake_are_not(answer, hint):
    assert not lesson.check_1(answer)
    assert hint in verdict(lesson.check_1, answer)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"a", "d"}, "Right."),
        (["d", "a"], "Right."),
        ({"a"}, "Not yet. Put $k_1 = 0$ into the formula. Where is the length"),
        ({"a", "b", "d"}, "Not yet. Put $k_1 = 0$ into the formula. What does the second"),
        ({"a", "d", "c"}, "Not yet. Put $k_1 = 0$ into the formula, then add up"),
        (2, "Not yet. This is not the kind of answer"),
        (..., "Not yet. Replace"),
    ],
)
def test_bm25_without_k1(answer, text):
    assert verdict(lesson.check_2, answer).startswith(text)


def test_the_passages_that_tie_without_k1_have_all_tokens_of_the_question():
    asked = set(tokens(lesson.QUESTION, "en"))
    full = {one.docid for one in lesson.FIVE if asked <= set(tokens(one.text, "en"))}
    assert lesson.check_2(full)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (
            lambda text: "".join(str(int(c)) if c.isdecimal() else c for c in text),
            "Right. Of mini-bn-01 the gold passage has rank none without its year, and rank 6",
        ),
        (
            lambda text: text.translate(str.maketrans("০১২৩৪৫৬৭৮৯", "0123456789")),
            "Not yet. '٢٠٢٤' becomes '٢٠٢٤'.",
        ),
        (
            lambda text: "".join(str(int(c)) if c.isdigit() else c for c in text),
            "Not yet. Your function raises ValueError",
        ),
        (lambda text: "".join(c for c in text if c.isdecimal()), "Not yet. '১৯১৩' becomes"),
        (lambda text: str(int(text)), "Not yet. Your function raises ValueError"),
        (lambda text: text, "Not yet. '১৯১৩' becomes '১৯১৩'."),
        (
            lambda text: "".join(c if not c.isdecimal() else str(int(c)) for c in text.lower()),
            "Not yet. 'E7' becomes 'e7', but has no digit to change.",
        ),
        (lambda text: ..., "Not yet. Replace"),
    ],
)
def test_digits(answer, text):
    assert verdict(lesson.check_3, answer).startswith(text)


def grouped(pairs):
    by_lang = {}
    for lang, shared in pairs:
        by_lang.setdefault(lang, []).append(shared)
    return by_lang


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        (lambda row: 100 * sum(map(bool, row)) / len(row), "Right. From 0 % in Russian"),
        (lambda row: sum(map(bool, row)), "Not yet. These are numbers of questions."),
        (lambda row: sum(map(bool, row)) / len(row), "Not yet. These are shares from 0 to 1"),
        (
            lambda row: 100 * row.count(set()) / len(row),
            "Not yet. These are the questions that share nothing",
        ),
        (lambda row: 100 * sum(map(len, row)) / len(row), "Not yet. You count tokens"),
        (
            lambda row: 100 * sum(map(bool, row)) / 7,
            "Not yet. Divide by the questions of the language, not of all",
        ),
        (lambda row: 50, "Not yet. Of four Korean questions one shares a token"),
    ],
)
def test_the_ceiling(measure, text):
    def ceiling(pairs):
        return {lang: measure(row) for lang, row in grouped(pairs).items()}

    assert verdict(lesson.check_4, ceiling).startswith(text)


def test_a_ceiling_without_the_languages_that_share_nothing():
    verdict_ = verdict(lesson.check_4, lambda pairs: {lang: 100 for lang, one in pairs if one})
    assert "has a ceiling, too" in verdict_


def test_trigrams_of_a_text():
    assert lesson.trigrams("on Moskova", "fi") == ["on", "mos", "osk", "sko", "kov", "ova"]


def test_the_curves_are_drawn():
    pytest.importorskip("matplotlib")
    figure = lesson.curves()
    legends = [axes.get_legend().get_texts() for axes in figure.axes]
    assert [text.get_text() for text in legends[0]] == ["$k_1$ = 0.3", "$k_1$ = 0.9", "$k_1$ = 2.0"]
    assert len(legends[1]) == 3
