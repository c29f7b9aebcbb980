# %% [markdown]
# # 8. Diagnose
#
# **The question of this lesson:** one system has the better average; for which questions is it
# better, for which is it worse, and which of these differences are more than chance?
#
# [XTREME-R](https://aclanthology.org/2021.emnlp-main.802) (Ruder et al. 2021) splits the scores of
# a system by features of the questions, such as the length of the answer, and compares two systems
# in each bucket. We do the same with questions in seven languages at once.
#
# - **Level:** advanced
# - **Time:** 30 minutes of reading, 25 of exercises
# - **You need:** lesson 1, and lesson 7b's two tests; Python and NumPy
# - **You will be able to:** split an average into buckets and find where a system fails; read the
#   questions behind a bucket; find a reversal that an average hides, and test it among all others

# %%
import numpy as np
from lessons import claim, draw, use_fonts
from lessons import diagnose as lesson

from xorqa.lab.diagnosis.diagnosis import diagnose_data

families = use_fonts()
data = lesson.load()  # the questions of the bundled world, and what two systems answered

# %% [markdown] tags=["instructor"]
# **Plan.** 35 minutes: buckets 10, the questions behind one 10, the reversal 5, many tests 10.
# Nothing is computed for longer than a few seconds: the answers of both systems were recorded. If
# time is short, leave out exercise 4. The most common mistake is to explain a bucket before
# reading its questions; let students read five aloud first.

# %% [markdown]
# ## Two systems
#
# Both answer the bundled world's 168 questions in their own language, from its English part and
# from the part in the question's language, XOR QA's two Wikipedias in small. Half of the questions
# are answered only by English passages ("cross-lingual"), half only by those in their own language
# ("in-language"). `bm25` searches with the words of the question, translated by people for English
# passages. `dense` searches with vectors of the question as it was asked. They read and choose
# answers alike.

# %% tags=["check"]
scores = {name: lesson.f1(name) for name in lesson.SYSTEMS}
for name, f1 in scores.items():
    print(f"{name:5} F1 {f1.mean():.1f} over {len(f1)} questions (XOR-Full, official scorer)")

# %% [markdown]
# `dense` is eleven points worse (95 % interval 5 to 17). In a table of results it would be the
# loser.

# %% tags=["claim"]
from lessons import mean_interval

overall = scores["bm25"].mean() - scores["dense"].mean()
claim("`dense` is eleven points worse", overall)
claim("`dense` is eleven points worse", mean_interval(scores["dense"] - scores["bm25"]))
english = sum(question.answered_in == "en" for question in data.questions)
claim("half of the questions", english / len(data.questions))

# %% [markdown]
# ## Buckets
#
# A feature puts each question into one bucket: its language, the type of its answer, the number of
# words.
#
# **Predict first.** `bm25` gets two thirds of the points. The answers are dates, numbers, persons,
# places and others. For which type is it worst, and by how many points below that average?

# %%
found = diagnose_data(data)
lesson.bucket_table(found, "answer-type")


# %% tags=["check"]
def in_halves(*kinds):
    """bm25's scores for answers of these types, by the Wikipedia that answers."""
    typed = sorted(at for kind in kinds for at in lesson.of_answer_type(kind))
    return {
        half: [scores["bm25"][at] for at in typed if data.questions[at].answered_in == half]
        for half in ("target", "en")
    }


for kinds in (("date", "number"), ("person",)):
    halves = in_halves(*kinds)
    print(*kinds, {half: f"F1 {np.mean(one):.0f}, n = {len(one)}" for half, one in halves.items()})
    apart = lesson.apart(halves["en"], halves["target"])
    print(f"  target minus en {apart}")

# %% [markdown]
# Numbers and dates are easy for `bm25`. The localiser's rules (lesson 1) put them into the
# question's language. In-language answers need no rule, and whether dates and numbers are easier or
# harder there, 28 questions in each half do not show. Names of persons may be where rules matter:
# F1 is 85 in-language and 56 cross-lingual, but with 14 and 15 questions the interval of this
# difference includes zero, too. The other answers, such as names of things and phrases, are the
# worst by far, and there are more of them than of any other type. The largest difference between
# the systems is elsewhere: in dates, by 25 points. Its interval excludes zero, but it was found by
# looking; whether it is more than chance is asked below.

# %% tags=["claim"]
rows = [row for row in found.pairs[0].differences if row.metric == "f1"]
types = {row.bucket.name: row for row in rows if row.feature == "answer-type"}
means = {name: row.a for name, row in types.items()}
*easy, second, worst = sorted(means, key=lambda name: -means[name])
claim("other answers are the worst", worst == "other", **means)
claim("by far", means[second] - means[worst] > 10, **means)
claim("more than of any other type", types[worst].n == max(row.n for row in types.values()))
claim("numbers and dates are easy", sorted(easy[:2]) == ["date", "number"], easy=easy)

