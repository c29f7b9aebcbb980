# %% [markdown]
# # 14. Rankings judged
#
# **The question of this lesson:** who decides which of two rankings is better?
#
# A *run* ranks documents, *qrels* say which of them are right, a *measure* makes a number of both.
# All three decide. We rank the pool of lesson 5, of which every right sentence is known, and then
# pretend that it is not. Pools and incomplete judgements: [Buckley and Voorhees
# 2004](https://doi.org/10.1145/1008992.1009000).
#
# - **Level:** intermediate
# - **Time:** 35 minutes of reading, 25 of exercises
# - **You need:** lessons 2b and 5; Python
# - **You will be able to:** compute MRR and nDCG and say what each ignores; read a score with the
#   share of judged hits beside it; say what translated questions buy, and what they cannot show

# %%
from math import log2

import numpy as np
from lessons import claim, table
from lessons import rankings_judged as lesson

WORDS, RAW, CENTRED = lesson.SYSTEMS
qrels = lesson.qrels()

# %% [markdown] tags=["instructor"]
# **Plan.** 35 minutes: measures 10, grades 5, pools 12, languages 8. The pool section is the one to
# keep. All figures are exact and need no GPU; the first table takes a quarter of a minute.

# %% [markdown]
# ## A run and its qrels
#
# 192 questions, 24 in each of eight languages, and 192 sentences. Each question has eight right
# sentences, one per language. `ko-15` is the fifteenth sentence in Korean. Three systems: BM25, the
# encoder as it comes, and the encoder centred, which removes its preference for the question's
# language.

# %% tags=["check"]
qid = "15.ko"
print(lesson.questions()[qid].text)
print("qrels:", sorted(qrels[qid]))
for name in lesson.SYSTEMS:
    print(f"{name}:", *lesson.ranking(name, qid)[:8])

# %% [markdown]
# **Reciprocal rank** is 1/rank of the first right hit; its mean over questions is MRR. **P@1** asks
# whether the first hit is right. **nDCG@10** adds up the grades of the first ten hits, each divided
# by log2(rank + 1), and divides by the sum of the best possible order.
#
# **Predict first.** BM25 finds sentences in the question's own language only. Is its MRR low? And
# its nDCG@10?

# %% tags=["check"]
MEASURES = ("RR", "P@1", "nDCG@10", "AP")
rows = [
    (name, *(f"{lesson.mean(name, qrels, measure):.1f}" for measure in MEASURES))
    for name in lesson.SYSTEMS
]
table("All right sentences judged, percent; n = 192", ("system", "MRR", *MEASURES[1:]), rows)

# %% [markdown]
# One right hit at the top is all that MRR asks for, and each question has a right sentence in its
# own language. So all three have an MRR above 95, although BM25 misses seven of eight right
# sentences. nDCG and AP see that.

# %% tags=["claim"]
mrr = {name: lesson.mean(name, qrels, "RR") for name in lesson.SYSTEMS}
claim("all above 95", min(mrr.values()) > 95, **mrr)
claim(
    "nDCG sees it", lesson.mean(WORDS, qrels, "nDCG@10") < lesson.mean(RAW, qrels, "nDCG@10") - 30
)
first_hundred = [set(lesson.ranking(WORDS, one)) for one in qrels]
found = [len(hits & set(qrels[one])) for hits, one in zip(first_hundred, qrels, strict=True)]
claim("BM25 misses seven of eight", 1 - np.mean(found) / 8)
claim("192 questions with eight right ones", {len(one) for one in qrels.values()} == {8})

# %% [markdown]
# ### Exercise 1: reciprocal rank
#
# `grades` has the docids that were judged, with their grades; 0 is wrong.


# %% tags=["exercise"]
def reciprocal_rank(ranking, grades, cutoff):
    """1/rank of the first right hit among the first `cutoff`, else 0."""
    return ...


# %% tags=["solution"]
def reciprocal_rank(ranking, grades, cutoff):
    """1/rank of the first right hit among the first `cutoff`, else 0."""
    for rank, docid in enumerate(ranking[:cutoff], start=1):
        if grades.get(docid, 0) > 0:
            return 1 / rank
    return 0


# %% tags=["grade"]
lesson.check_1(reciprocal_rank)

# %% [markdown]
# ### Exercise 2: nDCG
#
# The gain is the grade itself, as in trec_eval.


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
# **Exercises 1 and 2.** Typical: `docid in grades` for right (grade 0 is judged, and wrong), ranks
# from 0, an ideal of the retrieved docids only. Ask for a ranking with nDCG 1 that misses right
# documents (more than k of them are right).

# %% [markdown]
# xorqa's scorer and trec_eval's own code, read through pytrec_eval, agree:

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
    "Two encoders, points; n = 24 questions",
    header,
    [(*k, v) for k, v in compared.items()],
    labels=2,
)

# %% [markdown]
# P@1 sees no difference. With grades, the centred encoder is worse at the first hit and still
# better among ten; both intervals exclude zero. None of these numbers is wrong: readers differ
# in what they need, so decide whose need it is before you look. (Intervals resample the 24 facts,
# since their translations are not independent.)

# %% tags=["claim"]
alike, ten_alike, one_graded, ten_graded = compared.values()
claim("P@1: no difference", alike.mean == 0, alike=alike)
claim("the centred encoder is worse at the first hit", (one_graded.low, one_graded.high))
claim("still better among ten", ten_graded.low > 0 and ten_alike.low > 0, it=ten_graded)
claim("24 facts", {one.n for one in compared.values()} == {24})

