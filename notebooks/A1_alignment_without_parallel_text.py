# %% [markdown]
# # A1. Alignment without parallel text
#
# **The question of this lesson:** which encoder brings two languages together best, when nobody has
# translations of your texts, but the texts have pictures?
#
# [Backretrieval](https://arxiv.org/abs/2105.04971) (Fain et al. 2021) goes from a text through the
# other language to a picture and back. We do the same with 96 things that are drawn here.
#
# - **Level:** intermediate
# - **Time:** 35 minutes of reading, 25 of exercises
# - **You need:** lesson 2b (vectors); Python and a little NumPy
# - **You will be able to:** measure alignment with translations and without them; say how far to
#   trust the second measure, and for which encoders; recognise a sample that excludes the right
#   answer

# %%
import numpy as np
from lessons import alignment_without_parallel_text as lesson
from lessons import claim, draw, table, uncounted

from xorqa.lab.papers.printed import printed_table

things = lesson.things()

# %% [markdown] tags=["instructor"]
# **Plan.** 65 minutes: the world and XLR 15, the way back 20, the pictures 10, the sample 20. Seven
# encoders are computed once, in some seconds. If time is short, leave out exercise 5. The most
# common mistake is to think that the way back finds the translation: it is not in the sample, on
# purpose.

# %% [markdown]
# ## A world of things
#
# Twelve shapes in eight colours. Each thing has an English and a Finnish name, and two artists drew
# it: the first for the English names, the second, who turns, shrinks and outlines, for the Finnish.

# %% tags=["check"]
print(f"{len(things)} things, among them:")
for thing in things[:4]:
    print(f"  {thing.name('en'):12} {thing.name('fi')}")

# %%
draw(
    lesson.draw_things(),
    "All 96 things: a row per colour, two columns per shape, first as the first artist draws it "
    "and then smaller, turned and outlined as the second one does.",
)

# %% [markdown]
# ## With translations
#
# If you know which Finnish name translates which English one, you can measure an encoder directly:
# for how many English names is the translation among the five nearest of 48 Finnish names, by
# cosine? The paper calls this cross-lingual retrieval, XLR. We compare seven encoders: multilingual
# E5; the same with each language's mean vector subtracted (centred); four that are spoiled on
# purpose (the output of a lower layer, or of the first token only); and a count of letters.
#
# **Predict first.** Two names that share a colour or a shape are alike. By chance XLR is 10 %. How
# many translations does the best encoder find?

# %%
xlr = lesson.percent("outlines", "XLR")
rows = [(name, f"{value:.1f}") for name, value in xlr.items()]
table("XLR, Recall@5 in percent, means of 25 samples of 48 names", ("encoder", "XLR"), rows)

# %% [markdown]
# The best two find about a third, which leaves room to compare; on average lower layers find half
# as many, and letters find no more than chance.

# %% tags=["claim"]
best, second, *others = sorted(xlr.values(), reverse=True)
uncounted("twelve shapes in eight colours", "this is how the world is drawn")
for found in (best, second):
    claim("the best two find about a third", found / 100)
claim("e5 and e5 centred", {xlr["e5"], xlr["e5, centred"]} == {best, second})
lower = [value for name, value in xlr.items() if "layer" in name]
claim("lower layers find half as many", np.mean(lower) / np.mean([best, second]))
claim("letters no more than chance", xlr["letters"] < 10.5, letters=xlr["letters"])

# %% [markdown]
# ### Exercise 1: Recall@k
#
# `scores[i, j]` is the similarity of English name i and Finnish name j, and j = i is the
# translation. Compute the percentage of rows in which it is among the k most similar. An equally
# similar name counts as more similar: ties are held against the system.


# %% tags=["exercise"]
def recall(scores, k):
    """Percentage of rows whose own entry, on the diagonal, is among the k greatest."""
    return ...


# %% tags=["solution"]
def recall(scores, k):
    """Percentage of rows whose own entry, on the diagonal, is among the k greatest."""
    ranks = (scores >= scores.diagonal()[:, None]).sum(axis=1)
    return 100 * np.mean(ranks <= k)


# %% tags=["grade"]
lesson.check_1(recall)

