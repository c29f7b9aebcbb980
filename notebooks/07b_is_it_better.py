# %% [markdown]
# # 7b. Is it better?
#
# **The question of this lesson:** one system scores higher than another; could that be chance, and
# how do I report the difference so that others believe it?
#
# Two old tests need nothing but the scores of single questions: the paired bootstrap ([Koehn
# 2004](https://aclanthology.org/W04-3250)) and approximate randomisation ([Riezler & Maxwell
# 2005](https://aclanthology.org/W05-0908)). We write both and compare them with the library.
#
# - **Level:** advanced
# - **Time:** 30 minutes of reading, 25 of exercises
# - **You need:** lesson 7a, or at least its hypothesis (below); Python and NumPy
# - **You will be able to:** compute an interval and a p by hand; correct for many comparisons and
#   plan how many questions an experiment needs; say what a comparison shows and what it does not

# %%
import numpy as np
from lessons import claim, draw
from lessons import is_it_better as lesson

from xorqa.metrics.significance import compare
from xorqa.tables.render import render

families = lesson.use_fonts()

# %% [markdown] tags=["instructor"]
# **Plan.** 35 minutes: the two tests by hand 15, many comparisons 10, how many questions 10. The
# first cell runs three small systems, which takes half a minute. If time is short, leave out "How
# many questions would one need?". The most common mistake in reports is to take "not significant"
# for "no difference"; exercise 5 is about that.

# %% [markdown]
# ## Two systems, 84 questions
#
# Lesson 7a announced a hypothesis: a reader that gets the question in English marks a better span
# than one that gets it as it was asked. The figure: F1 of XOR-EnglishSpan, official scorer, macro
# average over seven languages; significant if p is at most 0.05. The systems `asked` and
# `translated` differ in that one setting.
#
# A test needs no more than what each question gains. Most gain nothing, some gain everything, two
# lose.

# %% tags=["check"]
d = lesson.differences("asked", "translated", "xor-engspan")
print(f"{len(d)} questions: {sum(d > 0)} better, {sum(d < 0)} worse, {sum(d == 0)} alike")
print(f"mean difference {d.mean():+.1f} points of F1")

# %% [markdown]
# ## Could it be chance?
#
# **Predict first.** With 84 other questions of the same kind the difference would have been
# another. Between which two numbers does the mean over *all* such questions probably lie? Write
# them down.
#
# - **Paired bootstrap.** Draw as many questions as there are, with replacement, and take the mean
#   of their differences; ten thousand times. The middle 95 % of the means are the interval.
# - **Approximate randomisation.** If the systems were alike, it would be chance which of the two
#   scores of a question belongs to which. Toss a coin for each question and swap them or not. p is
#   how often the mean is as far from 0 as the one observed.


# %%
def interval(d, *, samples=10_000):
    """The 95 % interval of the mean difference, by the paired bootstrap."""
    random = np.random.default_rng(1)
    drawn = random.integers(len(d), size=(samples, len(d)))
    return np.quantile(d[drawn].mean(axis=1), [0.025, 0.975])


def chance(d, *, samples=10_000):
    """p, by approximate randomisation."""
    signs = np.random.default_rng(1).choice([-1, 1], size=(samples, len(d)))
    return np.mean(np.abs(signs @ d / len(d)) >= abs(d.mean()) - 1e-9)


low, high = interval(d)
p = chance(d)
print(f"difference {d.mean():+.1f}, 95 % interval {low:+.1f} to {high:+.1f}, p {p:.4f}")

# %% [markdown]
# About fifty of ten thousand swaps came that far. Had none, p would still not be 0: ten
# thousand samples can only measure ten thousandths. The library counts the observed scores as one
# more sample, so its p is never 0.

# %% tags=["claim"]
claim("most gain nothing", np.mean(d == 0))
claim("two lose", sum(d < 0) == 2, lost=d[d < 0])
claim("about fifty of ten thousand swaps came that far", 10_000 * p, p=p)
claim("the interval leaves out 0", low > 0, low=low, high=high)
one, other = lesson.two_runs([1] * 40)
claim("the library's p is never 0", compare(one, {"b": other})[0].p_randomisation > 0)

