"""The checks of lesson 4 accept right answers and reject the usual mistakes; its tools."""

import re

import pytest
from lessons import translate_or_not as lesson
from lessons import translate_or_not_measures, translate_or_not_pictures, translator_runs

from xorqa.core.registry import build
from xorqa.core.types import Candidate, CandidateScores, Span
from xorqa.lab.common.translation_measures import entity_recall

LEXICON = {"use": "lexicon"}


class Gold:
    """A reader that marks the gold answer in its passage, and the first word of any other."""

    version = 1

    def fingerprint(self):
        return "gold"

    def read(self, queries, hits):
        golds = {one.question.qid: one.answers("en")[0] for one in lesson.crossing()}
        return [
            [self.mark(hit, golds[query.question.qid]) for hit in row[:2]]
            for query, row in zip(queries, hits, strict=True)
        ]

    def mark(self, hit, gold):
        match = re.search(re.escape(gold), hit.passage.text)
        span = (match or re.search(r"\w+", hit.passage.text)).span()
        score = 0.0 if match else -9.0
        return Candidate(hit, 0, Span(*span), CandidateScores(score, score))


@pytest.fixture
def few(monkeypatch):
    """The lesson with two languages and a reader that takes no time."""
    chosen = [one for one in lesson.crossing() if one.question.lang in ("fi", "ru")]
    monkeypatch.setattr(translator_runs, "crossing", lambda: chosen)
    monkeypatch.setattr(translator_runs, "READER", {"use": Gold()})
    return chosen


def recall(translation, reference):
    return entity_recall([translation], [reference])


def share(translation, reference, *, among=lesson.words, empty=1.0):
    names = lesson.entities(reference)
    return sum(name in among(translation) for name in names) / len(names) if names else empty


def precision(translation, reference):
    names = lesson.entities(translation)
    return sum(name in lesson.words(reference) for name in names) / len(names) if names else 1.0


def unguarded(translation, reference):
    names = lesson.entities(reference)
    return sum(name in lesson.words(translation) for name in names) / len(names)


def of_a_set(translation, reference):
    names = set(lesson.entities(reference))
    return sum(name in lesson.words(translation) for name in names) / len(names) if names else 1.0


def in_order(translation, reference):
    pairs = [*zip(lesson.words(translation), lesson.words(reference), strict=False)]
    names = lesson.entities(reference)
    return sum(one == other and one in names for one, other in pairs) / len(names) if names else 1.0


def test_recall_by_hand():
    assert lesson.check_1(recall)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda one, other: share(one, other, among=str.casefold), "Compare whole words"),
        (lambda one, other: share(one, other, among=str.split), "in any order"),
        (lambda one, other: share(one, other, empty=0.0), "Without names there is nothing to lose"),
        (precision, "Names that the reference does not have"),
        (in_order, "in any order"),
        (share, "A word of the translation is a hit once"),
        (of_a_set, "Count a name as often as the reference has it"),
        (lambda one, other: 100 * share(one, other), "1, and yours is 1e+02"),
        (lambda one, other: share(one, other) * len(lesson.entities(other)), "divide by how many"),
        (unguarded, "raises ZeroDivisionError"),
        (lambda one, other: ..., "Replace the `...`"),
    ],
)
def test_recall_with_a_mistake(answer, hint):
    verdict = lesson.check_1(answer)
    assert not verdict and hint in repr(verdict)


THREE = {"Мийо": "Millau", "Оскар Нимейер": "Oscar Niemeyer", "Веррацано": "Verrazzano"}


def test_three_names():
    verdict = lesson.check_2(THREE)
    assert verdict, verdict
    _, before = lesson.search(LEXICON, "ru")
    assert f"not {before.count(1)}" in verdict.reason


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (THREE | {"Сидней": "Sydney"}, "4 entries"),
        ({"Сидней": "Sydney"}, "is in no Russian question"),
        ({"Мийо": "Miyo", "Веррацано": "Werratsano"}, "first place: 1; without your names 1"),
        ({"Какая река протекает": "Millau Viaduct"}, "more than a name"),
        ({"Мийо": "Millau"}, "first place: 2; without"),
        ({"...": ...}, "not the kind of answer"),
        (..., "Replace the `...`"),
    ],
)
def test_names_that_do_not_help(answer, hint):
    verdict = lesson.check_2(answer)
    assert not verdict and hint in repr(verdict)


def losses(steps):
    return [b - a for a, b in zip(steps, [*steps[1:], 100.0], strict=True)]


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda steps: losses(steps)[:3], "Four stages"),
        (lambda steps: [-loss for loss in losses(steps)], "positive where the oracle adds"),
        (lambda steps: [max(0, loss) for loss in losses(steps)], "Let a loss be negative"),
        (lambda steps: [abs(loss) for loss in losses(steps)], "minus the F1 before"),
        (lambda steps: [100 - step for step in steps], "minus the F1 before"),
        (lambda steps: 40.0, "not the kind of answer"),
        (lambda steps: ..., "Replace the `...`"),
    ],
)
def test_the_ledger_with_a_mistake(answer, hint):
    verdict = lesson.check_3(answer)
    assert not verdict and hint in repr(verdict)