# %% tags=["check"]
scores = lesson.translations("e5")
print("English names by Finnish names:", scores.shape)

# %% [markdown]
# ## Without translations
#
# Now assume that nobody knows any translation. The sample has the English names of 48 things and
# the Finnish names of the 48 other things, so it contains no translation. The way back has four
# steps:
#
# 1. take an English name;
# 2. go to the nearest of the Finnish names;
# 3. look at the picture of that Finnish thing;
# 4. rank the English things by how similar their pictures are to it.
#
# BkR is the percentage of English names whose own picture is among the first five. If the encoder
# is good, the nearest Finnish name means something similar, its picture looks similar, and the way
# leads back.

# %%
way = lesson.way_back("e5", "outlines")
queries = [0, 1, 2, 3]
draw(
    lesson.draw_ways(way, queries),
    "Four ways back, one a row: the English thing, the Finnish thing whose name is nearest, and "
    "the five English things with the most similar pictures; a frame marks the query's own.",
)

# %% tags=["check"]
print("English and Finnish things in common:", len(set(way.english) & set(way.finnish)))

# %% [markdown]
# ### Exercise 2: the way back
#
# `texts[i, j]` is the similarity of English name i and Finnish name j, `back[j, i]` that of the
# pictures of Finnish thing j and English thing i. At which rank, from 1, does the picture of
# English thing `at` come back? Count ties against it, as in exercise 1.


# %% tags=["exercise"]
def back_rank(texts, back, at):
    """The rank of English picture `at` after the four steps."""
    return ...


# %% tags=["solution"]
def back_rank(texts, back, at):
    """The rank of English picture `at` after the four steps."""
    scores = back[texts[at].argmax()]
    return (scores >= scores[at]).sum()


# %% tags=["grade"]
lesson.check_2(back_rank)

# %% [markdown] tags=["instructor"]
# **Exercises 2 and 3.** Let a student play the encoder: read out a Finnish name that is near,
# another one points at the picture. Before exercise 3, ask what happens if two languages share no
# picture at all, and if all pictures look alike (every rank is 48). The typical mistakes are 0 in
# the second case and chance in the third.

# %% [markdown]
# ### Exercise 3: three ways to know nothing
#
# What is BkR, in percent, in each of these cases?
#
# 1. An encoder goes to a Finnish name at random.
# 2. An encoder goes to the same Finnish name from every English one.
# 3. The encoder is as good as you like, but all pictures are equally similar.

# %% tags=["exercise"]
answer_3 = ...  # a list of three percentages, with one decimal

# %% tags=["solution"]
answer_3 = [100 * lesson.K / len(way.english), 100 * lesson.K / len(way.english), 0]

# %% tags=["grade"]
lesson.check_3(answer_3)

# %% [markdown]
# **Predict first.** BkR knows no translation. Would it have found the two best encoders? Which one
# would it put last?

# %%
bkr = lesson.percent("outlines", "BkR")
rows = [(name, f"{bkr[name]:.1f}", f"{xlr[name]:.1f}") for name in sorted(bkr, key=bkr.get)[::-1]]
table("BkR and XLR in percent, means of 25 samples", ("encoder", "BkR", "XLR"), rows)

# %% [markdown]
# It would have found them, and letters come last. BkR of these two is higher than their XLR, since
# several names can lead back; what counts is whether the two measures move together. The columns
# above, means of 25 samples, correlate at 0.99. Within one sample of 48 names both measures are
# noisy, and their correlation over the seven encoders is about 0.9. How sure is that? It varies
# from sample to sample of names, and it would be another one with other encoders:

# %%
outlines = lesson.agreement("outlines")
others = tuple(name for name in lesson.ENCODERS if name not in ("e5", "e5, centred"))
rows = [
    (shown, f"{value.mean:.2f}", f"{value.error:.2f}", "{:.2f} to {:.2f}".format(*value.interval))
    for shown, value in (
        ("all seven", outlines),
        ("without the two best", lesson.agreement("outlines", others)),
    )
]
table(
    "Pearson's correlation of BkR with XLR",
    ("encoders", "mean of 25 samples", "standard error over samples", "95 % over encoders"),
    rows,
)