ruled, persons = in_halves("date", "number"), in_halves("person")
claim("28 questions in each half", {len(values) for values in ruled.values()} == {28})
for kind in (ruled, persons):
    apart = lesson.apart(kind["en"], kind["target"])
    claim("the interval includes zero", apart.low < 0 < apart.high, apart=str(apart))
claim("persons: 14 and 15", [len(values) for values in persons.values()] == [14, 15])
claim("85 and 56", [round(np.mean(values)) for values in persons.values()] == [85, 56])
widest = max(types.values(), key=lambda row: row.difference)
claim("in dates", widest.bucket.name == "date", widest=widest.bucket.name)
claim("by 25 points", widest.difference)
claim("its interval excludes zero", widest.low > 0)

# %% [markdown]
# ### Exercise 1: an average, taken apart
#
# Write the number of questions and the mean of each bucket.


# %% tags=["exercise"]
def by_bucket(values, buckets):
    """Bucket to (n, mean): `values` is an array, `buckets` a list with each value's bucket."""
    return ...


# %% tags=["solution"]
def by_bucket(values, buckets):
    """Bucket to (n, mean): `values` is an array, `buckets` a list with each value's bucket."""
    names = np.array(buckets)
    return {name: (sum(names == name), values[names == name].mean()) for name in buckets}


# %% tags=["grade"]
lesson.check_1(by_bucket)

# %% tags=["check"]
types_of = lesson.buckets(found, "answer-type")
parts = {
    kind: [value for value, own in zip(scores["bm25"], types_of, strict=True) if own == kind]
    for kind in dict.fromkeys(types_of)
}
weighted = sum(len(part) * np.mean(part) for part in parts.values()) / len(types_of)
print(f"mean of all {scores['bm25'].mean():.4f}, of the buckets by their n {weighted:.4f}")

# %% [markdown]
# ## The questions behind a bucket
#
# A bucket says where a system fails, never why. For that one reads. Here are questions of `other`
# for which `bm25` gets no point. The last column has the rank of a gold passage for `bm25` and for
# `dense`, or – where none was retrieved:

# %%
lost = [at for at in lesson.of_answer_type("other") if scores["bm25"][at] == 0]
lesson.question_table("bm25 gets nothing", lost[::3])

# %% [markdown]
# Two things go wrong here. Some answers are from another passage, or the wrong words of the right
# one. And 7 of the 25 in `lost` are right, but in English: *Ashmolean Museum* answers a Korean
# question, and no rule knows its Korean name. The scorer wants the answer in the question's
# language. Buckets err, too: the types come from rules, and these did not recognise a commander's
# name as that of a person.

# %% tags=["claim"]
unlocalised = [at for at in lost if data.systems["bm25"][at].answer in data.questions[at].answers]
claim("7 of the 25", (len(unlocalised), len(lost)) == (7, 25), n=len(unlocalised))
answered = [(data.questions[at].lang, data.systems["bm25"][at].answer) for at in unlocalised]
claim("the museum, in Korean", ("ko", "Ashmolean Museum") in answered, answered=answered)
commander = [at for at in lost[::3] if "commander" in data.questions[at].english]
claim("a commander is shown", len(commander) == 1)

# %% [markdown]
# ### Exercise 2: could a better retriever help?
#
# Of the questions in `lost`, for what percentage did `bm25` rank a gold passage first? Each of
# `data.systems["bm25"]` has `gold_rank`, from 1, or None where no gold passage was retrieved.

# %% tags=["exercise"]
answer_2 = ...  # a percentage

# %% tags=["solution"]
ranks = [data.systems["bm25"][at].gold_rank for at in lost]
answer_2 = 100 * sum(rank == 1 for rank in ranks) / len(lost)

# %% tags=["grade"]
lesson.check_2(answer_2)

# %% [markdown] tags=["instructor"]
# **Exercise 2.** Ask before it: "The bucket is called *other*. What did you think was wrong with
# it?" Few students guess that many answers are right. That is why one reads: the name of a bucket
# suggests a reason, and the questions show it.

# %% [markdown]
# ## A reversal
#
# **Predict first.** `dense` is eleven points worse on average. In which of the two halves does it
# lose more, in-language or cross-lingual? And is it worse everywhere?

# %%
rows = [row for row in found.pairs[0].differences if row.metric == "f1"]
halves = [row for row in rows if row.feature in ("all", "answered-in")]
lesson.difference_table("bm25 - dense, F1 of XOR-Full, official scorer", halves)

# %% [markdown]
# Most of the difference is cross-lingual: there `dense` searches English passages with a question
# in another language. (And `bm25` with a human translation: this compares two systems, not BM25
# with vectors.) Where question and passage share their language, what is left could be chance. But
# "significant here, not there" is no test of the two halves against each other. This is one; its p
# exchanges questions between the halves:

