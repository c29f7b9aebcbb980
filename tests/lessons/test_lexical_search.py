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
        ({"c", "e"}, "Not yet. Put $k_1 = 0$ into the formula, then add up"),
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
        (lambda text: ..., "Not yet. Replace"),
    ],
)
def test_digits(answer, text):
    assert verdict(lesson.check_3, answer).startswith(text)


def test_questions_with_nothing_in_common():
    pairs = [(one, lesson.english()[lesson.gold_docid(one)]) for one in lesson.crossing()]
    common = [
        set(tokens(one.question.text, "en")).intersection(tokens(passage.titled, "en"))
        for one, passage in pairs
    ]
    apart = common.count(set())
    assert 0 < apart < len(pairs)
    assert lesson.check_4(apart)
    assert "do share a token" in verdict(lesson.check_4, len(pairs) - apart)
    assert "no hit at all" in verdict(lesson.check_4, apart - 1)
    for answer in (7, 100 * apart / len(pairs), "many", ...):
        assert not lesson.check_4(answer)


def test_trigrams_of_a_text():
    assert lesson.trigrams("on Moskova", "fi") == ["on", "mos", "osk", "sko", "kov", "ova"]


def test_the_curves_are_drawn():
    pytest.importorskip("matplotlib")
    figure = lesson.curves()
    legends = [axes.get_legend().get_texts() for axes in figure.axes]
    assert [text.get_text() for text in legends[0]] == ["$k_1$ = 0.3", "$k_1$ = 0.9", "$k_1$ = 2.0"]
    assert len(legends[1]) == 3
