from __future__ import annotations

import json
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.lareqa.measures import average_precisions, compute_measures
from xorqa.lab.lareqa.pool import Pool, PoolQuestion, PoolSentence
from xorqa.lab.lareqa.ranks import target_ranks
from xorqa.metrics.ranking import average_precision

LANGS = ("ar", "de", "en", "th")

seeds = st.integers(0, 10**6)


def make_pool(seed, *, ties=True):
    """A pool and scores: every question in two languages or more, with an answer in each."""
    rng = np.random.default_rng(seed)
    questions, sentences = [], []
    for number in range(int(rng.integers(1, 5))):
        for lang in rng.permutation(LANGS)[: rng.integers(2, 5)]:
            questions.append(PoolQuestion(str(number), str(lang), "?", 0))
            answers = frozenset({str(number), str(rng.integers(number + 1))})
            sentences.append(PoolSentence(str(lang), ".", ".", answers, 0))
    for lang in rng.choice(LANGS, rng.integers(12)):
        sentences.append(PoolSentence(str(lang), ".", ".", frozenset(), 0))
    rng.shuffle(sentences)
    size = len(questions), len(sentences)
    distinct = rng.permuted(np.tile(np.arange(size[1]), (size[0], 1)), axis=1)
    scores = rng.integers(4, size=size) if ties else distinct
    return Pool("random", tuple(questions), tuple(sentences)), scores.astype(np.float32)


def brute_ap(scores, candidates, targets, *, cutoff=None):
    """Average precision of candidates that are sorted."""
    ranked = sorted(candidates, key=lambda row: (-scores[row], row))
    relevance = np.array([row in targets for row in ranked], dtype=bool)
    return average_precision(relevance, len(targets), cutoff=cutoff)


def measures_of(pool, scores):
    return compute_measures(target_ranks(scores.__getitem__, pool))


def means(values):
    """Of lists by key, those that are not empty."""
    return {key: float(np.mean(rows)) for key, rows in values.items() if rows}


def nested(values):
    rows = defaultdict(dict)
    for (first, second), value in means(values).items():
        rows[first][second] = value
    return rows


def assert_close(actual, expected):
    assert set(actual) == set(expected)
    for key, row in expected.items():
        assert actual[key] == pytest.approx(row), key


@given(seed=seeds)
def test_every_measure_equals_that_of_sorting_the_whole_pool(seed):
    pool, scores = make_pool(seed)
    langs = [row.lang for row in pool.sentences]
    everything = range(len(langs))
    per_lang, pairs, top = defaultdict(list), defaultdict(list), defaultdict(list)
    for question, row, positives in zip(pool.questions, scores, pool.positives(), strict=True):
        question_lang = question.lang
        by_lang = defaultdict(set)
        targets = set(positives.tolist())
        for target in targets:
            by_lang[langs[target]].add(target)

        def without(lang, *, row=row, targets=targets, by_lang=by_lang):
            gone = by_lang[lang]
            return brute_ap(row, (i for i in everything if i not in gone), targets - gone)

        per_lang["mAP", question_lang].append(brute_ap(row, everything, targets))
        per_lang["mAP@20", question_lang].append(brute_ap(row, everything, targets, cutoff=20))
        per_lang["mAP -same", question_lang].append(without(question_lang))
        others = [without(lang) for lang in by_lang if lang != question_lang]
        per_lang["mAP -rand", question_lang].append(np.mean(others))
        own = [i for i in everything if langs[i] == question_lang]
        per_lang["monolingual mAP", question_lang].append(
            brute_ap(row, own, by_lang[question_lang])
        )
        for lang, kept in by_lang.items():
            left = [i for i in everything if i in kept or i not in targets]
            pairs[question_lang, lang].append(brute_ap(row, left, kept))
        for lang in pool.langs:
            top[question_lang, lang].append(langs.count(lang) / len(langs))  # fewer than 100
    measures = measures_of(pool, scores)
    assert_close(measures.per_lang, nested(per_lang))
    assert_close(measures.one_target, nested(pairs))
    assert_close(measures.top, nested(top))


@given(seed=seeds)
def test_one_target_at_a_time_counts_every_target_once(seed):
    pool, scores = make_pool(seed)
    measures, found = measures_of(pool, scores), defaultdict(list)
    for question, targets, row in zip(pool.questions, pool.positives(), scores, strict=True):
        for target in targets:
            left = [i for i in range(len(row)) if i == target or i not in targets]
            place = 1 + sorted(left, key=lambda i: (-row[i], i)).index(target)
            value = 1 / place if place <= 20 else 0
            lang = pool.sentences[target].lang
            for name in (
                "all",
                "same language" if lang == question.lang else "different languages",
            ):
                found[name].append(value)
    means = {name: np.mean(values) for name, values in found.items()}
    assert measures.over_targets == pytest.approx(means)