def test_the_ledger_by_hand():
    assert lesson.check_3(losses)
    assert lesson.check_3(lambda steps: tuple(losses(list(steps))))


def pairs(values, found, *, equal=0.5):
    rows = [*zip(values, found, strict=True)]
    wins = [(a > b) + equal * (a == b) for a, one in rows if one for b, other in rows if not other]
    return sum(wins) / len(wins)


def mean(values):
    return sum(values) / len(values)


def of_means(values, found):
    groups = [[v for v, one in zip(values, found, strict=True) if one is x] for x in (True, False)]
    return float(mean(groups[0]) > mean(groups[1]))


def test_against_a_coin():
    assert lesson.check_4(pairs)
    assert translate_or_not_measures.higher([3, 1, 2], [False, True, True]) == 0


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda values, found: pairs(values, found, equal=0), "0 and 0 are equal: a half"),
        (lambda values, found: pairs(values, found, equal=1), "0 and 0 are equal: a half"),
        (of_means, "4 is above 2 and 3, 1 above none"),
        (lambda values, found: 100 * pairs(values, found), "not percent"),
        (lambda values, found: 1 - pairs(values, found), "the share of the others"),
        (lambda values, found: mean(found), "3 is above both others"),
        (lambda values, found: ..., "Replace the `...`"),
    ],
)
def test_against_a_coin_with_a_mistake(answer, hint):
    verdict = lesson.check_4(answer)
    assert not verdict and hint in repr(verdict)


def test_names_tell_which_queries_find(few):
    texts = [one.human_translation for one in few]
    found = [index % 2 == 0 for index in range(len(few))]
    texts = [text if one else "what" for text, one in zip(texts, found, strict=True)]
    shares = lesson.told_apart(texts, found)
    assert shares["chrF"].share == 100 and str(shares["BLEU"]) == "100 [100, 100]"
    shares = lesson.told_apart(["what"] * len(few), found)
    assert str(shares["BLEU"]) == "50 [50, 50]"


def test_pairs_are_of_one_language(few):
    found = [one.question.lang == "fi" or index == 23 for index, one in enumerate(few)]
    found[[one.question.lang for one in few].index("fi")] = False
    texts = [
        one.human_translation if one.question.lang == "fi" else "what what what" for one in few
    ]
    assert pairs([one.question.lang == "fi" for one in few], found) > 0.7
    assert lesson.told_apart(texts, found)["BLEU"].share == 50


def test_ledger_and_answer_f1_agree(few):
    tables = {"human": {"use": "human"}, "none": {"use": "none"}}
    losses = lesson.ledger(tables)
    f1 = {name: losses.reports[name].macro["f1"] for name in tables}
    assert f1["human"] > f1["none"]
    for name, table in tables.items():
        assert f1[name] == pytest.approx(100 * mean(lesson.answer_f1(table)))
        assert sum(losses.reports[name].macro.values()) == pytest.approx(100)
    after = lesson.losses_after_translation()
    assert f1["human"] + sum(loss.mean for loss in after.values()) == pytest.approx(100)
    gap = after["reading"].mean - after["retrieval"].mean
    assert lesson.reading_less_retrieval().mean == pytest.approx(gap)
    pytest.importorskip("matplotlib")
    (axes,) = lesson.draw_ledger(losses).axes
    assert axes.get_legend().get_texts()[0].get_text() == "F1"


def test_the_reader_can_read_the_question():
    assert build("reader", translator_runs.READER | {"text": "question"}).text == "question"


def test_a_search_has_a_query_and_a_rank_for_each_question():
    texts, ranks = lesson.search({"use": "human"}, "ko")
    examples = [one for one in lesson.crossing() if one.question.lang == "ko"]
    assert texts == [one.human_translation for one in examples]
    assert set(ranks) <= {None, *range(1, 21)} and ranks.count(1) > len(ranks) / 2
    assert lesson.search_with(texts[0], examples[0].question.qid)[0] == ranks[0]
    page = lesson.beside({"human": (lesson.references(), [None] * len(lesson.references()))}, "ko")
    assert f"{texts[0]} [–]" in page.plain.replace("\\", "")


def test_ranks_and_parts_are_drawn(few):
    pytest.importorskip("matplotlib")
    figure = lesson.draw_ranks("human", lesson.references(), [None] * len(few))
    (axes,) = figure.axes
    assert axes.get_legend().get_texts()[0].get_text() == "one arrived"


def test_the_first_two_by_arrival(monkeypatch):
    human = ["Who climbed Denali?", "Where is Oslo?", "Who met Verdi?", "Who was first?"]
    made = ["denali", "oslo", "green", "who"]
    monkeypatch.setattr(translate_or_not_pictures, "references", lambda: human)
    assert lesson.first_two_by_arrival(made, [2, 3, None, 1]) == (50.0, 0.0)
    assert lesson.first_two_by_arrival(made, [1, 2, 1, None]) == (100.0, 100.0)