# %% [markdown]
# ## Pools
#
# Nobody judges every document for every question. A *pool* has the first hits of some systems;
# people judge these, and whatever was not judged counts as wrong.
#
# ### Exercise 3: a pool
#
# Return the docids that have to be judged: the first `depth` of each run.


# %% tags=["exercise"]
def to_judge(runs, depth):
    """The docids of a pool; `runs` are lists of docids, best first."""
    return ...


# %% tags=["solution"]
def to_judge(runs, depth):
    """The docids of a pool; `runs` are lists of docids, best first."""
    return {docid for run in runs for docid in run[:depth]}


# %% tags=["grade"]
lesson.check_3(to_judge)

# %% [markdown]
# Suppose that BM25 and the encoder as it comes were there first, and that their first five hits
# were judged. Then somebody invents centring.
#
# **Predict first.** With all judgements, centring gains about eleven points of nDCG@10. How many
# does it gain when only the pool is judged?

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
table("nDCG@10, percent; n = 24 questions", header, rows)

# %% [markdown]
# The winner changes, and the interval excludes zero both times: an interval knows nothing about
# missing judgements. The pool has half of the right sentences, and those are the ones that the old
# systems rank high. Once the centred run contributes its own five, it wins again.

# %% tags=["claim"]
full, without, included = (
    lesson.gain(RAW, CENTRED, judged, "nDCG@10") for judged in judgements.values()
)
claim("about eleven points", full.mean)
claim("all judged: excludes zero", full.low > 0, full=full)
claim("the winner changes, and excludes zero", without.high < 0, without=without)
claim("it wins again", included.low > 0, included=included)
known = np.mean([sum(one.values()) for one in old.values()]) / 8
claim("half of the right sentences", known)

# %% [markdown]
# What gives it away? The share of judged hits, which belongs beside every score on a pool:


# %% tags=["check"]
def judged_share(name, judged, k=10):
    """The percentage of the first k hits that were judged."""
    hits = [(one, docid) for one in judged for docid in lesson.ranking(name, one)[:k]]
    return 100 * np.mean([docid in judged[one] for one, docid in hits])


for name in (RAW, CENTRED):
    print(f"{name}: judged among the first five {judged_share(name, old, 5):.0f} %")
bpref = lesson.gain(RAW, CENTRED, old, "Bpref")
print(f"Bpref on the pool without centred: {bpref}")

# %% [markdown]
# All of the old system's first five are judged, but only about two thirds of the centred one's.
# *Bpref* (Buckley and Voorhees 2004) compares judged documents with judged ones and ignores all
# others. With the same poor pool, it prefers the centred encoder, and its interval excludes zero.
#
# ### Exercise 4: condensed lists
#
# A simpler remedy: leave unjudged hits out of the ranking before you score it.


# %% tags=["exercise"]
def condensed(ranking, grades):
    """The ranking without the docids that nobody judged."""
    return ...


# %% tags=["solution"]
def condensed(ranking, grades):
    """The ranking without the docids that nobody judged."""
    return [docid for docid in ranking if docid in grades]


# %% tags=["grade"]
lesson.check_4(condensed)

# %% tags=["claim"]
claim("all of the old system's", judged_share(RAW, old, 5) == 100)
late = judged_share(CENTRED, old, 5) / 100
claim("about two thirds", late)
claim("Bpref prefers centred", bpref.low > 0, bpref=bpref)

# %% [markdown]
# ## Translated questions, natural questions
#
# Our 24 facts were asked in eight languages: the questions are *translated*, as in XQuAD and MLQA.
# So a difference between two languages can be tested in pairs. Had every language asked 24
# questions of its own, *natural* ones as in XOR QA ([Asai et al.
# 2021](https://aclanthology.org/2021.naacl-main.46)), easy questions would mix with easy languages.
#
# **Predict first.** AP is lower in Telugu than in Finnish. Is the difference more than chance, in
# pairs, and as if the questions were different ones?

# %% tags=["check"]
paired = lesson.languages(RAW, "AP", "fi", "te")
apart = lesson.unpaired(RAW, "AP", "fi", "te")
print(f"te minus fi, AP, in pairs:           {paired}, n = {paired.n}")
print(f"te minus fi, AP, as if not in pairs: {apart}, n = {apart.n} and {apart.n}")

# %% [markdown]
# Pairs show it, the same figures without pairs do not: their interval includes zero. That is what
# translation buys. What it cannot show is what people ask. Translated questions are about what the
# source language has: here every question has an answer in English, by construction. In the
# bundled world's own questions, half have an answer in the question's language only; a set that was
# translated from English could not contain one of them.

# %% tags=["claim"]
claim("pairs show it", paired.high < 0, paired=paired)
claim("without pairs they do not", not apart.excludes_zero, apart=apart)
claim("the same figures", abs(paired.mean - apart.mean) < 1e-9)
in_english = [any(docid.startswith("en-") for docid in right) for right in qrels.values()]
claim("every question has an answer in English", all(in_english))
claim("half have an answer in the question's language only", lesson.in_own_language_only() == 0.5)

# %% [markdown] tags=["instructor"]
# **Exercises 3 and 4.** Typical in 3: an intersection, or the depth of the whole instead of each
# run; in 4: dropping what was judged wrong. Discuss: who would have judged the pool in your last
# paper's data set, and were there any dense retrievers among the systems?

# %% [markdown]
# ## The answer
#
# **The reader's need, before the system: qrels and grades state it, the measure weighs it, and the
# pool decides what can count as right at all. Report the measure, the judged share and the
# interval, and remember that an interval knows nothing about what was never judged.**
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