# %% [markdown]
# ### Exercise 1: every swap
#
# Why *approximate*? With few questions all swaps can be counted: ten questions have 1,024. Write
# the exact p: over all ways to give each difference a plus or a minus, the share whose sum is as
# far from 0 as the observed sum. (`itertools.product` makes them.)
#
# **Predict first.** Of ten questions a system wins four, loses one, and five are alike. How large
# is p?


# %% tags=["exercise"]
def exact_p(d):
    """The share of all swaps whose sum is as far from 0 as that of the array `d`."""
    return ...


# %% tags=["solution"]
def exact_p(d):
    """The share of all swaps whose sum is as far from 0 as that of the array `d`."""
    sums = np.zeros(1)
    for gain in d:
        sums = np.concatenate([sums - gain, sums + gain])
    return np.mean(np.abs(sums) >= abs(d.sum()) - 1e-9)


# %% tags=["grade"]
lesson.check_1(exact_p)

# %% tags=["check"]
ten = [1, 1, 1, 1, -1, 0, 0, 0, 0, 0]
before, after = lesson.two_runs(ten)
[drawn] = compare(before, {"B": after})
print(f"by hand, ten thousand swaps: p = {chance(np.array(ten)):.2f}")
print(f"library, ten thousand swaps: p = {drawn.p_randomisation:.2f}")

# %% [markdown]
# Four to one looks like a clear win. Chance does as well in three cases of eight.

# %% tags=["claim"]
claim("in three cases of eight", exact_p(np.array(ten)))
claim("the library agrees", abs(drawn.p_randomisation - 3 / 8) < 0.02, library=drawn)

# %% [markdown] tags=["instructor"]
# **Exercise 1.** Typical mistakes: one direction only (half the p); `>` for `>=` (a swap that comes
# exactly as far counts). Five alike questions change nothing: swapping equal scores gives the same
# sum. Ask: "What happens to p if we add a hundred questions that both systems get right?" (Nothing;
# the difference of the means shrinks, p stays.)

# %% [markdown]
# ## Many comparisons
#
# `compare` tests every language and the macro average. It draws within each language, as the macro
# average weighs languages the same; so its interval is a little narrower than ours. In a terminal
# this is `xorqa compare runs/asked runs/translated --task xor-engspan --metric f1`.
#
# **Predict first.** In no language did more than one of twelve questions get worse, and in all but
# Japanese and Russian at least one got better. In how many of the seven languages is the difference
# significant?

# %%
asked, translated = (lesson.scores(name, "xor-engspan") for name in ("asked", "translated"))
rows = compare(asked, {"translated": translated}, metrics=["f1"])
*single, macro = rows
lesson.comparison_table("translated - asked, F1 of XOR-EnglishSpan", rows)

# %%
chart = [(row.lang, row.difference, row.low, row.high, row.significant) for row in rows]
draw(
    lesson.interval_chart(chart, label="points of F1, 95 % interval", marked="significant"),
    "The difference and its interval, one line per language and one for the macro average. The "
    "macro average's is shorter than all but two: Russian's, and Japanese's, which is a point at "
    "0. Only the macro average is marked as significant.",
)

# %% [markdown]
# The macro average is significant. No single language is, and there are two reasons.
#
# The first is the number of tests. Of eight independent tests at 0.05, at least one is significant
# by chance in about a third of the cases. Holm's correction (1979) multiplies the smallest p by the
# number of tests, the next by one less, and so on; a corrected p never falls below that of a
# smaller p, and never rises above 1. It also holds for tests that depend on each other, as here,
# where the macro average is made of the seven languages. A comparison that was announced alone
# needs no correction; the table corrects it all the same.