# %% [markdown]
# More samples would not change the 0.9, only larger ones: the error over samples is 0.01. The
# interval over encoders, from drawing seven of the seven with replacement many times, is wide: from
# below 0.6 to above 0.95. Seven encoders that form two groups prove little. BkR separates the two
# best encoders from the five others; among the five the interval includes 0, so their order by BkR
# is not to be trusted. The paper has 0.97 to 0.99, on captions of photographs and descriptions of
# furniture, with more encoders and with 1,500 to 10,000 texts, so with less noise.

# %% tags=["claim"]
order = sorted(bkr, key=lambda name: -bkr[name])
claim("the two best", set(order[:2]) == {"e5", "e5, centred"}, **bkr)
claim("letters last", order[-1] == "letters", **bkr)
claim("higher than XLR", all(bkr[name] > xlr[name] + 5 for name in order[:2]), **bkr)
claim("about 0.9", outlines.mean)
columns = np.corrcoef([bkr[name] for name in order], [xlr[name] for name in order])[0, 1]
claim("correlate at 0.99", round(columns, 2) == 0.99, columns=columns)
claim("0.01 over samples", 0.005 < outlines.error < 0.015, correlation=outlines)
low, high = outlines.interval
claim("from below 0.6 to above 0.95", 0.4 < low < 0.6 and 0.95 < high < 1, low=low, high=high)
claim("two groups", bkr[order[1]] > 1.5 * bkr[order[2]] and second > 1.5 * max(lower), **bkr)
low, high = lesson.agreement("outlines", others).interval
claim("includes 0 among the five", low < 0 < high, low=low, high=high)
printed = printed_table("backretrieval", "table-1").column("Pearson BkR").values()
values = sorted(float(cell.partition(" ")[0]) for cell in printed)
claim("0.97 to 0.99 in the paper", (values[0], values[-1]) == (0.97, 0.99), values=values)

# %% [markdown]
# ## It depends on the pictures
#
# So far pictures were similar if their outlines were: the similarity is the cosine of histograms of
# gradients. Colours can be compared as well, or both.
#
# **Predict first.** The names have a colour and a shape. Will colours predict XLR as well as
# outlines do?

# %%
draw(
    lesson.draw_prediction("outlines", "colours"),
    "BkR against XLR, a point per encoder. Compared by outlines, the two best encoders are at the "
    "upper right and the others at the lower left; compared by colours, all seven lie below the "
    "dotted line of chance.",
)

# %%
rows = [
    (kind, f"{value.mean:.2f}", "{:.2f} to {:.2f}".format(*value.interval))
    for kind, value in ((kind, lesson.agreement(kind)) for kind in lesson.IMAGES)
]
table(
    "Pearson's correlation of BkR with XLR",
    ("images compared by", "correlation", "95 % over encoders"),
    rows,
)

# %% [markdown]
# They do not. With colours the correlation is gone, and every encoder is below the line, the best
# ones too. Random vectors come out between 5 and 15 % from draw to draw, so one of them
# could be there by chance. All seven there ask for a reason.

# %% tags=["claim"]
by_kind = {kind: lesson.agreement(kind) for kind in lesson.IMAGES}
low, high = by_kind["colours"].interval
claim("gone with colours", abs(by_kind["colours"].mean) < 0.15 and low < 0 < high, **by_kind)
claim("both little better", by_kind["both"].mean < 0.5 < by_kind["outlines"].mean, **by_kind)
coloured = lesson.percent("colours", "BkR")
claim("every encoder below the line", max(coloured.values()) < 100 * lesson.K / 48, **coloured)
drawn = sorted(lesson.by_chance("colours"))
claim("between 5 and 15 %", drawn[0] >= 5 and drawn[-1] <= 15, drawn=drawn)

# %% [markdown]
# ## A sample that excludes the right answer
#
# What have the nearest Finnish names in common with the query? The last row is an encoder that
# knows nothing: all its vectors are equal.

# %%
common = {name: lesson.shared_without_own(name) for name in (*lesson.ENCODERS, "nothing")}
rows = [(name, *(f"{value:.0f}" for value in both.values())) for name, both in common.items()]
table(
    "Nearest names with the query's shape or colour, %, in the samples without translations",
    ("encoder", "shape", "colour"),
    rows,
)

