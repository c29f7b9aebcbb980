# %% [markdown]
# # 14. Rankings judged
#
# **The question of this lesson:** who decides which of two rankings is better?
#
# A *run* ranks documents, *qrels* say which of them are right, a *measure* turns both into a
# number. All three decide. We rank the pool of lesson 5, of which every right sentence is known,
# and then pretend that it is not. Pools and incomplete judgements: [Buckley and Voorhees
# 2004](https://doi.org/10.1145/1008992.1009000).
#
# - **Level:** intermediate
# - **Time:** 30 minutes of reading, 35 of exercises
# - **You need:** lessons 2b and 5; Python
# - **You will be able to:** compute MRR, nDCG and bpref and say what each ignores; say what missing
#   judgements leave open; say what translated questions buy, and what they cannot show

# %%
from itertools import combinations
from math import log2

import numpy as np
from lessons import claim, table
from lessons import rankings_judged as lesson

WORDS, RAW, CENTRED = lesson.SYSTEMS
qrels = lesson.qrels()

# %% [markdown] tags=["instructor"]
# **Plan.** 30 minutes: measures 8, grades 5, pools 12, languages 5. The pool section is the one to
# keep. All figures are exact and need no GPU; the first table takes a quarter of a minute.

# %% [markdown]
# ## A run and its qrels
#
# 24 facts in eight languages: 192 questions, and 192 sentences that answer them. Each question has
# eight right sentences, one per language; `ko-15` is fact 15 in Korean. Three rankings: BM25, the
# encoder as it comes, and the encoder centred, which removes its preference for the question's
# language. The centred one is a *diagnosis* (lesson 5): its means come from these very questions
# and sentences, so its scores are not those of a system that you could run (lesson 12 has means
# from other texts). Here it stands for a ranking that spreads its hits over the languages.

# %% tags=["check"]
qid = "15.ko"
print(lesson.questions()[qid].text)
print("qrels:", sorted(qrels[qid]))
for name in lesson.SYSTEMS:
    print(f"{name}:", *lesson.ranking(name, qid)[:8])

# %% [markdown]
# **Reciprocal rank** is 1/rank of the first right hit; its mean over questions is MRR. **P@k** is
# the share of right ones among the first k hits. **AP** averages P@k over the ranks k of all right
# documents; one that is not retrieved counts 0. **nDCG@10** adds up the *gains* of the first ten
# hits (1 for a right one, for now), each divided by log2(rank + 1), and divides by the same sum for
# the best possible order.
#
# **Predict first.** BM25 matches words, so it finds sentences in the question's own language. Is
# its MRR low? And which nDCG@10 has a ranking with one right hit of the eight, at rank 1? (The best
# possible order has a sum of 3.95.)

# %% tags=["check"]
MEASURES = ("RR", "P@1", "nDCG@10", "AP")
rows = [
    (name, *(f"{lesson.mean(name, qrels, measure):.1f}" for measure in MEASURES))
    for name in lesson.SYSTEMS
]
table("All judged, percent; 24 facts in 8 languages", ("system", "MRR", *MEASURES[1:]), rows)

# %% [markdown]
# One right hit at the top is all that MRR asks for, and each question has a right sentence in its
# own language. So all three have an MRR above 95, although BM25 misses seven of eight right
# sentences. nDCG and AP see that: one right hit of eight, at rank 1, has an nDCG@10 of 1/3.95, or
# 25 %.

# %% tags=["claim"]
mrr = {name: lesson.mean(name, qrels, "RR") for name in lesson.SYSTEMS}
claim("all above 95", min(mrr.values()) > 95, **mrr)
claim(
    "nDCG sees it", lesson.mean(WORDS, qrels, "nDCG@10") < lesson.mean(RAW, qrels, "nDCG@10") - 30
)
best_sum = sum(1 / log2(rank + 1) for rank in range(1, 9))
claim("3.95 and 25 %", (round(best_sum, 2), round(100 / best_sum)) == (3.95, 25), it=best_sum)
first_hundred = [set(lesson.ranking(WORDS, one)) for one in qrels]
found = [len(hits & set(qrels[one])) for hits, one in zip(first_hundred, qrels, strict=True)]
claim("BM25 misses seven of eight", 1 - np.mean(found) / 8)
claim("192 questions with eight right ones", {len(one) for one in qrels.values()} == {8})