# %% tags=["check"]
gain = scores["bm25"] - scores["dense"]
in_english = np.array([question.answered_in == "en" for question in data.questions])
print(f"cross-lingual minus in-language {lesson.apart(gain[~in_english], gain[in_english])}")

# %% [markdown]
# The halves do differ. Now both features at once, language and half:

# %% tags=["claim"]
by_name = {row.bucket.name: row for row in halves}
inside, across = by_name["in-language"], by_name["cross-lingual"]
share = across.difference / (across.difference + inside.difference)
claim("most of the difference is cross-lingual", share, **by_name)
claim("what is left could be chance", (inside.low, inside.high), **by_name)
claim("as many of the one as of the other", inside.n == across.n == 84)
claim("the halves do differ", lesson.apart(gain[~in_english], gain[in_english]).p < 0.05)

# %%
langs = sorted({question.lang for question in data.questions})
lesson.crossed_table("bm25 - dense, points of F1", langs)

# %% [markdown]
# The average says that in Finnish the two systems are nearly alike. Its two halves are not: the
# twelve cross-lingual questions favour `bm25` by 25 points, the twelve in-language ones favour
# `dense` by 20 points. One average hid two differences of opposite signs. Would they be there with
# other questions? Each interval reaches zero. A reversal is a difference of differences, and can be
# tested as one:

# %% tags=["check"]
for lang in langs:
    print(
        f"{lang}: cross-lingual minus in-language {lesson.apart(*lesson.half_gains(lang).values())}"
    )

# %% [markdown]
# Finnish has the smallest p of the seven, and times seven (Holm) it is far above 0.05. So read the
# questions themselves. A reason is at hand: BM25 compares words, and Finnish words change their
# endings and stems (lesson 2a). Here are all the in-language ones on which the systems differ:

# %% tags=["claim"]
finnish = {half: np.mean(gains) for half, gains in lesson.half_gains("fi").items()}
claim("nearly alike", abs(np.mean(list(finnish.values()))) < 3, **finnish)
claim("favour `bm25` by 25 points", finnish["cross-lingual"], **finnish)
claim("`dense` by 20 points", -finnish["in-language"], **finnish)
for gains in lesson.half_gains("fi").values():
    low, high = mean_interval(gains)
    claim("each interval reaches zero", low <= 0 <= high, low=low, high=high)
reversals = {lang: lesson.apart(*lesson.half_gains(lang).values()).p for lang in langs}
claim("the smallest p", min(reversals, key=lambda lang: reversals[lang]) == "fi", **reversals)
claim("far above 0.05", len(langs) * reversals["fi"] > 0.15, **reversals)

# %%
unlike = [
    at
    for at, question in enumerate(data.questions)
    if (question.lang, question.answered_in) == ("fi", "target") and gain[at]
]
lesson.question_table("Finnish, in-language: where the systems differ", unlike)

# %% [markdown]
# Three of twelve, all for `dense`; `bm25` ranked each gold passage lower, or did not retrieve it.
# With three, the smallest exact p that there can be is 2 of the 8 ways to swap them, 0.25 (lesson
# 7b).

# %% tags=["claim"]
places = [[data.systems[name][at].gold_rank or 1000 for name in lesson.SYSTEMS] for at in unlike]
claim("bm25 ranked it lower", all(ours > theirs for ours, theirs in places), ranks=places)
claim("three, all for dense", len(unlike) == 3 and max(gain[unlike]) < 0, gains=gain[unlike])

# %% [markdown]
# ## Which of these are real?
#
# If you search 60 buckets, you will find something. Each bucket is a test, and of 60 tests at 0.05
# three are significant on average if the systems do not differ at all.
#
# **Predict first.** How many of the buckets have p of at most 0.05, and how many are left after
# Holm's correction (lesson 7b)? Is a single language among them?

# %% tags=["check"]
alone = [row for row in rows if row.p_randomisation <= 0.05]
kept = [row for row in rows if row.significant]
print(f"{len(rows)} tests, {len(alone)} with p of at most 0.05, {len(kept)} after the correction")

# %%
lesson.difference_table("Significant after the correction", kept)

# %%
chart = [
    (f"{row.feature}: {row.bucket.name}", row.difference, row.low, row.high, row.significant)
    for row in rows
    if row.feature in ("all", "answered-in", "answer-type", "language")
]
draw(
    lesson.interval_chart(
        chart, label="bm25 - dense, points of F1, 95 % interval", marked="significant"
    ),
    "The difference between the systems and its interval, one line for all questions and one per "
    "bucket of three features. All and the cross-lingual half are marked as significant.",
)