# %% [markdown]
# `e5` leads to a thing of the same shape in nearly half of the cases, but to one of the same colour
# in a tenth, slightly less often than by chance. So it aligns the nouns and not the adjectives?
# Before you believe a table, fill it for encoders of which you know what they know. We build some:
# their vectors have a number per shape and one per colour, the same for an English name and its
# translation.

# %% tags=["claim"]
claim("nearly half of the cases", common["e5"]["shape"] / 100)
colours = common["e5"]["colour"], common["nothing"]["colour"]
claim("in a tenth", colours[0] / 100)
claim("slightly less than chance", 0 < colours[1] - colours[0] < 2, colour=colours)

# %% [markdown]
# ### Exercise 4: encoders that know everything
#
# Three encoders know the shape and the colour of every name, and have an XLR of 100 %. The first
# writes 2 for the shape and 1 for the colour of a thing, and 0 otherwise; the second writes 1 for
# the shape and 2 for the colour; the third 1 for both. In the samples without translations, how
# often has the nearest Finnish name the query's colour, in percent? If several names are equally
# near, each counts with its share. (Twelve shapes, eight colours.)

# %% tags=["exercise"]
answer_4 = ...  # a list of three percentages, rounded

# %% tags=["solution"]
answer_4 = [0, 100, 100 * 11 / (11 + 7)]

# %% tags=["grade"]
lesson.check_4(answer_4)

# %%
perfect = "both, shapes twice"
built = {name: lesson.shared_without_own(name) for name in lesson.BUILT}
rows = [(name, *(f"{value:.0f}" for value in both.values())) for name, both in built.items()]
table(
    "The same table for encoders that are built, %",
    ("what the encoder knows", "shape", "colour"),
    rows,
)

# %% [markdown]
# An encoder that knows every colour may have 0 in the column of colours. The only name with the
# query's shape and colour is its translation, and the sample does not have it: whoever finds the
# shape cannot find the colour. The two columns compete for one place, and do not show what an
# encoder knows. **The sample excludes the right answer.** To see what encoders know, let every
# right answer occur. We search all 96 Finnish names:

# %%
names = (*lesson.ENCODERS, *lesson.BUILT)
of_all = {name: lesson.shared_of_all(name) for name in names}
rows = [(name, *(f"{value:.0f}" for value in both.values())) for name, both in of_all.items()]
table(
    "Nearest names with the query's shape or colour, %, among all Finnish names",
    ("encoder", "shape", "colour"),
    rows,
)

# %% [markdown]
# Now the built encoders have 100 % where they know, and chance where they do not: 8 % for shapes,
# 12.5 % for colours. `e5` finds the shape for 60 of the 96 names, where chance finds 8: it aligns
# shapes far better than colours. That it knows no colours does not follow: it finds 18, and chance
# finds 12. Nor does the opposite: chance alone finds 18 or more in one of twenty trials.

# %% tags=["claim"]
claim("0 in the column of colours", built[perfect] == {"shape": 100, "colour": 0}, **built)
claim("its XLR", lesson.percent("colours", "XLR", tuple(lesson.BUILT))[perfect] == 100)
chance = {"shape": 100 / 12, "colour": 100 / 8}
for part, other in (("shape", "colour"), ("colour", "shape")):
    one = of_all[f"{part}s"]
    claim(f"knows {part}s", one[part] == 100, **one)
    claim(f"knows no {other}s", abs(one[other] - chance[other]) < 0.01, **one)
claim("knows both", of_all[perfect] == of_all["both"] == {"shape": 100, "colour": 100}, **of_all)
shapes, found = (round(0.96 * of_all["e5"][part]) for part in ("shape", "colour"))
claim("60 shapes and 18 colours of 96", (shapes, found) == (60, 18), shapes=shapes, found=found)
trials = np.random.default_rng(1).binomial(96, 1 / 8, size=100_000)
by_luck = np.mean(trials >= found)
claim("one of twenty trials", 0.045 < by_luck < 0.055, by_luck=by_luck)

# %% [markdown]
# BkR is measured on the same samples, and must be: without translations nobody can put the right
# answers in. Here is what it makes of the built encoders.

