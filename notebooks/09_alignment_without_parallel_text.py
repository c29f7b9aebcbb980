# %% [markdown]
# # 9. Alignment without parallel text
#
# **The question of this lesson:** which encoder brings two languages together best, when nobody has
# translations of your texts, but the texts have pictures?
#
# [Backretrieval](https://arxiv.org/abs/2105.04971) (Fain et al. 2021) goes from a text through the
# other language to a picture and back. We do the same with 96 things that are drawn here.
#
# - **Level:** intermediate
# - **Time:** 40 minutes
# - **You need:** lesson 2b (vectors); Python and a little NumPy
# - **You will be able to:** measure alignment with translations and without them; say how far to
#   trust the second measure; see from its pictures when it cannot work

# %%
import numpy as np
from lessons import alignment_without_parallel_text as lesson
from lessons import claim, draw, table

things = lesson.things()

# %% [markdown] tags=["instructor"]
# **Plan.** 40 minutes: the world and XLR 10, the way back 15, the pictures 15. Seven encoders are
# computed once, in some seconds. If time is short, leave out exercise 4. The most common mistake is
# to think that the way back finds the translation: it is not in the sample, on purpose.

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
# cosine? The paper calls this cross-lingual retrieval, XLR. Our seven encoders are one model
# (multilingual E5) spoiled in various ways, by taking the output of a lower layer or of one token
# only, and a count of letters.
#
# **Predict first.** Two names that share a colour or a shape are alike. By chance XLR is 10 %. How
# many translations does the best encoder find?

# %%
xlr = lesson.percent("outlines", "XLR")
rows = [(name, f"{value:.1f}") for name, value in xlr.items()]
table("XLR, Recall@5 in percent", ("encoder", "XLR"), rows)

# %% [markdown]
# The best two find about a third, which shows how hard these names are; lower layers find half as
# many, and letters no more than chance.

# %% tags=["claim"]
best, second, *others = sorted(xlr.values(), reverse=True)
claim("the best two find about a third", 28 < second <= best < 42, best=best, second=second)
claim("e5 and e5 centred", {xlr["e5"], xlr["e5, centred"]} == {best, second})
claim("lower layers half as many", max(others) < 0.65 * second, **xlr)
claim("letters at chance", xlr["letters"] < 10.5, letters=xlr["letters"])

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
# Now assume that no two names have the same thing: the sample has 48 things with English names and
# the 48 others with Finnish ones. No translation can be found, as there is none. The way back has
# four steps:
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
# **Exercise 2.** Let a student play the encoder: read out a Finnish name that is near, another one
# points at the picture. Ask what happens if two languages share no picture at all (nothing comes
# back but by chance), and if all pictures look alike (every rank is 48).

# %% [markdown]
# ### Exercise 3: chance
#
# An encoder without any alignment goes to a Finnish name at random. What is its BkR, in percent?

# %% tags=["exercise"]
answer_3 = ...  # a percentage

# %% tags=["solution"]
answer_3 = 100 * lesson.K / len(way.english)

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
# It would have found them, and letters come last. BkR is higher than XLR, since many names can lead
# back, and the numbers mean different things; what counts is whether they move together. Over the
# seven encoders Pearson's correlation of BkR with XLR is about 0.9. The paper has 0.97 to 0.99 on
# captions of photographs.

# %% tags=["claim"]
order = sorted(bkr, key=lambda name: -bkr[name])
claim("the two best", set(order[:2]) == {"e5", "e5, centred"}, **bkr)
claim("letters last", order[-1] == "letters", **bkr)
claim("higher than XLR", bkr["e5"] > xlr["e5"] + 5, bkr=bkr["e5"], xlr=xlr["e5"])
outlines = lesson.correlation("outlines")
claim("about 0.9", 0.85 <= outlines < 0.97, correlation=outlines)

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
    "BkR against XLR, a point per encoder. Compared by outlines, the points rise from the lower "
    "left to the upper right; compared by colours, they lie near the dotted line of chance.",
)