# %% [markdown]
# The correction keeps what is large and has many questions: the difference over all questions, the
# cross-lingual one, and buckets that consist of much the same questions. No single language is
# left, nor are the dates, though the intervals of dates, Bengali and Korean exclude 0 when taken
# alone. (`aLen` is the number of words of the gold answer, or of characters in Japanese; `BLEU-AQ`
# the BLEU of the answer against the question.) The Finnish reversal may be real, but a dozen
# questions cannot show it: it is a hypothesis for other data.
#
# One of the six is a trap. `gold-rank` is the rank of the gold passage for `bm25`: the questions
# on which `bm25` succeeded, where it must look good. Take those on which `dense` did:

# %% tags=["check"]
for name in lesson.SYSTEMS:
    first = np.array([row.gold_rank == 1 for row in data.systems[name]])
    low, high = lesson.mean_interval(gain[first])
    print(f"gold passage first for {name:5} n = {first.sum()}", end=" ")
    print(f"bm25 - dense {gain[first].mean():+.1f} [{low:+.1f}, {high:+.1f}]")

# %% [markdown]
# The difference is half as large. To compare systems, use features of the question, not of what one
# of the systems made of it.

# %% tags=["claim"]
names = {(row.feature, row.bucket.name) for row in kept}
claim("all questions, and across", {("all", "all"), ("answered-in", "cross-lingual")} <= names)
claim("no single language", not any(row.feature == "language" for row in kept), kept=names)
claim("many questions", min(row.n for row in kept) >= 84, kept=names)
claim("three on average", round(0.05 * len(rows)) == 3, tests=len(rows))
dates = types["date"]
claim("dates: alone, yes", dates.low > 0 and not dates.significant, p=dates.p_corrected)
alone = {row.bucket.name for row in rows if row.feature == "language" and row.low > 0}
claim("Bengali and Korean, too", alone == {"bn", "ko"}, alone=alone)
succeeded = {
    name: gain[[row.gold_rank == 1 for row in data.systems[name]]].mean() for name in scores
}
[trap] = [row for row in kept if row.feature == "gold-rank"]
claim("the rank is bm25's", abs(trap.difference - succeeded["bm25"]) < 1e-6, **succeeded)
claim("half as large", succeeded["dense"] / succeeded["bm25"], **succeeded)

# %% [markdown]
# ### Exercise 3: what would it take?
#
# Suppose that k of the twelve in-language questions in Finnish differ, all for `dense`. For which
# smallest k could their exact p be significant at 0.05 among `len(rows)` tests, if it is the
# smallest p of all and Holm corrects them?

# %% tags=["exercise"]
answer_3 = ...  # a number of questions

# %% tags=["solution"]
answer_3 = next(k for k in range(1, 100) if len(rows) * 2 / 2**k <= 0.05)

# %% tags=["grade"]
lesson.check_3(answer_3)

# %% [markdown] tags=["instructor"]
# **About 10 minutes.** Ask why Holm's correction may be too strict here: buckets of different
# features share questions, so the tests are not independent. It holds for any dependence, at the
# price of power. Who announces one bucket before looking, from another data set, needs none.

# %% [markdown]
# ## The answer
#
# **Split the average before you believe it: read the questions of the buckets where a system is
# worst, look for buckets in which the loser wins, and report only those differences that hold after
# a correction over all buckets you looked at.**
#
# ## Exercises
#
# Exercises 1 to 3 are above, in the sections that they belong to.
#
# Exercise 4 needs the two Finnish differences, exercise 5 five sentences about all tests:

# %%
inside, across = (np.mean(gains) for gains in lesson.half_gains("fi").values())
print(f"Finnish: in-language {inside:+.1f}, cross-lingual {across:+.1f}\n")
for letter, sentence in lesson.sentences().items():
    print(f"{letter}: {sentence}\n")

# %% [markdown]
# ### Exercise 4: whose average?
#
# Half of the Finnish questions are in-language. At which percentage of in-language questions would
# the two systems have the same average in Finnish, if the differences `inside` and `across` were
# known? (You have just seen that they are not: each rests on three questions.)

# %% tags=["exercise"]
answer_4 = ...  # a percentage

# %% tags=["solution"]
answer_4 = 100 * across / (across - inside)

# %% tags=["grade"]
lesson.check_4(answer_4)

# %% [markdown]
# ### Exercise 5: which sentence may you publish?
#
# Which of the five sentences above do the tests support?

# %% tags=["exercise"]
answer_5 = ...  # "a", "b", "c", "d" or "e"

# %% tags=["solution"]
answer_5 = "c"

# %% tags=["grade"]
lesson.check_5(answer_5)

# %% [markdown]
# ## Go on
#
# `xorqa diagnose RUN RUN --html page.html` makes the same tables for runs of your own, and a page
# in which you select a bucket and read its questions ([diagnosis](../docs/diagnosis.md)). With
# `xorqa leaderboard build` you publish several systems, each with such a page
# ([leaderboard](../docs/leaderboard.md)).