# %% [markdown]
# ### Exercise 1: two measures that disagree
#
# A question has the right documents `r1`, `r2`, `r3` (gain 1); `w1` to `w4` are wrong. Write two
# rankings of these seven documents so that reciprocal rank prefers the first and nDCG@5 the second.

# %% tags=["exercise"]
answer_1 = {"RR prefers": ..., "nDCG@5 prefers": ...}  # two lists of seven

# %% tags=["solution"]
answer_1 = {
    "RR prefers": ["r1", "w1", "w2", "w3", "w4", "r2", "r3"],
    "nDCG@5 prefers": ["w1", "r1", "r2", "r3", "w2", "w3", "w4"],
}

# %% tags=["grade"]
lesson.check_1(answer_1)

# %% [markdown]
# ### Exercise 2: nDCG
#
# The gain is the grade itself, as in trec_eval, NIST's program for such measures.


# %% tags=["exercise"]
def ndcg(ranking, grades, k):
    """nDCG@k, from 0 to 1."""
    return ...


# %% tags=["solution"]
def ndcg(ranking, grades, k):
    """nDCG@k, from 0 to 1."""

    def dcg(gains):
        return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:k], start=1))

    return dcg([grades.get(one, 0) for one in ranking]) / dcg(sorted(grades.values(), reverse=True))


# %% tags=["grade"]
lesson.check_2(ndcg)

# %% [markdown] tags=["instructor"]
# **Exercises 1 and 2.** Typical in 1: right documents of the first ranking below rank 1, too early
# for nDCG to disagree; in 2: an ideal of the retrieved docids only. Ask for a ranking with nDCG 1
# that misses right documents (more than k of them are right).

# %% [markdown]
# trec_eval is the reference program for rankings. Its code, called by the package pytrec_eval, and
# xorqa's scorer agree:

# %% tags=["check"]
graded = lesson.graded()  # the grades of the next section
theirs = lesson.reference(RAW, graded)
for measure, reference in (("nDCG@10", "ndcg_cut_10"), ("RR", "recip_rank")):
    ours = lesson.values(RAW, graded, measure)
    print(f"{measure}: xorqa {np.mean(ours):.4f}, trec_eval {np.mean(theirs[reference]):.4f}")

# %% [markdown]
# (With BM25 two questions of 192 differ: equal scores are ordered by docid, ascending here and
# descending in trec_eval. The scorer `official` of `xorqa eval ranking` does as trec_eval does.)

# %% tags=["claim"]
ours = [lesson.values(RAW, graded, measure) for measure in ("nDCG@10", "RR")]
ties = [lesson.values(WORDS, graded, "nDCG@10"), lesson.reference(WORDS, graded)["ndcg_cut_10"]]
claim("two questions of 192", np.sum(~np.isclose(*ties)) == 2)
claim("they agree", np.allclose(ours, [theirs["ndcg_cut_10"], theirs["recip_rank"]]))

# %% [markdown]
# ## Grades
#
# Centring moves right sentences of other languages up. Is that better? For a reader who knows eight
# languages. Now suppose that readers want their own language and accept others: grade 3 for the
# right sentence in the question's language, 1 for those in other languages.
#
# **Predict first.** Which encoder is better at the first hit, by P@1 (all right ones alike) and by
# nDCG@1 with these grades?

# %% tags=["check"]
compared = {
    ("P@1", "all alike"): lesson.gain(RAW, CENTRED, qrels, "P@1"),
    ("nDCG@10", "all alike"): lesson.gain(RAW, CENTRED, qrels, "nDCG@10"),
    ("nDCG@1", "own language preferred"): lesson.gain(RAW, CENTRED, graded, "nDCG@1"),
    ("nDCG@10", "own language preferred"): lesson.gain(RAW, CENTRED, graded, "nDCG@10"),
}
header = ("measure", "grades", "centred minus as it comes [95 %]")
table(
    "Two encoders, points; 24 facts in 8 languages",
    header,
    [(*k, v) for k, v in compared.items()],
    labels=2,
)