# %%
rows = [(kind, f"{lesson.correlation(kind):.2f}") for kind in lesson.IMAGES]
table("Pearson's correlation of BkR with XLR", ("images compared by", "correlation"), rows)

# %% [markdown]
# They do not: with colours the correlation is gone. Why? See what the nearest Finnish names have in
# common with the query:

# %%
common = {name: lesson.shared(name) for name in lesson.ENCODERS}
rows = [(name, *(f"{value:.0f}" for value in both.values())) for name, both in common.items()]
table("Nearest names with the query's shape or colour, %", ("encoder", "shape", "colour"), rows)

# %% [markdown]
# `e5` leads to a thing of the same shape in half of the cases, but to one of the same colour no
# more often than chance (an eighth). It aligns the nouns, not the adjectives. So the way leads to
# the same shape in another colour: outlines recognise it, colours do not, and in "both" the colours
# outvote the outlines. Pictures must show what the encoders bring together; if they show something
# else, the measure fails, not the encoder.

# %% tags=["claim"]
by_kind = {kind: lesson.correlation(kind) for kind in lesson.IMAGES}
claim("gone with colours", abs(by_kind["colours"]) < 0.35, **by_kind)
claim("both little better", by_kind["both"] < 0.5 < by_kind["outlines"], **by_kind)
claim("half share the shape", 40 < common["e5"]["shape"] < 60, **common["e5"])
claim("colours by chance", max(both["colour"] for both in common.values()) < 16, **common)
coloured = lesson.percent("colours", "BkR")
claim("near chance", max(coloured.values()) < 14, **coloured)

# %% [markdown]
# How good must pictures be? Add noise to the vectors of the outlines, until they are random:

# %%
draw(
    lesson.draw_noise("outlines"),
    "Pearson's correlation of BkR with XLR by the share of noise: high without noise, and near "
    "zero where the vectors of the pictures are random.",
)

# %% [markdown]
# The correlation falls with the pictures, to nothing where they are random. So check the pictures
# first: are those of related things near each other? Without translations you can still look.

# %% tags=["claim"]
curve = [row.results.correlation()["BkR"]["pearson"] for row in lesson.noise("outlines")]
claim("falls", curve[0] > curve[3] > curve[-1], curve=curve)
claim("to nothing", abs(curve[-1]) < 0.3, curve=curve)

# %% [markdown] tags=["instructor"]
# **About 10 minutes.** Ask who has texts with pictures: shops, recipes, news, encyclopedias. Then
# ask what their pictures show that the texts do not say, and the reverse. A photograph of a dish
# says little about its calories.

# %% [markdown]
# ## The answer
#
# **Go from a text to its nearest text in the other language and through the pictures back: the
# better the encoder, the more often the query's own picture returns. This ranks encoders much as
# translations would, if similar texts have similar pictures, and says nothing if they do not.**
#
# ## Exercises
#
# Exercises 1 to 3 are above, in the sections that they belong to.

# %% [markdown]
# ### Exercise 4: do they move together?
#
# Write Pearson's correlation of two lists of numbers, with which the tables above compare BkR and
# XLR.


# %% tags=["exercise"]
def correlation(x, y):
    """Pearson's correlation of two lists."""
    return ...


# %% tags=["solution"]
def correlation(x, y):
    """Pearson's correlation of two lists."""
    return np.corrcoef(x, y)[0, 1]


# %% tags=["grade"]
lesson.check_4(correlation)

# %% [markdown]
# ## Go on
#
# `xorqa backretrieval DATA --source en --target fi --html page.html` measures encoders of your
# choice on texts and pictures of your own, `emoji` is a data set to begin with, and `--degrade`
# draws the curve above for them ([alignment](../docs/alignment.md)). Lesson 5 looks at the same
# encoders from another side.