# %%
rows = [
    (
        name,
        *(
            f"{lesson.percent(kind, 'BkR', tuple(lesson.BUILT))[name]:.0f}"
            for kind in lesson.IMAGES
        ),
        f"{lesson.percent('both', 'XLR', tuple(lesson.BUILT))[name]:.0f}",
    )
    for name in ("shapes", "colours", perfect)
]
header = ("what the encoder knows", *(f"BkR, {kind}" for kind in lesson.IMAGES), "XLR")
table("BkR and XLR of encoders that are built, %", header, rows)

# %% [markdown]
# By colours the perfect encoder gets 0: it always leads to the same shape in another colour.
# Outlines recognise that, colours cannot, and in "both" the colours outvote the outlines. The
# encoder is not at fault. BkR works if pictures show what is left in common when the right answer
# is missing; here this is the shape. By outlines, the perfect encoder has the same BkR as the one
# that knows shapes alone: what the sample excludes cannot count.

# %% tags=["claim"]
back = {kind: lesson.percent(kind, "BkR", tuple(lesson.BUILT)) for kind in lesson.IMAGES}
claim("by colours 0", back["colours"][perfect] == 0, **back["colours"])
claim("outlines recognise it", back["outlines"][perfect] > 85, **back["outlines"])
one, other = back["outlines"][perfect], back["outlines"]["shapes"]
claim("the same BkR as shapes alone", abs(one - other) < 0.01, one=one, other=other)
claim("the colours outvote the outlines", back["both"][perfect] < 5, **back["both"])

# %% [markdown]
# How good must pictures be? Add noise to the vectors of the outlines, until they are random:

# %%
draw(
    lesson.draw_noise("outlines"),
    "Pearson's correlation of BkR with XLR by the share of noise: high without noise, and near "
    "zero where the vectors of the pictures are random.",
)

# %% [markdown]
# The correlation falls with the pictures, slowly at first, to nothing where they are random. So
# check the pictures first: are those of related things near each other? Without translations you
# can still look.

# %% tags=["claim"]
curve = [row.results.correlation()["BkR"]["pearson"] for row in lesson.noise("outlines")]
claim("falls", curve[0] > curve[3] > curve[-1], curve=curve)
claim("to nothing", abs(curve[-1]) < 0.3, curve=curve)

# %% [markdown] tags=["instructor"]
# **About 10 minutes.** Ask for other samples that exclude the right answer: distractors that were
# filtered by the system under test, duplicates removed before search. Then ask who has texts with
# pictures: shops, recipes, news, encyclopedias. Then ask what their pictures show that the texts do
# not say, and the reverse. A photograph of a dish says little about its calories.

# %% [markdown]
# ## The answer
#
# **Go from a text to its nearest text in the other language and through the pictures back: an
# encoder that leads to similar things brings the query's own picture back more often. Here this
# separates good encoders from poor ones as translations do, if pictures show what similar texts
# have in common, and not otherwise. Test a measure on encoders that you built, and ask how many
# encoders its correlation rests on.**
#
# ## Exercises
#
# Exercises 1 to 4 are above, in the sections that they belong to.

# %% [markdown]
# ### Exercise 5: how many encoders does it rest on?
#
# `x` and `y` hold BkR and XLR of the same encoders. Which is the smallest correlation of Pearson's
# that is left if any k of them are left out? (`np.corrcoef(x, y)[0, 1]` is the correlation.)


# %% tags=["exercise"]
def weakest(x, y, k):
    """The smallest correlation of x and y without k of the encoders."""
    return ...


# %% tags=["solution"]
from itertools import combinations


def weakest(x, y, k):
    """The smallest correlation of x and y without k of the encoders."""
    kept = [list(one) for one in combinations(range(len(x)), len(x) - k)]
    return min(np.corrcoef(np.array(x)[one], np.array(y)[one])[0, 1] for one in kept)


# %% tags=["grade"]
lesson.check_5(weakest)

# %% [markdown]
# ## Go on
#
# `xorqa backretrieval DATA --source en --target fi --html page.html` measures encoders of your
# choice on texts and pictures of your own, `emoji` is a data set to begin with, and `--degrade`
# draws the curve above for them ([alignment](../docs/alignment.md)). Lesson 5 looks at the same
# encoders from another side.