@given(seed=seeds)
def test_overall_values_are_means_of_languages_and_pairs(seed):
    pool, scores = make_pool(seed)
    measures = measures_of(pool, scores)
    overall = measures.overall
    for name, row in measures.per_lang.items():
        assert overall[name] == pytest.approx(np.mean(list(row.values())))
    cells = {(a, b): value for a, row in measures.one_target.items() for b, value in row.items()}
    same = [value for (a, b), value in cells.items() if a == b]
    cross = [value for (a, b), value in cells.items() if a != b]
    assert overall["same-language mAP"] == pytest.approx(np.mean(same))
    assert overall["cross-language mAP"] == pytest.approx(np.mean(cross))
    own = [row[lang] for lang, row in measures.top.items()]
    assert overall["own language in top 100"] == pytest.approx(np.mean(own))
    left = (1 - overall["relative difference"]) * overall["mAP -rand"]
    assert left == pytest.approx(overall["mAP -same"])


@given(seed=seeds)
def test_the_mean_over_questions_weighs_languages_by_their_questions(seed):
    pool, scores = make_pool(seed)
    measures = measures_of(pool, scores)
    counts = {lang: sum(row.lang == lang for row in pool.questions) for lang in LANGS}
    by_lang = measures.per_lang["mAP"]
    weighted = sum(value * counts[lang] for lang, value in by_lang.items())
    assert measures.over_questions["mAP"] == pytest.approx(weighted / len(pool.questions))


@given(seed=seeds)
def test_a_perfect_ranking_scores_one_everywhere(seed):
    pool, scores = make_pool(seed)
    for row, targets in zip(scores, pool.positives(), strict=True):
        row[targets] = 10
    overall = measures_of(pool, scores).overall
    del overall["own language in top 100"]
    assert overall.pop("relative difference") == pytest.approx(0)
    assert list(overall.values()) == pytest.approx([1] * 7)


@given(seed=seeds)
def test_without_ties_the_order_of_the_candidates_does_not_matter(seed):
    pool, scores = make_pool(seed, ties=False)
    order = np.random.default_rng(seed).permutation(len(pool.sentences))
    turned = Pool("turned", pool.questions, tuple(pool.sentences[row] for row in order))
    measures, again = measures_of(pool, scores), measures_of(turned, scores[:, order])
    assert_close(again.per_lang, measures.per_lang)
    assert_close(again.one_target, measures.one_target)
    assert_close(again.top, measures.top)


@given(
    relevance=st.lists(st.booleans(), max_size=60),
    cutoff=st.none() | st.integers(1, 25),
    padding=st.integers(0, 3),
)
def test_average_precision_is_that_of_the_rankings(relevance, cutoff, padding):
    ranked = np.array(relevance, dtype=bool)
    ahead = np.cumsum(~ranked)[ranked]
    row = np.concatenate([ahead[::-1], np.full(padding, np.inf)])
    [precision] = average_precisions(row[None], cutoff=cutoff)
    if ranked.any():
        assert precision == pytest.approx(average_precision(ranked, ranked.sum(), cutoff=cutoff))
    else:
        assert np.isnan(precision)


def test_bias_towards_the_questions_language_shows():
    """Two languages; all sentences of the question's own come first, its target ahead of them."""
    questions = [PoolQuestion("0", lang, "?", 0) for lang in ("de", "en")]
    sentences = [
        PoolSentence(lang, ".", ".", answers, 0)
        for lang in ("de", "en")
        for answers in (frozenset({"0"}), frozenset(), frozenset())
    ]
    scores = np.array([[6, 5, 4, 3, 2, 1], [3, 2, 1, 6, 5, 4]], dtype=np.float32)
    overall = measures_of(Pool("p", tuple(questions), tuple(sentences)), scores).overall
    assert overall == pytest.approx(
        {
            "mAP": (1 + 2 / 4) / 2,
            "mAP@20": (1 + 2 / 4) / 2,
            "mAP -same": 1 / 3,
            "mAP -rand": 1,
            "relative difference": 2 / 3,
            "monolingual mAP": 1,
            "same-language mAP": 1,
            "cross-language mAP": 1 / 3,
            "own language in top 100": 1 / 2,
        }
    )


def test_measures_undefined_for_one_language_are_left_out():
    sentences = [PoolSentence("en", ".", ".", frozenset(qids), 0) for qids in ("0", "")]
    pool = Pool("p", (PoolQuestion("0", "en", "?", 0),), tuple(sentences))
    measures = measures_of(pool, np.array([[1, 2]], dtype=np.float32))
    assert measures.overall == {
        "mAP": 0.5,
        "mAP@20": 0.5,
        "monolingual mAP": 0.5,
        "same-language mAP": 0.5,
        "own language in top 100": 1,
    }
    assert measures.per_lang["mAP -same"] == measures.per_lang["mAP -rand"] == {}


def test_json_has_the_means_on_top_and_no_nan():
    pool, scores = make_pool(1)
    measures = measures_of(pool, scores)
    written = json.loads(json.dumps(measures.to_json(), allow_nan=False))
    assert list(written)[:2] == ["mAP", "mAP@20"]
    assert {name: written[name] for name in measures.overall} == measures.overall
    assert written["per language"]["mAP"].keys() == {row.lang for row in pool.questions}
    assert written["one target"] == measures.one_target
    assert written["top 100"] == measures.top