# %% tags=["claim"]
claim("the macro average is significant", macro.significant, macro=macro)
claim("no single language is", not any(row.significant for row in single), rows=single)
claim("the library's interval is a little narrower", macro.high - macro.low < high - low)
shorter = {x.lang for x in single if x.high - x.low <= macro.high - macro.low}
claim("the macro's is shorter than all but two", shorter == {"ja", "ru"}, shorter=shorter)
claim("in about a third of the cases", 1 - 0.95**8)
pairs_of = list(zip(asked, translated, strict=True))
per_lang = {
    row.lang: [b.values["f1"] - a.values["f1"] for a, b in pairs_of if a.lang == row.lang]
    for row in single
}
none = {x for x, gains in per_lang.items() if not any(g > 0 for g in gains)}
claim("at least one better in all but Japanese and Russian", none == {"ja", "ru"}, none=none)
claim("at most one worse in each", max(sum(g < 0 for g in x) for x in per_lang.values()) == 1)

# %% [markdown]
# ### Exercise 2: Holm's correction


# %% tags=["exercise"]
def corrected(ps):
    """Holm's corrected p of each of `ps`, in their order."""
    return ...


# %% tags=["solution"]
def corrected(ps):
    """Holm's corrected p of each of `ps`, in their order."""
    result, largest = [0.0] * len(ps), 0.0
    for rank, at in enumerate(np.argsort(ps)):
        largest = max(largest, min(1, ps[at] * (len(ps) - rank)))
        result[at] = largest
    return result


# %% tags=["grade"]
lesson.check_2(corrected)

# %% [markdown]
# The second reason is the number of questions. If m questions differ and all in one direction, only
# two of the 2 to the power of m swaps are as extreme. Nothing can make p smaller than that.

# %% tags=["check"]
for flips in range(5, 11):
    least = 2 / 2**flips
    verdicts = ["significant" if p <= 0.05 else "not" for p in (least, 8 * least)]
    print(f"{flips:2} flips: p at least {least:.4f}; alone {verdicts[0]}, of eight {verdicts[1]}")

# %% [markdown]
# Of the 12 questions of a language, nine must flip for the smallest p of eight, all in one
# direction; here at most four differ. These are Arabic's, all better, so its p cannot be below an
# eighth, even uncorrected. Yet its interval leaves out 0, the only one of a language that does. An
# interval cannot replace the test: it is not corrected, and a dozen questions are too few to draw
# from. In Japanese, where no question differs, it even shrinks to a point. So we report the macro
# average, which was announced, and add that single languages have too few questions to tell.

# %% tags=["claim"]
fewest = next(flips for flips in range(1, 99) if 8 * 2 / 2**flips <= 0.05)
claim("nine must flip", fewest == 9, fewest=fewest)
differ = {x: sum(g != 0 for g in gains) for x, gains in per_lang.items()}
claim("at most four differ", max(differ.values()) == 4, differ=differ)
better = sum(g > 0 for g in per_lang["ar"])
claim("these are Arabic's, all better", better == differ["ar"] == 4, better=better)
claim("its p cannot be below an eighth", exact_p(np.array(per_lang["ar"])) == 2 / 2**4 == 1 / 8)
without = [x.lang for x in single if not x.low <= 0 <= x.high]
claim("the only interval that leaves out 0 is Arabic's", without == ["ar"], rows=single)
points = [x.lang for x in single if x.low == x.high]
claim("no question differs in Japanese", differ["ja"] == 0, differ=differ)
claim("the only point is Japanese's", points == ["ja"], rows=single)

# %% [markdown]
# ## Not significant
#
# A third system, `one passage`, is `translated` with a reader that reads the first passage only. Is
# it worse? We look at the final answers, XOR-Full.

# %%
translated, one_passage = (
    lesson.scores(name, "xor-full") for name in ("translated", "one passage")
)
[*by_language, second] = compare(translated, {"one passage": one_passage}, metrics=["f1"])
lost = lesson.differences("translated", "one passage", "xor-full")
print(f"{sum(lost != 0)} of {len(lost)} questions differ")
lesson.comparison_table("one passage - translated, F1 of XOR-Full", [second])

# %% [markdown]
# Hardly a question differs, and the difference could be chance. That is no proof that the second
# passage is worth nothing: in so small a world the first passage is nearly always the right one,
# and so few other questions cannot show what the second is worth. Nor was this comparison
# announced: what you find while looking around is a hypothesis for other data.
#
# And all of this is about questions. The systems share their models; had you trained a reader for
# each, another seed could move the score as well, and no test over questions knows of that. Train
# each of them several times.