# %% [markdown]
# P@1 sees no difference, not in a single question, so its interval has no width and says nothing
# about other questions. With grades, the centred encoder is worse at the first hit and still
# better among ten; both intervals exclude zero. None of these numbers is wrong: readers differ
# in what they need, so decide whose need it is before you look. The grades decide, too: a right hit
# in another language has an nDCG@1 of 1/3 here, and would have 1/2 with grades 2 and 1. (Intervals
# resample the 24 facts, since their translations are not independent, and take the centring as
# given.)

# %% tags=["claim"]
alike, ten_alike, one_graded, ten_graded = compared.values()
firsts = [lesson.values(name, qrels, "P@1") for name in (RAW, CENTRED)]
claim("not in a single question", firsts[0] == firsts[1], alike=alike)
claim("the centred encoder is worse at the first hit", (one_graded.low, one_graded.high))
claim("still better among ten", ten_graded.low > 0 and ten_alike.low > 0, it=ten_graded)
claim("24 facts", {one.n for one in compared.values()} == {24})

# %% [markdown]
# ## Pools
#
# Nobody judges every document for every question. A *pool* has the first hits of some systems;
# people judge these, and whatever was not judged counts as wrong.
#
# Suppose that BM25 and the encoder as it comes were there first, and that their first five hits
# were judged. Then a newcomer arrives, played by the centred encoder (a diagnosis, as above).
#
# **Predict first.** With all judgements, centring gains about eleven points of nDCG@10. How many
# does it gain when only the pool is judged? Do both scores fall?

# %% tags=["check"]
old = lesson.pooled([WORDS, RAW], 5)
new = lesson.pooled(lesson.SYSTEMS, 5)
judgements = {"all judged": qrels, "pool without centred": old, "pool with centred": new}
rows = [
    (
        kind,
        f"{np.mean([sum(one.values()) for one in judged.values()]):.1f}",
        *(f"{lesson.mean(name, judged, 'nDCG@10'):.1f}" for name in (RAW, CENTRED)),
        lesson.gain(RAW, CENTRED, judged, "nDCG@10"),
    )
    for kind, judged in judgements.items()
]
header = ("judgements", "right ones known", RAW, CENTRED, "difference [95 %]")
table("nDCG@10, percent; 24 facts in 8 languages", header, rows)

# %% [markdown]
# The winner changes, and the interval excludes zero both times: an interval knows nothing about
# missing judgements. Nor do scores fall when judgements vanish: the old encoder's *rises* by 14
# points. nDCG is a fraction. It divides by the best order of the right documents that are *known*,
# and the pool has half of them, so this denominator shrinks for both. The old encoder's numerator
# shrinks less, since the known ones are its own first hits. The newcomer's shrinks by about the
# same proportion as the denominator, so its score happens to stay where it was. Once it contributes
# its own five, it wins again.

# %% tags=["claim"]
full, without, included = (
    lesson.gain(RAW, CENTRED, judged, "nDCG@10") for judged in judgements.values()
)
claim("about eleven points", full.mean)
claim("all judged: excludes zero", full.low > 0, full=full)
claim("the winner changes, and excludes zero", without.high < 0, without=without)
claim("it wins again", included.low > 0, included=included)
known = np.mean([sum(one.values()) for one in old.values()]) / 8
claim("has half of them", known)
rises, stays = (
    lesson.mean(name, old, "nDCG@10") - lesson.mean(name, qrels, "nDCG@10")
    for name in (RAW, CENTRED)
)
claim("rises* by 14 points", rises)
claim("happens to stay where it was", abs(stays) < 0.5, stays=stays)

# %% [markdown]
# What gives it away? Look at the share of judged hits, at the depth of the score and at that of the
# pool:


# %% tags=["check"]
def judged_share(name, judged, k):
    """The percentage of the first k hits that were judged."""
    hits = [(one, docid) for one in judged for docid in lesson.ranking(name, one)[:k]]
    return 100 * np.mean([docid in judged[one] for one, docid in hits])


rows = [(name, *(f"{judged_share(name, old, k):.0f}" for k in (5, 10))) for name in (RAW, CENTRED)]
table("Judged on the pool without centred, percent", ("system", "first 5", "first 10"), rows)

# %% [markdown]
# At ten, the depth of the score, about half of the hits are unjudged for both, and the difference
# looks harmless. It is at the top, where nDCG has its weight: all of the old encoder's first five
# are judged (they *are* the pool), but only seven in ten of the newcomer's.
#
# ### Exercise 3: what a pool leaves open
#
# An unjudged hit may be wrong or right. Return the lowest and the highest value that P@k can have
# once everything is judged. `grades` has what was judged; 0 is wrong.


# %% tags=["exercise"]
def limits(ranking, grades, k):
    """(lowest, highest) P@k, from 0 to 1."""
    return ...


# %% tags=["solution"]
def limits(ranking, grades, k):
    """(lowest, highest) P@k, from 0 to 1."""
    lowest = sum(grades.get(docid, 0) > 0 for docid in ranking[:k]) / k
    return lowest, lowest + sum(docid not in grades for docid in ranking[:k]) / k


# %% tags=["grade"]
lesson.check_3(limits)

# %% tags=["check"]
for name in (RAW, CENTRED):
    low, high = np.mean([lesson.limits(lesson.ranking(name, one), old[one], 5) for one in old], 0)
    full = lesson.mean(name, qrels, "P@5")
    print(f"{name}: P@5 from {100 * low:.0f} to {100 * high:.0f} %; all judged {full:.0f} %")
fives = [lesson.gain(RAW, CENTRED, judged, "P@5") for judged in (old, qrels)]
print("centred minus as it comes, P@5: pool without centred {}, all judged {}".format(*fives))

# %% [markdown]
# The old encoder's P@5 lies within the newcomer's limits: this pool cannot say which is higher,
# whatever the interval of nDCG looks like. ([Moffat and Zobel
# 2008](https://doi.org/10.1145/1416950.1416952) report such a *residual* beside every score.)
# Nor is the depth of the score to blame. At 5, the pool's own, the newcomer's P@5 is 14 points
# lower than the old encoder's if unjudged counts as wrong, and 13 points higher with all judged;
# both intervals exclude zero.
#
# ### Exercise 4: bpref
#
# *Bpref* (Buckley and Voorhees 2004) ignores unjudged hits. With R right and N wrong documents
# judged, it adds up, over the right documents retrieved,
#
#     1 - min(wrong ones judged and ranked above it, R) / min(R, N)
#
# (1 if no wrong one is above), and divides the sum by R.


# %% tags=["exercise"]
def bpref(ranking, grades):
    """Bpref, from 0 to 1."""
    return ...


# %% tags=["solution"]
def bpref(ranking, grades):
    """Bpref, from 0 to 1."""
    right = sum(grade > 0 for grade in grades.values())
    wrong_above, total = 0, 0.0
    for docid in ranking:
        if grades.get(docid, 0) > 0:
            share = min(wrong_above, right) / min(right, len(grades) - right) if wrong_above else 0
            total += 1 - share
        elif docid in grades:
            wrong_above += 1
    return total / right


# %% tags=["grade"]
lesson.check_4(bpref)

# %% tags=["check"]
by_bpref = lesson.gain(RAW, CENTRED, old, "Bpref")
print(f"Bpref on the pool without centred, centred minus as it comes: {by_bpref}")

# %% [markdown]
# With the same poor pool, bpref prefers the centred encoder, and its interval excludes zero. It is
# no cure: it scores only what the old systems brought to the pool.
#
# Today the missing judgements often come from a language model
# ([UMBRELA](https://arxiv.org/abs/2406.06519), Upadhyay et al. 2024). It fills the pool, with two
# questions of its own: does it agree with people in each language (lesson 15 tests a judge), and is
# it related to one of the rankers that it judges?

# %% tags=["claim"]
mine = [bpref(lesson.ranking(CENTRED, one), old[one]) for one in old]
claim(
    "the exercise's bpref is the library's", np.allclose(mine, lesson.values(CENTRED, old, "Bpref"))
)
shares = [judged_share(name, old, 10) / 100 for name in (RAW, CENTRED)]
claim("about half of the hits are unjudged", 1 - np.mean(shares), shares=shares)
claim("all of the old encoder's first five", judged_share(RAW, old, 5) == 100)
claim("only seven in ten", judged_share(CENTRED, old, 5) / 100)
five = [lesson.limits(lesson.ranking(CENTRED, one), old[one], 5) for one in old]
(low, high), known = np.mean(five, axis=0), lesson.mean(RAW, old, "P@5") / 100
claim("within the newcomer's limits", low < known < high, low=low, known=known, high=high)
claim("14 points lower", -fives[0].mean)
claim("13 points higher", fives[1].mean)
claim("both intervals exclude zero", fives[0].high < 0 < fives[1].low)
claim("bpref prefers the centred encoder", by_bpref.low > 0, bpref=by_bpref)