# %% tags=["claim"]
claim("hardly a question differs", sum(lost != 0) / len(lost), changed=lost[lost != 0])
claim("the difference could be chance", (second.low, second.high), second=second)
from lessons import two_systems

of_first = [
    two_systems.traces("translated")[one.question.qid].by_route["eng"].hits[0].passage.docid
    == one.golds[0].docid
    for one in two_systems.crossing_world().examples
]
claim("the first passage is nearly always the right one", sum(of_first) / len(of_first))

# %% [markdown]
# ## How many questions would one need?
#
# The interval's width shrinks as 1 over the square root of n, so you can ask before you run
# anything. If a share f of the questions flips, and the net gain is g, a question's difference is
# -1, 0 or 1 with variance f - g². For an interval that leaves out 0 in four of five experiments you
# need
#
# $$n = 2.8^2 \; \frac{f - g^2}{g^2}, \qquad 2.8 = 1.96 + 0.84$$
#
# Half the gain takes four times the questions. The same from our two pairs of systems: half the
# width of the bootstrap's interval for n questions drawn from ours, and as dashed lines the
# differences observed. Where a curve meets its line, one experiment in two would have an interval
# that leaves out 0; further right, more of them.


# %%
def half_width(d, n, samples=2_000):
    """Half the width of the bootstrap's interval, if there were n questions such as these."""
    drawn = d[np.random.default_rng(n).integers(len(d), size=(samples, n))].mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return (high - low) / 2


sizes = [12, 21, 42, 84, 168, 336, 672, 1344, 2688]
pairs = {"translated - asked": d, "one passage - translated": lost}
draw(
    lesson.width_chart(pairs, half_width, sizes),
    "Two falling curves over the number of questions, on logarithmic axes. The first meets its "
    "dashed line between 21 and 42 questions, the second only beyond 1,344.",
)

# %% [markdown]
# With about 40 questions half the width of the first pair's interval is its difference, so the
# interval leaves out 0 in one experiment of two; for four of five, the formula asks for about
# twice as many (with the mean square of the differences for f, since F1 also has values between). A
# difference like the second's takes more questions than we have for even one of two. Both answers
# take the differences that we saw for the true ones. A difference is reported because it came out
# large, so it is often smaller the next time: plan with the smallest gain that matters to you, not
# with the one you just saw.

# %% tags=["claim"]
from lessons import uncounted

enough = {
    name: next(n for n in range(6, 4000) if half_width(gains, n) < abs(gains.mean()))
    for name, gains in pairs.items()
}
claim("about 40 questions", enough["translated - asked"], **enough)
flips, gain = np.mean(d**2), d.mean()
needed = 2.8**2 * (flips - gain**2) / gain**2
share = needed / enough["translated - asked"]
claim("about twice as many", share, needed=needed, **enough)
uncounted("in one experiment of two", "an estimate at the edge of its interval")
uncounted("one experiment in two", "an estimate at the edge of its interval")
uncounted("four of five", "the formula's 0.84")
uncounted("even one of two", "as above")
claim("the first meets its line between 21 and 42", 21 < enough["translated - asked"] <= 42)
claim("the second beyond 1,344", 1344 < enough["one passage - translated"] <= 2688, **enough)
claim("more than we have for the second", enough["one passage - translated"] > len(d), **enough)
plan = [2.8**2 * (0.2 - g**2) / g**2 for g in (0.05, 0.025)]
claim("half the gain takes four times the questions", plan[1] / plan[0], plan=plan)

# %% [markdown]
# ### Exercise 3: what can 200 questions show?
#
# You have 200 annotated questions, and a change of yours will flip about 20 % of them. How large
# must its net gain be, in points, to leave out 0 in four of five experiments?

# %% tags=["exercise"]
answer_3 = ...  # points, to a tenth

# %% tags=["solution"]
f, n = 0.2, 200  # n g² = 2.8² (f - g²), solved for g
answer_3 = 100 * np.sqrt(2.8**2 * f / (n + 2.8**2))

# %% tags=["grade"]
lesson.check_3(answer_3)