# %% [markdown]
# ## Translated questions, natural questions
#
# Our 24 facts were asked in eight languages: the questions are *translated*, as in XQuAD and MLQA.
# So a difference between two languages can be tested in pairs. Had every language asked 24
# questions of its own, *natural* ones as in XOR QA ([Asai et al.
# 2021](https://aclanthology.org/2021.naacl-main.46)), easy questions would mix with easy languages.
#
# **Predict first.** Of the 28 pairs of the eight languages, in how many does the interval of the
# difference in AP exclude zero: in pairs, and as if the questions were different ones?

# %% tags=["check"]
two = list(combinations(sorted({qid[3:] for qid in qrels}), 2))
paired = {pair: lesson.languages(RAW, "AP", *pair) for pair in two}
apart = {pair: lesson.unpaired(RAW, "AP", *pair) for pair in two}
for name, found in (("in pairs", paired), ("as if not in pairs", apart)):
    shown = sum(one.excludes_zero for one in found.values())
    print(f"{name}: {shown} of {len(two)} intervals exclude zero; te minus fi {found['fi', 'te']}")
p, corrected = lesson.randomisation(RAW, "AP", two)
print(f"in pairs, p below 0.05 after Holm's correction: {sum(corrected < 0.05)} of {len(two)}")
print(f"te minus fi: p = {p[two.index(('fi', 'te'))]:.3f}")

# %% [markdown]
# The same figures, 24 facts a language: pairs show more than three times as many differences, such
# as that between Telugu and Finnish. That is what translation buys. (28 tests at 95 % would exclude
# zero once or twice by chance alone. By the randomisation test of lesson 7b with Holm's correction,
# 9 of the 28 differences are left, and Telugu against Finnish is not among them.) The intervals
# speak of other facts of this kind, for the 24 were chosen, not drawn; and a language here is that
# of the questions *and* of the sentences.
#
# What translation cannot show is what people ask. Translated questions are about what the source
# language has: here every question has an answer in English, by construction. In the bundled
# world's own questions, half have an answer in the question's language only; a set that was
# translated from English could not contain one.

# %% tags=["claim"]
shown = [sum(one.excludes_zero for one in found.values()) for found in (paired, apart)]
claim("more than three times as many", shown[0] / shown[1], shown=shown)
claim(
    "such as Telugu and Finnish", paired["fi", "te"].excludes_zero > apart["fi", "te"].excludes_zero
)
claim("the same figures", all(abs(paired[x].mean - apart[x].mean) < 1e-9 for x in two))
claim("9 of the 28", sum(corrected < 0.05) == 9, corrected=sorted(corrected)[:12])
of_pair = corrected[two.index(("fi", "te"))]
claim("Telugu against Finnish is not among them", of_pair >= 0.05, p=of_pair)
claim("once or twice by chance alone", 1 <= 0.05 * len(two) <= 2)
in_english = [any(docid.startswith("en-") for docid in right) for right in qrels.values()]
claim("every question has an answer in English", all(in_english))
claim("half have an answer in the question's language only", lesson.in_own_language_only() == 0.5)

# %% [markdown] tags=["instructor"]
# **Exercises 3 and 4.** Typical in 3: dividing by the judged hits, or calling what was judged wrong
# open; in 4: counting unjudged hits as wrong. Discuss: who would have judged the pool in your last
# paper's data set, and were there any dense retrievers among the systems?

# %% [markdown]
# ## The answer
#
# **The reader's need, before the system: qrels and grades state it, the measure weighs it, and the
# pool decides what can count as right at all. Report the measure, its interval, and the judged
# share, at the depth of the score and nearer the top: an interval knows nothing about what was
# never judged.**
#
# ## Exercises
#
# Exercises 1 to 4 are above, in the sections that they belong to.
#
# ## Go on
#
# - `xorqa eval ranking --data qrels.txt --pred run.trec` scores any system's run
#   ([scoring](../docs/scoring.md)).
# - [Lesson 7b](07b_is_it_better.ipynb) tests differences in answers as this one does in rankings.