# %% [markdown]
# ## Report it
#
# A `Grid` is a table with a title, a header and a caption; `render` writes it as LaTeX, Markdown,
# CSV or HTML. The caption names the scorer and the oracle, so that nobody takes the figures for
# others. Add the interval, p and n of the comparison that was announced, and how many others you
# made.

# %%
caption = (
    f"Official scorers, macro averages over seven languages, {macro.n} questions, human "
    f"translations. F1 of XOR-EnglishSpan: {macro.difference:+.1f} (95 % paired bootstrap interval "
    f"{macro.low:+.1f} to {macro.high:+.1f}; approximate randomisation, p = "
    f"{macro.p_randomisation:.1g}, uncorrected, as this comparison was announced; "
    f"{len(single) + len(by_language) + 1} other tests)."
)
print(render(lesson.paper_table(["asked", "translated", "one passage"], caption), "latex"))

# %% [markdown]
# A scorer can be deceived without intent. The official script of XOR-Retrieve leaves out questions
# without a prediction, so a file that answers only the easy ones gets a better score:

# %% tags=["check"]
selective = lesson.only_the_easy_one()
for scorer, (whole, part) in selective.items():
    print(f"{scorer:8} R@2kt: {whole:.1f} with all answers sent, {part:.1f} with the right one")

# %% [markdown]
# `xorqa submission check FILE --task TASK --data QUESTIONS` reports such omissions, and the run
# folder has all files that a leaderboard wants ([scoring](../docs/scoring.md)).

# %% tags=["claim"]
(honest_official, easy_official), (honest_strict, easy_strict) = selective.values()
claim("the official one rewards leaving out", easy_official > honest_official, **selective)
claim("the strict one does not", easy_strict == honest_strict, **selective)

# %% [markdown]
# ## The answer
#
# **Test the difference question by question, on the comparison that you announced; report it with
# its interval, p, n and the scorer's name, correct for the other comparisons that you made, and
# never read "not significant" as "no difference".**
#
# ## Exercises
#
# Exercises 1 to 3 are above, in the sections that they belong to.
#
# Exercise 4 needs the scores of the two systems, exercise 5 four sentences about all comparisons:

# %%
a, b = (np.array([100 * one.values["f1"] for one in run]) for run in (translated, one_passage))
for letter, sentence in lesson.sentences().items():
    print(f"{letter}: {sentence}\n")

# %% [markdown]
# ### Exercise 4: without pairs
#
# The bootstrap above is paired. For `translated` (`a`, F1 of XOR-Full) and `one passage` (`b`),
# draw the questions of the two systems independently instead. How many times wider is the interval
# of the difference?

# %% tags=["exercise"]
answer_4 = ...  # the width without pairs, divided by the width with pairs

# %% tags=["solution"]
random = np.random.default_rng(1)
one, other = (random.integers(len(a), size=(10_000, len(a))) for _ in range(2))
widths = []
for means in ((b - a)[one].mean(axis=1), b[other].mean(axis=1) - a[one].mean(axis=1)):
    left, right = np.quantile(means, [0.025, 0.975])
    widths.append(right - left)
answer_4 = widths[1] / widths[0]

# %% tags=["grade"]
lesson.check_4(answer_4)

# %% [markdown]
# ### Exercise 5: which sentence may you publish?
#
# Which of the four sentences above do the comparisons support?

# %% tags=["exercise"]
answer_5 = ...  # "a", "b", "c" or "d"

# %% tags=["solution"]
answer_5 = "c"

# %% tags=["grade"]
lesson.check_5(answer_5)

# %% [markdown] tags=["instructor"]
# **Exercise 5.** All four sentences have been published about some system. Let students first say
# what data would make each of the wrong ones true. For b this is an interval that lies within a
# margin chosen beforehand, here one point of F1.

# %% [markdown]
# ## Go on
#
# [Lesson 9](09_thousands_of_questions.ipynb) makes these comparisons again on real data, 1,190
# questions of XQuAD in each of twelve languages, and asks which results of this course hold there.
#
# [Experiments](../docs/experiments.md#compare-runs) describes `xorqa compare`, its settings and the
# other corrections; [results](../docs/results.md) has the tables of this project with the commands
# that made them.
